/**
 * Statistics of a check over some time: its runs, its outages, how long it was down. Pure rules: what a ping and a status change
 * add. Not here: to which hours and days (`status-time` for spans of time), how it is kept (`store/history`).
 *
 * Invariant: everything adds up: what is counted of two stretches of time, or of pings and changes in any order, is the sum.
 */

import type { Cause, StatusChange } from '../check/flip.ts';
import type { Signal } from '../check/ping.ts';
import { addDuration, addHistogram, type DurationHistogram, emptyHistogram } from './duration-histogram.ts';

/** Changed in place while it is built. */
export interface RunStatistics {
  /** Pings that said success, late ones among them. */
  successes: number;
  /** Pings that said failure. */
  failures: number;
  /** Successes that came in the grace time. */
  late: number;
  /** Deadlines that took the check down. */
  missed: number;
  /** How many times it went down. */
  outages: number;
  /** Whole milliseconds for which it was down; `watchedMs`: for which it was up, late or down, so neither new nor paused. */
  downMs: number;
  watchedMs: number;
  /** Durations of the runs whose start was reported, failed ones too; null for none. */
  durations: DurationHistogram | null;
}

export function emptyStatistics(): RunStatistics {
  return {
    successes: 0,
    failures: 0,
    late: 0,
    missed: 0,
    outages: 0,
    downMs: 0,
    watchedMs: 0,
    durations: null,
  };
}

/** An end; one with a warning counts as a success. `durationMs`: whole milliseconds since the start that it ends; null for none. */
export function addEnd(
  statistics: RunStatistics,
  signal: 'success' | 'fail' | 'warn',
  durationMs: number | null,
): void {
  if (signal === 'fail') statistics.failures++;
  else statistics.successes++;
  if (durationMs === null) return;
  statistics.durations ??= emptyHistogram();
  addDuration(statistics.durations, durationMs);
}

/** A status change itself; the time before it is another matter (`status-time`). */
export function addChange(statistics: RunStatistics, change: StatusChange): void {
  if (isLateSuccess(change)) statistics.late++;
  if (change.to !== 'down') return;
  statistics.outages++;
  if (isMissedDeadline(change.cause)) statistics.missed++;
}

/** Whether a deadline passed: that of a check, or of one of its runs. */
export function isMissedDeadline(cause: Cause): boolean {
  return cause === 'timeout' || cause === 'hung' || cause === 'missed';
}

/** Every success in the grace time makes this change. */
export function isLateSuccess({ from, cause }: StatusChange): boolean {
  return from === 'grace' && cause === 'success';
}

export function addStatistics(statistics: RunStatistics, other: RunStatistics): void {
  statistics.successes += other.successes;
  statistics.failures += other.failures;
  statistics.late += other.late;
  statistics.missed += other.missed;
  statistics.outages += other.outages;
  statistics.downMs += other.downMs;
  statistics.watchedMs += other.watchedMs;
  if (other.durations === null) return;
  statistics.durations ??= emptyHistogram();
  addHistogram(statistics.durations, other.durations);
}

export function isEnd(signal: Signal): signal is 'success' | 'fail' | 'warn' {
  return signal === 'success' || signal === 'fail' || signal === 'warn';
}

/** Uptime over some time. */
export interface Uptime {
  readonly downMs: number;
  /** 0 for a check that was new or paused all the time: it has no uptime. */
  readonly watchedMs: number;
  /** Outages that began in that time, and at least one if it was down in it. */
  readonly outages: number;
}

export function uptimeOf({
  downMs,
  watchedMs,
  outages,
}: Pick<RunStatistics, 'downMs' | 'watchedMs' | 'outages'>): Uptime {
  return { downMs, watchedMs, outages: Math.max(outages, downMs > 0 ? 1 : 0) };
}
