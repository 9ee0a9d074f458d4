/**
 * The columns of the chart of a check's runs. They show durations, a column for each run, or for each bucket where there are
 * many runs. Where no start is ever reported, they show how many runs there were in each bucket. Pure.
 */

import type { Run, RunOutcome } from '../../domain/runs/latest-runs.ts';
import type { CheckStatistics, StatisticsBucket } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { momentWords } from '../core/words.ts';

/** An entry of the log that is looked for. */
export interface WantedEntry {
  /** Output of one ping that is wanted, all of it where it has a line to begin at, from 1; its entry is found by it, not by `id`. */
  readonly output?: { readonly n: number; readonly line: number | null };
  readonly id: string;
  readonly atMs: number;
}

export interface ChartColumn {
  /** Time of the middle of the column. */
  readonly atMs: number;
  /**
   * Height of the column: a duration in milliseconds (the median of several runs), or a number of runs; null if nothing is
   * known.
   */
  readonly value: number | null;
  /** 95th percentile of the durations in a bucket. */
  readonly p95Ms: number | null;
  /** Parts of the runs that failed or were missed, and that were late or had a warning (of one run), from 0 to 1. */
  readonly failed: number;
  readonly late: number;
  readonly words: string;
  /** The entry in the log. */
  readonly entry: WantedEntry;
}

export interface ChartData {
  readonly of: 'durations' | 'counts';
  /** Columns, oldest first. */
  readonly columns: readonly ChartColumn[];
  /** Milliseconds that belong to each column; null where each is a run. */
  readonly bucketMs: number | null;
}

export const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'succeeded',
  late: 'late',
  warned: 'with a warning',
  failed: 'failed',
  missed: 'missed',
};

/** What the axis of time shows. */
export interface ShownTime {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** `createdMs`: when the check was created, before which nothing is drawn; nor is anything after now. */
export function chartDataOf(
  { runs, buckets, nowMs }: CheckStatistics,
  createdMs: number,
  shown: ShownTime,
): ChartData {
  const [first] = buckets;
  const bucketMs = first ? first.untilMs - first.fromMs : 0;
  const filled = buckets.filter((one) => countOf(one) > 0);
  const hasDurations = runs
    ? runs.some(({ durationMs }) => durationMs !== null)
    : filled.some(({ durations }) => durations !== null);
  if (!hasDurations) {
    const fineMs = runs ? fineStep(shown, bucketMs) : null;
    if (runs && fineMs !== null) {
      const columns = fineBuckets(runs, fineMs).map((one) => {
        return { ...bucketColumn(one, createdMs, nowMs), value: countOf(one) };
      });
      return { of: 'counts', columns, bucketMs: fineMs };
    }
    const columns = filled.map((one) => ({ ...bucketColumn(one, createdMs, nowMs), value: countOf(one) }));
    return { of: 'counts', columns, bucketMs };
  }
  if (runs) return { of: 'durations', columns: runs.map((run) => runColumn(run, nowMs)), bucketMs: null };
  return { of: 'durations', columns: filled.map((one) => bucketColumn(one, createdMs, nowMs)), bucketMs };
}

/** With fewer buckets than this, one would say little of when its runs were. */
const bucketsMin = 12;
const fineBucketsMax = 48;
const fineSteps = [1, 5, 15, 60, 120, 300, 600, 900, 1800, 3600].map((seconds) => seconds * 1000);

/** Length of the buckets of an axis that is too short for those of the server; null where these will do. */
function fineStep({ fromMs, untilMs }: ShownTime, bucketMs: number): number | null {
  const lengthMs = untilMs - fromMs;
  if (lengthMs >= bucketsMin * bucketMs) return null;
  const step = fineSteps.find((one) => lengthMs <= fineBucketsMax * one);
  return step !== undefined && step < bucketMs ? step : null;
}

/** Runs by when they ended, or should have, as in the buckets of the server. Only those that have any, oldest first. */
function fineBuckets(runs: readonly Run[], bucketMs: number): readonly StatisticsBucket[] {
  const outcomes = new Map<number, RunOutcome[]>();
  for (const { atMs, outcome } of runs) {
    const fromMs = Math.floor(atMs / bucketMs) * bucketMs;
    outcomes.set(fromMs, [...(outcomes.get(fromMs) ?? []), outcome]);
  }
  return [...outcomes].map(([fromMs, found]) => {
    const count = (...wanted: readonly RunOutcome[]) => found.filter((one) => wanted.includes(one)).length;
    return {
      ...{ fromMs, untilMs: fromMs + bucketMs, succeeded: count('succeeded', 'warned'), late: count('late') },
      ...{ failed: count('failed'), missed: count('missed'), outages: 0, downMs: 0, watchedMs: 0 },
      durations: null,
    };
  });
}

function runColumn(run: Run, nowMs: number): ChartColumn {
  const { atMs, startedMs, durationMs, outcome, exitStatus, n, isEndedByHand } = run;
  const byHand = isEndedByHand ? ' · ended by hand' : '';
  const placeMs = startedMs ?? atMs;
  const status = outcome === 'failed' && exitStatus !== null ? ` · exit status ${exitStatus}` : '';
  return {
    atMs: placeMs,
    value: durationMs,
    p95Ms: null,
    failed: outcome === 'failed' || outcome === 'missed' ? 1 : 0,
    late: outcome === 'late' || outcome === 'warned' ? 1 : 0,
    words: `${momentWords(placeMs, nowMs)}${took(durationMs)} · ${outcomeWords[outcome]}${byHand}${status}`,
    entry: n === null ? { id: `change-${atMs}-down`, atMs } : { id: `run-${n}`, atMs: placeMs },
  };
}

function took(durationMs: number | null): string {
  return durationMs === null ? '' : ` · ${exactSpan(durationMs)}`;
}

/** Runs and missed deadlines: what a column is about. */
export function countOf(bucket: StatisticsBucket): number {
  return endedOf(bucket) + bucket.missed;
}

/** Runs whose end was reported: one that came after its deadline is one of them, besides the deadline that was missed. */
export function endedOf({ succeeded, late, failed }: StatisticsBucket): number {
  return succeeded + late + failed;
}

/** Returns `1 deadline missed`; empty for none. */
export function missedWords({ missed }: StatisticsBucket): string {
  return missed === 0 ? '' : `${missed.toLocaleString()} ${missed === 1 ? 'deadline' : 'deadlines'} missed`;
}

function bucketColumn(bucket: StatisticsBucket, createdMs: number, nowMs: number): ChartColumn {
  const { fromMs, untilMs, late, failed, missed, durations } = bucket;
  const bad = failed + missed;
  const count = countOf(bucket);
  const ended = endedOf(bucket);
  const counted = [
    `${ended} ${ended === 1 ? 'run' : 'runs'}`,
    failed > 0 ? `${failed} failed` : '',
    missedWords(bucket),
    late > 0 ? `${late} late` : '',
    durations ? `median ${exactSpan(durations.medianMs)}, p95 ${exactSpan(durations.p95Ms)}` : '',
  ];
  return {
    atMs: (Math.max(fromMs, createdMs) + Math.min(untilMs, Math.max(nowMs, createdMs))) / 2,
    value: durations?.medianMs ?? null,
    p95Ms: durations?.p95Ms ?? null,
    failed: bad / count,
    late: late / count,
    words: `${momentWords(fromMs, nowMs)} · ${counted.filter((part) => part !== '').join(' · ')}`,
    // The newest entry of the bucket is the last one before its end.
    entry: { id: `until-${untilMs}`, atMs: untilMs - 1 },
  };
}
