/**
 * Every limit of a node's part in a cluster that is not handed to it, with its reason. Those of the log are in
 * `store/replicated/limits`, those of the messages between nodes in the limits of the program.
 */
import { day, kB, minute, second } from '../../lib/units.ts';

/** Bytes of a part of a request or an answer that is larger than one entry may be. */
export const requestPartBytesMax = 512 * kB;

export const findLogLimits = {
  /** Milliseconds between two looks for a missing log: `knell cluster init` or `rebuild` may create it. */
  againMs: second,
  /** The others report once a second what they hold: a node listens for so long before it ends with an error about them. */
  listenMs: 2.5 * second,
  /** Milliseconds between two lines of the log that say the same. */
  reminderMs: minute,
} as const;

export const adoptLimits = {
  /** Milliseconds between two tries to adopt a snapshot. */
  againMs: second,
  /** Nodes report once a second what they have; after so long without one that fits, the log is looked at again. */
  nodesMs: 30 * second,
} as const;

export const snapshotExchangeLimits = {
  /** Bytes of a snapshot in one message. */
  partBytes: 512 * kB,
  /** A question is asked again after this: something was lost, or the other node is still writing. */
  askAgainMs: 2 * second,
  /** Without any answer for so long the other node is gone. */
  goneMs: 30 * second,
  /** A file that nobody has read from for so long is removed. */
  keptMs: 5 * minute,
} as const;

export const rememberedNodesLimits = {
  /** A node that was away for longer was replaced, or comes back for a snapshot. */
  keptMs: 30 * day,
  /** Milliseconds between two writes: the status of a node that was killed may be older than its disk by so much. */
  everyMs: 10 * second,
} as const;

/** Milliseconds for which a command listens for nodes, which report once a second. */
export const listenMs = 2.5 * second;

export const nodeStatusLimits = {
  /** Messages of a node whose clocks are compared: one that waited for a busy node is among others that did not. */
  aheadKept: 5,
  /** Milliseconds by which clocks may differ before a difference that was reported counts as over. */
  alikeAgainMs: second / 2,
  /** Milliseconds between two messages that say something about speed; some come at once. */
  apartMsMin: 100,
  /** Entries of the shortest lag that is shown: nobody waits for some seconds of an idle cluster. */
  shownLagMin: 1000,
} as const;
