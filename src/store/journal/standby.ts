/**
 * What a store of a cluster asks of its journal beyond appending: the batches of the leader, until this node is the leader.
 * Implementation: `replicated/replicated-journal`.
 */
import type { NumberedBatch } from './batch-log.ts';

/** In a cluster: what others write meanwhile, until this node owns the log. */
export interface Standby {
  /**
   * Calls `apply` with the batches that follow `lastSeq`, while `hasCapacity` says that there is capacity. Resolves when this
   * node may append what follows them.
   */
  untilLeading(
    lastSeq: number,
    apply: (batch: NumberedBatch) => void,
    hasCapacity: () => boolean,
  ): Promise<void>;
  /** Whether this node certainly owns the log at this moment. */
  readonly mayAct: boolean;
  /** Milliseconds after which a leader writes at the latest; `isQuiet`: whether it has written nothing for so long. */
  readonly heartbeatMs: number;
  readonly isQuiet: boolean;
}
