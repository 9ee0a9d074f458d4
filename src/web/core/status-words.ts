/** The words at the head of a check's page: its status, since when, why, and what happens next. Pure. */

import { countedStatusOf, type ShownStatus } from '../../domain/check/shown-status.ts';
import type { RunOutcome } from '../../domain/runs/latest-runs.ts';
import { noteWords } from '../../domain/runs/note-words.ts';
import { overrunWords } from '../../domain/runs/overrun.ts';
import type { ChangeEntry, EndingEntry, LogEntry, RunEntry } from '../../domain/views/log-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { exitWords } from '../../domain/words/exit-words.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import {
  atWords,
  everyWords,
  isLateStart,
  lastRunMs,
  missingWords,
  momentWords,
  relativeWords,
  scheduleWords,
  shownStatusOfRow,
  shownWords,
  waitingWords,
} from './words.ts';

/** Beside the statuses: one that is down, and somebody knows; a maintenance window that is on, as on public status pages. */
export type Mark = ShownStatus | 'snoozed' | 'acknowledged' | 'maintenance';

/** Puts a span into words in whole seconds, which count while one looks. */
function lasting(ms: number): string {
  return exactSpan(Math.max(1, Math.round(ms / 1000)) * 1000);
}

/** Returns the title of the card, such as `Down for 3 h 9 min`. */
export function statusTitle(row: CheckRow, nowMs: number): string {
  const status = shownStatusOfRow(row);
  if (status === 'down') return `Down for ${lasting(nowMs - row.sinceMs)}`;
  if (status === 'late' && row.startedMs !== null) return `Running ${lasting(nowMs - row.startedMs)}`;
  if (status === 'late') return `${lasting(nowMs - (row.nextPingMs ?? row.sinceMs))} overdue`;
  if (status === 'running') return `Running ${lasting(nowMs - (row.startedMs ?? nowMs))}`;
  if (countedStatusOf(status, row.nPings) === 'waiting') return waitingWords;
  return shownWords[status];
}

/**
 * Returns the reason; `entries` are the newest of its log. `isAlerting`: an alert would be sent now if the check went down. If not, none
 * is promised.
 */
export function statusReason(
  row: CheckRow,
  entries: readonly LogEntry[],
  nowMs: number,
  isAlerting = true,
): string {
  const { status, startedMs } = row;
  switch (status) {
    case 'new': {
      const [why, alerts] = newReason(row);
      return isAlerting ? `${why} ${alerts}` : why;
    }
    case 'up':
      return upReason(row, entries);
    case 'grace':
      return startedMs === null
        ? `The ping is late. ${isAlerting ? "You'll be alerted" : 'The check goes down'} when the grace time is over.`
        : `${lateStartWords(row)}${isAlerting ? "You'll be alerted" : 'The check goes down'} unless it finishes in time.`;
    case 'down':
      return downReason(row, entries, nowMs);
    case 'paused':
      return 'No pings are expected, and there are no alerts.';
  }
}

function newReason({ startedMs, cause, nPings }: CheckRow): readonly [why: string, alerts: string] {
  if (startedMs !== null)
    return ['Running.', "You'll be alerted if it doesn't finish within the grace time."];
  if (cause === 'resume') return ['Resumed.', 'Alerts start after the next ping.'];
  return nPings === 0
    ? ['No pings yet.', 'Alerts start after the first ping.']
    : ['No completed run yet.', 'Alerts start after the first one.'];
}

/** A warning of the last run is said, for it is why the row is amber. */
function upReason(row: CheckRow, entries: readonly LogEntry[]): string {
  const { startedMs, breach } = row;
  const { outcome, hasRecovered, byHand } = lastOf(row, entries);
  if (outcome === 'warned' && breach !== undefined) return `The last run had a warning: ${breach}.`;
  if (byHand !== '') return `Marked as up by ${byHand}.`;
  if (hasRecovered)
    return startedMs === null
      ? 'Recovered with the last ping.'
      : 'Running now; recovered with the previous run.';
  if (outcome === null) return startedMs === null ? 'The last ping arrived.' : 'Running now.';
  const when = lateBy(row) || (outcome === 'late' ? 'late' : 'on time');
  return startedMs === null ? `The last ping arrived ${when}.` : `Running now; the previous run was ${when}.`;
}

/** Of less than that nobody is late: intervals vary. */
const saidLateMsMin = 5000;

/**
 * Returns `25 s late` of a ping that came an interval and more after the success before, where both are known. After more than the grace
 * time the check would have been down: then it was another interval.
 */
function lateBy({ kind, timeoutS, graceS, runs }: CheckRow): string {
  const [before, last] = [runs.at(-2), runs.at(-1)];
  const isSuccess = (run: typeof last): boolean =>
    run !== undefined && /^(succeeded|late|warned)$/.test(run[1]);
  if (kind !== 'simple' || !last || !before || !isSuccess(before) || !isSuccess(last)) return '';
  const lateMs = last[0] - (last[2] ?? 0) - before[0] - timeoutS * 1000;
  return lateMs >= saidLateMsMin && lateMs <= graceS * 1000 ? `${lasting(lateMs)} late` : '';
}

interface LastFacts {
  /** Null where nothing is known of it. */
  readonly outcome: RunOutcome | null;
  /** Whether the check was down until this run. */
  readonly hasRecovered: boolean;
  /** Who sent the ping that brought it up; empty for a job, and where that is not known. */
  readonly byHand: string;
}

/** What the last run was. A log that is not read yet, or was read before that run, has another one as its last: then the row says it. */
function lastOf({ runs, sinceMs }: CheckRow, entries: readonly LogEntry[]): LastFacts {
  const last = entries.find((entry): entry is RunEntry => entry.what === 'run');
  const [atMs, outcome] = runs.at(-1) ?? [];
  // Of two parts of the same instant one may have been rounded.
  if (last && !(atMs !== undefined && atMs > last.endedMs + 1)) {
    const end = outageEndedBy(last, entries);
    return { outcome: last.outcome, hasRecovered: end !== undefined, byHand: end?.byHand ?? '' };
  }
  if (atMs === undefined || outcome === undefined) return { outcome: null, hasRecovered: false, byHand: '' };
  const before = runs.at(-2)?.[1];
  const wasDown = before === 'missed' || before === 'failed';
  return { outcome, hasRecovered: wasDown && Math.abs(atMs - sinceMs) <= 1, byHand: '' };
}

/** Where the check was down until this run, which then says nothing of being in time. */
function outageEndedBy({ endedMs }: RunEntry, entries: readonly LogEntry[]): ChangeEntry | undefined {
  return entries.find(
    (entry): entry is ChangeEntry =>
      entry.what === 'change' && entry.from === 'down' && entry.atMs === endedMs,
  );
}

/** Returns `Started 8 min late. `; empty if the run began in time. */
function lateStartWords({ startedLateMs }: CheckRow): string {
  return isLateStart(startedLateMs) ? `Started ${exactSpan(startedLateMs)} late. ` : '';
}

/** A check when it went down: as its row is, or was. */
type WentDown = Pick<CheckRow, 'cause' | 'sinceMs' | 'missing' | 'overrunMs'>;

/** Says why a check went down; `entries` are those of its log at that time. */
export function wentDownWords(down: WentDown, entries: readonly LogEntry[], nowMs: number): string {
  return (
    failureWords(down, entries) ||
    overrunReason(down, entries) ||
    endingWords(down, entries, nowMs) ||
    (whyDown[down.cause ?? ''] ?? 'No ping arrived in time.')
  );
}

/** Says why the check went down, and that a run is in flight by now. Of a run that came too late it says only that. */
function downReason(row: CheckRow, entries: readonly LogEntry[], nowMs: number): string {
  const { cause, sinceMs, startedMs, startedLateMs, overrunMs } = row;
  const why = wentDownWords(row, entries, nowMs);
  if (startedMs === null) return why;
  const running = lasting(nowMs - startedMs);
  if (overrunMs !== undefined) return `${why} Running ${startedMs < sinceMs ? '' : 'again for '}${running}.`;
  if (cause === 'fail') return `${why.replace(/\.$/, '')}. Running again for ${running}.`;
  const late = isLateStart(startedLateMs) ? `, started ${exactSpan(startedLateMs)} late` : '';
  return `Running ${running}${late}.`;
}

/** Empty unless a run took it down that did not end in time: as its row says, or else its log. */
function overrunReason({ sinceMs, overrunMs }: WentDown, entries: readonly LogEntry[]): string {
  const change = entries.find(
    (entry): entry is ChangeEntry => entry.what === 'change' && entry.to === 'down' && entry.atMs === sinceMs,
  );
  const givenMs = overrunMs ?? change?.overrunMs;
  return givenMs === undefined ? '' : `${overrunWords(givenMs)}.`;
}

const whyDown: Readonly<Record<string, string>> = {
  timeout: 'No ping arrived in time.',
  fail: 'The job reported a failure.',
  update: 'It was overdue when its schedule was changed.',
  hung: 'A run did not end in time.',
  missed: 'A run was not reported in time.',
  overlap: 'A run started while another was in flight.',
};

/**
 * Returns `Exit status 3 after 2 min 14 s` of the run that took the check down, or `files 0, usually 1,380–1,420`; empty if it reported no
 * status, and no number beyond a limit.
 */
function failureWords({ cause, sinceMs }: WentDown, entries: readonly LogEntry[]): string {
  if (cause !== 'fail') return '';
  const run = entries.find(
    (entry): entry is RunEntry =>
      entry.what === 'run' && entry.outcome === 'failed' && entry.endedMs === sinceMs,
  );
  if (run?.note === 'result') return noteWords({ ...run, note: run.note }, String);
  if (!run || run.exitStatus === null) return '';
  return capital(exitWords(run.exitStatus, run.durationMs));
}

/** `A run hung: started 02:00, may take 45 min.` or which machines have not reported; empty for what is about no run. */
function endingWords(
  { cause, sinceMs, missing }: WentDown,
  entries: readonly LogEntry[],
  nowMs: number,
): string {
  if (missing !== undefined) return `${missingWords(missing)}.`;
  if (cause !== 'hung') return '';
  const hung = entries.find(
    (entry): entry is EndingEntry =>
      entry.what === 'ending' && entry.outcome === 'hung' && entry.atMs === sinceMs,
  );
  if (!hung || hung.startedMs === null) return '';
  const host = hung.host === '' ? '' : ` on ${hung.host}`;
  const limit = hung.limitS === 0 ? '' : `, may take ${exactSpan(hung.limitS * 1000)}`;
  return `A run hung: started ${momentWords(hung.startedMs, nowMs)}${host}${limit}.`;
}

interface LastRunFacts {
  /** What is said above it. */
  readonly reason: string;
  /** The next time of its schedule; null for none. */
  readonly nextMs: number | null;
  readonly nowMs: number;
}

/**
 * Returns `Last run 5 min ago, took 4 min`; of a check that is down also when the next one is expected. An interval expects none
 * until it is pinged: then it is how often. The time that it took is left out where the reason says it.
 */
export function lastRunWords(row: CheckRow, { reason, nextMs, nowMs }: LastRunFacts): string {
  const { lastDurationMs, status, startedMs, kind, timeoutS } = row;
  const took = lastDurationMs === null ? '' : exactSpan(lastDurationMs);
  const isSaid = took === '' || reason.includes(` after ${took}`);
  const lastMs = lastRunMs(row);
  const last =
    lastMs === null
      ? 'No run yet'
      : `Last run ${relativeWords(lastMs, nowMs)}${isSaid ? '' : `, took ${took}`}`;
  if (status !== 'down' || startedMs !== null) return last;
  if (kind === 'simple') return `${last} · expected ${everyWords(timeoutS)}`;
  return nextMs === null ? last : `${last} · next expected ${momentWords(nextMs, nowMs)}`;
}

/**
 * Returns `Expected at 21:04, every day; last success yesterday 21:07`, of a check that no ping brought down: when it should have come. Of a
 * run that did not end, when that began. Empty for other reasons. It is counted back from when the check went down.
 */
export function expectedWords(row: CheckRow, nowMs: number): string {
  const { status, cause, sinceMs, overrunMs, runs } = row;
  if (status !== 'down' || cause !== 'timeout') return '';
  const lastOk = runs.findLast(([, outcome]) => outcome !== 'failed' && outcome !== 'missed');
  const before = lastOk && lastOk[0] < sinceMs ? `last success ${atWords(lastOk[0], nowMs)}` : '';
  const lastOkMs = before === '' ? undefined : lastOk?.[0];
  const began = overrunMs === undefined ? expectedMs(row, lastOkMs) : sinceMs - overrunMs;
  const when = `${overrunMs === undefined ? 'Expected' : 'Started'} ${atWords(began, nowMs)}, ${scheduleWords(row)}`;
  return before === '' ? when : `${when}; ${before}`;
}

/** After an interval from the last success, where that is known; or else the grace time before it went down. */
function expectedMs({ kind, timeoutS, graceS, sinceMs }: CheckRow, lastOkMs: number | undefined): number {
  const afterMs = kind === 'simple' && lastOkMs !== undefined ? lastOkMs + timeoutS * 1000 : sinceMs;
  return afterMs < sinceMs ? afterMs : sinceMs - graceS * 1000;
}

export interface NextEvent {
  readonly title: string;
  readonly atMs: number;
}

/** Returns what happens next if nothing else does. */
export function nextEvent(row: CheckRow, nowMs: number): NextEvent | null {
  const status: ShownStatus = shownStatusOfRow(row);
  const { downAtMs, nextPingMs } = row;
  if (status === 'late' || status === 'running')
    return downAtMs === null ? null : { title: status === 'late' ? 'Goes down' : 'Due by', atMs: downAtMs };
  if (nextPingMs === null || status === 'paused') return null;
  return { title: nextPingMs >= nowMs ? 'Next run' : 'Was expected', atMs: nextPingMs };
}

/** Returns `in 20 h 49 min` or `3 h 09 min ago`. */
export function distanceWords(atMs: number, nowMs: number): string {
  const words = lasting(Math.abs(atMs - nowMs));
  return atMs >= nowMs ? `in ${words}` : `${words} ago`;
}

/** Returns `today 05:30` or `tomorrow 02:15`. */
export function dayMomentWords(atMs: number, nowMs: number): string {
  const words = momentWords(atMs, nowMs);
  return /^\d/.test(words) ? `today ${words}` : words;
}
