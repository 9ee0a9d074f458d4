/**
 * Reads the log: entries as they are stored, and those that were missed from the leader, in order and without a gap. It does
 * not read the batches in them.
 *
 * Invariants: after an entry comes the next one or nothing. An entry whose epoch is over is read as an empty one, by every
 * node alike: its epoch is lower than that of an entry before it. Where the log has discarded those that would show it, what
 * comes next is read only if it shows that itself.
 */
import { KnellError } from '../../lib/errors.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import { AheadBuffer } from './ahead-buffer.ts';
import type { EntryStream, StoredMessage, StreamInfo } from './entry-stream.ts';
import { decodeEntry } from './envelope.ts';
import { fetchMessages } from './fetch-messages.ts';
import type { ReplicatedLimits } from './limits.ts';
import { appendsInFlightMax, type FollowSink } from './replicated-log.ts';

export interface FollowerOptions {
  readonly stream: EntryStream;
  readonly scheduler: Scheduler;
  readonly limits: ReplicatedLimits;
  readonly fromSeq: number;
  readonly sink: FollowSink;
}

const noBytes = Buffer.alloc(0);

export class Follower {
  readonly #options: FollowerOptions;
  readonly #ahead: AheadBuffer;
  readonly #listening: { stop(): void };
  #nextSeq: number;
  /** The highest epoch so far. */
  #epoch = 0;
  /** The last of the entries that were discarded, and of which one may have been a claim; 0 for none. */
  #discardedSeq = 0;
  #isFetching = false;
  #fetchAgain = false;
  #isStopped = false;
  /** Was not there when it was asked for, though it should have been. */
  #missingSeq: number | null = null;
  /** Time since which the log ends before `nextSeq`; null when it does not. */
  #shortSinceMs: number | null = null;
  #cancelTimer: () => void = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#ahead = new AheadBuffer(options.limits.aheadBytesMax);
    // The entries before the first one may hold the claim that makes it void.
    this.#nextSeq = Math.max(1, options.fromSeq - (appendsInFlightMax - 1));
    this.#listening = options.stream.listen({
      message: (message) => this.#arrived(message),
      resumed: () => this.#fetch(),
    });
    this.#fetch();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
    this.#listening.stop();
    this.#ahead.clear();
  }

  #arrived(message: StoredMessage): void {
    if (this.#isStopped) return;
    if (message.seq < this.#nextSeq) this.#checkOlder(message);
    else this.#ahead.add(message);
    if (this.#isFetching) return;
    this.#takeAhead();
    if (this.#ahead.hasAny && !this.#isStopped) this.#fetch();
  }

  /**
   * Seen already, in this or in another form: two entries of one number come of a log that was cut off and written again. The
   * epoch shows it, since no entry has a higher one than those behind it.
   */
  #checkOlder({ bytes, seq }: StoredMessage): void {
    const entry = this.#decoded(bytes, seq);
    if (entry && entry.epoch > this.#epoch) this.#end(short(seq - 1, this.#nextSeq - 1));
  }

  #takeAhead(): void {
    for (let next = this.#ahead.take(this.#nextSeq); next; next = this.#ahead.take(this.#nextSeq)) {
      this.#read(next);
      if (this.#isStopped) return;
    }
    this.#waitForSilence();
  }

  #read({ bytes, seq, storedAtMs }: StoredMessage): void {
    const entry = this.#decoded(bytes, seq);
    if (!entry) return;
    this.#nextSeq = seq + 1;
    const isVoid = entry.epoch < this.#epoch;
    if (!isVoid) this.#epoch = entry.epoch;
    if (seq < this.#options.fromSeq) return;
    if (this.#epoch < this.#discardedSeq) {
      this.#end(undecided(seq, this.#discardedSeq + 1));
      return;
    }
    this.#options.sink.entry(isVoid ? { ...entry, kind: 'empty', bytes: noBytes } : entry, storedAtMs);
  }

  #decoded(bytes: Buffer, seq: number): ReturnType<typeof decodeEntry> | null {
    try {
      return decodeEntry(bytes, seq);
    } catch (error) {
      if (!(error instanceof KnellError)) throw error;
      this.#end(error);
      return null;
    }
  }

  #waitForSilence(): void {
    this.#cancelTimer();
    if (this.#isStopped) return;
    const { scheduler, limits } = this.#options;
    this.#cancelTimer = scheduler.after(limits.silenceMs, () => this.#fetch());
  }

  /** Asks where the log ends, and reads up to there. */
  #fetch(): void {
    if (this.#isStopped) return;
    this.#fetchAgain = true;
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#cancelTimer();
    void this.#fetchAll();
  }

  async #fetchAll(): Promise<void> {
    let isAnswered = true;
    while (this.#fetchAgain && isAnswered && !this.#isStopped) {
      this.#fetchAgain = false;
      isAnswered = await this.#fetchOnce();
    }
    this.#isFetching = false;
    if (this.#isStopped) return;
    // Entries that came meanwhile may follow the fetched ones; if they do not, the leader did not know of them yet.
    this.#ahead.dropBelow(this.#nextSeq);
    if (isAnswered) this.#takeAhead();
    if (isAnswered && !this.#ahead.hasAny) return;
    const { scheduler, limits } = this.#options;
    this.#cancelTimer();
    if (!this.#isStopped) this.#cancelTimer = scheduler.after(limits.retryMs, () => this.#fetch());
  }

  /** False when the leader does not answer. */
  async #fetchOnce(): Promise<boolean> {
    const { stream, scheduler, limits } = this.#options;
    const readSeq = this.#nextSeq - 1;
    const info = await stream.info().catch(() => 'no answer' as const);
    if (info === 'no answer') return false;
    if (this.#isStopped || !this.#isSound(info, readSeq)) return true;
    return await fetchMessages({
      ...{ stream, scheduler, limits },
      fromSeq: this.#nextSeq,
      untilSeq: info.lastSeq,
      take: (seq, message) => this.#fetched(seq, message),
    });
  }

  /** False ends the fetch. */
  #fetched(seq: number, message: StoredMessage | null): boolean {
    if (this.#isStopped) return false;
    if (seq < this.#nextSeq) return true;
    const there = this.#ahead.take(seq) ?? message;
    if (there) {
      this.#read(there);
      return !this.#isStopped;
    }
    // It may have been discarded since the log said where it begins, so it is asked again.
    if (this.#missingSeq === seq) this.#end(missing(seq));
    this.#missingSeq = seq;
    this.#fetchAgain = true;
    return false;
  }

  /** `readSeq`: the last entry that was read when the question was sent. */
  #isSound(info: StreamInfo | null, readSeq: number): info is StreamInfo {
    const { stream, fromSeq } = this.#options;
    if (!info || info.incarnation !== stream.incarnation) this.#end(foreign());
    else if (this.#isShort(info.lastSeq, readSeq)) this.#end(short(info.lastSeq, readSeq));
    else if (info.firstSeq > this.#nextSeq) {
      // If the log is new, or all its entries are older than it keeps them, none before `fromSeq` is needed.
      const isWhole = info.firstSeq === info.originSeq || info.lastSeq < info.firstSeq;
      if (info.firstSeq > fromSeq) this.#end(behind(this.#nextSeq, info.firstSeq));
      this.#nextSeq = info.firstSeq;
      if (!isWhole) this.#discardedSeq = info.firstSeq - 1;
    }
    return !this.#isStopped;
  }

  #isShort(lastSeq: number, readSeq: number): boolean {
    const { scheduler, limits, fromSeq } = this.#options;
    const isShort = lastSeq < Math.max(readSeq, fromSeq - 1);
    if (!isShort) this.#shortSinceMs = null;
    else this.#shortSinceMs ??= scheduler.elapsedMs();
    return this.#shortSinceMs !== null && scheduler.elapsedMs() - this.#shortSinceMs >= limits.shortMs;
  }

  #end(error: KnellError): void {
    if (this.#isStopped) return;
    this.stop();
    this.#options.sink.lost(error);
  }
}

const rebuild = '"knell cluster rebuild" creates a new log from the node that has the most';

function foreign(): KnellError {
  return new KnellError(
    'cluster-log-foreign',
    `the cluster's log is gone, or another one than this node has read: ${rebuild}`,
  );
}

function short(lastSeq: number, readSeq: number): KnellError {
  return new KnellError(
    'cluster-log-short',
    `the cluster's log has lost entries: it ended at ${lastSeq}, this node has read up to ${readSeq}: ${rebuild}`,
  );
}

function behind(nextSeq: number, firstSeq: number): KnellError {
  return new KnellError(
    'cluster-log-behind',
    `the cluster's log begins at ${firstSeq} and this node needs ${nextSeq}: it gets a snapshot of another node when it starts`,
  );
}

/** A claim that is not there any more would make it void, as those know that have read that claim. */
function undecided(seq: number, firstSeq: number): KnellError {
  return new KnellError(
    'cluster-log-behind',
    `the cluster's log begins at ${firstSeq}, and what was before it decides whether entry ${seq} counts: this node gets a snapshot of another node when it starts`,
  );
}

function missing(seq: number): KnellError {
  return new KnellError('cluster-log-damaged', `entry ${seq} of the cluster's log is missing: ${rebuild}`);
}
