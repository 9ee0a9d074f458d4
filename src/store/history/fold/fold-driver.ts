/**
 * Drives the fold: reads what is to be folded, takes it slice by slice with pauses in between, backs off while the disk is
 * full. After each fold, it drives the compaction of one partition of the runs in the same way, and then applies the rules of retention to
 * the checks of that partition. Runs in the fold's thread, or
 * inline in simulations and when a start must fold first. The work itself is in `fold`, `compaction` and `retention-pass`.
 *
 * Invariants: it never writes to the log. No slice begins without space for what it writes: lmdb 3.5 can overflow a buffer of
 * its own while it reports that a write failed for lack of space.
 */
import { assert, KnellError, messageOf } from '../../../lib/errors.ts';
import {
  expeditedSlicesWanted,
  foldPartBytes,
  foldPauseMsMax,
  foldPauseMsMin,
  slicesWanted,
} from '../../disk/limits.ts';
import type { LmdbEnv } from '../../disk/lmdb-env.ts';
import type { Scheduler } from '../../disk/scheduler.ts';
import type { BatchReader } from '../../journal/batch-log.ts';
import { BatchMemory } from '../../journal/batch-memory.ts';
import type { FromFold } from '../../threads.ts';
import { type HistoryTables, readFoldMark, readMeta } from '../rows/tables.ts';
import { Compaction } from './compaction.ts';
import { Fold } from './fold.ts';
import { RecordGrouper } from './fold-groups.ts';
import { RetentionPass } from './retention-pass.ts';

export interface FoldDriverOptions {
  readonly env: LmdbEnv;
  readonly tables: HistoryTables;
  readonly reader: BatchReader;
  readonly scheduler: Scheduler;
  readonly bodyBudgetBytes: number;
  readonly foldBytesMax: number;
  readonly foldFreeBytesMin: number;
  freeBytes(): number;
  isDiskFull(error: unknown): boolean;
  report(message: FromFold): void;
  /** Called when there is nothing left to do for now. */
  rest?(): void;
}

/** Batches read so far for the next fold. */
interface PendingFold {
  readonly grouper: RecordGrouper;
  readonly untilSeq: number;
  bytesLeft: number;
  seq: number;
}

interface FoldInFlight {
  readonly fold: Fold;
  readonly lastSeq: number;
}

export class FoldDriver {
  readonly #options: FoldDriverOptions;
  /** Memory of the batches of the fold that is pending or in flight. */
  readonly #memory = new BatchMemory();
  #foldedSeq: number;
  #goalSeq: number;
  #nowMs = 0;
  /** Rows of deleted checks may be left over from before. */
  #moreToSweep = true;
  #pauseMs = foldPauseMsMin;
  #isExpedited = false;
  #pending: PendingFold | null = null;
  #current: FoldInFlight | null = null;
  #compaction: Compaction | null = null;
  /** An earlier process may have been cut off before the compaction that was due. */
  #isCompactionDue = true;
  #pass: RetentionPass | null = null;
  #isPassDue = false;
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(options: FoldDriverOptions) {
    this.#options = options;
    this.#foldedSeq = readMeta(options.tables, 'folded') ?? 0;
    this.#goalSeq = this.#foldedSeq;
  }

  /** Folds everything up to batch `seq`, in steps. */
  foldTo(seq: number, nowMs: number): void {
    this.#goalSeq = Math.max(this.#goalSeq, seq);
    this.#nowMs = nowMs;
    if (!this.#cancel) this.#step();
  }

  /** The same at once. Throws a KnellError `store-full` when the disk is full; what was folded until then stays. */
  foldAllTo(seq: number, nowMs: number): void {
    this.#goalSeq = Math.max(this.#goalSeq, seq);
    this.#nowMs = nowMs;
    try {
      for (let work = this.#nextWork(); work; work = this.#nextWork()) work();
    } catch (error) {
      if (!this.#options.isDiskFull(error)) throw error;
      throw new KnellError('store-full', 'there is no space to fold the journal: free some and start again', {
        cause: error,
      });
    }
  }

  /** Whether to go on without pauses: commits wait for it. */
  expedite(isExpedited: boolean): void {
    this.#isExpedited = isExpedited;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /**
   * One small part of the work; then a pause as long as it took, so that pings have half the disk and most of the processor.
   * Small: a part of 100 ms would hold one of two cores for as long, and everything else would queue for the other.
   */
  #step(): void {
    const { scheduler, isDiskFull, report, rest } = this.#options;
    this.#cancel = null;
    if (this.#isStopped) return;
    const startMs = scheduler.elapsedMs();
    try {
      const work = this.#nextWork();
      if (!work) {
        rest?.();
        return;
      }
      work();
      const tookMs = scheduler.elapsedMs() - startMs;
      this.#cancel = scheduler.after(this.#isExpedited ? 0 : tookMs, () => this.#step());
    } catch (error) {
      if (!isDiskFull(error)) {
        report({ type: 'broken', message: messageOf(error) });
        return;
      }
      this.#current = null;
      if (this.#compaction || this.#pass) this.#isCompactionDue = true;
      this.#compaction = null;
      this.#pass = null;
      report({ type: 'full' });
      this.#cancel = scheduler.after(this.#pauseMs, () => this.#step());
      this.#pauseMs = Math.min(foldPauseMsMax, this.#pauseMs * 2);
    }
  }

  #nextWork(): (() => void) | null {
    const current = this.#current;
    if (current) return () => this.#slice(current);
    const compaction = this.#compactionDue();
    if (compaction) return () => this.#compact(compaction);
    const pass = this.#passDue();
    if (pass) return () => this.#retain(pass);
    this.#pending ??= this.#nextPending();
    const pending = this.#pending;
    return pending && (() => this.#readMore(pending));
  }

  #slice(current: FoldInFlight): void {
    if (current.fold.slice(this.#slicesThatFit(current.fold))) this.#finish(current);
    // Not after reading, which succeeds on a full disk too.
    this.#pauseMs = foldPauseMsMin;
  }

  #compactionDue(): Compaction | null {
    if (!this.#isCompactionDue) return this.#compaction;
    this.#isCompactionDue = false;
    this.#isPassDue = true;
    const { env, tables } = this.#options;
    const compaction = new Compaction(env, tables, readMeta(tables, 'compacting') ?? 0, this.#nowMs);
    this.#compaction = compaction.isEmpty ? null : compaction;
    return this.#compaction;
  }

  #compact(compaction: Compaction): void {
    if (compaction.slice(this.#slicesThatFit(compaction))) this.#compaction = null;
    this.#pauseMs = foldPauseMsMin;
  }

  /** Of the partition that was compacted. */
  #passDue(): RetentionPass | null {
    if (!this.#isPassDue) return this.#pass;
    this.#isPassDue = false;
    const { env, tables } = this.#options;
    const pass = new RetentionPass(env, tables, readMeta(tables, 'compacting') ?? 0, this.#nowMs);
    this.#pass = pass.isEmpty ? null : pass;
    return this.#pass;
  }

  #retain(pass: RetentionPass): void {
    if (pass.slice(this.#slicesThatFit(pass))) this.#pass = null;
    this.#pauseMs = foldPauseMsMin;
  }

  #slicesThatFit(work: Fold | Compaction | RetentionPass): number {
    const { freeBytes, foldFreeBytesMin } = this.#options;
    const free = freeBytes() - foldFreeBytesMin;
    const wanted = this.#isExpedited ? expeditedSlicesWanted : slicesWanted;
    const slices = wanted.find((size) => free >= work.sliceBytesMax(size));
    if (slices !== undefined) return slices;
    throw new KnellError('store-full', 'there is no space for a slice of the fold');
  }

  /** The next fold: one that was cut off goes first, over the same batches. */
  #nextPending(): PendingFold | null {
    const { env, tables, foldBytesMax } = this.#options;
    // No fold is in flight: its batches are not needed any more, whether it ended or failed.
    this.#memory.dropUntil(Number.POSITIVE_INFINITY);
    env.refresh();
    const cutOff = readFoldMark(tables);
    if (this.#foldedSeq >= this.#goalSeq && !this.#moreToSweep && !cutOff) return null;
    // Not beyond the goal: what follows it may not be durable yet.
    const untilSeq = cutOff?.lastSeq ?? this.#goalSeq;
    const bytesLeft = cutOff ? Number.POSITIVE_INFINITY : foldBytesMax;
    return { grouper: new RecordGrouper(), untilSeq, bytesLeft, seq: this.#foldedSeq };
  }

  /** Reads the next batches; when there are enough of them, or no more, the fold can begin. */
  #readMore(state: PendingFold): void {
    const { env, tables, reader, bodyBudgetBytes } = this.#options;
    const before = state.seq;
    for (const { seq, bytes } of reader.readAfter(state.seq, state.untilSeq, foldPartBytes)) {
      state.grouper.add(this.#memory.copy({ seq, bytes }).bytes, seq);
      state.seq = seq;
      state.bytesLeft -= bytes.length;
    }
    if (state.bytesLeft > 0 && state.seq < state.untilSeq) {
      assert(state.seq > before, 'the journal holds every batch that is to be folded');
      return;
    }
    this.#pending = null;
    const input = {
      grouped: state.grouper.grouped,
      lastSeq: state.seq,
      bodyBudgetBytes,
      nowMs: this.#nowMs,
    };
    this.#current = { fold: new Fold(env, tables, input), lastSeq: state.seq };
  }

  #finish({ fold, lastSeq }: FoldInFlight): void {
    this.#current = null;
    this.#isCompactionDue = true;
    this.#moreToSweep = fold.moreToSweep;
    this.#foldedSeq = lastSeq;
    this.#options.report({ type: 'folded', seq: lastSeq });
  }
}
