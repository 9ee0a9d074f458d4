/**
 * The replicated log over NATS JetStream: how its stream is found, created and checked. `stream-log` uses the stream;
 * `server-checks` says which servers are fit.
 * Invariant: opening never creates a stream. A new one in the place of one that is gone would make all nodes forget.
 */
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import {
  type ApiAnswer,
  apiErrors,
  askApi,
  askStreamInfo,
  entriesSubject,
  incarnationOf,
  JetStream,
  logSubject,
  type StreamConfig,
  streamName,
  throwError,
} from './jetstream.ts';
import type { ReplicatedLimits } from './limits.ts';
import { streamLimits } from './limits.ts';
import type { NatsLink } from './nats-link.ts';
import { StreamLog } from './stream-log.ts';

const nsPerMs = 1_000_000;

export interface JetStreamLogOptions {
  readonly link: NatsLink;
  /** The cluster's name; of `clusterNamePattern`. */
  readonly cluster: string;
  /** This node's name. */
  readonly node: string;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  randomHex(bytes: number): string;
  /** Ends the attempts to reach JetStream. */
  readonly signal: AbortSignal;
  readonly limits?: ReplicatedLimits;
}

export interface NewStream {
  /** The number of its first entry: 1, or behind the last one of the log that it replaces. */
  readonly firstSeq: number;
  /** Random, of letters and digits. */
  readonly incarnation: string;
}

/** A part of subjects and of the stream's name. */
export const clusterNamePattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/;

/** Throws a KnellError `usage` for a name that no stream can have. */
export function checkClusterName(name: string): void {
  if (!clusterNamePattern.test(name))
    throw new KnellError(
      'usage',
      `${JSON.stringify(name)} is no name of a cluster: 1 to 32 letters, digits and hyphens, a letter or digit first`,
    );
}

/**
 * The log of the stream that there is, or `missing`. Tries until JetStream answers or `signal` ends it; the log says so every
 * 30 s. Rejects with a KnellError when the stream is not one that Knell can use.
 */
export async function openJetStreamLog(options: JetStreamLogOptions): Promise<StreamLog | 'missing'> {
  const { link, cluster } = options;
  checkClusterName(cluster);
  const info = await untilAnswered(options, () => askStreamInfo(link, cluster));
  if (!info) return 'missing';
  const incarnation = incarnationOf(info.config, cluster);
  if (incarnation === '')
    throw new KnellError(
      'cluster-log-foreign',
      `the stream ${streamName(cluster)} was not created by Knell: give this cluster another KNELL_CLUSTER_NAME, or delete the stream if nobody needs it`,
    );
  if (info.config.num_replicas < streamLimits.replicasMin)
    throw tooFewReplicas(cluster, info.config.num_replicas);
  if (info.config.allow_direct !== true) await allowDirect(options, info.config);
  return logOf(options, incarnation);
}

/**
 * Creates the stream, and returns its log. If there is one already, its log: another node may have created it at the same time,
 * and `incarnation` shows it. Tries like `openJetStreamLog`, and rejects like it, and when there are fewer than three servers.
 */
export async function createJetStreamLog(
  options: JetStreamLogOptions,
  stream: NewStream,
): Promise<StreamLog> {
  const { link, cluster } = options;
  checkClusterName(cluster);
  const answer = await untilAnswered(options, async () => {
    const created = await askApi<ApiAnswer>(
      link,
      `STREAM.CREATE.${streamName(cluster)}`,
      config(cluster, stream),
    );
    const refusal = refusalOf(created, cluster);
    if (!refusal && created.error?.err_code !== apiErrors.nameInUse) throwError(created);
    return refusal;
  });
  if (answer) throw answer;
  return openCreated(options);
}

/** The servers know of a stream some moments after one of them has created it. */
async function openCreated(options: JetStreamLogOptions): Promise<StreamLog> {
  const { scheduler, cluster } = options;
  for (const untilMs = scheduler.elapsedMs() + streamLimits.patienceMs; ; ) {
    const log = await openJetStreamLog(options);
    if (log !== 'missing') return log;
    if (scheduler.elapsedMs() >= untilMs)
      throw new KnellError(
        'cluster-log-missing',
        `the stream ${streamName(cluster)} was deleted as it was created`,
      );
    await new Promise<void>((resolve) => scheduler.after(streamLimits.pauseMs, resolve));
  }
}

/** Deletes the stream with all that it has. For `knell cluster rebuild`; rejects when JetStream does not do it. */
export async function deleteJetStreamLog(link: NatsLink, cluster: string): Promise<void> {
  const answer = await askApi<ApiAnswer>(link, `STREAM.DELETE.${streamName(cluster)}`, null);
  if (answer.error?.err_code !== apiErrors.streamNotFound) throwError(answer);
}

/** The stream keeps so many of the latest entries, all if null, within its bounds of size and time. Rejects when it does not answer. */
export async function keepInStream(link: NatsLink, cluster: string, count: number | null): Promise<void> {
  const found = await askStreamInfo(link, cluster);
  if (!found) return;
  const wanted = { ...found.config, max_msgs: count ?? -1 };
  throwError(await askApi<ApiAnswer>(link, `STREAM.UPDATE.${streamName(cluster)}`, wanted));
}

/**
 * Allows direct reads of a stream that was created without them. Without them all is read from the leader, which takes longer.
 */
async function allowDirect(
  { link, cluster, logger }: JetStreamLogOptions,
  found: StreamConfig,
): Promise<void> {
  const subject = `STREAM.UPDATE.${streamName(cluster)}`;
  try {
    throwError(await askApi<ApiAnswer>(link, subject, { ...found, allow_direct: true }));
  } catch (error) {
    logger.info(`the stream does not let nodes read from all servers: ${messageOf(error)}`);
  }
}

function logOf({ link, cluster, ...options }: JetStreamLogOptions, incarnation: string): StreamLog {
  const inbox = `_INBOX.knell.${options.randomHex(12)}`;
  return new StreamLog({ ...options, stream: new JetStream(link, cluster, incarnation, inbox) });
}

function config(cluster: string, { firstSeq, incarnation }: NewStream): object {
  const source = logSubject(cluster, incarnation);
  return {
    name: streamName(cluster),
    description: "Knell's replicated log",
    subjects: [source],
    num_replicas: streamLimits.replicasMin,
    storage: 'file',
    retention: 'limits',
    discard: 'old',
    max_bytes: streamLimits.keptBytesMax,
    max_age: streamLimits.keptMs * nsPerMs,
    max_msgs: -1,
    max_msgs_per_subject: -1,
    max_consumers: -1,
    duplicate_window: streamLimits.duplicateWindowMs * nsPerMs,
    deny_delete: true,
    deny_purge: true,
    // A node that was away reads from any server, many at once.
    allow_direct: true,
    republish: { src: source, dest: entriesSubject(cluster, incarnation) },
    ...(firstSeq > 1 ? { first_seq: firstSeq } : {}),
  };
}

/** The refusal for an error that a retry will not change; otherwise null. */
function refusalOf({ error }: ApiAnswer, cluster: string): KnellError | null {
  switch (error?.err_code) {
    case apiErrors.notClustered:
      return tooFewReplicas(cluster, 1);
    case apiErrors.notEnabledForAccount:
    case apiErrors.notEnabled:
      return new KnellError('cluster-unfit', 'JetStream is not enabled in the files of nats-server');
    case apiErrors.accountFull:
    case apiErrors.storageFull:
      return new KnellError(
        'cluster-unfit',
        `JetStream has no ${streamLimits.keptBytesMax / 1e9} GB for the stream on each server: raise max_file_store, or free space`,
      );
    default:
      return null;
  }
}

/** Error that refuses a cluster with too few servers. */
export function tooFewReplicas(cluster: string, replicas: number): KnellError {
  return new KnellError(
    'cluster-unfit',
    `the stream ${streamName(cluster)} is on ${replicas} ${replicas === 1 ? 'server' : 'servers'}, and a cluster needs ` +
      `${streamLimits.replicasMin}: on fewer it stops, or loses pings, with one machine. On one machine, run Knell without KNELL_CLUSTER`,
  );
}

/** Asks until there is an answer. Only a KnellError ends it: everything else may be over in a moment. */
async function untilAnswered<Answer>(
  { link, scheduler, logger, signal }: JetStreamLogOptions,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let sayAtMs = scheduler.elapsedMs() + streamLimits.patienceMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (error instanceof KnellError) throw error;
      if (scheduler.elapsedMs() >= sayAtMs) {
        logger.warn(
          `JetStream does not answer yet (${reasonOf(error, link)}): most of the NATS servers must run and reach each ` +
            'other; trying again until it does',
        );
        sayAtMs = scheduler.elapsedMs() + streamLimits.reminderMs;
      }
    }
    await new Promise<void>((resolve) => scheduler.after(streamLimits.pauseMs, resolve));
  }
}

function reasonOf(error: unknown, link: NatsLink): string {
  return link.isConnected ? messageOf(error) : 'no connection to NATS';
}
