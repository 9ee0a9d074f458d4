/**
 * Applies the outcome of an attempt to its integration, beyond the delivery: its latest error, a value that the vendor has
 * changed, and that it will never work again, for which it is disabled. `announcer` notifies people of that.
 *
 * An integration is disabled at once only by proof: the vendor's own words for it (the tables in `channels/`), or 410. A plain
 * 404 may be a server that is being updated: it has to be the answer for over an hour, attempt after attempt.
 * Invariant: an owner's change is never undone: what an attempt says counts only for the value that it was sent to, and not
 * once the integration is disabled.
 */

import { type Channel, type ChannelSettings, settingsOf } from '../../domain/accounts/project.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Outcome } from '../contract/channel.ts';
import type { NotifyReads } from '../contract/notify.ts';
import { oneLine } from '../words/render.ts';

interface ChannelHealthOptions extends Pick<NotifyReads, 'editChannel'> {
  readonly logger: Logger;
  /** So many attempts of a delivery, with their growing pauses, take over an hour. */
  readonly missingAttemptsMin: number;
  nowMs(): number;
  /** `channel` was disabled, and that is durable. */
  disabled(channel: Channel): void;
}

export class ChannelHealth {
  readonly #options: ChannelHealthOptions;

  constructor(options: ChannelHealthOptions) {
    this.#options = options;
  }

  /** An attempt of `delivery` has ended. `channel` as it is now; changed in memory when this returns. */
  ended(channel: Channel, delivery: Pick<Delivery, 'attempts' | 'error'>, outcome: Outcome): void {
    const { disabled, lastError, failingSinceMs } = settingsOf(channel);
    if (disabled) return;
    const error = outcome.kind === 'delivered' ? '' : outcome.error;
    if (this.#isGone(delivery, outcome)) {
      this.#disable(channel, error, outcome);
      return;
    }
    const value = movedValue(channel, outcome);
    // Turning it off and on clears the error, and not since when it fails.
    const isNoted = lastError === error && failingSinceMs > 0 === (error !== '');
    if (value === null && isNoted) return;
    const settings = isNoted ? {} : { settings: attempted(channel, error, this.#options.nowMs()) };
    // A full disk is reported elsewhere; the mark is written at the next attempt.
    this.#options.editChannel(channel.id, { ...settings, ...(value ? { value } : {}) }).catch(() => {});
  }

  #isGone({ attempts, error }: Pick<Delivery, 'attempts' | 'error'>, outcome: Outcome): boolean {
    if (outcome.kind === 'refused') return outcome.gone === true;
    if (outcome.kind !== 'failed' || outcome.missing !== true) return false;
    return attempts + 1 >= this.#options.missingAttemptsMin && error === outcome.error;
  }

  /** One record: a crash leaves the integration as it was, or disabled with others still to be notified. */
  #disable(channel: Channel, error: string, outcome: Outcome): void {
    const { editChannel, disabled, logger, nowMs } = this.#options;
    const settings: Partial<ChannelSettings> = {
      disabled: true,
      disabledReason: reasonOf(error, outcome),
      ...attempted(channel, error, nowMs()),
      announcePending: true,
    };
    const { id, kind, name } = channel;
    logger.error({ channel: id, channelName: oneLine(name), kind, error }, 'integration disabled');
    editChannel(id, { settings }).then(
      () => disabled(channel),
      // The change is not on disk, and undone in memory: the next attempt finds it out again.
      () => {},
    );
  }
}

/** What an attempt or a test at `nowMs` leaves in the settings of `channel`; `error`: empty if it was delivered. */
export function attempted(channel: Channel, error: string, nowMs: number): Partial<ChannelSettings> {
  const sinceMs = settingsOf(channel).failingSinceMs || nowMs;
  return { lastError: error, failingSinceMs: error === '' ? 0 : sinceMs };
}

function reasonOf(error: string, { kind }: Outcome): string {
  return kind === 'failed'
    ? `nothing was there for over an hour (${error})`
    : `it is gone for good (${error})`;
}

/** The value that the vendor has named in place of the integration's; null for none, or when the owner was quicker. */
export function movedValue({ value }: Channel, { newValue }: Outcome): string | null {
  return newValue && newValue.before === value && newValue.after !== value ? newValue.after : null;
}
