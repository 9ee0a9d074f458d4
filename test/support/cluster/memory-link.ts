/** What connects the nodes of a cluster in memory: `MemoryCluster` as a link. */
import type { ClusterLink } from '../../../src/cluster/bus/link.ts';
import type { MemoryCluster } from '../store/memory-log.ts';

export function memoryLink(cluster: MemoryCluster, node: string): ClusterLink {
  return {
    bus: cluster.bus(node),
    servers: ['memory'],
    serverCount: 3,
    unreachable: async () => [],
    openLog: async () => cluster.nodeLog(node),
    createLog: () => Promise.reject(new Error('there is one')),
    keepEntries: async () => {},
    close: async () => {},
  };
}
