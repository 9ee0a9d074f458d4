/**
 * The runs that failed in an outage: the one that took the check down, and those since, of which the last says how it is by now. Pure.
 * Invariant: an output is never headed as that of another run.
 */
import type { LogEntry, RunEntry } from '../../domain/views/log-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { relativeWords } from '../core/words.ts';

/** Finds the run whose end took the check down, at that time. Of a mail the log shows what a person reads of it. */
export function failedRun(downMs: number, entries: readonly LogEntry[]): RunEntry | null {
  const run = entries.find((entry): entry is RunEntry => entry.what === 'run' && entry.endedMs === downMs);
  return run?.outcome === 'failed' ? run : null;
}

/** Newest first. What had hung before it ended is about a run that is known to have failed. */
function failedSince(downMs: number, entries: readonly LogEntry[]): readonly RunEntry[] {
  return entries
    .filter(
      (entry): entry is RunEntry =>
        entry.what === 'run' &&
        entry.outcome === 'failed' &&
        entry.after === undefined &&
        entry.endedMs >= downMs,
    )
    .sort((a, b) => b.endedMs - a.endedMs);
}

/** Of which run the output is shown: the last one that brought one, or else that which took the check down. */
export function shownFailure(downMs: number, entries: readonly LogEntry[]): RunEntry | null {
  const brought = failedSince(downMs, entries).find(
    ({ bodies, bodyAgeMs }) => bodies.length > 0 || bodyAgeMs !== undefined,
  );
  return brought ?? failedRun(downMs, entries);
}

/** `Output`, and of which run it is wherever several failed: `Output of the last failed run, 4 s ago: exit status 9`. */
export function outputTitle(
  run: RunEntry,
  downMs: number,
  entries: readonly LogEntry[],
  nowMs: number,
): string {
  const [last = run] = failedSince(downMs, entries);
  if (run.endedMs === downMs) return last.n === run.n ? 'Output' : 'Output of the run that took it down';
  const which = last.n === run.n ? 'the last failed run,' : 'a failed run';
  return `Output of ${which} ${relativeWords(run.endedMs, nowMs)}${exitOf(run)}`;
}

/**
 * Whether there may be an output of the last good run before it: of what these entries have, they say so. `entries`: all of the log from
 * some time back.
 */
export function isComparable({ n: failed }: RunEntry, entries: readonly LogEntry[]): boolean {
  const [good] = entries
    .filter(
      (entry): entry is RunEntry =>
        entry.what === 'run' &&
        entry.n < failed &&
        (entry.outcome === 'succeeded' || entry.outcome === 'late'),
    )
    .sort((a, b) => b.n - a.n);
  return good === undefined ? !hasFirstPing(entries) : good.bodies.some(({ n }) => n === good.n);
}

/** Then nothing was before them. A run that has a duration had a start, whose ping was one earlier where nothing came between. */
function hasFirstPing(entries: readonly LogEntry[]): boolean {
  return entries.some((entry) => {
    if (entry.what === 'ping') return entry.n === 1;
    return entry.what === 'run' && entry.n === (entry.durationMs === null ? 1 : 2);
  });
}

/** `failed again since: exit status 9`, of a check that is down; empty where none has failed since. */
export function failedAgainWords(
  { status, cause, sinceMs }: Pick<CheckRow, 'status' | 'cause' | 'sinceMs'>,
  entries: readonly LogEntry[],
): string {
  const [last] = failedSince(sinceMs, entries);
  if (status !== 'down' || !last || last.endedMs === sinceMs) return '';
  return `failed ${cause === 'fail' ? 'again ' : ''}since${exitOf(last)}`;
}

function exitOf({ exitStatus }: RunEntry): string {
  return exitStatus === null || exitStatus === 0 ? '' : `: exit status ${exitStatus}`;
}
