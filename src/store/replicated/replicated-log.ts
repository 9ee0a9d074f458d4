/**
 * The replicated log's contract: one sequence of entries that every node of a cluster reads and one of them, the owner, writes.
 * Knows no NATS. Implementations: `jetstream-log`, and one in memory with faults for tests; the suite that both pass is
 * `test/conformance/replicated-log.test.ts`. Not here: when a node claims (`ownership`), what an entry's records say (`codec/`).
 *
 * Invariants: entries are numbered without a gap; what an entry says never changes. An append names the entry that it follows,
 * and is taken only if that one is still the last: a claim by another node therefore refuses every later append of the owner
 * before it. An append is answered `written` only when a majority of the nodes has it on disk.
 */
import type { AppendOutcome } from '../journal/batch-log.ts';

/**
 * - `batch`: records, as the journal has them.
 * - `claim`: its writer owns the log from here on; its number is the epoch.
 * - `release`: the owner goes; others may claim at once.
 */
export const entryKinds = ['batch', 'claim', 'release'] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface LogEntry {
  /** From 1 on, each one more than the entry before it. */
  readonly seq: number;
  readonly kind: EntryKind;
  /** Under which it was written; of a claim its own number. */
  readonly epoch: number;
  /** Who wrote it. */
  readonly node: string;
  /** The random number of the process that wrote it: two processes may have been given the same name. */
  readonly writer: number;
  /** A batch of the journal; nothing for a claim or a release. */
  readonly bytes: Buffer;
}

/** What follows is told: exactly the entries, in order. Must not throw. */
export interface FollowSink {
  entry(entry: LogEntry): void;
  /**
   * Following has ended and will not go on by itself: the log lacks the entry that comes next, it ends before what was read
   * already, it is another log than before, or an entry cannot be read. A KnellError says which.
   */
  lost(error: Error): void;
}

export interface Ownership {
  readonly node: string;
  readonly epoch: number;
}

/** Of the entries that are kept; `lastSeq` is `firstSeq - 1` while there is none. */
export interface LogBounds {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/**
 * - `owned`: the claim is in the log, at the number that follows `lastSeq`.
 * - `refused`: somebody has written meanwhile. Go on following.
 * - `unknown`: no answer. Follow, and see.
 */
export type ClaimOutcome = 'owned' | 'refused' | 'unknown';

export interface ReplicatedLog {
  /** This node's name, and a random number below 2^32 of this process. */
  readonly node: string;
  readonly writer: number;
  /** Given to the log when it was created, at random: another one means another log under the same name. */
  readonly incarnation: string;
  /** Asked of the log's leader, so never an old view. Rejects when it does not answer. */
  bounds(): Promise<LogBounds>;
  /** Calls `sink` with every entry from `fromSeq` on as it comes, those of this node too; gaps are fetched from the leader. */
  follow(fromSeq: number, sink: FollowSink): { stop(): void };
  /** Tries to own the log. `lastSeq`: of the entry that this node has read last. */
  claim(lastSeq: number): Promise<ClaimOutcome>;
  /**
   * Appends a batch as the owner. Several may be under way at once, each following the one before: their outcomes settle in
   * order, and when one is `fenced`, so are all that follow it. `unknown` comes after its resends, not before.
   */
  append(batch: { readonly seq: number; readonly bytes: Buffer }): Promise<AppendOutcome>;
  /** How many appends may be under way. */
  readonly appendsMax: number;
  /** Says that this node, the owner, goes; after its last append. Never rejects: others notice the silence too. */
  release(): Promise<void>;
  /**
   * When the latest own append or claim that was written began, in milliseconds of the scheduler; null when none was.
   * Whoever may act reckons from it (`ownership`).
   */
  readonly writtenAtMs: number | null;
  /** Ends what follows and what is under way: nothing is answered any more. */
  close(): Promise<void>;
}
