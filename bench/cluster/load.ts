/**
 * Load on a cluster of which the processor time is watched: at clients by HTTP, or as messages to the leader. Invariant: the time
 * is that of whole processes, with the threads that fold and collect garbage, from before the first ping to after the last.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../harness/children.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad } from '../harness/load.ts';
import { pingPaths } from '../harness/rounds.ts';
import type { Cluster, Leader } from './nodes.ts';
import type { Messages } from './plans.ts';
import type { RequestLoad } from './request-load.ts';

/** Microseconds of the processor a ping. NaN where the system has no /proc. */
export interface PingCosts {
  readonly leader: number;
  /** A node that took pings; NaN where only the leader did, or all. */
  readonly client: number;
  /** A node that took none; NaN where all did. */
  readonly standby: number;
  /** The three servers together. */
  readonly nats: number;
}

export interface ClusterLoaded {
  readonly loaded: Loaded;
  readonly costs: PingCosts;
}

/** `leader`: at the leader's client; `another`: at one standby's; `all`: a third of the connections at each. */
export const clientKinds = ['leader', 'another', 'all'] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface ClientLoad {
  readonly clients: ClientKind;
  readonly uuids: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly round: number;
}

export async function loadClients(cluster: Cluster, load: ClientLoad): Promise<ClusterLoaded> {
  const { clients, uuids, connections, seconds, round } = load;
  const leader = await cluster.leader();
  const standbys = cluster.nodes.filter(({ name }) => name !== leader.name);
  const used = { leader: [leader], another: standbys.slice(0, 1), all: cluster.nodes }[clients];
  const clientNames = used.map(({ name }) => name).filter((name) => name !== leader.name);
  const each = { paths: pingPaths(uuids, round), seconds, connections: Math.ceil(connections / used.length) };
  const atClients = (): Promise<Loaded[]> =>
    Promise.all(used.map(({ server }) => applyLoad({ ...each, url: server.url })));
  return withCosts(cluster, { leader, clientNames }, async () => combined(await atClients()));
}

export async function loadMessages(
  cluster: Cluster,
  dir: string,
  load: Messages & { readonly uuids: readonly string[]; readonly seconds: number },
): Promise<ClusterLoaded> {
  const { uuids, pings, inFlight, seconds } = load;
  const leader = await cluster.leader();
  const uuidsFile = join(dir, 'uuids');
  writeFileSync(uuidsFile, `${uuids.join('\n')}\n`);
  const job: RequestLoad = {
    ...{ servers: cluster.nats.urls, cluster: 'knell', leader: leader.name, epoch: leader.epoch },
    ...{ uuidsFile, pings, inFlight, seconds },
  };
  const program = fileURLToPath(new URL('./request-load.js', import.meta.url));
  return withCosts(cluster, { leader, clientNames: [] }, async () => {
    const loaded: Loaded = JSON.parse(await outputOf(process.execPath, [program], JSON.stringify(job)).text);
    if (loaded.errors > 0) throw new Error(`${loaded.errors} pings of ${loaded.requests} failed`);
    return loaded;
  });
}

async function withCosts(
  cluster: Cluster,
  { leader, clientNames }: { readonly leader: Leader; readonly clientNames: readonly string[] },
  work: () => Promise<Loaded>,
): Promise<ClusterLoaded> {
  const before = cluster.cpuTimes();
  const loaded = await work();
  await cluster.untilAllFollow();
  const after = cluster.cpuTimes();
  const usedMs = (name: string): number => (after.nodes.get(name) ?? 0) - (before.nodes.get(name) ?? 0);
  const meanUs = (names: readonly string[]): number =>
    names.length === 0
      ? Number.NaN
      : (names.reduce((sum, name) => sum + usedMs(name), 0) * 1000) / names.length / loaded.requests;
  const standbyNames = cluster.nodes
    .map(({ name }) => name)
    .filter((name) => name !== leader.name && !clientNames.includes(name));
  return {
    loaded,
    costs: {
      leader: meanUs([leader.name]),
      client: standbyNames.length === 0 ? Number.NaN : meanUs(clientNames),
      standby: meanUs(standbyNames),
      nats: ((after.nats - before.nats) * 1000) / loaded.requests,
    },
  };
}

/** Of several generators at the same time: their sum, and the worst of each percentile. */
function combined(all: readonly Loaded[]): Loaded {
  const sum = (pick: (loaded: Loaded) => number): number => all.reduce((so, one) => so + pick(one), 0);
  const worst = (pick: (loaded: Loaded) => number): number => Math.max(...all.map(pick));
  return {
    perSecond: sum((one) => one.perSecond),
    p50Ms: worst((one) => one.p50Ms),
    p90Ms: worst((one) => one.p90Ms),
    p99Ms: worst((one) => one.p99Ms),
    p999Ms: worst((one) => one.p999Ms),
    cpu: worst((one) => one.cpu),
    requests: sum((one) => one.requests),
    errors: sum((one) => one.errors),
  };
}
