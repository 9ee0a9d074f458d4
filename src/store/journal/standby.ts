/**
 * The journal of a store in a cluster, beyond appending: it takes the batches of the leader, until this node is the leader.
 * Implementation: `replicated/replicated-journal`.
 */
import type { NumberedBatch } from './batch-log.ts';

/** Takes what others write in a cluster, until this node is the leader. */
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
