/** Options of the dispatcher. Plain facts. */

import type { Channel } from '../../domain/accounts/project.ts';
import type { ActiveWindow } from '../../domain/alerting/maintenance.ts';
import type { Check, Status } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ChannelId, CheckId, Ids, IncidentId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import type { MessageAbout, Notice, Outcome, Send } from '../contract/channel.ts';
import type { DispatchLimits } from '../contract/limits.ts';
import type { RecentNotifications } from '../contract/recent-notifications.ts';
import type { NotifyMetrics } from './metrics.ts';
import type { Outbox } from './outbox.ts';
import type { Refreshed } from './refreshes.ts';

/** Facts about integrations and checks, as they are by now. */
export interface DispatchSources {
  channel(id: ChannelId): Channel | null;
  check(id: CheckId): Check | null;
  /** The maintenance window about the check that is on now, of several the one that ends last; null for none. */
  maintenance(check: Check): ActiveWindow | null;
  /** The quiet hours of an integration about a check that are on now; null for none. */
  quietUntil(channel: Channel, check: Check): ActiveWindow | null;
  /** Resolves to what `read` returns once all that it can have seen is durable; reads again what was undone. */
  durably<T>(read: () => T): Promise<T>;
  /** Whether every deadline before this moment has been noticed. What follows from it may not be durable. */
  isCaughtUp(): boolean;
  /** Whether somebody has acknowledged the incident; false for none. */
  isAcknowledged(id: IncidentId | undefined): boolean;
  /** The status of a check, undecoded; null for one that is gone. */
  statusOf(id: CheckId): Status | null;
  /** Of the first of those that one message is about, and its check. A promise when something has to be read first. */
  notice(about: MessageAbout, check: Check, channel: Channel): Notice | Promise<Notice>;
  /** The checks that an incident lists. */
  incidentChecks(id: IncidentId): Iterable<CheckId>;
  /** Whether the check is in that incident at this moment, and nothing keeps back that it went down. */
  isOpenIn(id: CheckId, incident: IncidentId): boolean;
  /** The newest notifications of a check, newest first. */
  sent(id: CheckId): readonly SentNotification[];
  /** The latest status change of a check; null for none. */
  lastChange(id: CheckId): StatusChange | null;
  /** For those that keep alerts in memory only: what they were notified of before the start, a null for each check without such. */
  refreshed(): Iterable<Refreshed | null>;
  /** An attempt has ended: what that says about the integration. */
  attempted(channel: Channel, delivery: Pick<Delivery, 'attempts' | 'error'>, outcome: Outcome): void;
  readonly send: Send;
}

export interface DispatchOptions {
  readonly outbox: Outbox;
  readonly sources: DispatchSources;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: NotifyMetrics;
  readonly recent: Pick<RecentNotifications, 'add'>;
  readonly limits: DispatchLimits;
  /** 0..1. */
  chance(): number;
  readonly ids: Pick<Ids, 'newUuid'>;
}
