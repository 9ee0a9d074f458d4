/**
 * The batch log of a cluster's store: appends go to the replicated log, and into a local log (the spool) for the fold once a
 * majority has them. Until this node leads, the batches of the leader come the same way. `election` decides who may claim;
 * the log itself is in `replicated-log`.
 *
 * Invariants: the spool has exactly the entries of the log up to some number, under the same numbers. An append is answered
 * when it is in both. The spool is written without a sync: after a power cut the log has what it lacks.
 */
import { assert, KnellError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import type { AppendOutcome, BatchLog, NumberedBatch } from '../journal/batch-log.ts';
import { beginBatch, isNewerBatch } from '../journal/records.ts';
import type { Standby } from '../journal/standby.ts';
import { Election, type ElectionLimits } from './election.ts';
import { newer } from './envelope.ts';
import type { Leadership, ReplicatedLog } from './replicated-log.ts';

export interface ReplicatedJournalLimits extends ElectionLimits {
  /**
   * Milliseconds after its latest own write began for which the leader's reads and messages are certain; less than the silence.
   */
  readonly certainMs: number;
  /** The wall clock and the time that has passed may drift apart by so much between two looks, or the machine was suspended. */
  readonly jumpMsMax: number;
  /** So long a ping waits for the log before the next ones are refused. */
  readonly answersWithinMs: number;
  /** Without a new entry for so long, nothing can be written: longer than the silence after which others claim. */
  readonly silentAfterMs: number;
  /** After an append whose outcome is unknown. */
  readonly appendAgainMs: number;
  /** A leader that goes waits at most so long for the next one. */
  readonly handOverMs: number;
}

export interface ReplicatedJournalOptions {
  readonly log: ReplicatedLog;
  readonly spool: BatchLog;
  readonly scheduler: Scheduler;
  readonly limits: ReplicatedJournalLimits;
  readonly logger: Logger;
  /** Wall time, epoch milliseconds. */
  nowMs(): number;
  chance(): number;
  leaderIs(leader: Leadership | null): void;
}

export class ReplicatedJournal implements BatchLog, Standby {
  readonly appendsMax: number;
  readonly answersWithinMs: number;
  /** Why this node does not follow the log; null when it does, or leads. */
  trouble: string | null = null;
  leadership: Leadership | null = null;
  appliedSeq = 0;
  readonly #options: ReplicatedJournalOptions;
  #election: Election | null = null;
  #inFlight = 0;
  /** Offset from `elapsedMs` to wall time, and when that last changed at once. */
  #offsetMs: number;
  #jumpedAtMs = Number.NEGATIVE_INFINITY;
  /** When the latest entry was read, or written. */
  #newEntryMs: number;
  #previous: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** Why no append will be answered any more. */
  #lostLog: KnellError | null = null;
  #stopFollowing: () => void = () => {};

  constructor(options: ReplicatedJournalOptions) {
    this.#options = options;
    this.appendsMax = options.log.appendsMax;
    this.answersWithinMs = options.limits.answersWithinMs;
    this.#newEntryMs = options.scheduler.elapsedMs();
    this.#offsetMs = options.nowMs() - this.#newEntryMs;
  }

  get incarnation(): string {
    return this.#options.log.incarnation;
  }

  /**
   * Milliseconds since the log had a new entry, if that is too long for a log that can be written; else null. Null too while
   * `trouble` says more. A leader that has nothing in flight has requested none.
   */
  get silentForMs(): number | null {
    const { limits } = this.#options;
    if (this.trouble !== null || (this.leadership !== null && this.#inFlight === 0)) return null;
    const silentMs = this.sinceEntryMs;
    return silentMs < (this.leadership ? limits.answersWithinMs : limits.silentAfterMs) ? null : silentMs;
  }

  /** Milliseconds since the latest entry was read or written. */
  get sinceEntryMs(): number {
    return this.#options.scheduler.elapsedMs() - this.#newEntryMs;
  }

  get mayAct(): boolean {
    const { log, limits } = this.#options;
    if (this.leadership === null || this.#sinceWrittenMs() >= limits.certainMs) return false;
    return (log.writtenAtMs ?? 0) >= this.#lookForJump();
  }

  /**
   * When the wall clock last moved by itself, by `elapsedMs`. That does not count the time for which a machine was suspended: by it
   * a leader that was away for an hour has just written. Its wall clock is right again, and shows it.
   */
  #lookForJump(): number {
    const { scheduler, limits, nowMs } = this.#options;
    const elapsedMs = scheduler.elapsedMs();
    const offsetMs = nowMs() - elapsedMs;
    if (Math.abs(offsetMs - this.#offsetMs) > limits.jumpMsMax) {
      this.#jumpedAtMs = elapsedMs;
      this.#offsetMs = offsetMs;
    }
    return this.#jumpedAtMs;
  }

  get heartbeatMs(): number {
    return this.#options.limits.heartbeatMs;
  }

  /** Half a heartbeat: one that begins a little early is better than one that is missed. */
  get isQuiet(): boolean {
    return this.#inFlight === 0 && this.#sinceWrittenMs() >= this.heartbeatMs / 2;
  }

  #sinceWrittenMs(): number {
    const { log, scheduler } = this.#options;
    return log.writtenAtMs === null ? Number.POSITIVE_INFINITY : scheduler.elapsedMs() - log.writtenAtMs;
  }

  untilLeading(
    lastSeq: number,
    apply: (batch: NumberedBatch) => void,
    hasCapacity: () => boolean,
  ): Promise<void> {
    this.appliedSeq = lastSeq;
    this.#newEntryMs = this.#options.scheduler.elapsedMs();
    return new Promise((resolve, reject) => {
      this.#election = new Election(
        {
          ...this.#options,
          hasCapacity,
          apply: (entry) => {
            const batch = { seq: entry.seq, bytes: entry.kind === 'batch' ? entry.bytes : noRecords };
            // Before it is kept: a spool that ends before it can be read after the update, and by this version too.
            if (isNewerBatch(batch.bytes)) throw newer(entry.seq);
            this.#spool(batch);
            apply(batch);
          },
          troubleIs: (trouble) => {
            this.trouble = trouble;
          },
          led: (leadership) => {
            this.leadership = leadership;
            this.#options.leaderIs(leadership);
            resolve();
          },
          behind: (error) => {
            this.trouble = error.message;
            reject(error);
          },
        },
        lastSeq,
      );
      this.#election.start();
    });
  }

  append(batch: NumberedBatch): Promise<AppendOutcome> {
    assert(this.leadership !== null, 'only a leader appends');
    this.#inFlight++;
    const asked = this.#ask(batch);
    const previous = this.#previous;
    const kept = (async () => {
      const outcome = await asked;
      await previous;
      this.#inFlight--;
      if (outcome === 'written') this.#spool(batch);
      return outcome;
    })();
    this.#previous = kept.catch(() => {});
    return kept;
  }

  /** While nobody knows, the same append is asked for again: the log knows what it has. */
  async #ask(batch: NumberedBatch): Promise<AppendOutcome> {
    const { log, scheduler, limits } = this.#options;
    for (;;) {
      const outcome = await log.append(batch);
      if (outcome !== 'unknown' || this.#isClosed) return outcome;
      void this.#lookForLog();
      // All that are in flight wait alike, so that they are asked for again in their order.
      await new Promise<void>((resolve) => scheduler.after(limits.appendAgainMs, resolve));
      if (this.#lostLog !== null) throw this.#lostLog;
    }
  }

  /** A log that is gone, or another one by now, will never answer. */
  async #lookForLog(): Promise<void> {
    try {
      await this.#options.log.bounds();
    } catch (error) {
      if (error instanceof KnellError) this.#lostLog = error;
    }
  }

  #spool(batch: NumberedBatch): void {
    const outcome = this.#options.spool.append(batch);
    if (outcome !== 'written') throw noSpace();
    this.appliedSeq = batch.seq;
    this.#newEntryMs = this.#options.scheduler.elapsedMs();
  }

  lastNumber(): number {
    return this.appliedSeq;
  }

  release(seq: number): void {
    this.#options.spool.release(seq);
  }

  /** This node ends soon: it leads, or will not own it any more. True for the first. */
  abstain(): boolean {
    this.#election?.abstain();
    return this.leadership !== null;
  }

  /** Releases the log, so that another node can claim it at once. No append may follow. Resolves when one has, or none does. */
  async #handOver(): Promise<void> {
    const { log, leaderIs, scheduler, limits } = this.#options;
    if (this.leadership === null) return;
    this.leadership = null;
    await log.release();
    leaderIs(null);
    await new Promise<void>((resolve) => {
      const cancel = scheduler.after(limits.handOverMs, resolve);
      const following = log.follow(this.appliedSeq + 1, {
        entry({ kind, node, seq }) {
          if (kind !== 'claim') return;
          leaderIs({ node, epoch: seq });
          cancel();
          resolve();
        },
        lost: () => resolve(),
      });
      this.#stopFollowing = () => following.stop();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#election?.stop();
    await this.#handOver();
    this.#stopFollowing();
    await this.#options.log.close();
    await this.#options.spool.close();
  }
}

function noSpace(): KnellError {
  return new KnellError(
    'store-full',
    'there is no space on this node for what the log brings: free some; until then it claims nothing',
  );
}

/** An empty batch: a claim and a release have it in the journal. */
const noRecords = (() => {
  const writer = new ByteWriter(1);
  beginBatch(writer);
  return writer.copy();
})();
