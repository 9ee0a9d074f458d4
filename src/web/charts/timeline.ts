/**
 * This file turns status changes into spans. Pure.
 * Invariant: the spans follow each other without a gap from the beginning to now.
 */
import type { Status } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { isLateSuccess, waitsOf } from '../../domain/runs/run-statistics.ts';
import type { CheckStatistics } from '../../domain/views/page-view.ts';

export interface StatusSpan {
  readonly status: Status;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface History {
  /** Status changes, newest first. */
  readonly changes: readonly StatusChange[];
  readonly fromMs: number;
  readonly nowMs: number;
  readonly status: Status;
}

/** Returns the spans, oldest first. */
export function spansOf({ changes, fromMs, nowMs, status }: History): readonly StatusSpan[] {
  const spans: StatusSpan[] = [];
  let atMs = fromMs;
  let current = changes.at(-1)?.from ?? status;
  for (const change of [...changes].reverse()) {
    if (change.atMs > atMs) spans.push({ status: current, fromMs: atMs, untilMs: change.atMs });
    atMs = Math.max(atMs, change.atMs);
    current = change.to;
  }
  if (nowMs > atMs) spans.push({ status: current, fromMs: atMs, untilMs: nowMs });
  return spans;
}

/**
 * Returns the changes without those of runs that were in time: while it waits for the end of one, a check is as good as up. Where not
 * each run is known, a wait counts as late if it took a minute, and any run of its hour or day was late. Both newest first.
 */
export function withoutWaits(
  changes: readonly StatusChange[],
  { runs, buckets }: Pick<CheckStatistics, 'runs' | 'buckets'>,
): readonly StatusChange[] {
  const outcomes = new Map(runs?.map(({ atMs, outcome }) => [atMs, outcome]));
  const waits = waitsOf(changes.toReversed(), (end) => {
    const { atMs } = end.change;
    const outcome = outcomes.get(atMs);
    if (outcome !== undefined) return outcome === 'late';
    const bucket = buckets.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
    return isLateSuccess(end.change, { ...end, durationMs: null }) && bucket?.late !== 0;
  });
  return changes.filter((change) => !waits.has(change));
}
