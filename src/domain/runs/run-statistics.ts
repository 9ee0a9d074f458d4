/**
 * Statistics of a check over some time: its runs, its outages, how long it was down. Pure rules: what a ping and a status change
 * add. Not here: to which hours and days (`status-time` for spans of time), how it is kept (`store/history`).
 *
 * Invariant: everything adds up: what is counted of two stretches of time, or of pings and changes in any order, is the sum.
 */

import type { Cause, StatusChange } from '../check/flip.ts';
import type { Signal } from '../check/ping.ts';
import { countedUntil } from '../check/status-time.ts';
import { lateMsMin } from '../limits.ts';
import type { Result } from '../results/result.ts';
import { addResultSums, addResults, type ResultSumsByName } from '../results/result-sums.ts';
import { addDuration, addHistogram, type DurationHistogram, emptyHistogram } from './duration-histogram.ts';

/** Changed in place while it is built. */
export interface RunStatistics {
  /** Pings that said success, late ones among them. */
  successes: number;
  /** Pings that said failure. */
  failures: number;
  /** Successes of runs that were late (`isLateSuccess`). */
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
  /** Numbers that the runs reported; null for none. */
  results: ResultSumsByName | null;
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
    results: null,
  };
}

/** What is known of an end in numbers. */
export interface MeasuredEnd {
  /** Whole milliseconds since the start that it ends; null for none. */
  readonly durationMs: number | null;
  readonly results: readonly Result[];
}

/** An end; one with a warning counts as a success. */
export function addEnd(
  statistics: RunStatistics,
  signal: 'success' | 'fail' | 'warn',
  { durationMs, results }: MeasuredEnd,
): void {
  if (signal === 'fail') statistics.failures++;
  else statistics.successes++;
  if (results.length > 0) {
    statistics.results ??= new Map();
    addResults(statistics.results, results);
  }
  if (durationMs === null) return;
  statistics.durations ??= emptyHistogram();
  addDuration(statistics.durations, durationMs);
}

/** A status change itself; the time before it is another matter (`status-time`). `isLate`: as `isLateSuccess` says. */
export function addChange(statistics: RunStatistics, change: StatusChange, isLate: boolean): void {
  if (isLate) statistics.late++;
  if (change.to !== 'down') return;
  statistics.outages++;
  if (isMissedDeadline(change.cause)) statistics.missed++;
}

/** Whether a deadline passed: that of a check, or of one of its runs. */
export function isMissedDeadline(cause: Cause): boolean {
  return cause === 'timeout' || cause === 'hung' || cause === 'missed';
}

/** The run that a success ended, as far as it is known. */
export interface EndedRun {
  /** When the grace time before it began, which is when it was due; of several changes, the latest instant counts. */
  readonly dueMs: number | null;
  /** Since its start; null where no start was reported. */
  readonly durationMs: number | null;
}

/**
 * Whether a run was late: it was still expected when it succeeded, and neither its start nor its end came within a minute of when
 * it was due. So one that begins in time is in time however long it takes. Where it is not known when it was due, it was in time.
 */
export function isLateSuccess(change: StatusChange, { dueMs, durationMs }: EndedRun): boolean {
  if (!endsGrace(change) || dueMs === null) return false;
  return change.atMs - Math.round(durationMs ?? 0) - Math.floor(dueMs) >= lateMsMin;
}

/** Every success in the grace time makes this change. */
function endsGrace({ from, cause }: StatusChange): boolean {
  return from === 'grace' && cause === 'success';
}

/** A success in the grace time, and when that began. */
export interface GraceEnd extends Pick<EndedRun, 'dueMs'> {
  readonly change: StatusChange;
  /** The change before: that into the grace time, if it is known. */
  readonly before: StatusChange | null;
}

/** By the instant at which they came. `changes`: oldest first. */
export function graceEndsOf(changes: readonly StatusChange[]): Map<number, GraceEnd> {
  const ends = new Map<number, GraceEnd>();
  let dueMs: number | null = null;
  let before: StatusChange | null = null;
  for (const change of changes) {
    if (endsGrace(change)) ends.set(change.atMs, { change, before, dueMs });
    dueMs = countedUntil(change, dueMs);
    before = change;
  }
  return ends;
}

/**
 * The changes from up into the grace time and back of runs that were in time: nothing was wrong, the check only waited for the end
 * of the run. `changes`: oldest first.
 */
export function waitsOf(
  changes: readonly StatusChange[],
  isLate: (end: GraceEnd) => boolean,
): ReadonlySet<StatusChange> {
  const waits = new Set<StatusChange>();
  for (const end of graceEndsOf(changes).values()) {
    const { change, before } = end;
    if (before?.from !== 'up' || before.to !== 'grace' || change.to !== 'up' || isLate(end)) continue;
    waits.add(before).add(change);
  }
  return waits;
}

export function addStatistics(statistics: RunStatistics, other: RunStatistics): void {
  statistics.successes += other.successes;
  statistics.failures += other.failures;
  statistics.late += other.late;
  statistics.missed += other.missed;
  statistics.outages += other.outages;
  statistics.downMs += other.downMs;
  statistics.watchedMs += other.watchedMs;
  if (other.results !== null) {
    statistics.results ??= new Map();
    addResultSums(statistics.results, other.results);
  }
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
