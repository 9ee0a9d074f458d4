/**
 * Group commit: appended records gather into a batch, the log makes it durable as a whole, then every waiter is called.
 * `codec/records` defines the bytes, `batch-log` what a log is; `gather-window` decides when a batch is due.
 *
 * Invariants: batches are written in order, as many at a time as the log takes: one, unless it says otherwise. A waiter is
 * called once. When the disk is full, every waiter that has not been called is rolled back, newest first; after any other
 * error no waiter is called. An unknown outcome is resolved by the log's last number: until then nothing is answered and
 * nothing else is written. While a log of many machines does not answer, what comes is refused as on a full disk.
 */
import { assert, KnellError } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import type { StoreLimits } from '../disk/limits.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import type { JournalRecord, PingEntry, Waiter } from '../store.ts';
import { acknowledgedPart, acknowledgeSealed, OpenBatch, type SealedBatch } from './batch.ts';
import type { AppendOutcome, BatchLog, NumberedBatch } from './batch-log.ts';
import type { CommitTimes } from './commit-times.ts';
import { GatherWindow } from './gather-window.ts';
import type { JournalMetrics } from './metrics.ts';

export interface GroupCommitOptions {
  readonly log: BatchLog;
  /** The number of the latest batch ever written. */
  readonly lastSeq: number;
  readonly relaxed: boolean;
  readonly limits: StoreLimits;
  readonly scheduler: Scheduler;
  /** Durations of commits: measured here, read by the log too. */
  readonly times: CommitTimes;
  readonly metrics: JournalMetrics;
  /** `wait`: the tail may not grow; `full`: it cannot shrink either, since the disk is full. */
  capacity(): 'yes' | 'wait' | 'full';
  /** Milliseconds to rest after a commit, for the fold to keep up; 0 nearly always. */
  restMs(): number;
  /** Called with every written batch before its waiters are. */
  onDurable(batch: NumberedBatch): void;
  onBroken(error: unknown): void;
  nowMs(): number;
}

/** A batch that the log was given and has not answered. */
interface InFlight {
  readonly sealed: SealedBatch;
  readonly startMs: number;
}

export class GroupCommit {
  full = false;
  lastSeq: number;
  readonly #options: GroupCommitOptions;
  readonly #window: GatherWindow;
  readonly #open: OpenBatch;
  #sealed: SealedBatch[] = [];
  /** Batches in flight, in the order of their numbers. */
  readonly #inFlight: InFlight[] = [];
  /** Batches that found the disk full, until the ones in flight behind them are settled too. */
  #refused: SealedBatch[] = [];
  #together = 0;
  #cancelStall: (() => void) | null = null;
  #timer: { cancel(): void; isSoon: boolean } | null = null;
  #isAckScheduled = false;
  #cancelProbe: (() => void) | null = null;
  #retryAtMs = 0;
  /** No commit before this; 0 for no rest. */
  #restUntilMs = 0;
  #isBroken = false;
  #isClosing = false;
  /** Nobody waits for an answer of the log any more. */
  #isClosed = false;
  #drained: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.lastSeq = options.lastSeq;
    this.#window = new GatherWindow(options.limits);
    this.#open = new OpenBatch(options.limits.batchBytesMax);
  }

  append(record: JournalRecord, waiter: Waiter | null): void {
    if (!this.#isOpen()) return;
    this.#open.add(record, waiter);
    this.#added();
  }

  appendPing(entry: PingEntry, waiter: Waiter): void {
    if (!this.#isOpen()) return;
    this.#open.addPing(entry, waiter);
    this.#added();
  }

  /** False when nothing can be written any more. */
  #isOpen(): boolean {
    assert(!this.#isClosing, 'nothing is appended to a closed store');
    if (this.#isBroken) return false;
    if (this.#open.records === 0) this.#open.beganAtMs = this.#options.scheduler.elapsedMs();
    return true;
  }

  beginGroup(): void {
    this.#together++;
  }

  endGroup(): void {
    this.#together--;
    const { batchBytesMax } = this.#options.limits;
    if (this.#together === 0 && this.#open.bytes > batchBytesMax) this.#sealed.push(this.#open.seal());
  }

  #added(): void {
    const { limits, relaxed } = this.#options;
    const open = this.#open;
    if (open.bytes > limits.batchBytesMax && this.#together === 0) this.#sealed.push(open.seal());
    if (relaxed) this.#acknowledgeSoon();
    this.#schedule();
  }

  barrier(waiter: Waiter): void {
    if (this.#isBroken) return;
    const last = this.#lastUnanswered();
    if (last) last.waiters.push(waiter);
    else waiter.durable();
  }

  /** The latest batch with a waiter that has not been called. */
  #lastUnanswered(): { waiters: Waiter[] } | null {
    const { records, ackedRecords } = this.#open;
    if (records > ackedRecords) return this.#open;
    const isUnanswered = (batch: SealedBatch) => batch.records > batch.ackedRecords;
    return (
      this.#sealed.findLast(isUnanswered) ??
      this.#inFlight.findLast(({ sealed }) => isUnanswered(sealed))?.sealed ??
      null
    );
  }

  /** Records that were acknowledged but have no number yet, for reads. */
  acknowledged(): Buffer | null {
    return this.#open.acknowledged();
  }

  /** There may be capacity again. */
  resume(): void {
    if (this.#isPending()) this.#schedule();
  }

  /** Writes what is pending without delay; resolves when nothing is, or when it cannot be written. */
  drain(): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#schedule();
    });
  }

  /** Records that were acknowledged (`relaxed`) and are not on disk: after closing, these are lost. */
  get unwrittenRecords(): number {
    return this.#sealed.reduce((sum, batch) => sum + batch.ackedRecords, this.#open.ackedRecords);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.drain();
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#cancelProbe?.();
    this.#cancelStall?.();
  }

  #isPending(): boolean {
    return this.#open.records > 0 || this.#sealed.length > 0 || this.#inFlight.length > 0;
  }

  /** Nothing more is given to the log before it has answered. */
  #isLogBusy(): boolean {
    const { appendsMax = 1 } = this.#options.log;
    return this.#refused.length > 0 || (this.#inFlight.length >= appendsMax && !this.isStalled);
  }

  /** The log has not answered for so long that nobody should wait for it. */
  get isStalled(): boolean {
    const { answersWithinMs } = this.#options.log;
    const [oldest] = this.#inFlight;
    if (answersWithinMs === undefined || !oldest) return false;
    return this.#options.scheduler.elapsedMs() - oldest.startMs >= answersWithinMs;
  }

  /** Sees to it that `#turn` runs: at the end of this turn of the event loop unless there is a reason to wait. */
  #schedule(): void {
    if (this.#isLogBusy() || this.#isBroken) return;
    const delayMs = this.#delayMs();
    const isSoon = delayMs <= 0;
    if (this.#timer) {
      if (this.#timer.isSoon || !isSoon) return;
      this.#timer.cancel();
    }
    this.#startTimer(delayMs, isSoon);
  }

  /** By itself: a function with a closure allocates one at every call, and nearly all records find the timer running. */
  #startTimer(delayMs: number, isSoon: boolean): void {
    const run = () => {
      this.#timer = null;
      this.#turn();
    };
    const { scheduler } = this.#options;
    this.#timer = { cancel: isSoon ? scheduler.soon(run) : scheduler.after(delayMs, run), isSoon };
  }

  #delayMs(): number {
    const { relaxed, limits, scheduler } = this.#options;
    if (this.#drained.length > 0) return 0;
    if (this.full) return this.#retryAtMs - scheduler.elapsedMs();
    if (this.#restUntilMs > 0) return this.#restUntilMs - scheduler.elapsedMs();
    return relaxed && this.#sealed.length === 0 ? limits.relaxedDelayMs : 0;
  }

  #turn(): void {
    if (this.#isLogBusy() || this.#isBroken) return;
    if (!this.#isPending()) {
      this.#finishDrains();
      return;
    }
    if (this.#open.records === 0 && this.#sealed.length === 0) return;
    const capacity = this.#capacity();
    if (capacity === 'full') {
      this.#rollBack([]);
      return;
    }
    if (capacity === 'wait') return;
    if (this.#sealed.length === 0 && !this.#isDue()) {
      this.#schedule();
      return;
    }
    this.#write(this.#sealed.shift() ?? this.#open.seal());
  }

  #capacity(): 'yes' | 'wait' | 'full' {
    if (this.isStalled) return 'full';
    return this.#isClosing ? 'yes' : this.#options.capacity();
  }

  #isDue(): boolean {
    const { relaxed, scheduler, times } = this.#options;
    if (this.#drained.length > 0 || this.full || relaxed) return true;
    const waitedMs = scheduler.elapsedMs() - this.#open.beganAtMs;
    return this.#window.isDue(this.#open.records, waitedMs, times.medianMs);
  }

  #write(sealed: SealedBatch): void {
    const { log, scheduler } = this.#options;
    const startMs = scheduler.elapsedMs();
    try {
      const answer = log.append({ seq: this.lastSeq + this.#inFlight.length + 1, bytes: sealed.bytes });
      if (typeof answer === 'string') {
        this.#finishAppend({ sealed, startMs }, answer);
        return;
      }
      const inFlight = { sealed, startMs };
      this.#inFlight.push(inFlight);
      this.#watchForStall();
      answer.then(
        (outcome) => this.#settled(inFlight, outcome),
        (error: unknown) => this.#break(error),
      );
      // The log may take another one meanwhile.
      if (this.#open.records > 0 || this.#sealed.length > 0) this.#schedule();
    } catch (error) {
      this.#break(error);
    }
  }

  #settled(inFlight: InFlight, outcome: AppendOutcome): void {
    if (this.#isBroken || this.#isClosed) return;
    assert(this.#inFlight[0] === inFlight, 'batches are answered in their order');
    if (outcome !== 'unknown') this.#inFlight.shift();
    this.#finishAppend(inFlight, outcome);
  }

  #finishAppend(inFlight: InFlight, outcome: AppendOutcome): void {
    switch (outcome) {
      case 'written':
        assert(this.#refused.length === 0, 'what follows a refused batch is refused');
        this.#written(inFlight);
        break;
      case 'disk-full':
        this.#options.metrics.diskFull.add();
        this.#refused.push(inFlight.sealed);
        if (this.#inFlight.length === 0) this.#rollBack(this.#refused.splice(0));
        break;
      case 'fenced':
        this.#break(new KnellError('store-fenced', 'another node owns the journal now'));
        break;
      case 'unknown':
        if (this.#inFlight[0] !== inFlight) this.#inFlight.unshift(inFlight);
        void this.#resolveUnknown(inFlight);
    }
  }

  /** Its number is in the log: it was written. The one before is: it was not, and is appended again. */
  async #resolveUnknown(inFlight: InFlight): Promise<void> {
    const { log, limits, scheduler } = this.#options;
    assert(this.#inFlight.length === 1, 'a log that leaves an outcome open takes one batch at a time');
    try {
      const last = await log.lastNumber();
      this.#inFlight.shift();
      if (last === this.lastSeq + 1) this.#written(inFlight);
      else if (last === this.lastSeq) this.#write(inFlight.sealed);
      else this.#finishAppend(inFlight, 'fenced');
    } catch {
      // The log does not answer: nothing is known, so nothing is answered.
      scheduler.after(limits.unknownRetryMs, () => void this.#resolveUnknown(inFlight));
    }
  }

  /** One look when it would be too long: what has come by then is refused, and what comes later when it comes. */
  #watchForStall(): void {
    const { log, scheduler } = this.#options;
    const [oldest] = this.#inFlight;
    if (log.answersWithinMs === undefined || this.#cancelStall || !oldest) return;
    const leftMs = oldest.startMs + log.answersWithinMs - scheduler.elapsedMs();
    this.#cancelStall = scheduler.after(Math.max(1, leftMs), () => {
      this.#cancelStall = null;
      if (this.isStalled) this.#schedule();
      else this.#watchForStall();
    });
  }

  #written({ sealed, startMs }: InFlight): void {
    const { scheduler, times, metrics, onDurable, restMs } = this.#options;
    this.lastSeq++;
    const endMs = scheduler.elapsedMs();
    times.add(endMs - startMs);
    metrics.commitSeconds.observe((endMs - startMs) / second);
    metrics.batchRecords.observe(sealed.records);
    this.#window.committed(sealed.records);
    this.#setFull(false);
    onDurable({ seq: this.lastSeq, bytes: sealed.bytes });
    const rest = restMs();
    this.#restUntilMs = rest > 0 ? endMs + rest : 0;
    for (const waiter of sealed.waiters) waiter.durable();
    if (this.#isPending()) this.#schedule();
    else this.#finishDrains();
  }

  #break(error: unknown): void {
    if (this.#isBroken) return;
    this.#inFlight.length = 0;
    this.#isBroken = true;
    this.#cancelStall?.();
    this.#options.onBroken(error);
    this.#finishDrains();
  }

  /** Every waiter that has not been called is rolled back; what was acknowledged stays, to be written later. */
  #rollBack(failed: readonly SealedBatch[]): void {
    const all = [...failed, ...this.#sealed, this.#open.seal()];
    this.#sealed = all.map(acknowledgedPart).filter((kept) => kept !== null);
    this.#retryAtMs = this.#options.scheduler.elapsedMs() + this.#options.limits.fullPauseMs;
    this.#setFull(true);
    const waiters = all.flatMap((sealed) => sealed.waiters);
    for (const waiter of waiters.reverse()) waiter.rolledBack();
    this.#finishDrains();
    if (this.#isPending()) this.#schedule();
  }

  /** While the disk is full, it is tried once a second even without traffic. */
  #setFull(full: boolean): void {
    if (this.full === full) return;
    this.full = full;
    this.#cancelProbe?.();
    this.#cancelProbe = null;
    if (full && !this.#isClosing) this.#probe();
  }

  #probe(): void {
    const { scheduler, limits, nowMs } = this.#options;
    this.#cancelProbe = scheduler.after(limits.fullProbeMs, () => {
      if (!this.full || this.#isClosing) return;
      this.#probe();
      if (!this.#isPending()) this.append({ type: 'alive', atMs: nowMs() }, null);
    });
  }

  #finishDrains(): void {
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }

  /**
   * `relaxed`: at the end of the turn, before the commit. Not while the disk is full or the fold is behind: a rest would
   * delay no answer that has been given already, and what waits for the disk would grow without bounds.
   */
  #acknowledgeSoon(): void {
    if (this.#isAckScheduled) return;
    this.#isAckScheduled = true;
    this.#options.scheduler.soon(() => {
      this.#isAckScheduled = false;
      if (this.full || this.#isBroken || this.#restUntilMs > 0 || this.#options.capacity() !== 'yes') return;
      for (const sealed of this.#sealed) acknowledgeSealed(sealed);
      this.#open.acknowledge();
    });
  }
}
