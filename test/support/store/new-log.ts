/** The log of a new cluster, as `knell cluster init` creates it: for tests with fewer nodes than create one by themselves. */
import { connectCluster } from '../../../src/cluster/joining/connect.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import type { NatsServers } from '../cluster/nats-server.ts';

export async function createNewLog(servers: NatsServers, clusterName = 'knell'): Promise<void> {
  const link = await connectCluster({
    cluster: servers.urls().split(','),
    ...{ clusterName, clusterCa: null, name: 'test', logger: silentLogger },
    signal: new AbortController().signal,
  });
  await link.createLog(1);
  await link.close();
}
