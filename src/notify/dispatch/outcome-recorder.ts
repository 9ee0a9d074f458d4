/**
 * Records the end of a delivery: a number for the metrics, an entry in the check's log, the fields of a log line. `outbox`
 * has the delivery itself.
 */

import type { Channel } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import { type Delivery, isReminder, notificationKindOf } from '../../domain/deliveries/delivery.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ChannelId, type CheckId, uniqueKeyOf } from '../../lib/ids.ts';
import type { RecentNotifications } from '../contract/recent-notifications.ts';
import { oneLine } from '../words/render.ts';
import type { DeliveryOutcome, NotifyMetrics } from './metrics.ts';
import type { Outbox } from './outbox.ts';

interface RecorderOptions {
  readonly outbox: Pick<Outbox, 'log'>;
  readonly clock: Clock;
  readonly recent: Pick<RecentNotifications, 'add'>;
  readonly metrics: NotifyMetrics;
  check(id: CheckId): Check | null;
  /** Without reading the check. */
  isThere(id: CheckId): boolean;
  channel(id: ChannelId): Channel | null;
}

interface DeliveryEnd
  extends Pick<SentNotification, 'outcome' | 'attempts' | 'error' | 'incident' | 'message'> {
  readonly delivery: Delivery;
}

export class OutcomeRecorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Writes to the check's log. Nobody can read the log of a deleted check. */
  log({ delivery, outcome, attempts, error, incident, message }: DeliveryEnd): void {
    const { outbox, clock, recent } = this.#options;
    const { id, checkId, channelId, change } = delivery;
    const kind = notificationKindOf(change);
    if (kind === null || !this.#options.isThere(checkId)) return;
    const channel = this.#options.channel(channelId);
    const atMs = clock.nowMs();
    const notification: SentNotification = {
      deliveryId: id,
      kind,
      changedAtMs: change.atMs,
      atMs,
      channelId,
      channelName: channel?.name ?? '',
      channelKind: channel?.kind ?? '',
      outcome,
      attempts,
      error,
    };
    const isUpdatable = incident !== undefined && message !== undefined;
    outbox.log(checkId, isUpdatable ? { ...notification, incident, message } : notification);
    const reminder = isReminder(delivery) ? ({ reminder: true } as const) : {};
    if (outcome !== 'held')
      recent.add(channelId, { id, kind, checkId, atMs, outcome, attempts, error, ...reminder });
  }

  count({ channelId }: Delivery, outcome: DeliveryOutcome): void {
    this.#options.metrics.delivery(this.#options.channel(channelId)?.kind ?? null, outcome);
  }

  /** Fields of a log line: not the check's UUID, which is its ping URL, but its unique key. */
  fields({ id, checkId, channelId }: Delivery): Readonly<Record<string, string>> {
    const check = this.#options.check(checkId)?.config;
    const integration = this.#options.channel(channelId);
    return {
      delivery: id,
      check: uniqueKeyOf(checkId),
      checkName: oneLine(check?.name || check?.slug || ''),
      channel: channelId,
      channelName: oneLine(integration?.name ?? ''),
      kind: integration?.kind ?? '',
    };
  }
}
