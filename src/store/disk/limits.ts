/**
 * Every bound of the store, with its reason. Not here: what a plan allows (`domain/accounts/project`), what users may configure.
 */
import { kB, MB, second } from '../../lib/units.ts';

export interface StoreLimits {
  /** A commit of 9 MB would stall everything for 40 ms: larger batches are committed in pieces. */
  readonly batchBytesMax: number;
  /** Bytes that may wait for the fold, in memory and in the journal; beyond it commits wait. */
  readonly tailBytesMax: number;
  readonly tailRecordsMax: number;
  /**
   * From half of these bounds on a commit is followed by a rest, towards the whole of them by one so long: everyone waits
   * a little, instead of nobody and then everybody until the fold is done.
   */
  readonly behindRestMs: number;
  /** One fold takes at most so much of the journal: bounds its transaction. */
  readonly foldBytesMax: number;
  /** A fold begins when so much waits, */
  readonly foldBytesMin: number;
  /** or after so long. Larger folds write fewer pages: all pings of a check go into one value. */
  readonly foldDelayMs: number;
  /** While the disk is full: the pause between attempts, and how often it is tried without traffic. */
  readonly fullPauseMs: number;
  readonly fullProbeMs: number;
  /** Milliseconds that an acknowledged record may be only in memory, with `relaxed`. */
  readonly relaxedDelayMs: number;
  /** A commit slower than this (median) is handed to a thread. */
  readonly slowCommitMs: number;
  /** Between these, a batch gathers for as long as a commit takes (measured: less gains nothing, more costs latency). */
  readonly gatherMsMin: number;
  readonly gatherMsMax: number;
  /** After an append whose outcome is unknown: how long until a log that does not answer is asked again. */
  readonly unknownRetryMs: number;
  /**
   * No append begins with less free space than this. More than the fold asks for (`foldFreeBytesMin`), so that a disk that
   * fills up stops pings first and leaves the fold what it needs to empty the journal.
   */
  readonly journalFreeBytesMin: number;
  /**
   * With more files of the journal in use it is folded at start: each start begins a file, so a Knell that restarts in a loop,
   * faster than it folds, comes to many. Fewer than the manifest can list.
   */
  readonly journalFilesMax: number;
  /** No slice of a fold begins with less free space than this, besides what it writes itself: pages are copied on write. */
  readonly foldFreeBytesMin: number;
}

export const defaultLimits: StoreLimits = {
  batchBytesMax: 256 * kB,
  tailBytesMax: 96 * MB,
  tailRecordsMax: 800_000,
  behindRestMs: 200,
  foldBytesMax: 32 * MB,
  foldBytesMin: 12 * MB,
  foldDelayMs: 30 * second,
  fullPauseMs: 100,
  fullProbeMs: second,
  relaxedDelayMs: 50,
  slowCommitMs: 2,
  gatherMsMin: 0.4,
  gatherMsMax: 0.8,
  unknownRetryMs: 200,
  journalFreeBytesMin: 4 * MB,
  journalFilesMax: 400,
  foldFreeBytesMin: 1 * MB,
};

/**
 * Entries that the audit log keeps, some 300 bytes each; beyond it the oldest go first: 90 MB, 3,300 changes a day. A script that
 * changes checks all day makes more.
 */
export const auditEntriesMax = 300_000;
