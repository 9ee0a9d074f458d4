/** Every bound of the replicated log, with its reason. */
import { MB, second } from '../../lib/units.ts';
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
