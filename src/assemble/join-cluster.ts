/**
 * A node of a cluster where KNELL_CLUSTER is set. Invariant: without it nothing of a cluster is loaded.
 */
import type { ClusterLink } from '../cluster/bus/link.ts';
import { type Config, nodeNameOf } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { ClusterNode } from './cluster-node.ts';

interface JoinOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** When that is not NATS. */
  readonly link?: ClusterLink;
}

/** Waits until the servers of the cluster answer. Null without KNELL_CLUSTER. Rejects with a KnellError. */
export async function joinCluster({ config, clock, logger, link }: JoinOptions): Promise<ClusterNode | null> {
  if (config.cluster.length === 0) return null;
  const [{ ClusterNode }, { connectCluster }] = await Promise.all([
    import('./cluster-node.ts'),
    import('../cluster/joining/connect.ts'),
  ]);
  const name = nodeNameOf(config);
  const { signal } = new AbortController();
  return new ClusterNode({
    link: link ?? (await connectCluster({ ...config, name, logger, signal })),
    name,
    cluster: config.clusterName,
    dataDir: config.dataDir,
    clock,
    logger,
  });
}
