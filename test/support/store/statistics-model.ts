/**
 * What is counted of a check, once more and as small as possible: from the whole list of what happened, every time anew.
 * Invariant: shares no code with what it is held against but the names.
 */
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { Signal } from '../../../src/domain/check/ping.ts';
import type { ResultSums } from '../../../src/domain/results/result-sums.ts';
import type { RunStatistics } from '../../../src/domain/runs/run-statistics.ts';

export interface CountedPing {
  readonly atMs: number;
  readonly signal: Signal;
  /** Of the run that it ended. */
  readonly durationMs: number | null;
  /** Absent for none. */
  readonly results?: readonly { readonly name: string; readonly value: number }[];
}

interface CountedChange extends Pick<StatusChange, 'atMs' | 'from' | 'to'> {
  readonly cause: string;
  /** Of the run whose end made it; null or absent for none. */
  readonly durationMs?: number | null;
}

export interface CountedHistory {
  readonly pings: readonly CountedPing[];
  /** In the order in which they happened; `from` of each is `to` of the one before. */
  readonly changes: readonly CountedChange[];
  readonly nowMs: number;
}

/** As texts that can be compared; durations without their bins. */
export type Counted = Omit<RunStatistics, 'durations' | 'results'> & {
  readonly runs: readonly [count: number, sumMs: number, minMs: number, maxMs: number] | null;
  /** Absent for none. */
  readonly results?: readonly (readonly [name: string, sums: ResultSums])[];
};

/** From `fromMs` to before `untilMs`. */
export function recounted(
  { pings, changes, nowMs }: CountedHistory,
  fromMs: number,
  untilMs: number,
): Counted {
  const isIn = ({ atMs }: { readonly atMs: number }): boolean => atMs >= fromMs && atMs < untilMs;
  const ends = pings
    .filter(isIn)
    .filter(({ signal }) => signal === 'success' || signal === 'warn' || signal === 'fail');
  const durations = ends.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  const made = changes.filter(isIn);
  const [watchedMs, downMs] = timeIn({ changes, nowMs }, fromMs, untilMs);
  return {
    successes: ends.filter(({ signal }) => signal !== 'fail').length,
    failures: ends.filter(({ signal }) => signal === 'fail').length,
    late: changes.filter((change, at) => isIn(change) && isLate(change, changes.slice(0, at))).length,
    missed: made.filter(({ to, cause }) => to === 'down' && ['timeout', 'hung', 'missed'].includes(cause))
      .length,
    outages: made.filter(({ to }) => to === 'down').length,
    downMs,
    watchedMs,
    runs:
      durations.length === 0
        ? null
        : [
            durations.length,
            durations.reduce((sum, one) => sum + one),
            Math.min(...durations),
            Math.max(...durations),
          ],
    ...summedUp(ends),
  };
}

/** By name; in the order of names, since that in which they came up is not promised of a longer time. */
function summedUp(ends: readonly CountedPing[]): Pick<Counted, 'results'> {
  const all = ends.flatMap(({ results = [] }) => results);
  const names = [...new Set(all.map(({ name }) => name))].sort();
  if (names.length === 0) return {};
  const results = names.map((name) => {
    const values = all.filter((one) => one.name === name).map(({ value }) => value);
    const sum = values.reduce((total, one) => total + one);
    return [name, { count: values.length, sum, min: Math.min(...values), max: Math.max(...values) }] as const;
  });
  return { results };
}

/** Neither its end nor its start came in the minute after it was due: when the change before was made, of several the latest. */
function isLate({ atMs, from, cause, durationMs }: CountedChange, before: readonly CountedChange[]): boolean {
  if (from !== 'grace' || cause !== 'success' || before.length === 0) return false;
  return atMs - (durationMs ?? 0) >= Math.max(...before.map((change) => change.atMs)) + 60_000;
}

/** Time is what has gone by since the latest instant so far: where the clock was set back, none has. */
function timeIn(
  { changes, nowMs }: Pick<CountedHistory, 'changes' | 'nowMs'>,
  fromMs: number,
  untilMs: number,
): readonly [watchedMs: number, downMs: number] {
  let [watchedMs, downMs] = [0, 0];
  let latestMs = changes[0]?.atMs ?? nowMs;
  const ends = [...changes, { atMs: nowMs, from: changes.at(-1)?.to ?? 'new' }];
  for (const { atMs, from } of ends) {
    const ms = Math.max(0, Math.min(atMs, untilMs) - Math.max(latestMs, fromMs));
    latestMs = Math.max(latestMs, atMs);
    if (from === 'new' || from === 'paused') continue;
    watchedMs += ms;
    if (from === 'down') downMs += ms;
  }
  return [watchedMs, downMs];
}

/** Statistics as the model has them. */
export function shownStatistics({ durations, results, ...counts }: RunStatistics): Counted {
  const runs = durations && ([durations.count, durations.sumMs, durations.minMs, durations.maxMs] as const);
  return { ...counts, runs, ...(results === null ? {} : { results: [...results].sort(byName) }) };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
