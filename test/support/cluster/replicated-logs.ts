/** Every replicated log behind one face, for the suite that they share: in memory, and in JetStream where nats-server is here. */
import { randomBytes } from 'node:crypto';
import { silentLogger } from '../../../src/lib/logger.ts';
import { eventLoop } from '../../../src/store/disk/scheduler.ts';
import {
  createJetStreamLog,
  deleteJetStreamLog,
  type JetStreamLogOptions,
  openJetStreamLog,
} from '../../../src/store/replicated/jetstream-log.ts';
import { type ReplicatedLimits, replicatedLimits } from '../../../src/store/replicated/limits.ts';
import { connectNats, type NatsLink } from '../../../src/store/replicated/nats-link.ts';
import type { ReplicatedLog } from '../../../src/store/replicated/replicated-log.ts';
import { Random } from '../../simulation/random.ts';
import { MemoryCluster } from '../store/memory-log.ts';
import { findNatsServer, NatsServers } from './nats-server.ts';

/** One stream, and the logs of nodes on it. */
export interface ReplicatedLogPlace {
  node(name: string): Promise<ReplicatedLog>;
  /** Another stream in the place of this one. */
  replace(firstSeq: number): Promise<void>;
}

export interface ReplicatedLogOfTest {
  readonly name: string;
  create(firstSeq: number): Promise<ReplicatedLogPlace>;
  /** After the last test. */
  stop(): Promise<void>;
}

/** What only waits for a doubtful answer to be repeated takes no 15 s here. */
export const limitsOfTest: ReplicatedLimits = {
  ...replicatedLimits,
  ...{ silenceMs: 100, shortMs: 300, batchCountMax: 5, leaderCount: 2 },
};

const memory: ReplicatedLogOfTest = {
  name: 'memory',
  async create(firstSeq) {
    const random = new Random(firstSeq);
    const cluster = new MemoryCluster({ scheduler: eventLoop, random: () => random.next(), firstSeq });
    return {
      node: async (name) => cluster.nodeLog(name, limitsOfTest),
      replace: async (from) => cluster.createAnew(from),
    };
  },
  async stop() {},
};

/** Over three servers, which are started for the first test and serve all of them: each test has a cluster's name of its own. */
class JetStreamLogs implements ReplicatedLogOfTest {
  readonly name = 'JetStream';
  readonly #file: string;
  readonly #links: NatsLink[] = [];
  #servers: Promise<NatsServers> | null = null;
  #places = 0;

  constructor(file: string) {
    this.#file = file;
  }

  async create(firstSeq: number): Promise<ReplicatedLogPlace> {
    const cluster = `place-${this.#places++}`;
    const incarnation = (): string => randomHex(8);
    const creator = await this.#optionsOf(cluster, 'creator');
    await (await createJetStreamLog(creator, { firstSeq, incarnation: incarnation() })).close();
    return {
      node: async (name) => {
        const log = await openJetStreamLog(await this.#optionsOf(cluster, name));
        if (log === 'missing') throw new Error(`the stream of ${cluster} is missing`);
        return log;
      },
      replace: async (from) => {
        await deleteJetStreamLog(creator.link, cluster);
        await (await createJetStreamLog(creator, { firstSeq: from, incarnation: incarnation() })).close();
      },
    };
  }

  async stop(): Promise<void> {
    for (const link of this.#links.splice(0)) await link.close();
    await (await this.#servers)?.remove();
  }

  async #optionsOf(cluster: string, node: string): Promise<JetStreamLogOptions> {
    this.#servers ??= NatsServers.start(this.#file);
    const common = { scheduler: eventLoop, logger: silentLogger, signal: new AbortController().signal };
    const urls = (await this.#servers).urls().split(',');
    const link = await connectNats({ ...common, urls, token: null, tls: null, name: node });
    this.#links.push(link);
    return { ...common, link, cluster, node, randomHex, limits: limitsOfTest };
  }
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
const natsServer = findNatsServer();

export const replicatedLogsOfTest: readonly ReplicatedLogOfTest[] =
  natsServer === null ? [memory] : [memory, new JetStreamLogs(natsServer)];
