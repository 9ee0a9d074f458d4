/** Every limit of the replicated log and of the link to its servers, with its reason. `journal-limits` has those of a node. */
import { day, MB, minute, second } from '../../lib/units.ts';
import type { PlacementTimes } from './placement.ts';

export interface ReplicatedLimits {
  readonly append: PlacementTimes;
  readonly claim: PlacementTimes;
  readonly release: PlacementTimes;
  /** Without an entry for so long, a follower asks where the log ends. A leader writes twice as often. */
  readonly silenceMs: number;
  /** After a question that was not answered, the pause until the next one. */
  readonly retryMs: number;
  /**
   * A log that ends before what was read has lost entries, once it says so for this long. Not at once: a leader that was cut
   * off from the others does not know for 10 s that it leads no more, and answers with what it has.
   */
  readonly shortMs: number;
  /** Entries that are fetched at once. The leader answers each in 0.3 to 1 ms, mostly waiting. */
  readonly fetchesMax: number;
  /** Entries that are requested in one batch: at 200 bytes each some 400 kB, 40 ms of this node's processor. */
  readonly batchCountMax: number;
  /** The last entries come from the leader, one by one: a tenth of a second. */
  readonly leaderCount: number;
  /** So long entries are applied before other work of the process has its turn. */
  readonly turnMs: number;
  /** Entries that came before a gap was filled: more than these are fetched later. */
  readonly aheadBytesMax: number;
}

/** NATS answers in some milliseconds, so 200 of them are silence; more often would only repeat what waits for an election. */
const resendMs = 200;

export const replicatedLimits: ReplicatedLimits = {
  append: { resendMs, giveUpMs: 12 * second },
  // Somebody else may claim as well as this node: no reason to wait for an election.
  claim: { resendMs, giveUpMs: 2 * second },
  // The process ends, within 5 s.
  release: { resendMs, giveUpMs: second },
  silenceMs: second,
  retryMs: 200,
  shortMs: 15 * second,
  fetchesMax: 16,
  batchCountMax: 2000,
  leaderCount: 300,
  turnMs: 5,
  aheadBytesMax: 8 * MB,
};

/** Limits of a node's connection to its NATS servers. */
export const natsLinkLimits = {
  /** A server that does not answer a ping in this time, twice, is gone. */
  pingMs: second,
  pingsOutMax: 2,
  /** Milliseconds between two attempts after a connection was lost: another server may answer at once. */
  reconnectMs: 200,
  /** Time limit of one attempt to connect. */
  connectMs: 2 * second,
  /** Milliseconds between two attempts at the first connection. */
  connectPauseMs: second,
  /** Milliseconds between two lines of the log that say the same. */
  reminderMs: 30 * second,
} as const;

/** Milliseconds for an answer of JetStream: a leader answers in some milliseconds. */
export const requestMs = second;
/** Bytes of one batch that is read, as NATS counts it: messages larger than our 256 kB come one by one. */
export const readBatchBytesMax = 2 * MB;
/**
 * Answers to appends that may still come: those of four appends, sent again every 200 ms while a leader is elected. Older ones are
 * forgotten.
 */
export const answersMax = 512;

/** Limits of the stream that is the log, and of waiting for it. */
export const streamLimits = {
  /** Servers that keep the stream: a majority of fewer is all of them. */
  replicasMin: 3,
  /** Far more than a node keeps unfolded; a node that was away for longer gets a snapshot of another one. */
  keptBytesMax: 2_000_000_000,
  keptMs: 7 * day,
  /** An append that is sent again within it is stored once. After it, the expected sequence refuses it too. */
  duplicateWindowMs: 2 * minute,
  /** Milliseconds before a stream that is missing or does not answer is reported: servers that have just started elect a leader. */
  patienceMs: 5 * second,
  /** Milliseconds between two attempts. */
  pauseMs: second,
  /** Milliseconds between two lines of the log that say the same. */
  reminderMs: 30 * second,
} as const;

/** Milliseconds for a greeting: a server that has stopped is connected to by its machine all the same, and greets nobody. */
export const greetsWithinMs = second;
/** Milliseconds for the answer of a server's monitoring, and its characters: usually some thousand. */
export const monitorMs = 2 * second;
export const monitorCharsMax = MB;
