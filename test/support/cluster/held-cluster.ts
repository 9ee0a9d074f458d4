/** Three whole Knells over one log, whose answers to each other can be held back, with the owner signed in at the leader. */
import { eventLoop } from '../../../src/store/disk/scheduler.ts';
import { Knell } from '../knell.ts';
import { ownerPage, type PageClient, projectIn } from '../page/page-client.ts';
import { MemoryCluster } from '../store/memory-log.ts';
import { HeldBack } from './held-back.ts';
import { memoryLink } from './memory-link.ts';

export interface HeldCluster {
  readonly leader: Knell;
  /** What the leader sends goes through it. */
  readonly proxy: HeldBack;
  /** A node that does not lead. */
  readonly client: Knell;
  readonly page: PageClient;
  readonly project: string;
  stop(): Promise<void>;
}

export async function startHeldCluster(): Promise<HeldCluster> {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const proxies = new Map<string, HeldBack>();
  const nodes = new Map<string, Knell>();
  for (const name of ['a', 'b', 'c']) {
    const proxy = new HeldBack();
    const link = memoryLink(cluster, name);
    proxies.set(name, proxy);
    const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
    nodes.set(name, await Knell.start({ link: { ...link, bus: proxy.around(link.bus) }, env }));
  }
  const leaderName = await Promise.race(
    [...nodes].map(async ([name, node]) => node.leading().then(() => name)),
  );
  const leader = nodes.get(leaderName) as Knell;
  const other = [...nodes.keys()].find((name) => name !== leaderName) ?? '';
  for (const node of nodes.values()) node.keys = leader.keys;
  const page = await ownerPage(leader);
  return {
    ...{ leader, page, proxy: proxies.get(leaderName) as HeldBack, client: nodes.get(other) as Knell },
    project: await projectIn(page),
    stop: async () => {
      await Promise.all([...nodes.values()].map((node) => node.stop()));
    },
  };
}
