/**
 * The usual duration of a check's runs, learned from its good ones: their median, and around it so many times the median absolute
 * deviation (Rousseeuw and Croux, 1993: it stays the same when up to half of the values are strange ones).
 * Invariant: pure.
 */
import { second } from '../../lib/units.ts';
import { learnedRunsMax, learnedRunsMin } from '../limits.ts';

/** Milliseconds. */
export interface UsualDuration {
  readonly medianMs: number;
  /** A run outside of both is unusual. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How many runs it was learned from. */
  readonly runs: number;
}

/**
 * Runs of a job that takes the same time every day deviate by nothing, and then a second would be strange: the deviation counts as at
 * least 5 % of the median, and as a second.
 */
const leastShare = 0.05;
const leastMs = second;

/** Null while there are too few good runs (`learnedRunsMin`). */
export function usualDuration(durations: readonly number[], factor: number): UsualDuration | null {
  if (durations.length < learnedRunsMin) return null;
  const medianMs = medianOf(durations);
  const deviations = durations.map((durationMs) => Math.abs(durationMs - medianMs));
  const deviationMs = Math.max(medianOf(deviations), medianMs * leastShare, leastMs);
  const farMs = factor * deviationMs;
  return {
    medianMs,
    fromMs: Math.max(0, medianMs - farMs),
    toMs: medianMs + farMs,
    runs: durations.length,
  };
}

/** The durations after another good run. */
export function withDuration(durations: readonly number[], durationMs: number): readonly number[] {
  return [...durations.slice(1 - learnedRunsMax), durationMs];
}

/** Of at least one value. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
