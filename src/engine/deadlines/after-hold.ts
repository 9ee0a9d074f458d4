/**
 * The deliveries that are due when a snooze or a hold is over. `domain/deliveries/after-snooze` decides what; this knows who was
 * notified before.
 */
import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import { type Incident, incidentRef } from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { withheldOf } from '../../domain/check/snooze.ts';
import { createDeliveriesAfterSnooze, dueAfterSnooze } from '../../domain/deliveries/after-snooze.ts';
import { type Delivery, isSentIncidents, notificationKindOf } from '../../domain/deliveries/delivery.ts';
import { lastDelivered, type SentNotification } from '../../domain/deliveries/sent-notification.ts';
import { lastDeliveredSearched } from '../../domain/limits.ts';
import { asDeliveryId } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { EngineContext } from '../context/context.ts';
import { sentBeforeSnoozeMax } from '../contract/limits.ts';

interface AfterHold {
  readonly atMs: number;
  /** The incident that the check is in by now, or was in until now; null for none. */
  readonly incident: Incident | null;
  readonly isUndo?: boolean | undefined;
}

/** `before`: with the snooze or the hold that is over. */
export function deliveriesAfterHold(
  context: EngineContext,
  before: Check,
  { atMs, incident, isUndo }: AfterHold,
): readonly Delivery[] {
  const { registry, ids } = context;
  if (before.config.channels.length === 0) return [];
  const due = dueAfterSnooze(before, () => downBefore(context, before), isUndo);
  const index = registry.projectIndex(before.projectId);
  const logs = logsOf(context, before);
  // It left its incident then, which may have been over for an integration that is sent incidents as a whole.
  const wasUp = withheldOf(before)?.withheld.some((change) => notificationKindOf(change) === 'up') ?? false;
  return createDeliveriesAfterSnooze(before, due, {
    atMs,
    channelOf: (id) => index?.channel(id) ?? null,
    newId: () => asDeliveryId(ids.newUuid()),
    downBefore: () => context.pendingDowns.latest(before.id),
    incident: incident && incidentRef(incident),
    wasNotified: (channel) => wasNotified(context, before, logs, channel),
    knowsDown: (channel) =>
      wasNotified(context, before, logs, channel) &&
      !isUnsent(logs.newest(), channel) &&
      !(isSentIncidents(channel) && wasUp),
    isGivenUp: (channel, change) => isUndo === true && isGivenUp(logs.newest(), channel, change),
  });
}

/** The notifications of a check, newest first. Each is read when it is looked at first. */
interface Logs {
  /** Since the snooze or the hold began; deliveries that it superseded are among them. */
  during(): readonly SentNotification[];
  newest(): readonly SentNotification[];
}

function logsOf({ store }: EngineContext, check: Check): Logs {
  const sinceMs = withheldOf(check)?.atMs ?? 0;
  const read = (fromMs: number, max: number) =>
    store.notifications(check.id, { fromMs, untilMs: NEVER }, max);
  let during: readonly SentNotification[] | undefined;
  let newest: readonly SentNotification[] | undefined;
  return {
    during() {
      during ??= read(sinceMs, sentBeforeSnoozeMax);
      return during;
    },
    newest() {
      newest ??= read(0, lastDeliveredSearched);
      return newest;
    },
  };
}

/** Whether it may have been notified that the check is down: those that were still within their delay had not been. */
function wasNotified(context: EngineContext, check: Check, logs: Logs, channel: Channel): boolean {
  const { delayS, collectS, escalateS } = settingsOf(channel);
  const delayMs = Math.max(delayS, collectS, escalateS) * second;
  if (delayMs === 0 && !isSentIncidents(channel) && !hasQuietHours(context, channel)) return true;
  const own = logs.during().filter(({ channelId, kind }) => channelId === channel.id && kind === 'down');
  if (own.some(({ attempts }) => attempts > 0) || wasSentDown(logs.newest(), channel)) return true;
  // What has ended without an attempt, or is held back, was not sent, whatever the time was.
  if (own.length > 0) return false;
  // While a check recovers, what was to be sent of its outage goes out all the same, and its outcome may be in no history yet. An end
  // that was not needed is superseded together with its beginning.
  if (check.hold?.reason === 'recover-after') return true;
  const { atMs = 0, downAtMs = 0 } = withheldOf(check) ?? {};
  // A delivery that the snooze has superseded a moment ago is in no history yet. If the clock was set back, the history says
  // more.
  return atMs >= downAtMs + delayMs;
}

/** Whether the last that it was sent of the check is that it is down: perhaps of an outage before, whose end was not sent. */
function wasSentDown(sent: readonly SentNotification[], { id }: Channel): boolean {
  return lastDelivered(sent, id) === 'down';
}

/** The notification that it is down has ended without being delivered. One that has no end is sent yet. */
function isUnsent(sent: readonly SentNotification[], channel: Channel): boolean {
  const own = sent.filter(({ channelId, kind }) => channelId === channel.id && kind === 'down');
  const latestMs = Math.max(...own.map(({ changedAtMs }) => changedAtMs));
  const latest = own.find(({ changedAtMs }) => changedAtMs === latestMs);
  return latest !== undefined && latest.outcome !== 'delivered' && !wasSentDown(sent, channel);
}

/** The alert of this change had failed for good before: without the snooze it would not have been tried again. */
function isGivenUp(sent: readonly SentNotification[], { id }: Channel, { atMs }: StatusChange): boolean {
  const latest = sent.find(
    ({ channelId, kind, changedAtMs }) => channelId === id && kind === 'down' && changedAtMs === atMs,
  );
  return latest?.outcome === 'failed';
}

function hasQuietHours({ registry }: EngineContext, { id, projectId }: Channel): boolean {
  return registry.maintenance.of(projectId).some(({ integrations }) => integrations.includes(id));
}

/** The history forgets it after two months: then the check is down at least since the snooze began. */
function downBefore(context: EngineContext, check: Check): StatusChange {
  const sinceMs = withheldOf(check)?.atMs ?? 0;
  return context.pendingDowns.latest(check.id) ?? { atMs: sinceMs, from: 'up', to: 'down', cause: 'timeout' };
}
