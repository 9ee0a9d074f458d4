/**
 * The log of a check out of what is stored of it: which start belongs to which end, what was a reminder, in which order all of it is
 * shown. Not here: acknowledgements and snoozes (`snooze-log`), reading, pages of it (`http/web/checks/log`).
 * Invariant: pure; every ping is in one entry, as the start of a run, its end, or by itself.
 */

import type { StatusChange } from '../check/flip.ts';
import { type Ping, senderOf } from '../check/ping.ts';
import { pingedFromMs } from '../check/shown-status.ts';
import { type Delivery, isReminder, isUntriedReminder, notificationKindOf } from '../deliveries/delivery.ts';
import { remindersIn, type SentNotification } from '../deliveries/sent-notification.ts';
import { noResults } from '../results/result.ts';
import { type Run, runsOf } from '../runs/latest-runs.ts';
import { overrunMs } from '../runs/overrun.ts';
import type { RunEnding } from '../runs/run-ending.ts';
import { durationOf, type RunLog, runsOfLog } from '../runs/run-log.ts';
import { graceEndsOf, isLateSuccess, waitsOf } from '../runs/run-statistics.ts';
import type {
  ChangeEntry,
  EndingEntry,
  LogEntry,
  LogFilter,
  NotificationEntry,
  PingBody,
  PingEntry,
  PingSource,
  RunEntry,
} from './log-view.ts';

/**
 * Order at equal times, newest first: a ping comes before the change that it caused, that before the end of what kept notifications back,
 * and all of them before the notifications that are sent for them.
 */
const order = { notification: 0, alert: 1, maintenance: 1, change: 2, ending: 3, run: 3, ping: 3 } as const;

/** Newest first. Sorting is stable: pings of one instant stay in the order of their numbers. */
export function sortedLog(entries: readonly LogEntry[]): readonly LogEntry[] {
  return [...entries].sort((a, b) => b.atMs - a.atMs || order[a.what] - order[b.what]);
}

export function isWanted(entry: LogEntry, filter: LogFilter): boolean {
  switch (filter) {
    case 'all':
      return entry.what !== 'change' || !entry.isWait;
    case 'runs':
      return entry.what === 'run' || entry.what === 'ping' || entry.what === 'ending';
    case 'failed':
      return (
        (entry.what === 'run' && entry.outcome === 'failed') ||
        (entry.what === 'ending' && entry.outcome !== 'overtaken')
      );
    case 'status':
      return entry.what === 'change';
    case 'snoozes':
      return entry.what === 'alert' || entry.what === 'maintenance';
    case 'notifications':
      return entry.what === 'notification';
  }
}

/** Newest first, of a check that tracks its runs. */
type Tracked = Pick<RunLog, 'endings' | 'open'>;

/** Both newest first. `startedMs`: of the run that is in flight. `tracked`: null where a check has one start. */
export function pingEntries(
  pings: readonly Ping[],
  changes: readonly StatusChange[],
  startedMs: number | null,
  tracked: Tracked | null = null,
): readonly (RunEntry | PingEntry)[] {
  const runs = tracked === null ? runsOfOneStart(pings, changes) : runsOfMany(pings, changes, tracked);
  const inFlight = new Set(tracked === null ? [startedMs] : tracked.open.map((run) => run.startedMs));
  const joined = new Set<number>();
  const entries: (RunEntry | PingEntry)[] = [];
  for (const [at, ping] of pings.entries()) {
    if (joined.has(ping.n)) continue;
    const run = runs.get(ping.n);
    const start = run?.startedMs == null ? null : startOf(pings, at, run.startedMs);
    if (start) joined.add(start.n);
    if (run) entries.push(runEntry(run, ping, start));
    else entries.push(pingEntry(ping, inFlight.has(ping.atMs)));
  }
  return entries;
}

/** By the number of the ping that ended them. */
type RunsByEnd = ReadonlyMap<number, Run & Pick<RunEntry, 'after'>>;

function runsOfOneStart(pings: readonly Ping[], changes: readonly StatusChange[]): RunsByEnd {
  return new Map(
    runsOf(pings.toReversed(), changes.toReversed()).flatMap((run) =>
      run.n === null ? [] : [[run.n, run] as const],
    ),
  );
}

const outcomes = { success: 'succeeded', warning: 'warned', failure: 'failed' } as const;

function runsOfMany(pings: readonly Ping[], changes: readonly StatusChange[], tracked: Tracked): RunsByEnd {
  const graceEnds = graceEndsOf(changes.toReversed());
  return new Map(
    runsOfLog({ pings, changes, ...tracked, isTracked: true }).flatMap((run) => {
      const { n, lateEnd, startedMs, exitStatus } = run;
      const endN = n ?? lateEnd?.n;
      const endMs = n === null ? lateEnd?.atMs : run.endedMs;
      if (endN === undefined || endMs === undefined || endMs === null) return [];
      const known = outcomes[run.outcome as keyof typeof outcomes] ?? 'failed';
      const durationMs = durationOf(run);
      const graceEnd = graceEnds.get(endMs);
      const isLate = graceEnd !== undefined && isLateSuccess(graceEnd.change, { ...graceEnd, durationMs });
      const outcome = known === 'succeeded' && isLate ? 'late' : known;
      const after = run.outcome === 'hung' || run.outcome === 'overtaken' ? { after: run.outcome } : {};
      return [
        [
          endN,
          { atMs: endMs, startedMs, durationMs, outcome, exitStatus, n: endN, results: noResults, ...after },
        ] as const,
      ];
    }),
  );
}

export function endingEntries(endings: readonly RunEnding[]): readonly EndingEntry[] {
  return endings.map(({ atMs, outcome, rid, startedMs, host, limitS }) => ({
    what: 'ending',
    id: `ending-${atMs}-${rid ?? host}`,
    ...{ atMs, outcome, rid, startedMs, host, limitS },
  }));
}

/** The start before the ping at `at` that came at `startedMs` with the same run id. */
function startOf(pings: readonly Ping[], at: number, startedMs: number): Ping | null {
  const { rid } = pings[at] ?? { rid: null };
  for (let index = at + 1; index < pings.length; index++) {
    const ping = pings[index];
    if (!ping || ping.atMs < startedMs) return null;
    if (ping.signal === 'start' && ping.atMs === startedMs && ping.rid === rid) return ping;
  }
  return null;
}

function runEntry(run: NonNullable<ReturnType<RunsByEnd['get']>>, end: Ping, start: Ping | null): RunEntry {
  const { n, atMs, rid } = end;
  const { note, figures, about } = end.note === null && start !== null ? start : end;
  return {
    what: 'run',
    id: `run-${n}`,
    atMs: run.startedMs ?? atMs,
    endedMs: atMs,
    n,
    outcome: run.outcome === 'missed' ? 'failed' : run.outcome,
    ...(run.after === undefined ? {} : { after: run.after }),
    durationMs: run.durationMs,
    exitStatus: run.exitStatus,
    host: end.host || (start?.host ?? ''),
    ...{ note, figures, about },
    results: end.results,
    rid,
    from: sourceOf(end),
    bodies: [...bodiesOf(end), ...(start ? bodiesOf(start) : [])],
    ...droppedOf(end.bodyAgeMs ?? start?.bodyAgeMs),
  };
}

function pingEntry(ping: Ping, isInFlight: boolean): PingEntry {
  const { n, atMs, rid, signal, host, note, figures, about, results } = ping;
  return {
    what: 'ping',
    id: `ping-${n}`,
    atMs,
    n,
    signal: signal === 'log' || signal === 'ign' || signal === 'alive' ? signal : 'start',
    isRunning: signal === 'start' && isInFlight,
    ...{ host, note, figures, about, results },
    rid,
    from: sourceOf(ping),
    bodies: bodiesOf(ping),
    ...droppedOf(ping.bodyAgeMs),
  };
}

function sourceOf(ping: Ping): PingSource {
  const { scheme, method, remoteAddr, ua } = ping;
  return { scheme, method, remoteAddr, ua, byHand: senderOf(ping) };
}

function bodiesOf({ n, bodyBytes }: Ping): readonly PingBody[] {
  return bodyBytes === 0 ? [] : [{ n, bytes: bodyBytes }];
}

function droppedOf(bodyAgeMs: number | undefined): { readonly bodyAgeMs?: number } {
  return bodyAgeMs === undefined ? {} : { bodyAgeMs };
}

/** What may have caused changes. Newest first. */
interface Causes {
  readonly pings: readonly Ping[];
  /** Entries of these pings. */
  readonly runs: readonly (RunEntry | PingEntry)[];
  /** All changes since the oldest of these pings. */
  readonly changes: readonly StatusChange[];
  /** Of the check now; null for one that tracks its runs. */
  readonly graceS: number | null;
}

/** Newest first. */
export function changeEntries(changes: readonly StatusChange[], causes: Causes): readonly ChangeEntry[] {
  const byHand = causes.pings.filter((ping) => ping.byHand);
  const senders = new Map(byHand.map((ping) => [ping.atMs, senderOf(ping)]));
  const waits = waitIds(changes, causes);
  const overruns = overrunsOf(changes, causes);
  const pingedMs = pingedFromMs(changes, causes.pings.at(-1)?.atMs);
  return changes.map(({ atMs, from, to, cause }) => ({
    what: 'change',
    id: changeId({ atMs, to }),
    ...{ atMs, from, to, cause },
    isPinged: pingedMs < atMs,
    byHand: cause === 'success' ? (senders.get(atMs) ?? '') : '',
    ...overruns.get(atMs),
    isWait: waits.has(changeId({ atMs, to })),
  }));
}

/** By the instant at which they took the check down. */
function overrunsOf(
  changes: readonly StatusChange[],
  { pings, changes: runChanges, graceS }: Causes,
): ReadonlyMap<number, Required<Pick<ChangeEntry, 'overrunMs'>>> {
  const timeouts = changes.filter(({ to, cause }) => to === 'down' && cause === 'timeout');
  if (graceS === null || timeouts.length === 0) return new Map();
  const runs = runsOf(pings.toReversed(), runChanges.toReversed());
  return new Map(
    timeouts.flatMap((change) => {
      const givenMs = overrunMs(change, runs, graceS);
      return givenMs === null ? [] : [[change.atMs, { overrunMs: givenMs }] as const];
    }),
  );
}

function changeId({ atMs, to }: Pick<StatusChange, 'atMs' | 'to'>): string {
  return `change-${atMs}-${to}`;
}

/** Of a page that begins in a grace time, the changes of all pings have its end. */
function waitIds(changes: readonly StatusChange[], causes: Causes): ReadonlySet<string> {
  const durations = new Map(
    causes.runs.flatMap((run) => (run.what === 'run' ? [[run.endedMs, run.durationMs] as const] : [])),
  );
  return new Set(
    [changes, causes.changes].flatMap((list) =>
      [
        ...waitsOf(list.toReversed(), (end) =>
          isLateSuccess(end.change, { ...end, durationMs: durations.get(end.change.atMs) ?? null }),
        ),
      ].map(changeId),
    ),
  );
}

/** Newest first. One that was delivered after another of the same change to the same integration is a reminder. */
export function notificationEntries(sent: readonly SentNotification[]): readonly NotificationEntry[] {
  const reminders = remindersIn(sent);
  return sent.map((one): NotificationEntry => {
    const { atMs, kind, changedAtMs, channelId, channelName, channelKind, outcome, attempts, error } = one;
    return {
      what: 'notification',
      id: `notification-${atMs}-${one.deliveryId}`,
      atMs,
      kind,
      isReminder: reminders.has(one),
      changedMs: changedAtMs,
      channelId,
      channelName,
      channelKind,
      outcome,
      attempts,
      error,
      nextMs: null,
      deliveryId: outcome === 'failed' ? one.deliveryId : null,
    };
  });
}

/** One that waits; at the time since when it does. Null for a reminder that is not due. */
export function waitingEntry(
  delivery: Delivery,
  channel: { readonly name: string; readonly kind: string } | null,
): NotificationEntry | null {
  const { id, channelId, change, sinceMs, notBeforeMs, attempts, error } = delivery;
  const kind = notificationKindOf(change);
  if (kind === null || isUntriedReminder(delivery)) return null;
  return {
    what: 'notification',
    id: `notification-${sinceMs}-${id}`,
    atMs: sinceMs,
    kind,
    isReminder: isReminder(delivery),
    changedMs: change.atMs,
    channelId,
    channelName: channel?.name ?? '',
    channelKind: channel?.kind ?? '',
    outcome: 'waiting',
    attempts,
    error,
    nextMs: notBeforeMs > 0 ? notBeforeMs : null,
    deliveryId: id,
  };
}
