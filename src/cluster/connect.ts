/**
 * A node's connection to its cluster over NATS: the link's contract, put together from the log in JetStream and the bus. Not
 * here: what a server must be able to do (`server-checks`), how the log is kept (`jetstream-log`).
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from '../lib/logger.ts';
import {
  createJetStreamLog,
  type JetStreamLogOptions,
  openJetStreamLog,
} from '../store/replicated/jetstream-log.ts';
import { connectNats } from '../store/replicated/nats-link.ts';
import { checkServers } from '../store/replicated/server-checks.ts';
import { eventLoop } from '../store/scheduler.ts';
import type { ClusterLink } from './link.ts';

/** Where `knell cluster config` lets nats-server be asked how it is. */
const monitorPort = 8222;
const incarnationBytes = 8;

export interface ConnectOptions {
  /** Of NATS servers, as `KNELL_CLUSTER` has them. */
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
  const { cluster, clusterName, clusterCa, name, logger, signal } = options;
  const link = await connectNats({
    urls: cluster,
    token: null,
    tls: clusterCa === null ? null : { caFile: clusterCa, certFile: null, keyFile: null },
    name,
    scheduler: eventLoop,
    logger,
    signal,
  });
  try {
    const monitors = link.hosts.map((host) => `http://${host}:${monitorPort}`);
    const warnings = await checkServers({ version: link.serverVersion, monitors, relaxed: false });
    for (const warning of warnings) logger.warn(warning);
  } catch (error) {
    await link.close();
    throw error;
  }
  const log: JetStreamLogOptions = {
    link,
    cluster: clusterName,
    node: name,
    scheduler: eventLoop,
    logger,
    randomHex,
    signal,
  };
  return {
    bus: link.bus(),
    servers: link.hosts,
    async openLog() {
      const found = await openJetStreamLog(log);
      return found === 'missing' ? null : found;
    },
    async createLog(firstSeq) {
      await createJetStreamLog(log, { firstSeq, incarnation: randomHex(incarnationBytes) });
    },
    close: () => link.close(),
  };
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
