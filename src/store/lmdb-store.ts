/**
 * The store on disk: lock, environments, journal, fold and reads, put together. No logic of its own beyond that.
 * Invariant: nothing is opened before the data directory's lock is held, and the lock goes last.
 */
import type { StatusChange } from '../domain/flip.ts';
import type { Ping } from '../domain/ping.ts';
import { KnellError, messageOf } from '../lib/errors.ts';
import type { CheckId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { countRecords } from './batch-cursor.ts';
import { CommitThread } from './commit-thread.ts';
import { openDataDir } from './data-dir.ts';
import type { DataDirLock } from './data-dir-lock.ts';
import { FoldThread } from './fold-thread.ts';
import { createHistoryReads, type HistoryReads } from './history.ts';
import { type HistoryTables, openHistoryTables, readMeta } from './history-tables.ts';
import { Journal } from './journal.ts';
import { type JournalTable, openJournalTable } from './journal-table.ts';
import { JournalTrimmer } from './journal-trimmer.ts';
import { defaultLimits, type StoreLimits } from './limits.ts';
import { type LmdbEnv, openEnv } from './lmdb-env.ts';
import { load } from './load.ts';
import { SnapshotThreads } from './snapshot-thread.ts';
import type {
  ChangeRange,
  JournalRecord,
  LoadSink,
  Progress,
  SnapshotSummary,
  Store,
  Waiter,
} from './store.ts';
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

/** Opens (or creates) the data directory. Rejects with a KnellError when it cannot be had. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  const lock = openDataDir(options.dataDir);
  const envs: LmdbEnv[] = [];
  try {
    const journalEnv = openEnv(options.dataDir, 'journal');
    envs.push(journalEnv);
    const historyEnv = openEnv(options.dataDir, 'history');
    envs.push(historyEnv);
    return new LmdbStore({ options, lock, journalEnv, historyEnv });
  } catch (error) {
    for (const env of envs) await env.close();
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
  readonly options: LmdbStoreOptions;
  readonly lock: DataDirLock;
  readonly journalEnv: LmdbEnv;
  readonly historyEnv: LmdbEnv;
}

class LmdbStore implements Store {
  readonly #parts: Parts;
  readonly #limits: StoreLimits;
  readonly #rows: JournalTable;
  readonly #tables: HistoryTables;
  readonly #trimmer: JournalTrimmer;
  readonly #tail: Tail;
  readonly #reads: HistoryReads;
  readonly #fold: FoldThread;
  readonly #commits: CommitThread;
  readonly #snapshots: SnapshotThreads;
  readonly #journal: Journal;
  #isBroken = false;

  constructor(parts: Parts) {
    const { options, journalEnv, historyEnv } = parts;
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#rows = openJournalTable(journalEnv);
    this.#tables = openHistoryTables(historyEnv);
    this.#trimmer = new JournalTrimmer(this.#rows, readMeta(this.#tables, 'folded') ?? 0);
    this.#tail = readTail(this.#rows, this.#trimmer.foldedSeq, () => this.#journal.acknowledged());
    this.#reads = createHistoryReads(this.#tables, this.#tail);
    this.#commits = new CommitThread(threadUrl(options, 'commit-worker.js'), { dataDir: options.dataDir });
    this.#snapshots = new SnapshotThreads(threadUrl(options, 'snapshot-worker.js'), options.dataDir);
    this.#fold = this.#startFold();
    this.#journal = this.#startJournal();
  }

  #startFold(): FoldThread {
    const { dataDir, bodyBudgetBytes, nowMs, logger, foldWorkerUrl } = this.#parts.options;
    return new FoldThread({
      url: foldWorkerUrl ?? new URL('./fold-worker.js', import.meta.url),
      data: { dataDir, bodyBudgetBytes, foldBytesMax: this.#limits.foldBytesMax },
      limits: this.#limits,
      foldedSeq: this.#trimmer.foldedSeq,
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
    const { dataDir, durability, nowMs } = this.#parts.options;
    return new Journal({
      lastSeq: Math.max(this.#trimmer.foldedSeq, this.#rows.bounds().last),
      relaxed: durability === 'relaxed',
      limits: this.#limits,
      commit: (batch) => this.#rows.commit(batch, this.#trimmer.next()),
      commitElsewhere: (batch) => this.#commits.commit(batch, this.#trimmer.next()),
      isWantOfSpace: (error) => isPassing(error, this.#rows, dataDir),
      room: () => this.#room(),
      onDurable: (batch) => {
        this.#trimmer.confirm();
        this.#tail.push(batch);
        this.#fold.durable(batch.seq, batch.bytes.length);
      },
      onBroken: (error) => this.#onBroken(error),
      nowMs,
    });
  }

  #onFolded(seq: number): void {
    this.#parts.historyEnv.refresh();
    this.#tail.dropUntil(seq);
    this.#trimmer.foldedSeq = seq;
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

  get full(): boolean {
    return this.#journal.full;
  }

  load(sink: LoadSink): void {
    this.#parts.historyEnv.refresh();
    load(this.#tables, this.#tail.batches, sink);
    for (const batch of this.#tail.batches) this.#fold.durable(batch.seq, batch.bytes.length);
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
    const { lock, journalEnv, historyEnv, options } = this.#parts;
    await this.#journal.close();
    warnOfLoss(this.#journal, options.logger);
    await Promise.all([this.#snapshots.stop(), this.#fold.stop(), this.#commits.stop()]);
    await journalEnv.close();
    await historyEnv.close();
    lock.release();
  }
}

function threadUrl({ foldWorkerUrl }: LmdbStoreOptions, name: string): URL {
  return new URL(name, foldWorkerUrl ?? import.meta.url);
}

/** Only `relaxed` can lose what it acknowledged, and only when the disk is full to the last. */
function warnOfLoss(journal: Journal, logger: Logger): void {
  const lost = journal.unwrittenRecords;
  if (lost > 0) logger.error(`${lost} acknowledged records are lost: there was no space to write them`);
}

/** What the history does not hold yet, out of the journal. */
function readTail(rows: JournalTable, foldedSeq: number, open: () => Buffer | null): Tail {
  const tail = new Tail(open);
  for (const { seq, bytes } of rows.readAfter(foldedSeq, Number.POSITIVE_INFINITY)) {
    tail.push({ seq, bytes, records: countRecords(bytes) });
  }
  return tail;
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
