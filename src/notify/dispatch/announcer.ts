/**
 * Notifies a project of integrations that Knell has disabled, by the project's other integrations: checks that used only
 * those notify nobody now. One message for all that were disabled at about the same time.
 *
 * That a message is still to be sent is a setting of the disabled integration, written in the same record that disables
 * it and cleared when the message is out: a crash in between sends it again. What becomes of the message disables nothing,
 * so that one cannot cause the next.
 * Invariant: webhooks and commands are not sent it, since they may act on what they get; nor are calls.
 */

import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import { sentence } from '../../domain/words/sentence.ts';
import { kinds } from '../../integrations/all.ts';
import { channelAccepts } from '../../integrations/channel-value.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { ProjectId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Announcement, Notice, Send } from '../contract/channel.ts';
import type { AnnouncerLimits } from '../contract/limits.ts';
import { announcedNamedMax } from '../contract/limits.ts';
import type { NotifyReads } from '../contract/notify.ts';
import { pauseMs, type RetryLimits } from '../contract/retry.ts';
import { oneLine } from '../words/render.ts';

interface AnnouncerOptions {
  readonly reads: Pick<NotifyReads, 'channels' | 'editChannel'>;
  notice(announcement: Announcement, channel: Channel): Notice;
  readonly send: Send;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: AnnouncerLimits;
  readonly retry: RetryLimits;
  /** 0..1. */
  chance(): number;
}

export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #gathering = new Map<ProjectId, () => void>();
  readonly #pauses = new Set<() => void>();
  readonly #abort = new AbortController();

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Takes up what was not sent when Knell ended. */
  start(): void {
    for (const channel of this.#options.reads.channels(null)) if (isPending(channel)) this.disabled(channel);
  }

  /** Soon sends what there is to say of the project of `channel`. */
  disabled({ projectId }: Pick<Channel, 'projectId'>): void {
    if (this.#abort.signal.aborted || this.#gathering.has(projectId)) return;
    const { clock, limits, logger } = this.#options;
    const announce = (): void => {
      this.#gathering.delete(projectId);
      this.#announce(projectId).catch((error: unknown) =>
        logger.error({ project: projectId, error: messageOf(error) }, 'announcement failed'),
      );
    };
    this.#gathering.set(projectId, clock.after(limits.gatherMs, announce));
  }

  stop(): void {
    this.#abort.abort();
    for (const cancel of [...this.#gathering.values(), ...this.#pauses]) cancel();
  }

  async #announce(projectId: ProjectId): Promise<void> {
    const { reads } = this.#options;
    const channels = [...reads.channels(projectId)];
    const disabled = channels.filter(isPending);
    if (disabled.length === 0) return;
    const announcement = announcementOf(disabled);
    await Promise.all(recipientsOf(channels).map((channel) => this.#notify(announcement, channel)));
    if (this.#abort.signal.aborted) return;
    for (const { id } of disabled) await reads.editChannel(id, { settings: { announcePending: false } });
  }

  async #notify(announcement: Announcement, channel: Channel): Promise<void> {
    const { send, notice, limits, retry, logger, chance } = this.#options;
    const prepared = notice(announcement, channel);
    for (let attempts = 1; !this.#abort.signal.aborted; attempts++) {
      const outcome = await send(prepared, this.#abort.signal);
      if (outcome.kind === 'delivered') return;
      if (outcome.kind === 'refused' || attempts === limits.attemptsMax) {
        logger.error({ channel: channel.id, error: outcome.error }, 'announcement not delivered');
        return;
      }
      await this.#pause(Math.max(pauseMs(attempts, retry, chance()), outcome.retryAfterMs ?? 0));
    }
  }

  /** Ends early when Knell stops. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = this.#options.clock.after(ms, over);
      const end = (): void => {
        cancel();
        over();
      };
      this.#pauses.add(end);
    });
  }
}

function isPending(channel: Channel): boolean {
  const { disabled, announcePending } = settingsOf(channel);
  return disabled && announcePending;
}

function recipientsOf(channels: readonly Channel[]): readonly Channel[] {
  const enabled = channels.filter((channel) => {
    const { disabled, unverified } = settingsOf(channel);
    return !disabled && !unverified && channelAccepts(channel.kind, channel.value, 'down');
  });
  const people = enabled.filter(({ kind }) => kinds[kind].audience === 'people');
  return people.length > 0 ? people : enabled.filter(({ kind }) => kinds[kind].audience === 'tickets');
}

function announcementOf(disabled: readonly Channel[]): Announcement {
  const [first] = disabled;
  const one = first && disabled.length === 1 ? `Integration ${nameOf(first)} was disabled` : null;
  const lines = disabled
    .slice(0, announcedNamedMax)
    .map((channel) => sentence(`${nameOf(channel)}: ${settingsOf(channel).disabledReason}`));
  const more = disabled.length - lines.length;
  return {
    title: one ?? `${disabled.length} integrations were disabled`,
    text: [
      ...lines,
      ...(more > 0 ? [`And ${more} more.`] : []),
      'Checks that used nothing else notify nobody now. Fix the cause, then enable it again.',
    ].join('\n'),
  };
}

function nameOf({ kind, name }: Channel): string {
  const { title } = kinds[kind].form;
  return name === '' ? title : `"${oneLine(name)}" (${title})`;
}
