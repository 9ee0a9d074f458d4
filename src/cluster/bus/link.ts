/**
 * The connection of a node with the others: the log and the bus share it. The contract; `store/replicated` has it over NATS,
 * tests in memory.
 */
import type { ReplicatedLog } from '../../store/replicated/replicated-log.ts';
import type { Bus } from './bus.ts';

export interface ClusterLink {
  readonly bus: Bus;
  /** Addresses of the servers, without secrets. */
  readonly servers: readonly string[];
  /** Number of servers that the address names. */
  readonly serverCount: number;
  /** The servers that do not answer this machine, as `host:port`. Takes up to a second, never rejects. */
  unreachable(): Promise<readonly string[]>;
  /** Null: there is none yet. Waits until the servers answer. Rejects with a KnellError where they cannot be used. */
  openLog(): Promise<ReplicatedLog | null>;
  /** Creates a log whose first entry has the number `firstSeq`. Rejects when there is one. */
  createLog(firstSeq: number): Promise<void>;
  /** Limits the log to so many of the latest entries; null for all, within its other bounds. Rejects when it does not answer. */
  keepEntries(count: number | null): Promise<void>;
  close(): Promise<void>;
}
