/**
 * The replicated log over a stream. Puts together what a node does with it: follow, claim, append, release. `follower`,
 * `claim` and `append-window` do each of them; `entry-stream` says what a stream is.
 * Invariant: the messages of one leader have ids of their own, so that a message which was sent twice is stored once, and no
 * message of another leader passes for it.
 */
import { assert, KnellError } from '../../lib/errors.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import type { AppendOutcome } from '../journal/batch-log.ts';
import { AppendWindow } from './append-window.ts';
import { type ClaimResult, claimLog } from './claim.ts';
import type { EntryStream } from './entry-stream.ts';
import { checksumIn, encodeEntry, envelopeBytesMax } from './envelope.ts';
import { Follower } from './follower.ts';
import { type ReplicatedLimits, replicatedLimits } from './limits.ts';
import { Placement, type PlacementOptions, type PlacementTimes } from './placement.ts';
import {
  appendsInFlightMax,
  type ClaimOutcome,
  type EntryKind,
  type FollowSink,
  type LogBounds,
  type ReplicatedLog,
} from './replicated-log.ts';

export interface StreamLogOptions {
  readonly node: string;
  readonly stream: EntryStream;
  readonly scheduler: Scheduler;
  /** Random digits for the ids of claims: two nodes that claim the same place must not have the same. */
  randomHex(bytes: number): string;
  readonly limits?: ReplicatedLimits;
}

const noBytes = Buffer.alloc(0);

export class StreamLog implements ReplicatedLog {
  readonly node: string;
  readonly appendsMax = appendsInFlightMax;
  epoch: number | null = null;
  writtenAtMs: number | null = null;
  readonly #options: StreamLogOptions;
  readonly #limits: ReplicatedLimits;
  readonly #followers = new Set<Follower>();
  /**
   * The same place is claimed under the same id again: an earlier attempt may have been stored. Not once it was led: what
   * was appended under that claim may still be on its way.
   */
  #claim = { seq: 0, id: '' };
  #isClaiming = false;
  /** For messages whose outcome is unknown: maps an id to the time when it was first sent. Only the latest few are kept. */
  readonly #startedMs = new Map<string, number>();
  #window = new AppendWindow(0, () => {});
  #placements = new Set<Placement>();

  constructor(options: StreamLogOptions) {
    this.#options = options;
    this.#limits = options.limits ?? replicatedLimits;
    this.node = options.node;
  }

  get incarnation(): string {
    return this.#options.stream.incarnation;
  }

  get batchBytesMax(): number {
    return this.#options.stream.messageBytesMax - envelopeBytesMax;
  }

  get nextSeq(): number {
    return this.#window.nextSeq;
  }

  async bounds(): Promise<LogBounds> {
    const info = await this.#options.stream.info();
    if (!info)
      throw new KnellError(
        'cluster-log-missing',
        'the log of the cluster is gone: on the node that has the most, run "knell cluster rebuild"',
      );
    if (info.incarnation !== this.incarnation)
      throw new KnellError(
        'cluster-log-foreign',
        'the log of the cluster is another one than before: see "knell cluster rebuild"',
      );
    // The same rule as where `follower` begins: the entries before the first one may hold the claim that makes it void.
    const isWhole = info.firstSeq === info.originSeq || info.lastSeq < info.firstSeq;
    return {
      firstSeq: isWhole ? info.firstSeq : info.firstSeq + appendsInFlightMax - 1,
      lastSeq: info.lastSeq,
    };
  }

  follow(fromSeq: number, sink: FollowSink): { stop(): void } {
    const { stream, scheduler } = this.#options;
    const follower = new Follower({ stream, scheduler, limits: this.#limits, fromSeq, sink });
    this.#followers.add(follower);
    return {
      stop: () => {
        follower.stop();
        this.#followers.delete(follower);
      },
    };
  }

  async claim(lastSeq: number): Promise<ClaimOutcome> {
    assert(this.epoch === null && !this.#isClaiming, 'a leader does not claim, and claims once at a time');
    this.#isClaiming = true;
    try {
      const seq = lastSeq + 1;
      if (this.#claim.seq !== seq) this.#claim = { seq, id: `claim.${this.#options.randomHex(12)}` };
      const result = await claimLog(seq, (...entry) => this.#place(this.#limits.claim, ...entry));
      if (result.kind !== 'unknown') this.#claim = { seq: 0, id: '' };
      if (result.kind === 'leads') this.#own(seq, result);
      return result.kind;
    } finally {
      this.#isClaiming = false;
    }
  }

  #own(epoch: number, { nextSeq, writtenAtMs }: Extract<ClaimResult, { kind: 'leads' }>): void {
    this.epoch = epoch;
    this.writtenAtMs = writtenAtMs;
    this.#window = new AppendWindow(nextSeq, (startedMs) => {
      this.writtenAtMs = startedMs;
    });
  }

  async append({ seq, bytes }: { readonly seq: number; readonly bytes: Buffer }): Promise<AppendOutcome> {
    const { epoch } = this;
    if (epoch === null) return 'fenced';
    if (bytes.length > this.batchBytesMax)
      throw new KnellError(
        'cluster-unfit',
        `a batch of ${bytes.length} bytes is larger than NATS takes: raise max_payload in the files of nats-server`,
      );
    const placement = this.#placement(this.#limits.append, seq, 'batch', epoch, bytes);
    const outcome = await this.#window.append(placement);
    this.#note(placement, outcome);
    if (outcome === 'fenced') this.epoch = null;
    return outcome;
  }

  async release(): Promise<void> {
    await this.#window.idle();
    const { epoch } = this;
    if (epoch === null) return;
    this.epoch = null;
    await this.#place(this.#limits.release, this.#window.nextSeq, 'release', epoch).settled;
  }

  async close(): Promise<void> {
    this.epoch = null;
    for (const follower of this.#followers) follower.stop();
    this.#window.abandon();
    for (const placement of this.#placements) placement.abandon();
    await this.#options.stream.close();
  }

  #place(times: PlacementTimes, seq: number, kind: EntryKind, epoch: number): Placement {
    const options = this.#placement(times, seq, kind, epoch, noBytes);
    const placement = new Placement(options);
    this.#placements.add(placement);
    void placement.settled.then(({ kind: outcome }) => {
      this.#placements.delete(placement);
      this.#note(options, outcome);
    });
    return placement;
  }

  /** A message that is sent again under its id was perhaps stored the first time: it proves nothing about the time since then. */
  #note({ message, startedMs }: PlacementOptions, outcome: string): void {
    if (outcome === 'unknown') this.#startedMs.set(message.id, startedMs);
    else this.#startedMs.delete(message.id);
    const [oldest] = this.#startedMs.keys();
    if (this.#startedMs.size > 2 * appendsInFlightMax && oldest !== undefined) this.#startedMs.delete(oldest);
  }

  #placement(
    times: PlacementTimes,
    seq: number,
    kind: EntryKind,
    epoch: number,
    batch: Buffer,
  ): PlacementOptions {
    const { stream, scheduler } = this.#options;
    const bytes = encodeEntry({ seq, kind, epoch, node: this.node, bytes: batch });
    // The checksum: another batch under the same number, after an `unknown` one, is another message.
    const id = kind === 'claim' ? this.#claim.id : `${epoch}.${seq}.${checksumIn(bytes).toString(16)}`;
    const startedMs = this.#startedMs.get(id) ?? scheduler.elapsedMs();
    return { stream, scheduler, times, message: { seq, id, bytes }, startedMs };
  }
}
