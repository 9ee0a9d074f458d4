/**
 * A node of a cluster: its parts in the order in which they start. A Knell on one machine is put together in `single`.
 * Invariant: the listeners open before this node leads, since another one may do so; and they close while it still follows: its
 * leader may end as well, and then the log says who answers what is in flight.
 */
import { connectCluster } from '../cluster/joining/connect.ts';
import { nodeNameOf } from '../config.ts';
import { KnellError } from '../lib/errors.ts';
import { measureProcess } from '../lib/process-metrics.ts';
import { dataFormat } from '../store/disk/formats.ts';
import { openAdminSocket, openAutomaticSnapshots } from './beside.ts';
import { ClusterNode } from './cluster-node.ts';
import { ownBaseUrl, prepareCore, type UnrecoveredCore } from './core.ts';
import { type FirstSteps, noFirstSteps, takeFirstSteps } from './first-steps.ts';
import { Health } from './health.ts';
import { openListeners } from './listeners.ts';
import type { Parts } from './parts.ts';
import type { App, AppOptions } from './running.ts';

export async function startNode(options: AppOptions, parts: Parts): Promise<Omit<App, 'baseUrl' | 'stop'>> {
  const { dataDir } = options.config;
  const base = ownBaseUrl(options.config);
  const cluster = parts.keep(await joinCluster(options));
  const core = await prepareWithPeers(options, base.url, cluster);
  parts.keep({ stop: measureProcess(core.meter, dataFormat) });
  parts.keep(core);
  options.loaded?.();
  const snapshots = parts.keep(openAutomaticSnapshots(core, options));
  parts.keep(await openAdminSocket(cluster.adminOf(core.admin), options));
  const own = cluster.whileLeader([...core.engine.health, ...core.notify.health]);
  const health = new Health([...cluster.health, ...own], core.meter);
  cluster.observe(core.meter);
  cluster.offerSnapshots(dataDir, (file) => core.engine.writeSnapshot(file, () => {}));
  const pings = cluster.pingsOf(core.engine, core.store);
  const listeners = parts.keep(
    await openListeners({ ...core, pings, cluster, snapshots, health: health.parts }, options),
  );
  const addresses = await listeners.listen(base);
  // Stops first of all: what the listeners take from then on goes to the next leader.
  parts.keep({
    async stop() {
      if (!cluster.leave()) return;
      await snapshots.stop();
      await core.stop();
    },
  });
  const leading = leadWhenRecovered(cluster, core, () => takeFirstSteps(core, base.url, options));
  health.started();
  parts.keep(health.openHeartbeat(options));
  return { ...core, ...addresses, ...noFirstSteps, leading };
}

/** Waits until the servers of the cluster answer. Rejects with a KnellError. */
async function joinCluster({ config, clock, logger, link }: AppOptions): Promise<ClusterNode> {
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

/** A node that lacks what the log has discarded gets a snapshot of another one first; without it the node is of no use. */
async function prepareWithPeers(
  options: AppOptions,
  baseUrl: () => string,
  cluster: ClusterNode,
): Promise<UnrecoveredCore> {
  for (;;) {
    try {
      return await prepareCore(options, baseUrl, cluster);
    } catch (error) {
      if (!(error instanceof KnellError) || error.code !== 'cluster-log-behind') throw error;
      await cluster.adopt(options.config.dataDir);
    }
  }
}

async function leadWhenRecovered(
  cluster: ClusterNode,
  core: UnrecoveredCore,
  begin: () => Promise<FirstSteps>,
): Promise<FirstSteps> {
  await core.recover();
  const firstSteps = await begin();
  cluster.own(core);
  return firstSteps;
}
