/**
 * The store, put together from its parts: group commit over a log, the tail of what is not folded, the fold, the history's
 * reads, snapshots. `open-store` supplies the parts on a real disk; tests bring simulated ones.
 * Invariant: what is durable is in the history or in the tail, and a read sees it in exactly one of them.
 */
import type { AuditEntry, AuditPlace } from '../../domain/accounts/audit.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import type { Ping, PingOutput } from '../../domain/check/ping.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import type { Retention } from '../../domain/retention/kept-pings.ts';
import type { Run } from '../../domain/runs/latest-runs.ts';
import type { RunEnding } from '../../domain/runs/run-ending.ts';
import type { RunStatistics, Uptime } from '../../domain/runs/run-statistics.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { CheckId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Meter } from '../../lib/meter.ts';
import type { StoreLimits } from '../disk/limits.ts';
import type { LmdbEnv } from '../disk/lmdb-env.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import { FoldRunner, type StartFold } from '../history/fold/fold-runner.ts';
import { load, loadNext } from '../history/load.ts';
import { createHistoryReads, type HistoryReads } from '../history/read.ts';
import { type HistoryTables, openHistoryTables, readMeta, writeMeta } from '../history/rows/tables.ts';
import type { NumberedBatch, OpenedLog } from '../journal/batch-log.ts';
import type { CommitTimes } from '../journal/commit-times.ts';
import { GroupCommit } from '../journal/group-commit.ts';
import { createJournalMetrics } from '../journal/metrics.ts';
import type { Standby } from '../journal/standby.ts';
import { Tail } from '../journal/tail.ts';
import type {
  ChangeRange,
  EventPage,
  EventPlace,
  JournalRecord,
  LoadSink,
  PingEntry,
  PingPlace,
  Progress,
  SnapshotSummary,
  Store,
  Waiter,
  WantedEvents,
} from '../store.ts';

/** Writes snapshots of the history beside everything else. */
interface SnapshotWriter {
  write(file: string, progress: Progress): Promise<SnapshotSummary>;
  /** Resolves when nothing reads the history any more. */
  stop(): Promise<void>;
}

interface StoreParts {
  readonly opened: OpenedLog;
  /** Null without a cluster. */
  readonly standby?: Standby | null;
  readonly historyEnv: LmdbEnv;
  /** Opens the environment anew after a load: every page that was read is mapped, and counts as memory of this process. */
  reopenHistory(): LmdbEnv;
  readonly startFold: StartFold;
  readonly snapshots: SnapshotWriter;
  readonly scheduler: Scheduler;
  readonly times: CommitTimes;
  readonly limits: StoreLimits;
  /** Records are acknowledged before they are on disk. */
  readonly isRelaxed: boolean;
  readonly logger: Logger;
  readonly meter: Meter;
  nowMs(): number;
  /** Called once at most, when a write failed in a way that leaves the store unknown. */
  onBroken(error: unknown): void;
  /** Called last, when everything is closed. */
  releaseLock(): void;
}

export class JournaledStore implements Store {
  readonly #parts: StoreParts;
  #historyEnv: LmdbEnv;
  #tables: HistoryTables;
  readonly #tail: Tail;
  #reads: HistoryReads;
  readonly #fold: FoldRunner;
  readonly #journal: GroupCommit;
  #isBroken = false;
  #cancelHeartbeat: (() => void) | null = null;

  constructor(parts: StoreParts) {
    // Without the batches, which would stay in memory for good: from here on they are the tail's.
    this.#parts = { ...parts, opened: { ...parts.opened, tail: [] } };
    this.#historyEnv = parts.historyEnv;
    this.#tables = openHistoryTables(parts.historyEnv);
    markAsNew(parts.historyEnv, this.#tables, parts.nowMs());
    this.#tail = tailOf(parts.opened.tail, () => this.#journal.acknowledged());
    this.#reads = createHistoryReads(this.#tables, this.#tail);
    this.#fold = this.#createFold(readMeta(this.#tables, 'folded') ?? 0);
    this.#journal = this.#createJournal();
    this.#observe(parts.meter);
  }

  #observe(meter: Meter): void {
    meter.observable(
      'knell_journal_tail_bytes',
      'Journal that is not folded into the history yet.',
      () => this.#tail.bytes,
    );
    meter.observable(
      'knell_journal_tail_records',
      'Records that are not folded into the history yet.',
      () => this.#tail.records,
    );
    meter.observable(
      'knell_fold_lag_batches',
      'Batches by which the history is behind the journal.',
      () => this.#journal.lastSeq - this.#fold.foldedSeq,
    );
  }

  #createFold(foldedSeq: number): FoldRunner {
    const { startFold, scheduler, limits, logger, nowMs } = this.#parts;
    return new FoldRunner({
      start: startFold,
      scheduler,
      limits,
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

  #createJournal(): GroupCommit {
    const { opened, isRelaxed, limits, scheduler, times, meter, nowMs } = this.#parts;
    return new GroupCommit({
      log: opened.log,
      lastSeq: opened.lastSeq,
      relaxed: isRelaxed,
      limits,
      scheduler,
      times,
      metrics: createJournalMetrics(meter),
      nowMs,
      capacity: () => this.#capacity(),
      restMs: () => this.#restMs(),
      onDurable: (batch) => this.#durable(batch),
      onBroken: (error) => this.#onBroken(error),
    });
  }

  /** Only now may the log forget the batches: the history has them durably. */
  #onFolded(seq: number): void {
    this.#historyEnv.refresh();
    this.#tail.dropUntil(seq);
    this.#parts.opened.log.release(seq);
    this.#journal.resume();
  }

  #onBroken(error: unknown): void {
    const { logger, onBroken } = this.#parts;
    // The message of a KnellError is all that an operator needs; any other error is a bug in Knell.
    const details = error instanceof KnellError ? { code: error.code } : { err: error };
    logger.fatal(details, `the store is broken: ${messageOf(error)}`);
    if (this.#isBroken) return;
    this.#isBroken = true;
    onBroken(error);
  }

  #capacity(): 'yes' | 'wait' | 'full' {
    const { tailBytesMax, tailRecordsMax } = this.#parts.limits;
    if (this.#tail.bytes <= tailBytesMax && this.#tail.records <= tailRecordsMax) return 'yes';
    return this.#fold.isFull ? 'full' : 'wait';
  }

  #restMs(): number {
    const { tailBytesMax, tailRecordsMax, behindRestMs } = this.#parts.limits;
    const share = Math.max(this.#tail.bytes / tailBytesMax, this.#tail.records / tailRecordsMax);
    this.#fold.expedite(share > 0.5);
    return share <= 0.5 ? 0 : behindRestMs * Math.min(1, 2 * share - 1) ** 2;
  }

  get full(): boolean {
    return this.#journal.full;
  }

  get isLogSilent(): boolean {
    return this.#journal.isStalled;
  }

  get historyVersion(): number | null {
    return this.#fold.version;
  }

  async load(sink: LoadSink): Promise<void> {
    load(this.#tables, this.#tail.batches, sink);
    await this.#releaseMappedPages();
    for (const batch of this.#tail.batches) this.#fold.durable(batch.seq, batch.bytes.length);
    const { standby } = this.#parts;
    if (standby) await this.#becomeOwner(standby, sink);
  }

  async #becomeOwner(standby: Standby, sink: LoadSink): Promise<void> {
    try {
      await this.#untilLeading(standby, sink);
    } catch (error) {
      // Another node's data can take the place of these only while no store is open: at the next start.
      this.#parts.onBroken(error);
      return new Promise(() => {});
    }
    this.#heartbeat(standby);
  }

  #untilLeading(standby: Standby, sink: LoadSink): Promise<void> {
    return standby.untilLeading(
      this.#journal.lastSeq,
      (batch) => {
        this.#durable(batch);
        this.#journal.lastSeq = batch.seq;
        loadNext(batch, sink);
      },
      () => {
        this.#restMs();
        return this.#capacity() === 'yes';
      },
    );
  }

  /** So that the others know that the owner lives, and since when it does not. */
  #heartbeat(standby: Standby): void {
    const { scheduler, nowMs } = this.#parts;
    this.#cancelHeartbeat = scheduler.after(standby.heartbeatMs, () => {
      if (standby.isQuiet) this.append({ type: 'alive', atMs: nowMs() }, null);
      this.#heartbeat(standby);
    });
  }

  #durable(batch: NumberedBatch): void {
    this.#tail.push(batch);
    this.#fold.durable(batch.seq, batch.bytes.length);
  }

  async #releaseMappedPages(): Promise<void> {
    await this.#historyEnv.close();
    this.#historyEnv = this.#parts.reopenHistory();
    this.#tables = openHistoryTables(this.#historyEnv);
    this.#reads = createHistoryReads(this.#tables, this.#tail);
  }

  append(record: JournalRecord, waiter: Waiter | null): void {
    this.#journal.append(record, waiter);
  }

  appendPing(entry: PingEntry, waiter: Waiter): void {
    this.#journal.appendPing(entry, waiter);
  }

  beginGroup(): void {
    this.#journal.beginGroup();
  }

  endGroup(): void {
    this.#journal.endGroup();
  }

  barrier(waiter: Waiter): void {
    this.#journal.barrier(waiter);
  }

  get mayAct(): boolean {
    return this.#parts.standby?.mayAct ?? true;
  }

  pings(id: CheckId, limit: number, retention: Retention | null = null): readonly Ping[] {
    return this.#reads.pings(id, limit, retention);
  }

  body(id: CheckId, n: number): Uint8Array | null {
    return this.#reads.body(id, n);
  }

  lookAtBody<Result>(id: CheckId, n: number, look: (body: Buffer) => Result): Result | null {
    return this.#reads.lookAtBody(id, n, look);
  }

  prefetchBodies(wanted: readonly PingPlace[]): Promise<void> {
    return this.#reads.prefetchBodies(wanted);
  }

  outputs(id: CheckId, below: number, limit: number): readonly PingOutput[] {
    return this.#reads.outputs(id, below, limit);
  }

  changes(id: CheckId, range: ChangeRange, limit?: number): readonly StatusChange[] {
    return this.#reads.changes(id, range, limit);
  }

  lastChange(id: CheckId): StatusChange | null {
    return this.#reads.lastChange(id);
  }

  statistics(id: CheckId, edges: readonly number[], nowMs: number): readonly RunStatistics[] {
    return this.#reads.statistics(id, edges, nowMs);
  }

  uptimes(id: CheckId, ranges: readonly ChangeRange[], nowMs: number): readonly Uptime[] {
    return this.#reads.uptimes(id, ranges, nowMs);
  }

  countAhead(id: CheckId, nowMs: number): Promise<void> {
    return this.#reads.countAhead(id, nowMs);
  }

  latestRuns(id: CheckId, count: number, retention: Retention | null = null): readonly Run[] {
    return this.#reads.latestRuns(id, count, retention);
  }

  runEndings(id: CheckId, range: ChangeRange, limit: number): readonly RunEnding[] {
    return this.#reads.runEndings(id, range, limit);
  }

  notifications(id: CheckId, range: ChangeRange, limit: number): readonly SentNotification[] {
    return this.#reads.notifications(id, range, limit);
  }

  audit(before: AuditPlace | null, limit: number): readonly AuditEntry[] {
    return this.#reads.audit(before, limit);
  }

  snoozeAudit(id: CheckId, range: ChangeRange, limit: number): readonly AuditEntry[] {
    return this.#reads.snoozeAudit(id, range, limit);
  }

  events(after: EventPlace, wanted: WantedEvents): EventPage {
    return this.#reads.events(after, wanted);
  }

  eventsFrom(wanted: WantedEvents): EventPlace {
    return this.#reads.eventsFrom(wanted);
  }

  get eventsUntil(): EventPlace {
    return this.#reads.eventsUntil;
  }

  get eventsEpoch(): string {
    return this.#reads.eventsEpoch;
  }

  deletedCheck(id: CheckId): ReturnType<Store['deletedCheck']> {
    return this.#reads.deletedCheck(id);
  }

  async folded(): Promise<void> {
    await this.#journal.drain();
    await this.#fold.until(this.#journal.lastSeq);
  }

  async writeSnapshot(file: string, progress: Progress): Promise<SnapshotSummary> {
    await this.folded();
    return this.#parts.snapshots.write(file, progress);
  }

  async close(): Promise<void> {
    const { logger, snapshots, opened, releaseLock } = this.#parts;
    this.#cancelHeartbeat?.();
    await this.#journal.close();
    warnOfLoss(this.#journal, logger);
    await Promise.all([snapshots.stop(), this.#fold.stop()]);
    await opened.log.close();
    await this.#historyEnv.close();
    releaseLock();
  }
}

/** Only `relaxed` can lose what it acknowledged, and only when the disk is full to the last. */
function warnOfLoss(journal: GroupCommit, logger: Logger): void {
  const lost = journal.unwrittenRecords;
  if (lost > 0) logger.error(`${lost} acknowledged records are lost: there was no space to write them`);
}

/** Notes when a history was created, for its `epochOf`. */
function markAsNew(env: LmdbEnv, tables: HistoryTables, nowMs: number): void {
  if (readMeta(tables, 'since') === null) env.write(() => writeMeta(tables, 'since', nowMs));
}

/** Builds the tail: the batches of the log that the history does not hold yet. */
function tailOf(batches: readonly NumberedBatch[], open: () => Buffer | null): Tail {
  const tail = new Tail(open);
  for (const batch of batches) tail.adopt(batch);
  return tail;
}
