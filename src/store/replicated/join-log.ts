/**
 * Whether a node may join a log with the data that it has. Pure; what is done about it is not here (`cluster/joining/find-log`).
 * Invariant: data of another installation is never mixed with the log's, and none is passed over without a word.
 */
import type { LogBounds } from './replicated-log.ts';

/** The data that a node has before it joins. */
interface LocalData {
  /** Incarnation of the log that its history belongs to; null when it was in no cluster. */
  readonly incarnation: string | null;
  /** Number of the last batch that it has; 0 for an empty data directory. */
  readonly lastSeq: number;
}

interface FoundLog {
  readonly incarnation: string;
  readonly bounds: LogBounds;
}

/**
 * - `join`: the log has what follows, or nothing follows.
 * - `behind`: the log has discarded what follows: the data of another node are needed first.
 * - `foreign`: the data belong to another log, or to none.
 */
export type JoinStep = 'join' | 'behind' | 'foreign';

export function joinStep({ incarnation, lastSeq }: LocalData, log: FoundLog): JoinStep {
  if (lastSeq > 0 && incarnation !== log.incarnation) return 'foreign';
  return hasAllOf(lastSeq, log.bounds) || log.bounds.firstSeq <= lastSeq + 1 ? 'join' : 'behind';
}

/**
 * Nothing is to be read, so that it does not matter how little the log keeps: of a cluster that was away for as long as entries
 * are kept, or in which nobody has them all any more. Every node that has all of it may claim it.
 */
export function hasAllOf(lastSeq: number, bounds: LogBounds): boolean {
  return lastSeq > 0 && lastSeq === bounds.lastSeq;
}
