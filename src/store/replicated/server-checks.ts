/**
 * Whether the servers of NATS keep what Knell promises: their version, and whether they sync what they acknowledge.
 * `jetstream-log` checks the stream's replicas.
 */
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { monitorCharsMax, monitorMs } from './limits.ts';

export interface ServerChecksOptions {
  /** Version of the server that this node is connected to. */
  readonly version: string;
  /** Name of the servers' cluster, as NATS has it. */
  readonly clusterName: string;
  /** The monitoring addresses of all servers: `http://host:8222`. */
  readonly monitors: readonly string[];
  /** The leader accepts that a power cut loses what was acknowledged: unsynced writes are only warned about. */
  readonly relaxed: boolean;
}

type Version = readonly [major: number, minor: number, patch: number];

/** Below it, a crash of processes could lose a stream as a whole. */
const refusedBelow: Version = [2, 10, 23];
/** The lowest version that gets no warning: Knell is tested with it and with later ones. */
const askedFor: Version = [2, 12, 4];

/**
 * Returns a sentence for each thing that cannot be checked or could be better. Rejects with a KnellError `cluster-unfit` for what
 * is refused. A server may let only its own machine ask: then each node checks the one beside it.
 */
export async function checkServers(options: ServerChecksOptions): Promise<readonly string[]> {
  const { version, clusterName, monitors, relaxed } = options;
  const own = versionWarnings(version, 'this node is connected to');
  const answers = await Promise.all(monitors.map(askMonitor));
  const silent = answers.filter((answer) => answer instanceof Silent);
  const beside = silent.length === 0 ? [] : await askBeside(monitors, clusterName);
  const checked = [...answers, ...beside].filter((answer) => answer instanceof Monitored);
  const warnings = checked.flatMap((answer) => warningsOf(answer, relaxed));
  if (beside.length > 0) return [...own, ...warnings];
  return [...own, ...warnings, ...silent.map(({ sentence }) => sentence)];
}

function versionWarnings(text: string, which: string): readonly string[] {
  const version = parseVersion(text);
  if (isBelow(version, refusedBelow))
    throw new KnellError(
      'cluster-unfit',
      `nats-server ${text}, which ${which}, can lose the whole stream when it crashes: update it to ${askedFor.join('.')} or later`,
    );
  if (!isBelow(version, askedFor)) return [];
  return [
    `nats-server ${text}, which ${which}, is older than Knell asks for: update it to ${askedFor.join('.')} or later`,
  ];
}

/** Parses a version; a text without one is the lowest. */
function parseVersion(text: string): Version {
  const [, major = '0', minor = '0', patch = '0'] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor), Number(patch)];
}

function isBelow(version: Version, other: Version): boolean {
  const at = version.findIndex((part, index) => part !== other[index]);
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0);
}

/** The answer of a monitoring port. */
class Monitored {
  readonly monitor: string;
  readonly version: string;
  readonly clusterName: string;
  readonly isSynced: boolean;

  constructor(monitor: string, { version, cluster, jetstream }: Varz) {
    this.monitor = monitor;
    this.version = String(version);
    this.clusterName = String(cluster?.name ?? '');
    this.isSynced = jetstream?.config?.sync_always === true;
  }
}

/** One that did not answer. */
class Silent {
  readonly sentence: string;

  constructor(monitor: string, error: unknown) {
    this.sentence =
      `cannot check whether nats-server at ${monitor} syncs what it acknowledges (${reasonOf(error)}): ` +
      'its file needs "sync_interval: always" under jetstream, without which a power cut loses pings. ' +
      'If it monitors at another port, KNELL_CLUSTER says so: nats://host?monitor=PORT';
  }
}

/** The fields of nats-server's answer that are read. */
interface Varz {
  readonly version?: unknown;
  readonly cluster?: { readonly name?: unknown };
  readonly jetstream?: { readonly config?: { readonly sync_always?: unknown } };
}

/** Asks the servers of this cluster on this machine. */
async function askBeside(monitors: readonly string[], clusterName: string): Promise<readonly Monitored[]> {
  const addresses = new Set(monitors.map((monitor) => `http://127.0.0.1:${new URL(monitor).port}`));
  const others = [...addresses].filter((address) => !monitors.includes(address));
  const answers = await Promise.all(others.map(askMonitor));
  return answers.filter(
    (answer): answer is Monitored => answer instanceof Monitored && answer.clusterName === clusterName,
  );
}

async function askMonitor(monitor: string): Promise<Monitored | Silent> {
  try {
    const response = await fetch(new URL('/varz', monitor), { signal: AbortSignal.timeout(monitorMs) });
    const text = await response.text();
    if (!response.ok || text.length > monitorCharsMax) throw new Error(`it answers ${response.status}`);
    return new Monitored(monitor, JSON.parse(text) as Varz);
  } catch (error) {
    return new Silent(monitor, error);
  }
}

/** The message of an error that `fetch` throws says only that it failed; the error's cause says why. */
function reasonOf(error: unknown): string {
  const code = systemCode(error instanceof Error ? error.cause : null);
  return code === '' ? messageOf(error) : code;
}

function warningsOf({ monitor, version, isSynced }: Monitored, relaxed: boolean): readonly string[] {
  const warnings = versionWarnings(version, `answers at ${monitor}`);
  if (isSynced) return warnings;
  const sentence =
    `nats-server at ${monitor} acknowledges before it syncs, so a power cut loses pings: ` +
    'write "sync_interval: always" under jetstream in its file';
  if (!relaxed) throw new KnellError('cluster-unfit', sentence);
  return [...warnings, sentence];
}
