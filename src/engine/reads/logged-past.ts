/**
 * What the logs have of a moment in the past of a check: the status change that it belongs to, and what became of its notifications.
 * Not here: what is said of that (`domain/alerting/who-was-notified`).
 * Invariant: a bounded number of entries is read, those from next to the change first.
 */
import type { Incident } from '../../domain/alerting/incident.ts';
import type { LoggedPast, SnoozeSpan } from '../../domain/alerting/who-was-notified.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { notificationKindOf, recipientsOf } from '../../domain/deliveries/delivery.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import { pastChangesSearched, pastNotificationsRead, pastSnoozesRead } from '../../domain/limits.ts';
import type { AlertEntry } from '../../domain/views/log-view.ts';
import { alertEntries } from '../../domain/views/snooze-log.ts';
import { day, hour, NEVER } from '../../lib/units.ts';
import { changesCutoffMs } from '../../store/history/rows/retention.ts';
import type { Store } from '../../store/store.ts';
import type { EngineContext } from '../context/context.ts';

export function loggedPast(
  { registry, store }: Pick<EngineContext, 'registry' | 'store'>,
  check: Check,
  atMs: number,
  nowMs: number,
): LoggedPast {
  // A status change has its place within a millisecond.
  const afterMs = Math.floor(atMs) + 1;
  const [change = null] = store.changes(check.id, { fromMs: 0, untilMs: afterMs }, 1);
  const next = firstFrom(store, check, afterMs);
  const index = registry.projectIndex(check.projectId);
  const channelOf = (id: Parameters<typeof registry.projectOfChannel>[0]) => index?.channel(id) ?? null;
  const downBefore = change?.to === 'up' ? lastDown(store, check, change) : null;
  const alerts = alertEntries(check, store.snoozeAudit(check.id, allTime, pastSnoozesRead), [], nowMs);
  return {
    ...{ atMs, nowMs, check, change, next },
    downBefore,
    sentDown: downBefore ? sentAbout(store, check, downBefore) : [],
    keptFromMs: changesCutoffMs(nowMs),
    channels: [...(index?.channels() ?? [])].filter(({ kind }) => kind !== 'group'),
    assigned: new Set(recipientsOf(check.config.channels, { channelOf }).map(({ id }) => id)),
    sent: change ? sentAbout(store, check, change) : [],
    snoozes: snoozesOf(alerts),
    acknowledged: change?.to === 'down' ? acknowledgedIn(alerts, change.atMs, next?.atMs ?? NEVER) : null,
    incident: incidentAt([...registry.incidents.of(check.projectId)], check, { atMs, change }),
  };
}

const allTime = { fromMs: 0, untilMs: NEVER };

/** Ends of parts that are looked through one after the other: most of what is looked for is in the first. */
const partsMs = [hour, day, 3 * day, 31 * day, NEVER];

/** The parts of the time from `fromMs` on, the earliest first. */
function* partsFrom(fromMs: number): Iterable<{ readonly fromMs: number; readonly untilMs: number }> {
  let lastMs = fromMs;
  for (const ms of partsMs) {
    const untilMs = ms === NEVER ? NEVER : fromMs + ms;
    yield { fromMs: lastMs, untilMs };
    lastMs = untilMs;
  }
}

function firstFrom(store: Pick<Store, 'changes'>, { id }: Check, fromMs: number): StatusChange | null {
  for (const part of partsFrom(fromMs)) {
    const first = store.changes(id, part).at(-1);
    if (first) return first;
  }
  return null;
}

function lastDown(store: Pick<Store, 'changes'>, { id }: Check, { atMs }: StatusChange): StatusChange | null {
  const before = store.changes(id, { fromMs: 0, untilMs: atMs }, pastChangesSearched);
  return before.find((change) => notificationKindOf(change) === 'down') ?? null;
}

/** What became of the notifications of the change, oldest first. */
export function sentAbout(
  store: Pick<Store, 'notifications'>,
  { id }: Check,
  change: StatusChange,
): readonly SentNotification[] {
  const kind = notificationKindOf(change);
  const found: SentNotification[] = [];
  for (const part of partsFrom(change.atMs)) {
    const sent = store.notifications(id, part, pastNotificationsRead).toReversed();
    for (const one of sent) if (one.kind === kind && one.changedAtMs === change.atMs) found.push(one);
  }
  return found;
}

/** `alerts`: newest first. */
function snoozesOf(alerts: readonly AlertEntry[]): readonly SnoozeSpan[] {
  const spans: SnoozeSpan[] = [];
  let open: SnoozeSpan | null = null;
  for (const { action, atMs, by, untilMs } of alerts.toReversed()) {
    if (action === 'snoozed' || action === 'snooze-changed') {
      if (open) spans.push({ ...open, untilMs: atMs });
      open = { fromMs: atMs, untilMs: untilMs ?? NEVER, by };
    } else if (open && (action === 'unsnoozed' || action === 'snooze-over')) {
      spans.push({ ...open, untilMs: atMs });
      open = null;
    }
  }
  return open ? [...spans, open] : spans;
}

function acknowledgedIn(
  alerts: readonly AlertEntry[],
  fromMs: number,
  untilMs: number,
): LoggedPast['acknowledged'] {
  const last = alerts.find(
    ({ action, atMs }) =>
      (action === 'acknowledged' || action === 'unacknowledged') && atMs >= fromMs && atMs < untilMs,
  );
  return last?.action === 'acknowledged' ? { atMs: last.atMs, by: last.by } : null;
}

/** That of the outage, and of its end. */
function incidentAt(
  incidents: readonly Incident[],
  { id }: Check,
  { atMs, change }: Pick<LoggedPast, 'atMs' | 'change'>,
): Incident | null {
  if (change?.to !== 'down' && change?.from !== 'down') return null;
  const candidates = incidents.filter(({ checks }) =>
    checks.some(
      (one) => one.id === id && one.joinedMs <= atMs && (one.leftMs === 0 || one.leftMs >= change.atMs),
    ),
  );
  return candidates.sort((a, b) => b.openedMs - a.openedMs)[0] ?? null;
}
