/**
 * Three nats-servers and three Knells on this machine, and a single Knell beside them with as many checks. Not here: the load.
 * Invariant: what they log goes to files below the bench's own directory, since nodes are killed on purpose.
 */
import { join } from 'node:path';
import { ApiClient } from '../harness/client.ts';
import { type Server, startKnell } from '../harness/process.ts';
import { cpuMsOf } from '../harness/watch-cpu.ts';
import { NatsServers } from './nats.ts';
import { until } from './until.ts';

const secret = 'a-secret-of-the-bench';
const names = ['a', 'b', 'c'] as const;
/** Requests in flight while checks are created. */
const seedingAtOnce = 64;

export interface Node {
  readonly name: string;
  readonly server: Server;
}

export interface Leader extends Node {
  readonly epoch: number;
}

/** Milliseconds of the processor used so far. */
export interface CpuTimes {
  /** By name. */
  readonly nodes: ReadonlyMap<string, number>;
  /** All three together. */
  readonly nats: number;
}

export class Cluster {
  readonly nats: NatsServers;
  readonly #dir: string;
  readonly #nodes = new Map<string, Server>();
  #apiKey = '';

  private constructor(nats: NatsServers, dir: string) {
    this.nats = nats;
    this.#dir = dir;
  }

  /** Resolves when one node leads. */
  static async start(program: string, dir: string): Promise<Cluster> {
    const nats = await NatsServers.start(program, join(dir, 'nats'));
    const cluster = new Cluster(nats, dir);
    await Promise.all(names.map((name) => cluster.startNode(name)));
    const { server } = await cluster.leader();
    cluster.#apiKey = await until('the leader prints its keys', async () => apiKeyIn(server.printed()));
    return cluster;
  }

  async startNode(name: string): Promise<void> {
    const server = await startKnell({
      dataDir: join(this.#dir, `knell-${name}`),
      env: { KNELL_CLUSTER: this.nats.urls.join(','), KNELL_NODE: name, KNELL_METRICS: `key:${secret}` },
      logFile: join(this.#dir, `knell-${name}.log`),
    });
    this.#nodes.set(name, server);
  }

  get nodes(): readonly Node[] {
    return [...this.#nodes].map(([name, server]) => ({ name, server }));
  }

  async endNode(name: string, signal: NodeJS.Signals): Promise<void> {
    const server = this.#nodes.get(name);
    this.#nodes.delete(name);
    await server?.end(signal);
  }

  /** Resolves when some node that runs says that it is. */
  leader(): Promise<Leader> {
    return until('a node leads', async () => {
      for (const node of this.nodes) {
        const metrics = await metricsOf(node.server);
        if (metrics('knell_cluster_leader') === 1) return { ...node, epoch: metrics('knell_cluster_epoch') };
      }
      return null;
    });
  }

  /** Resolves when no node lacks anything that the leader had when this was called. */
  async untilAllFollow(): Promise<void> {
    const { server } = await this.leader();
    const goal = (await metricsOf(server))('knell_cluster_applied');
    for (const node of this.nodes)
      await until(`node ${node.name} follows`, async () => {
        return (await metricsOf(node.server))('knell_cluster_applied') >= goal;
      });
  }

  async seed(count: number): Promise<readonly string[]> {
    const { server } = await this.leader();
    return seedChecks(server.url, this.#apiKey, count);
  }

  /** Of all checks, as the leader has them. */
  async recordedPings(): Promise<number> {
    const { server } = await this.leader();
    return recordedPings(server.url, this.#apiKey);
  }

  cpuTimes(): CpuTimes {
    return {
      nodes: new Map(this.nodes.map(({ name, server }) => [name, cpuMsOf(server.pid)])),
      nats: this.nats.pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.nodes.map(({ name }) => this.endNode(name, 'SIGTERM')));
    await this.nats.end();
  }
}

/** A Knell of no cluster, and its checks. */
export async function startSingle(
  dir: string,
  count: number,
): Promise<{ readonly server: Server; readonly uuids: readonly string[] }> {
  const logFile = join(dir, 'knell-single.log');
  const server = await startKnell({ dataDir: join(dir, 'knell-single'), logFile });
  const apiKey = await until('Knell prints its keys', async () => apiKeyIn(server.printed()));
  return { server, uuids: await seedChecks(server.url, apiKey, count) };
}

function apiKeyIn(printed: string): string | null {
  return /read-write +(\S+)/.exec(printed)?.[1] ?? null;
}

async function seedChecks(url: string, apiKey: string, count: number): Promise<readonly string[]> {
  const uuids: string[] = [];
  let begun = 0;
  const create = async (): Promise<void> => {
    const client = new ApiClient(url, apiKey);
    while (begun < count) {
      const body = { name: `job-${begun++}`, timeout: 86_400 };
      const { text } = await client.call({ path: '/api/v3/checks/', body });
      const { uuid }: { uuid: string } = JSON.parse(text);
      uuids.push(uuid);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: seedingAtOnce }, create));
  return uuids;
}

async function recordedPings(url: string, apiKey: string): Promise<number> {
  const client = new ApiClient(url, apiKey);
  const { text } = await client.call({ path: '/api/v3/checks/' });
  client.close();
  const { checks }: { checks: readonly { readonly n_pings: number }[] } = JSON.parse(text);
  return checks.reduce((sum, { n_pings }) => sum + n_pings, 0);
}

/** NaN for what is not there, or a node that does not answer. */
async function metricsOf({ url }: Server): Promise<(name: string) => number> {
  const headers = { Authorization: `Bearer ${secret}` };
  const text = await fetch(`${url}/metrics`, { headers }).then(
    (answer) => answer.text(),
    () => '',
  );
  return (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}
