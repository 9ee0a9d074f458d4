/**
 * What connects a node with the others: the log and the bus, over one connection. The contract; `store/replicated` has it over
 * NATS, tests in memory.
 */
import type { ReplicatedLog } from '../../store/replicated/replicated-log.ts';
import type { Bus } from './bus.ts';

export interface ClusterLink {
  readonly bus: Bus;
  /** Where it is connected to, without secrets. */
  readonly servers: readonly string[];
  /** How many servers are named where it connects to. */
  readonly serverCount: number;
  /** Of its servers those that do not answer this machine, as `host:port`. Takes up to a second, never rejects. */
  unreachable(): Promise<readonly string[]>;
  /** Null: there is none yet. Waits until the servers answer. Rejects with a KnellError where they cannot be used. */
  openLog(): Promise<ReplicatedLog | null>;
  /** Creates a log whose first entry has the number `firstSeq`. Rejects when there is one. */
  createLog(firstSeq: number): Promise<void>;
  /** Of the latest entries the log keeps so many; null for all, within its other bounds. Rejects when it does not answer. */
  keepEntries(count: number | null): Promise<void>;
  close(): Promise<void>;
}
