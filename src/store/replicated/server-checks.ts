/**
 * Whether the servers of NATS keep what Knell promises: their version, and whether they sync what they acknowledge. Not here:
 * the stream's replicas (`jetstream-log`).
 */
import { KnellError, messageOf } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';

export interface ServerChecksOptions {
  /** Of the server that this node is connected to. */
  readonly version: string;
  /** The monitoring addresses of all servers: `http://host:8222`. */
  readonly monitors: readonly string[];
  /** The owner accepts that a power cut loses what was acknowledged: unsynced writes are only warned about. */
  readonly relaxed: boolean;
}

type Version = readonly [major: number, minor: number, patch: number];

/** Below it, a crash of processes could lose a stream as a whole. */
const refusedBelow: Version = [2, 10, 23];
/** What Knell is tested with, and later. */
const askedFor: Version = [2, 12, 4];
const monitorMs = 2 * second;
const answerBytesMax = 1_000_000;

/** What cannot be checked, or could be better: a sentence each. Rejects with a KnellError `cluster-unfit` for what is refused. */
export async function checkServers({
  version,
  monitors,
  relaxed,
}: ServerChecksOptions): Promise<readonly string[]> {
  const own = versionWarnings(version, 'this node is connected to');
  const others = await Promise.all(monitors.map((monitor) => checkMonitor(monitor, relaxed)));
  return [...own, ...others.flat()];
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

/** Of a text without a version, the lowest. */
function parseVersion(text: string): Version {
  const [, major = '0', minor = '0', patch = '0'] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor), Number(patch)];
}

function isBelow(version: Version, other: Version): boolean {
  const at = version.findIndex((part, index) => part !== other[index]);
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0);
}

async function checkMonitor(monitor: string, relaxed: boolean): Promise<readonly string[]> {
  let varz: Varz;
  try {
    varz = await readVarz(monitor);
  } catch (error) {
    return [
      `cannot check whether nats-server at ${monitor} syncs what it acknowledges (${messageOf(error)}): ` +
        'its file needs "sync_interval: always" under jetstream, without which a power cut loses pings',
    ];
  }
  const warnings = versionWarnings(varz.version, `answers at ${monitor}`);
  if (varz.isSynced) return warnings;
  const sentence =
    `nats-server at ${monitor} acknowledges before it syncs, so a power cut loses pings: ` +
    'write "sync_interval: always" under jetstream in its file';
  if (!relaxed) throw new KnellError('cluster-unfit', sentence);
  return [...warnings, sentence];
}

interface Varz {
  readonly version: string;
  readonly isSynced: boolean;
}

async function readVarz(monitor: string): Promise<Varz> {
  const response = await fetch(new URL('/varz', monitor), { signal: AbortSignal.timeout(monitorMs) });
  const text = await response.text();
  if (!response.ok || text.length > answerBytesMax) throw new Error(`it answers ${response.status}`);
  const { version, jetstream } = JSON.parse(text) as {
    version?: unknown;
    jetstream?: { config?: { sync_always?: unknown } };
  };
  return { version: String(version), isSynced: jetstream?.config?.sync_always === true };
}
