/**
 * The notifications of an incident: what became of them, and those that are to be sent, or sent again.
 * Invariant: a bounded number is shown, the newest, and no turn looks at many logs or deliveries.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import {
  type Delivery,
  isReminder,
  isUntriedReminder,
  notificationKindOf,
} from '../../../domain/deliveries/delivery.ts';
import {
  type PlaceInQueue,
  remindersIn,
  type SentNotification,
} from '../../../domain/deliveries/sent-notification.ts';
import { incidentReopenMs } from '../../../domain/limits.ts';
import type { SentView, WaitingView } from '../../../domain/views/incident-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { NEVER } from '../../../lib/units.ts';
import {
  incidentDeliveriesPerTurn,
  incidentLateOutcomeMs,
  incidentLogsPerTurn,
  incidentNotificationsMax,
} from '../../limits.ts';
import { notificationJson } from '../history.ts';
import { isoMicroseconds, isoSeconds } from '../iso-time.ts';

/** The newest of all its checks, newest first. `isOffered`: whether one that failed can be sent again; absent for the management API. */
export async function notificationsOf(
  incident: Incident,
  read: EngineRead,
  isOffered?: (delivery: string) => boolean,
): Promise<readonly SentView[]> {
  const { checks } = incident;
  const found: Shown[] = [];
  for (let from = 0; from < checks.length; from += incidentLogsPerTurn) {
    const part = checks.slice(from, from + incidentLogsPerTurn);
    const sent = await read.durably(() => part.flatMap((check) => shownOf(incident, check, read)));
    found.push(...sent);
    await nextTurn();
  }
  return found
    .sort((a, b) => b.one.atMs - a.one.atMs)
    .slice(0, incidentNotificationsMax)
    .map(({ one: { outcome, deliveryId }, shown, isReminder: isAgain }) => ({
      ...shown,
      ...(isAgain && isOffered ? { reminder: true } : {}),
      ...(outcome === 'failed' && isOffered?.(deliveryId) ? { delivery: deliveryId } : {}),
    }));
}

interface Shown {
  readonly one: SentNotification;
  readonly shown: SentView;
  readonly isReminder: boolean;
}

function shownOf(incident: Incident, check: IncidentCheck, read: EngineRead): readonly Shown[] {
  const sent = sentInOutage(incident, check, read);
  const reminders = remindersIn(sent);
  return sent.map((one) => ({
    one,
    shown: { check: check.name, ...notificationJson(one) },
    isReminder: reminders.has(one),
  }));
}

/** The newest of a check of it, newest first: those of its outages, and no other. */
export function sentInOutage(
  incident: Incident,
  check: IncidentCheck,
  read: Pick<EngineRead, 'notifications' | 'changes'>,
): readonly SentNotification[] {
  return sentOf(incident, check, read).filter((one) => isOfOutage(one, { incident, check, read }));
}

/**
 * Those of an outage soon after it are its own, too: it opens the incident again. What is known only later, as the end of attempts that
 * failed for a day, is its own if the change was: the next outage of a check may be another incident.
 */
function sentOf(
  { openedMs, resolvedMs }: Incident,
  { id }: IncidentCheck,
  read: Pick<EngineRead, 'notifications'>,
): readonly SentNotification[] {
  if (resolvedMs === 0)
    return read.notifications(id, { fromMs: openedMs, untilMs: NEVER }, incidentNotificationsMax);
  const soonMs = resolvedMs + incidentReopenMs;
  const late = { fromMs: soonMs, untilMs: resolvedMs + incidentLateOutcomeMs };
  return [
    ...read
      .notifications(id, late, incidentNotificationsMax)
      .filter(({ changedAtMs }) => changedAtMs >= openedMs && changedAtMs <= resolvedMs),
    ...read.notifications(id, { fromMs: openedMs, untilMs: soonMs }, incidentNotificationsMax),
  ];
}

/** Whether it is not about an outage before, which was sent late, or ended so. A hold may have put off the incident itself. */
function isOfOutage(
  { kind, changedAtMs }: SentNotification,
  {
    incident: { openedMs },
    check: { id },
    read,
  }: {
    readonly incident: Incident;
    readonly check: IncidentCheck;
    readonly read: Pick<EngineRead, 'changes'>;
  },
): boolean {
  if (changedAtMs >= openedMs || kind === 'warning' || kind === 'late') return true;
  const since = { fromMs: changedAtMs + 1, untilMs: openedMs };
  return kind === 'down' && read.changes(id, since, 2).every(({ to }) => to === 'down');
}

/** The newest, newest first; durable when it resolves. `placeOf`: for the page, where those that failed so far can be sent at once; absent for the management API. One pass in turns, because there may be a hundred thousand deliveries. */
export async function waitingOf(
  { checks, openedMs, resolvedMs }: Incident,
  read: Pick<EngineRead, 'channel' | 'durably'>,
  deliveries: Iterable<Delivery>,
  placeOf?: (delivery: Delivery) => PlaceInQueue,
): Promise<readonly WaitingView[]> {
  const names = new Map(checks.map(({ id, name }) => [id, name]));
  const untilMs = resolvedMs === 0 ? NEVER : resolvedMs;
  const found: Delivery[] = [];
  let looked = 0;
  for (const delivery of deliveries) {
    if (++looked % incidentDeliveriesPerTurn === 0) await nextTurn();
    const { atMs } = delivery.change;
    if (delivery.state !== 'waiting' || atMs < openedMs || atMs > untilMs) continue;
    if (names.has(delivery.checkId) && !isUntriedReminder(delivery)) found.push(delivery);
  }
  const newest = found.sort((a, b) => b.sinceMs - a.sinceMs).slice(0, incidentNotificationsMax);
  return read.durably(() =>
    newest.flatMap((delivery) => {
      const shown = waitingJson(delivery, names.get(delivery.checkId) ?? '', read);
      if (shown === null) return [];
      if (!placeOf) return [shown];
      const reminder = isReminder(delivery) ? ({ reminder: true } as const) : {};
      const retried = delivery.attempts > 0 ? { delivery: delivery.id } : {};
      return [{ ...shown, ...reminder, ...retried, ...placed(delivery, placeOf(delivery)) }];
    }),
  );
}

/** When a pause of its integration ends, it is sent if no other comes first. */
function placed(
  { notBeforeMs }: Delivery,
  { isBehind, pausedUntilMs }: PlaceInQueue,
): Partial<Pick<WaitingView, 'isBehind' | 'next_attempt'>> {
  if (isBehind) return { isBehind };
  return pausedUntilMs > notBeforeMs ? { next_attempt: isoMicroseconds(pausedUntilMs) } : {};
}

function waitingJson(
  { change, channelId, sinceMs, attempts, error, notBeforeMs }: Delivery,
  check: string,
  read: Pick<EngineRead, 'channel'>,
): WaitingView | null {
  const event = notificationKindOf(change);
  const channel = read.channel(channelId);
  if (event === null || !channel) return null;
  return {
    ...{ check, event, changed_at: isoSeconds(change.atMs) },
    ...{ channel: channelId, channel_name: channel.name, channel_kind: channel.kind },
    since: isoMicroseconds(sinceMs),
    ...{ attempts, error },
    next_attempt: notBeforeMs > 0 ? isoMicroseconds(notBeforeMs) : null,
  };
}
