/**
 * The replicated log's contract: one sequence of entries that every node of a cluster reads and one of them, the leader, writes.
 * Knows no NATS. Its implementation is `stream-log`, over a stream (`entry-stream`): of JetStream, or in memory with faults for
 * tests. One suite checks both: `test/conformance/replicated-log.test.ts`. `election` decides when a node claims; `codec/`
 * says what an entry's records contain.
 *
 * Invariants: entries are numbered without a gap; what an entry says never changes. An append names the entry that it follows,
 * and is taken only if that one is still the last: a claim by another node therefore refuses every later append of the leader
 * before it. An append is answered `written` only when a majority of the nodes has it on disk.
 *
 * Several appends are in flight at once, so the last entry may be a claim and the append on its way still name it by number:
 * of appends 5 and 6, a claim at 5 refuses the first, but 6 follows an entry 5 as it says. Therefore a claim is followed by
 * `appendsInFlightMax - 1` entries of its writer that say nothing, before it leads. Behind them, none of the appends
 * before the claim can be taken. One that is taken among them is void: its epoch is over. Every node sees that alike.
 */
import type { AppendOutcome } from '../journal/batch-log.ts';

/**
 * - `batch`: records, as the journal has them.
 * - `claim`: its writer leads once the entries that follow it are there too; its number is the epoch.
 * - `release`: the leader goes; others may claim at once.
 * - `empty`: says nothing. What follows a claim; also how a void entry is read.
 */
export const entryKinds = ['batch', 'claim', 'release', 'empty'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** A constant of the format: every node of a cluster has the same. */
export const appendsInFlightMax = 4;

export interface LogEntry {
  /** Number from 1 on, each one more than the entry before it. */
  readonly seq: number;
  readonly kind: EntryKind;
  /** Under which it was written; of a claim its own number. */
  readonly epoch: number;
  /** Who wrote it. */
  readonly node: string;
  /** A batch of the journal; no bytes in an entry of another kind. */
  readonly bytes: Buffer;
}

/** Gets exactly the entries, in order. Must not throw. */
export interface FollowSink {
  /** `storedAtMs`: when the log took it, by the clock of its leader of that time; NaN when that is not known. */
  entry(entry: LogEntry, storedAtMs: number): void;
  /**
   * Following has ended and will not go on by itself: the log lacks the entry that comes next, it ends before what was read
   * already, it is another log than before, or an entry cannot be read. A KnellError says which.
   */
  lost(error: Error): void;
}

export interface Leadership {
  readonly node: string;
  readonly epoch: number;
}

/** `firstSeq`: the first entry from which the log can be followed; those before it may be kept, or not. `lastSeq` is `firstSeq - 1` while there is none. */
export interface LogBounds {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/**
 * - `led`: the claim is in the log, at the number that follows `lastSeq`, and so are the entries behind it: the next append
 *   has the number `nextSeq`.
 * - `refused`: another node has written meanwhile. Go on following.
 * - `unknown`: no answer. Go on following. The claim may show up later; nothing is led by it, so it is like any other's.
 */
export type ClaimOutcome = 'leads' | 'refused' | 'unknown';

export interface ReplicatedLog {
  /** This node's name. */
  readonly node: string;
  /** Given to the log when it was created, at random: another one means another log under the same name. */
  readonly incarnation: string;
  /** Asked of the log's leader, so never an old view. Rejects when it does not answer. */
  bounds(): Promise<LogBounds>;
  /** Calls `sink` with every entry from `fromSeq` on as it comes, those of this node too; gaps are fetched from the leader. */
  follow(fromSeq: number, sink: FollowSink): { stop(): void };
  /** Tries to lead. `lastSeq`: of the entry that this node has read last. */
  claim(lastSeq: number): Promise<ClaimOutcome>;
  /** Epoch of this node's claim while it leads, as far as it knows; else null. */
  readonly epoch: number | null;
  /** The number that the next append of the leader has. */
  readonly nextSeq: number;
  /**
   * Appends a batch, as the leader. Several may be in flight at once, each following the one before: their outcomes settle in
   * order, and when one is not `written`, all that follow it have the same outcome; `nextSeq` is then the number of the first.
   * `unknown` comes after its resends, not before. The only way to find out is to append the same batch again: what is in the
   * log at that number may be another node's. Rejects when the batch is larger than `batchBytesMax`.
   */
  append(batch: { readonly seq: number; readonly bytes: Buffer }): Promise<AppendOutcome>;
  /** Appends that may be in flight. */
  readonly appendsMax: number;
  /** The largest batch that the log takes. */
  readonly batchBytesMax: number;
  /** Says that this node, the leader, goes; after its last append. Never rejects: others notice the silence too. */
  release(): Promise<void>;
  /**
   * When the latest own append or claim that was written began, in milliseconds of the scheduler; null when none was.
   * Whether this node may act follows from it (`leadership`).
   */
  readonly writtenAtMs: number | null;
  close(): Promise<void>;
}
