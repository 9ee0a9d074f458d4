/**
 * The store on disk: lock, environments, journal, fold and reads, put together. No logic of its own beyond that.
 * Invariant: nothing is opened before the data directory's lock is held, and the lock goes last.
 */
import { join } from 'node:path';
import type { StatusChange } from '../domain/flip.ts';
import type { Ping } from '../domain/ping.ts';
import { KnellError, messageOf } from '../lib/errors.ts';
import type { CheckId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { openDataDir } from './data-dir.ts';
import type { DataDirLock } from './data-dir-lock.ts';
import { isNoSpace } from './disk-full.ts';
import { FoldThread } from './history/fold-thread.ts';
import { load } from './history/load.ts';
import { migrateTables } from './history/migrate.ts';
import { createHistoryReads, type HistoryReads } from './history/read.ts';
import { type HistoryTables, openHistoryTables, readMeta } from './history/tables.ts';
import { JournalLog } from './journal/file-log.ts';
import { carryOverJournal } from './journal/from-lmdb.ts';
import { Journal } from './journal/group-commit.ts';
import type { NumberedBatch } from './journal/segment.ts';
import { Tail } from './journal/tail.ts';
import { defaultLimits, type StoreLimits } from './limits.ts';
import { type LmdbEnv, openEnv } from './lmdb-env.ts';
import { SnapshotThreads } from './snapshot/thread.ts';
import type {
  ChangeRange,
  JournalRecord,
  LoadSink,
  Progress,
  SnapshotSummary,
  Store,
  Waiter,
} from './store.ts';

export interface StoreOptions {
  readonly dataDir: string;
  /** `relaxed`: records are acknowledged before they are on disk. */
  readonly durability: 'fsync' | 'relaxed';
  readonly bodyBudgetBytes: number;
  readonly limits?: Partial<StoreLimits>;
  /** A write failed in a way that leaves the store unknown: say so and end the process. Called once at most. */
  onBroken(error: unknown): void;
  readonly logger: Logger;
  nowMs(): number;
  /** The built `store/` folder, in which the entry points of the threads lie; by default where this file is. */
  readonly threadsUrl?: URL;
}

/** Opens (or creates) the data directory. Rejects with a KnellError when it cannot be had. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const lock = openDataDir(options.dataDir);
  let historyEnv: LmdbEnv | null = null;
  try {
    await carryOverJournal(options.dataDir);
    historyEnv = openEnv(options.dataDir, 'history');
    migrateTables(historyEnv, openHistoryTables(historyEnv), () => {});
    return new DiskStore({ options, lock, historyEnv });
  } catch (error) {
    await historyEnv?.close();
    lock.release();
    throw asKnellError(error, options.dataDir);
  }
}

/** What LMDB says of a file that is none of its own, or of one that it may not open. */
function asKnellError(error: unknown, dataDir: string): KnellError {
  if (error instanceof KnellError) return error;
  const message = `the data directory ${dataDir} cannot be opened: ${messageOf(error)}`;
  return new KnellError('data-dir-unreadable', message, { cause: error });
}

interface Parts {
  readonly options: StoreOptions;
  readonly lock: DataDirLock;
  readonly historyEnv: LmdbEnv;
}

class DiskStore implements Store {
  readonly #parts: Parts;
  readonly #limits: StoreLimits;
  #historyEnv: LmdbEnv;
  #tables: HistoryTables;
  readonly #log: JournalLog;
  readonly #tail: Tail;
  #reads: HistoryReads;
  readonly #fold: FoldThread;
  readonly #snapshots: SnapshotThreads;
  readonly #journal: Journal;
  #isBroken = false;

  constructor(parts: Parts) {
    const { options, historyEnv } = parts;
    this.#parts = parts;
    this.#historyEnv = historyEnv;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#tables = openHistoryTables(historyEnv);
    const foldedSeq = readMeta(this.#tables, 'folded') ?? 0;
    const { log, tail } = JournalLog.open(join(options.dataDir, 'journal'), foldedSeq);
    this.#log = log;
    this.#tail = tailOf(tail, () => this.#journal.acknowledged());
    this.#reads = createHistoryReads(this.#tables, this.#tail);
    this.#snapshots = new SnapshotThreads(
      new URL('./snapshot/worker.js', options.threadsUrl ?? import.meta.url),
      options.dataDir,
    );
    this.#fold = this.#startFold(foldedSeq);
    this.#journal = this.#startJournal();
  }

  #startFold(foldedSeq: number): FoldThread {
    const { dataDir, bodyBudgetBytes, nowMs, logger, threadsUrl } = this.#parts.options;
    return new FoldThread({
      url: new URL('./history/fold-worker.js', threadsUrl ?? import.meta.url),
      data: { dataDir, bodyBudgetBytes, foldBytesMax: this.#limits.foldBytesMax },
      limits: this.#limits,
      foldedSeq,
      nowMs,
      onFolded: (seq) => this.#onFolded(seq),
      onFull: () => {
        logger.warn('no space to fold the journal; trying again');
        this.#journal.resume();
      },
      onBroken: (error) => this.#onBroken(error),
    });
  }

  #startJournal(): Journal {
    const { durability, nowMs } = this.#parts.options;
    return new Journal({
      lastSeq: this.#log.lastSeq,
      relaxed: durability === 'relaxed',
      limits: this.#limits,
      commit: (batch) => this.#log.commit(batch),
      commitElsewhere: (batch) => this.#log.commitElsewhere(batch),
      isDiskFull: isNoSpace,
      room: () => this.#room(),
      restMs: () => this.#restMs(),
      onDurable: (batch) => {
        this.#tail.push(batch);
        this.#fold.durable(batch.seq, batch.bytes.length);
      },
      onBroken: (error) => this.#onBroken(error),
      nowMs,
    });
  }

  #onFolded(seq: number): void {
    this.#historyEnv.refresh();
    this.#tail.dropUntil(seq);
    this.#log.release(seq);
    this.#journal.resume();
  }

  #onBroken(error: unknown): void {
    const { logger, onBroken } = this.#parts.options;
    logger.fatal({ err: error }, `the store is broken: ${messageOf(error)}`);
    if (this.#isBroken) return;
    this.#isBroken = true;
    onBroken(error);
  }

  #room(): 'yes' | 'wait' | 'full' {
    const { tailBytesMax, tailRecordsMax } = this.#limits;
    if (this.#tail.bytes <= tailBytesMax && this.#tail.records <= tailRecordsMax) return 'yes';
    return this.#fold.isFull ? 'full' : 'wait';
  }

  #restMs(): number {
    const { tailBytesMax, tailRecordsMax, crowdedRestMs } = this.#limits;
    const share = Math.max(this.#tail.bytes / tailBytesMax, this.#tail.records / tailRecordsMax);
    this.#fold.hurry(share > 0.5);
    return share <= 0.5 ? 0 : crowdedRestMs * Math.min(1, 2 * share - 1) ** 2;
  }

  get full(): boolean {
    return this.#journal.full;
  }

  async load(sink: LoadSink): Promise<void> {
    load(this.#tables, this.#tail.batches, sink);
    await this.#letGoOfPages();
    for (const batch of this.#tail.batches) this.#fold.durable(batch.seq, batch.bytes.length);
  }

  /** Every page that was read is mapped, and counts as memory of this process: half a gigabyte for a million checks. */
  async #letGoOfPages(): Promise<void> {
    await this.#historyEnv.close();
    this.#historyEnv = openEnv(this.#parts.options.dataDir, 'history');
    this.#tables = openHistoryTables(this.#historyEnv);
    this.#reads = createHistoryReads(this.#tables, this.#tail);
  }

  append(record: JournalRecord, waiter: Waiter | null): void {
    this.#journal.append(record, waiter);
  }

  barrier(waiter: Waiter): void {
    this.#journal.barrier(waiter);
  }

  pings(id: CheckId, limit: number): readonly Ping[] {
    return this.#reads.pings(id, limit);
  }

  body(id: CheckId, n: number): Uint8Array | null {
    return this.#reads.body(id, n);
  }

  changes(id: CheckId, range: ChangeRange): readonly StatusChange[] {
    return this.#reads.changes(id, range);
  }

  async folded(): Promise<void> {
    await this.#journal.drain();
    await this.#fold.until(this.#journal.lastSeq);
  }

  async writeSnapshot(file: string, progress: Progress): Promise<SnapshotSummary> {
    await this.folded();
    return this.#snapshots.write(file, progress);
  }

  async close(): Promise<void> {
    const { lock, options } = this.#parts;
    await this.#journal.close();
    warnOfLoss(this.#journal, options.logger);
    await Promise.all([this.#snapshots.stop(), this.#fold.stop()]);
    await this.#log.close();
    await this.#historyEnv.close();
    lock.release();
  }
}

/** Only `relaxed` can lose what it acknowledged, and only when the disk is full to the last. */
function warnOfLoss(journal: Journal, logger: Logger): void {
  const lost = journal.unwrittenRecords;
  if (lost > 0) logger.error(`${lost} acknowledged records are lost: there was no space to write them`);
}

/** What the history does not hold yet, out of the journal. */
function tailOf(batches: readonly NumberedBatch[], open: () => Buffer | null): Tail {
  const tail = new Tail(open);
  for (const batch of batches) tail.push(batch);
  return tail;
}
