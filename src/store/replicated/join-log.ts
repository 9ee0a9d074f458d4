/**
 * Whether a node may join a log with the data that it has. Pure; what is done about it is not here (`app`, `knell cluster rebuild`).
 * Invariant: data of another installation is never mixed with the log's, and none is passed over without a word.
 */
import { KnellError } from '../../lib/errors.ts';
import type { LogBounds } from './replicated-log.ts';

/** What a node has before it joins. */
interface LocalData {
  /** Of the log that its history belongs to; null when it was in no cluster. */
  readonly incarnation: string | null;
  /** Of the last batch that it has; 0 for an empty data directory. */
  readonly lastSeq: number;
}

interface FoundLog {
  readonly incarnation: string;
  readonly bounds: LogBounds;
}

/**
 * - `join`: the log has what follows, or nothing follows.
 * - `create`: there is no log yet, and no data either.
 * - `behind`: the log has discarded what follows: the data of another node are needed first.
 */
export type JoinStep = 'join' | 'create' | 'behind';

/** Throws a KnellError that says what to do where data and log do not belong together. */
export function joinStep({ incarnation, lastSeq }: LocalData, log: FoundLog | null): JoinStep {
  if (log === null) {
    if (lastSeq === 0) return 'create';
    throw new KnellError(
      'cluster-log-missing',
      `this node has data up to batch ${lastSeq}, and the cluster has no log: on the node that has the most, run "knell cluster rebuild"`,
    );
  }
  if (incarnation !== null && incarnation !== log.incarnation)
    throw new KnellError(
      'cluster-log-foreign',
      'the log of the cluster is another one than that of this data directory: is KNELL_CLUSTER_NAME right? After "knell cluster rebuild" on another node, start this one with an empty KNELL_DATA_DIR',
    );
  if (incarnation === null && lastSeq > 0)
    throw new KnellError(
      'cluster-log-foreign',
      'this data directory was in no cluster, and the cluster has a log: start with an empty KNELL_DATA_DIR, or run "knell cluster rebuild" here to have this data in the cluster instead',
    );
  return hasAllOf(lastSeq, log.bounds) || log.bounds.firstSeq <= lastSeq + 1 ? 'join' : 'behind';
}

/**
 * Nothing is to be read, so that it does not matter how little the log keeps: of a cluster that was away for as long as entries
 * are kept, or in which nobody has them all any more. Every node that has all of it may claim it.
 */
export function hasAllOf(lastSeq: number, bounds: LogBounds): boolean {
  return lastSeq > 0 && lastSeq === bounds.lastSeq;
}
