/**
 * Every bound of the store, with its reason. Not here: what a plan allows (`domain/project`), what users may configure.
 */
import { kB, MB, second } from '../lib/units.ts';

export interface StoreLimits {
  /** A commit of 9 MB would stall everything for 40 ms: larger batches are committed in pieces. */
  readonly batchBytesMax: number;
  /** What may wait for the fold, in memory and in the journal; beyond it commits wait. */
  readonly tailBytesMax: number;
  readonly tailRecordsMax: number;
  /**
   * From half of these bounds on a commit is followed by a rest, towards the whole of them by one so long: everyone waits
   * a little, instead of nobody and then everybody until the fold is done.
   */
  readonly crowdedRestMs: number;
  /** One fold takes at most so much of the journal: bounds its transaction. */
  readonly foldBytesMax: number;
  /** A fold begins when so much waits, */
  readonly foldBytesMin: number;
  /** or after so long. Larger folds write fewer pages: all pings of a check go into one value. */
  readonly foldDelayMs: number;
  /** While the disk is full: the pause between attempts, and how often it is tried without traffic. */
  readonly fullPauseMs: number;
  readonly fullProbeMs: number;
  /** With `relaxed`: how long an acknowledged record may be in memory alone. */
  readonly relaxedDelayMs: number;
  /** A commit slower than this (median) is handed to the thread pool. */
  readonly slowCommitMs: number;
}

export const defaultLimits: StoreLimits = {
  batchBytesMax: 256 * kB,
  tailBytesMax: 96 * MB,
  tailRecordsMax: 800_000,
  crowdedRestMs: 200,
  foldBytesMax: 32 * MB,
  foldBytesMin: 12 * MB,
  foldDelayMs: 30 * second,
  fullPauseMs: 100,
  fullProbeMs: second,
  relaxedDelayMs: 50,
  slowCommitMs: 2,
};
