/**
 * The store on disk: lock, environments, journal, fold and reads, put together. No logic of its own beyond that.
 * Invariant: nothing is opened before the data directory's lock is held, and the lock goes last.
 */
import { messageOf } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { countRecords } from './batch-cursor.ts';
import { CommitThread } from './commit-thread.ts';
import { openDataDir } from './data-dir.ts';
import type { DataDirLock } from './data-dir-lock.ts';
import { FoldThread } from './fold-thread.ts';
import { createHistoryReads } from './history.ts';
import { openHistoryTables, readMeta } from './history-tables.ts';
import { Journal } from './journal.ts';
import { type JournalTable, openJournalTable, type SeqRange } from './journal-table.ts';
import { defaultLimits, type StoreLimits } from './limits.ts';
import { type LmdbEnv, openEnv } from './lmdb-env.ts';
import { load } from './load.ts';
import { SnapshotThreads } from './snapshot-thread.ts';
import type { Store } from './store.ts';
import { Tail } from './tail.ts';
import { isWantOfSpace } from './want-of-space.ts';

export interface LmdbStoreOptions {
  readonly dataDir: string;
  /** `relaxed`: records are acknowledged before they are on disk. */
  readonly durability: 'fsync' | 'relaxed';
  readonly bodyBudgetBytes: number;
  readonly limits?: Partial<StoreLimits>;
  /** A write failed in a way that leaves the store unknown: say so and end the process. Called once at most. */
  onBroken(error: unknown): void;
  readonly logger: Logger;
  nowMs(): number;
  /** The built entry point of the fold's thread; the other threads' lie beside it. */
  readonly foldWorkerUrl?: URL;
}

/** Rows of the journal that one commit trims at most, and at least while there are any. */
const trimRowsMax = 64;
const trimRowsMin = 4;

/** Opens (or creates) the data directory. Rejects with a KnellError when it cannot be had. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  const lock = openDataDir(options.dataDir);
  try {
    const journalEnv = openEnv(options.dataDir, 'journal');
    const historyEnv = openEnv(options.dataDir, 'history');
    return assemble({ options, lock, journalEnv, historyEnv });
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Parts {
  readonly options: LmdbStoreOptions;
  readonly lock: DataDirLock;
  readonly journalEnv: LmdbEnv;
  readonly historyEnv: LmdbEnv;
}

function assemble(parts: Parts): Store {
  const { options, lock, journalEnv, historyEnv } = parts;
  const limits: StoreLimits = { ...defaultLimits, ...options.limits };
  const rows = openJournalTable(journalEnv);
  const tables = openHistoryTables(historyEnv);
  const trimmer = createTrimmer(rows, readMeta(tables, 'folded') ?? 0);
  const tail = readTail(rows, trimmer.foldedSeq, () => journal.acknowledged());
  const onBroken = onlyOnce(options);
  const workerUrl = options.foldWorkerUrl ?? new URL('./fold-worker.js', import.meta.url);
  const commitThread = new CommitThread(new URL('./commit-worker.js', workerUrl), {
    dataDir: options.dataDir,
  });
  const foldThread = new FoldThread({
    url: workerUrl,
    data: {
      dataDir: options.dataDir,
      bodyBudgetBytes: options.bodyBudgetBytes,
      foldBytesMax: limits.foldBytesMax,
    },
    limits,
    foldedSeq: trimmer.foldedSeq,
    nowMs: options.nowMs,
    onFolded: (seq) => {
      historyEnv.refresh();
      tail.dropUntil(seq);
      trimmer.foldedSeq = seq;
      journal.resume();
    },
    onFull: () => {
      options.logger.warn('no space to fold the journal; trying again');
      journal.resume();
    },
    onBroken,
  });
  const journal: Journal = new Journal({
    lastSeq: Math.max(trimmer.foldedSeq, rows.bounds().last),
    relaxed: options.durability === 'relaxed',
    limits,
    commit: (batch) => rows.commit(batch, trimmer.next()),
    commitElsewhere: (batch) => commitThread.commit(batch, trimmer.next()),
    isWantOfSpace: (error) => isPassing(error, rows, options.dataDir),
    room: () => roomFor(tail, limits, foldThread),
    onDurable: (batch) => {
      trimmer.confirm();
      tail.push(batch);
      foldThread.durable(batch.seq, batch.bytes.length);
    },
    onBroken,
    nowMs: options.nowMs,
  });
  const reads = createHistoryReads(tables, tail);
  const snapshots = new SnapshotThreads(new URL('./snapshot-worker.js', workerUrl), options.dataDir);
  const folded = async () => {
    await journal.drain();
    await foldThread.until(journal.lastSeq);
  };
  return {
    load: (sink) => {
      historyEnv.refresh();
      load(tables, tail.batches, sink);
      for (const batch of tail.batches) foldThread.durable(batch.seq, batch.bytes.length);
    },
    append: (record, waiter) => journal.append(record, waiter),
    barrier: (waiter) => journal.barrier(waiter),
    get full() {
      return journal.full;
    },
    ...reads,
    folded,
    writeSnapshot: async (file, progress) => {
      await folded();
      return snapshots.write(file, progress);
    },
    close: async () => {
      await journal.close();
      await snapshots.stop();
      await foldThread.stop();
      await commitThread.stop();
      await journalEnv.close();
      await historyEnv.close();
      lock.release();
    },
  };
}

/** What the history does not hold yet, out of the journal. */
function readTail(rows: JournalTable, foldedSeq: number, open: () => Buffer | null): Tail {
  const tail = new Tail(open);
  for (const { seq, bytes } of rows.readAfter(foldedSeq, Number.POSITIVE_INFINITY)) {
    tail.push({ seq, bytes, records: countRecords(bytes) });
  }
  return tail;
}

interface Trimmer {
  foldedSeq: number;
  /** The rows that the next commit removes. */
  next(): SeqRange;
  /** It has removed them. */
  confirm(): void;
}

function createTrimmer(rows: JournalTable, foldedSeq: number): Trimmer {
  const { first, last } = rows.bounds();
  let firstSeq = last === 0 ? foldedSeq + 1 : first;
  let lastSeq = firstSeq - 1;
  return {
    foldedSeq,
    next() {
      const backlog = this.foldedSeq - firstSeq + 1;
      const count = Math.max(0, Math.min(backlog, trimRowsMax, trimRowsMin + (backlog >> 6)));
      lastSeq = firstSeq + count - 1;
      return { first: firstSeq, last: lastSeq };
    },
    confirm() {
      firstSeq = Math.max(firstSeq, lastSeq + 1);
    },
  };
}

function roomFor(tail: Tail, limits: StoreLimits, foldThread: FoldThread): 'yes' | 'wait' | 'full' {
  if (tail.bytes <= limits.tailBytesMax && tail.records <= limits.tailRecordsMax) return 'yes';
  return foldThread.isFull ? 'full' : 'wait';
}

/** A full disk passes; but not when the failure left LMDB's own pages in doubt, which a read then tells. */
function isPassing(error: unknown, rows: JournalTable, dataDir: string): boolean {
  if (!isWantOfSpace(error, dataDir)) return false;
  try {
    rows.probe();
    return true;
  } catch {
    return false;
  }
}

function onlyOnce({ onBroken, logger }: LmdbStoreOptions): (error: unknown) => void {
  let told = false;
  return (error) => {
    logger.fatal({ err: error }, `the store is broken: ${messageOf(error)}`);
    if (!told) onBroken(error);
    told = true;
  };
}
