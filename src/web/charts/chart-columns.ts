/** What a chart of durations shows: a column for each run, or for each bucket where there are many. Pure. */

import type { RunOutcome } from '../../domain/runs/latest-runs.ts';
import type { CheckStatistics, StatisticsBucket } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { momentWords } from '../core/words.ts';

/** An entry that is looked for. */
export interface WantedEntry {
  readonly id: string;
  readonly atMs: number;
}

export interface ChartColumn {
  /** Where its middle is. */
  readonly atMs: number;
  readonly outcome: RunOutcome;
  /** Of the run, or the median; null where no start was reported. */
  readonly durationMs: number | null;
  /** Of a bucket. */
  readonly p95Ms: number | null;
  readonly words: string;
  /** Where the log has it. */
  readonly entry: WantedEntry;
}

const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'succeeded',
  late: 'late',
  failed: 'failed',
  missed: 'missed',
};

/** Oldest first. */
export function columnsOf({ runs, buckets, nowMs }: CheckStatistics): readonly ChartColumn[] {
  if (!runs) return buckets.filter((one) => countOf(one) > 0).map((one) => bucketColumn(one, nowMs));
  return runs.map(({ atMs, startedMs, durationMs, outcome, exitStatus, n }): ChartColumn => {
    const placeMs = startedMs ?? atMs;
    const status = outcome === 'failed' && exitStatus !== null ? ` · exit status ${exitStatus}` : '';
    return {
      atMs: placeMs,
      outcome,
      durationMs,
      p95Ms: null,
      words: `${momentWords(placeMs, nowMs)}${took(durationMs)} · ${outcomeWords[outcome]}${status}`,
      entry: n === null ? { id: `change-${atMs}-down`, atMs } : { id: `run-${n}`, atMs: placeMs },
    };
  });
}

function took(durationMs: number | null): string {
  return durationMs === null ? '' : ` · ${exactSpan(durationMs)}`;
}

export function countOf({ succeeded, late, failed, missed }: StatisticsBucket): number {
  return succeeded + late + failed + missed;
}

function bucketColumn(bucket: StatisticsBucket, nowMs: number): ChartColumn {
  const { fromMs, untilMs, late, failed, missed, durations } = bucket;
  const bad = failed + missed;
  const counted = [
    `${countOf(bucket)} runs`,
    bad > 0 ? `${bad} failed` : '',
    late > 0 ? `${late} late` : '',
    durations ? `median ${exactSpan(durations.medianMs)}, p95 ${exactSpan(durations.p95Ms)}` : '',
  ];
  return {
    atMs: (fromMs + untilMs) / 2,
    outcome: bad > 0 ? 'failed' : late > 0 ? 'late' : 'succeeded',
    durationMs: durations?.medianMs ?? null,
    p95Ms: durations?.p95Ms ?? null,
    words: `${momentWords(fromMs, nowMs)} · ${counted.filter((part) => part !== '').join(' · ')}`,
    // The newest entry of the bucket: whatever is before its end.
    entry: { id: `until-${untilMs}`, atMs: untilMs - 1 },
  };
}
