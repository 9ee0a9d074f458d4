/**
 * Group commit: appended records gather into a batch, one durable transaction writes it, then everyone who waits hears.
 * Not here: the bytes (`records`), the log (`file-log`), when a batch is due (`gather-window`).
 *
 * Invariants: batches are written one at a time, in order. A waiter hears once. When a batch cannot be written for want of
 * space, every waiter that has not heard is told so, newest first; after any other error nobody is told anything.
 */
import { assert } from '../../lib/errors.ts';
import type { StoreLimits } from '../limits.ts';
import type { JournalRecord, Waiter } from '../store.ts';
import { acknowledgedPart, Gathering, type Pending } from './batch.ts';
import { GatherWindow } from './gather-window.ts';
import type { NumberedBatch } from './segment.ts';

export interface JournalOptions {
  /** The number of the latest batch ever written. */
  readonly lastSeq: number;
  readonly relaxed: boolean;
  readonly limits: StoreLimits;
  /** Writes durably, or throws having written nothing. */
  commit(batch: NumberedBatch): void;
  /** The same in the thread pool, for slow disks. */
  commitElsewhere(batch: NumberedBatch): Promise<void>;
  isDiskFull(error: unknown): boolean;
  /** `wait`: the tail may not grow; `full`: it cannot shrink either, for want of space. */
  room(): 'yes' | 'wait' | 'full';
  /** How long to rest after a commit, for the fold to keep up; 0 nearly always. */
  restMs(): number;
  /** Hears of every written batch before its waiters do. */
  onDurable(batch: NumberedBatch): void;
  onBroken(error: unknown): void;
  nowMs(): number;
}

export class Journal {
  full = false;
  lastSeq: number;
  readonly #options: JournalOptions;
  readonly #window = new GatherWindow();
  readonly #gathering: Gathering;
  #sealed: Pending[] = [];
  #inFlight: Pending | null = null;
  #timer: { cancel(): void; soon: boolean } | null = null;
  #isAckScheduled = false;
  #probe: NodeJS.Timeout | null = null;
  #retryAtMs = 0;
  /** No commit before this; 0 for no rest. */
  #restUntilMs = 0;
  #isBroken = false;
  #isClosing = false;
  #drained: (() => void)[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
    this.lastSeq = options.lastSeq;
    this.#gathering = new Gathering(options.limits.batchBytesMax);
  }

  append(record: JournalRecord, waiter: Waiter | null): void {
    assert(!this.#isClosing, 'nothing is appended to a closed store');
    if (this.#isBroken) return;
    const gathering = this.#gathering;
    if (gathering.records === 0) gathering.beganAtMs = performance.now();
    gathering.add(record, waiter);
    if (gathering.bytes > this.#options.limits.batchBytesMax) this.#sealed.push(gathering.seal());
    if (this.#options.relaxed) this.#acknowledgeSoon();
    this.#schedule();
  }

  barrier(waiter: Waiter): void {
    if (this.#isBroken) return;
    const last = this.#lastUnheard();
    if (last) last.waiters.push(waiter);
    else waiter.durable();
  }

  /** The latest batch of which somebody still has to hear. */
  #lastUnheard(): { waiters: Waiter[] } | null {
    const { records, ackedRecords } = this.#gathering;
    if (records > ackedRecords) return this.#gathering;
    const isUnheard = (pending: Pending) => pending.records > pending.ackedRecords;
    return (
      this.#sealed.findLast(isUnheard) ??
      (this.#inFlight && isUnheard(this.#inFlight) ? this.#inFlight : null)
    );
  }

  /** What was acknowledged but has no number yet, for reads. */
  acknowledged(): Buffer | null {
    return this.#gathering.acknowledged();
  }

  /** There may be room again. */
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

  /** What was acknowledged (`relaxed`) and is not on disk: after closing, what is lost. */
  get unwrittenRecords(): number {
    return this.#sealed.reduce((sum, pending) => sum + pending.ackedRecords, this.#gathering.ackedRecords);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.drain();
    this.#timer?.cancel();
    if (this.#probe) clearInterval(this.#probe);
  }

  #isPending(): boolean {
    return this.#gathering.records > 0 || this.#sealed.length > 0 || this.#inFlight !== null;
  }

  /** Sees to it that `#turn` runs: at the end of this turn of the event loop unless there is a reason to wait. */
  #schedule(): void {
    if (this.#inFlight || this.#isBroken) return;
    const delayMs = this.#delayMs();
    const soon = delayMs <= 0;
    if (this.#timer) {
      if (this.#timer.soon || !soon) return;
      this.#timer.cancel();
    }
    const run = () => {
      this.#timer = null;
      this.#turn();
    };
    if (soon) {
      const handle = setImmediate(run);
      this.#timer = { cancel: () => clearImmediate(handle), soon };
    } else {
      const handle = setTimeout(run, delayMs);
      this.#timer = { cancel: () => clearTimeout(handle), soon };
    }
  }

  #delayMs(): number {
    if (this.#drained.length > 0) return 0;
    if (this.full) return this.#retryAtMs - performance.now();
    if (this.#restUntilMs > 0) return this.#restUntilMs - performance.now();
    const { relaxed, limits } = this.#options;
    return relaxed && this.#sealed.length === 0 ? limits.relaxedDelayMs : 0;
  }

  #turn(): void {
    if (this.#inFlight || this.#isBroken) return;
    if (!this.#isPending()) {
      this.#tellDrained();
      return;
    }
    const room = this.#isClosing ? 'yes' : this.#options.room();
    if (room === 'full') {
      this.#takeBack([]);
      return;
    }
    if (room === 'wait') return;
    if (this.#sealed.length === 0 && !this.#isDue()) {
      this.#schedule();
      return;
    }
    const pending = this.#sealed.shift() ?? this.#gathering.seal();
    this.#write(pending);
  }

  #isDue(): boolean {
    if (this.#drained.length > 0 || this.full || this.#options.relaxed) return true;
    const waitedMs = performance.now() - this.#gathering.beganAtMs;
    return this.#window.isDue(this.#gathering.records, waitedMs);
  }

  #write(pending: Pending): void {
    const batch = { seq: this.lastSeq + 1, bytes: pending.bytes };
    const startMs = performance.now();
    if (this.#window.commitMs > this.#options.limits.slowCommitMs) {
      this.#inFlight = pending;
      this.#options.commitElsewhere(batch).then(
        () => this.#written(pending, startMs),
        (error: unknown) => this.#failed(pending, error),
      );
      return;
    }
    try {
      this.#options.commit(batch);
    } catch (error) {
      this.#failed(pending, error);
      return;
    }
    this.#written(pending, startMs);
  }

  #written(pending: Pending, startMs: number): void {
    this.#inFlight = null;
    this.lastSeq++;
    const endMs = performance.now();
    this.#window.committed(pending.records, endMs - startMs);
    this.#setFull(false);
    this.#options.onDurable({ seq: this.lastSeq, bytes: pending.bytes });
    const restMs = this.#options.restMs();
    this.#restUntilMs = restMs > 0 ? endMs + restMs : 0;
    for (const waiter of pending.waiters) waiter.durable();
    if (this.#isPending()) this.#schedule();
    else this.#tellDrained();
  }

  #failed(pending: Pending, error: unknown): void {
    this.#inFlight = null;
    if (this.#options.isDiskFull(error)) {
      this.#takeBack([pending]);
      return;
    }
    this.#isBroken = true;
    this.#options.onBroken(error);
    this.#tellDrained();
  }

  /** Everyone who has not heard yet hears that it was in vain; what was acknowledged stays, to be written later. */
  #takeBack(failed: readonly Pending[]): void {
    const all = [...failed, ...this.#sealed, this.#gathering.seal()];
    this.#sealed = all.map(acknowledgedPart).filter((kept) => kept !== null);
    this.#retryAtMs = performance.now() + this.#options.limits.fullPauseMs;
    this.#setFull(true);
    const waiters = all.flatMap((pending) => pending.waiters);
    for (const waiter of waiters.reverse()) waiter.rolledBack();
    this.#tellDrained();
    if (this.#isPending()) this.#schedule();
  }

  /** While the disk is full, it is tried once a second even without traffic. */
  #setFull(full: boolean): void {
    if (this.full === full) return;
    this.full = full;
    if (this.#probe) clearInterval(this.#probe);
    this.#probe = null;
    if (!full || this.#isClosing) return;
    this.#probe = setInterval(() => {
      if (!this.#isPending()) this.append({ type: 'alive', atMs: this.#options.nowMs() }, null);
    }, this.#options.limits.fullProbeMs);
    this.#probe.unref();
  }

  #tellDrained(): void {
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }

  /**
   * `relaxed`: at the end of the turn, before the commit. Not while the disk is full or the fold is behind: a rest would
   * hold up nobody who was told already, and what waits for the disk would grow without bounds.
   */
  #acknowledgeSoon(): void {
    if (this.#isAckScheduled) return;
    this.#isAckScheduled = true;
    setImmediate(() => {
      this.#isAckScheduled = false;
      if (this.full || this.#isBroken || this.#restUntilMs > 0 || this.#options.room() !== 'yes') return;
      for (const pending of this.#sealed) acknowledgeSealed(pending);
      this.#gathering.acknowledge();
    });
  }
}

function acknowledgeSealed(pending: Pending): void {
  pending.ackedBytes = pending.bytes.length;
  pending.ackedRecords = pending.records;
  const waiters = pending.waiters;
  pending.waiters = [];
  for (const waiter of waiters) waiter.durable();
}
