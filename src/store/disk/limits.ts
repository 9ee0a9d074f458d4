/**
 * Every limit of the store, with its reason. Those of the log of a cluster are in `replicated/limits`, what a plan allows is in
 * `domain/accounts/plan-limits`, and what owners may set in `config`.
 */
import { day, kB, MB, second } from '../../lib/units.ts';

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

/**
 * Events that are kept for listeners that come back, pings apart, some 200 bytes each: 40 MB. An installation of 100 checks has
 * a few hundred a day.
 */
export const eventsMax = 200_000;
/** Bytes of numbers of pings that are kept for them, 26 each: of 100 checks that ping every minute, those of two weeks. */
export const eventPingBytesMax = 50 * MB;
/** Rows of old events that one fold removes: a fold adds one for each batch at most, and takes some 30,000 of them. */
export const eventsRemovedPerFold = 60_000;
/** Deleted checks whose project is known for their earlier events; beyond it those go of which no event is kept. */
export const eventChecksMax = 20_000;
/** Bytes of events in a slice of a fold. */
export const eventSliceBytesMax = 500 * kB;
/** Rows of events that one read looks at, and pings that it looks up for them: a few milliseconds, with their checks. */
export const eventRowsPerRead = 200;
/** A ping that is looked up counts as so many. */
export const rowsPerPing = 2;

/** Different strings that rows share in memory; beyond them each check keeps its own. */
export const internedMax = 100_000;
/** Levels of nesting of a stored record. None of ours is nested deeper; damaged bytes may be. */
export const recordDepthMax = 32;

/**
 * Released batches that the LMDB log removes with each append: more than come in, so that a long tail shrinks while pings go
 * on.
 */
export const trimmedPerAppend = 8;
/** Files of the file log that are kept for later use: what the fold frees at once under the heaviest load is soon used again. */
export const spareFilesMax = 8;
/** Free blocks of 1 MB that the tail keeps for later: as much as a fold takes at a time under a steady load. */
export const freeBlocksMax = 16;

/** Milliseconds between a fold that failed and the next one: they double from the least to the most. */
export const foldPauseMsMin = 100;
export const foldPauseMsMax = 5 * second;
/** Bytes of the journal that a fold reads at a time: some 2 ms. */
export const foldPartBytes = 512 * kB;
/**
 * Slices that go into one transaction, so that they share its syncs and the pages that each transaction dirties: as many as
 * there is space for. Four are some 5 ms of a core and less than 1 MB to sync; eight only while commits wait.
 */
export const slicesWanted = [4, 1] as const;
export const expeditedSlicesWanted = [8, ...slicesWanted] as const;
/**
 * MB of the young generation of the fold's thread, a third of what V8 takes by itself. What a fold allocates lives until its
 * end: it would be copied within the young generation, however large, before it moves to the old one.
 */
export const foldYoungGenerationMb = 12;
/** Checks in a slice of a fold: of so many checks that none shares a page with another, each dirties one or two of 4 kB. */
export const foldSliceChecksMax = 64;
/** Bytes of bodies in a slice of a fold. */
export const foldSliceBytesMax = 2 * MB;
/** Rows of deleted checks that one transaction removes. */
export const sweepRowsMax = 4000;
/** Checks in a slice of a compaction: each dirties a page or two besides its bodies and the rows of its statistics. */
export const movedChecksMax = 32;
/** Bytes that a slice of a compaction moves. */
export const movedBytesMax = 300 * kB;

/** Checks of which a slice drops what the rules of retention no longer keep, and pings that are looked at for it: some 0.1 µs each. */
export const retainedChecksMax = 32;
export const retainedPingsMax = 4000;
/** Bodies that a slice removes: each may dirty a page. Of a check with more, they go before its pings. */
export const retainedBodiesMax = 256;
/** Rows of checks that a slice looks at for rules: 2 to 5 ms where a project has some. */
export const retainedRowsLookedAt = 500;

/** Entries of the audit log in a slice of a fold. Their keys follow each other, so pages are full: some 300 kB. */
export const auditRowsPerSlice = 1000;
/** Old entries of the audit log that one fold removes; more go with the next one. */
export const auditRemovedPerFoldMax = 2000;

/** Records that are counted into the statistics of a check before other work gets a turn: two milliseconds. */
export const stepsCountedPerTurn = 1000;
/** Records of a check that are not folded yet and are left to each read of its statistics: a page needs five of them. */
export const stepsLeftMax = 200;
/** Checks of which that is kept: those that somebody looks at. */
export const checksCountedAheadMax = 8;

/** Newest pings in which the latest runs of a check are searched: of a job that logs much, fewer runs are found. */
export const pingsReadMax = 300;

/** Bytes after which a snapshot that is being written is synced: one sync of gigabytes at the end would stall the journal's. */
export const snapshotSyncEveryBytes = 32 * MB;
/** Bytes of a snapshot's frame in which the pings and changes of a check are gathered. */
export const frameBytesWanted = MB;
/** Bytes of rows that a restore commits at once. */
export const restoredBytesPerTransaction = 8 * MB;
/** A snapshot whose name has a date further ahead than these milliseconds was written by a clock that was wrong. */
export const snapshotAheadMsMax = day;

/** Crashes in a row, without a batch between them, after which the rest of a damaged log counts as lost. */
export const extractCrashesMax = 5;
/** Batch numbers have no gap: behind so many that are missing, there is none. */
export const missingNumbersMax = 1000;

/**
 * Milliseconds for which the free space of an unsynced disk is not asked for again. A node that catches up appends 50,000 times a
 * second; the free space is still known to 10 MB, and a full disk reports itself.
 */
export const freeSpaceKnownMs = 100;
/** An I/O error with less free space than these bytes is that of a full disk: LMDB does not always say so. */
export const nearlyFullBytes = 16 * MB;

/** Bytes of address space, not of disk, of each environment; both fit into the 512 GB that small ARM boards have. */
export const mapBytes = { journal: 8 * 2 ** 30, history: 256 * 2 ** 30 } as const;
/** Tables of an environment. There are seventeen; each costs some bytes. */
export const tablesMax = 24;
/** Milliseconds after which a read ahead is not waited for any more: a disk that takes longer is slow for the read itself, too. */
export const prefetchMsMax = second;
/** Bytes of a value that is read through a view that is kept; most rows of a check are far shorter. */
export const viewedBytesMax = 1024;
