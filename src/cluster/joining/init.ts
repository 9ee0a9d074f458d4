/**
 * `knell cluster init`: the log of a cluster that has no data yet, before all of its nodes have said so. Not here: a log behind the
 * data of a node (`rebuild`), what a node does that finds none (`find-log`).
 * Invariant: no log is created while a node is known that holds data, or that has not said what it holds.
 */
import { KnellError } from '../../lib/errors.ts';
import { holdsData } from '../../store/disk/data-dir.ts';
import type { ClusterLink } from '../bus/link.ts';
import { type Holder, holderWords, isEmpty } from '../status/held.ts';
import { nodesThatRun, withRemembered } from '../status/listen.ts';
import { rememberedIn } from '../status/remembered-nodes.ts';

export interface InitOptions {
  readonly link: ClusterLink;
  readonly clusterName: string;
  /** Data directory of the node on this machine, which may run. */
  readonly dataDir: string;
}

/** Returns the nodes that run. Rejects with a KnellError `conflict` when there is a log, or data. */
export async function initLog({ link, clusterName, dataDir }: InitOptions): Promise<readonly Holder[]> {
  const log = await link.openLog();
  if (log) {
    await log.close();
    throw new KnellError('conflict', `the cluster ${clusterName} has a log: nothing was changed`);
  }
  const nodes = withRemembered(await nodesThatRun(link.bus, clusterName), dataDir);
  const holding = nodes.filter(({ held }) => held !== null && !isEmpty(held));
  if (holding.length > 0)
    throw new KnellError(
      'conflict',
      `${holding.map(holderWords).join('; ')}: nothing was changed. On the node that holds the most, run "knell cluster rebuild"`,
    );
  const silent = nodes.filter(({ held, isAlive }) => held === null && isAlive);
  if (silent.length > 0)
    throw new KnellError(
      'conflict',
      `${silent.map(holderWords).join('; ')}: nothing was changed. Wait until it says so, or stop it`,
    );
  // Data of a Knell that was in no cluster: a node of a cluster has noted the statuses of the others.
  if (holdsData(dataDir) && rememberedIn(dataDir).length === 0)
    throw new KnellError(
      'conflict',
      `${dataDir} holds the data of a Knell that was in no cluster: nothing was changed. "knell cluster rebuild" begins the log with it`,
    );
  await link.createLog(1);
  return nodes.filter(({ isAlive }) => isAlive);
}
