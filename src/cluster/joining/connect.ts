/**
 * A node's connection to its cluster over NATS: the link's contract, put together from the log in JetStream and the bus. Not
 * here: what a server must be able to do (`server-checks`), how the log is kept (`jetstream-log`).
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from '../../lib/logger.ts';
import { eventLoop } from '../../store/disk/scheduler.ts';
import {
  createJetStreamLog,
  type JetStreamLogOptions,
  keepInStream,
  openJetStreamLog,
  tooFewReplicas,
} from '../../store/replicated/jetstream-log.ts';
import { natsAddresses } from '../../store/replicated/nats-addresses.ts';
import { connectNats, type NatsLink } from '../../store/replicated/nats-link.ts';
import { unreachable } from '../../store/replicated/reach.ts';
import { checkServers } from '../../store/replicated/server-checks.ts';
import type { ClusterLink } from '../bus/link.ts';

const incarnationBytes = 8;

export interface ConnectOptions {
  /** Addresses of NATS servers, as `KNELL_CLUSTER` has them. */
  readonly cluster: readonly string[];
  readonly clusterName: string;
  /** A PEM file; null for what the system trusts. */
  readonly clusterCa: string | null;
  /** This node's. */
  readonly name: string;
  readonly logger: Logger;
  /** Ends the attempts to connect. */
  readonly signal: AbortSignal;
}

/** Tries until a server answers. Rejects with a KnellError where the servers refuse this node, or cannot keep what Knell promises. */
export async function connectCluster(options: ConnectOptions): Promise<ClusterLink> {
  const { logger } = options;
  const link = await connectServers(options);
  try {
    const { monitors } = natsAddresses(options.cluster);
    const { serverVersion: version, clusterName } = link;
    const warnings = await checkServers({ version, clusterName, monitors, relaxed: false });
    for (const warning of warnings) logger.warn(warning);
  } catch (error) {
    await link.close();
    throw error;
  }
  const log = logOptions(options, link);
  return {
    bus: link.bus(),
    servers: link.hosts,
    serverCount: options.cluster.length,
    unreachable: () => unreachable(natsAddresses(options.cluster).servers),
    async openLog() {
      const found = await openJetStreamLog(log);
      if (found !== 'missing') return found;
      // Nobody will create one there.
      if (link.clusterName === '') throw tooFewReplicas(options.clusterName, 1);
      return null;
    },
    async createLog(firstSeq) {
      await createJetStreamLog(log, { firstSeq, incarnation: newIncarnation() });
    },
    keepEntries: (count) => keepInStream(link, options.clusterName, count),
    close: () => link.close(),
  };
}

/** Only the connection: nothing is checked. Rejects where the servers refuse this node. */
export function connectServers({
  cluster,
  clusterCa,
  name,
  logger,
  signal,
}: ConnectOptions): Promise<NatsLink> {
  const tls = clusterCa === null ? null : { caFile: clusterCa, certFile: null, keyFile: null };
  return connectNats({ urls: cluster, token: null, tls, name, scheduler: eventLoop, logger, signal });
}

export function logOptions(
  { clusterName, name, logger, signal }: ConnectOptions,
  link: NatsLink,
): JetStreamLogOptions {
  return { link, cluster: clusterName, node: name, scheduler: eventLoop, logger, randomHex, signal };
}

export function newIncarnation(): string {
  return randomHex(incarnationBytes);
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
