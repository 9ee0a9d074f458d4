/**
 * Metrics of a node about its cluster. Invariant: of two nodes that were cut off from each other at most one says that it leads:
 * it says so only as long as it can be certain.
 */
import type { Meter } from '../../lib/meter.ts';
import type { Forwarder } from '../requests/forwarder.ts';
import type { RequestServer } from '../requests/request-server.ts';
import type { KnownNode } from './node-status.ts';

interface Observed {
  readonly isLeader: () => boolean;
  readonly epoch: () => number;
  readonly appliedSeq: () => number;
  readonly nodes: () => readonly KnownNode[];
  readonly forwarder: Pick<Forwarder, 'size' | 'counts'>;
  readonly requests: Pick<RequestServer, 'counts'>;
}

export function observeCluster(
  meter: Meter,
  { isLeader, epoch, appliedSeq, nodes, forwarder, requests }: Observed,
): void {
  const count = (name: string, help: string, read: () => number): void => meter.observable(name, help, read);
  count('knell_cluster_leader', '1 on the node that is certain to lead.', () => Number(isLeader()));
  count('knell_cluster_epoch', 'The latest claim of the log.', epoch);
  count('knell_cluster_applied', 'The last entry of the log that this node has.', appliedSeq);
  count('knell_cluster_lag', 'Entries of the log that another node has and this one lacks.', () =>
    Math.max(0, ...nodes().map((node) => node.appliedSeq - appliedSeq())),
  );
  count(
    'knell_cluster_nodes',
    'Nodes that have said something within seconds, this one included.',
    () => nodes().filter(({ isAlive }) => isAlive).length,
  );
  count(
    'knell_cluster_forwarded_waiting',
    'Pings and requests that wait for the leader.',
    () => forwarder.size,
  );
  for (const what of ['pings', 'requests', 'again', 'refused', 'ignored'] as const)
    meter.observable(
      'knell_cluster_forwarded',
      'What this node handed to the leader since its start.',
      () => forwarder.counts[what],
      { what },
    );
  for (const what of ['pings', 'requests', 'known', 'doubtful', 'late', 'ignored'] as const)
    meter.observable(
      'knell_cluster_served',
      'What other nodes handed to this one since its start.',
      () => requests.counts[what],
      { what },
    );
}
