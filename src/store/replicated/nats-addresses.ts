/** The servers of a cluster, from their URLs. Invariant: no error says what a URL has before its host: that is secret. */
import { KnellError } from '../../lib/errors.ts';

export interface NatsAddresses {
  /** `host:port` */
  readonly servers: readonly string[];
  /** The same without ports. */
  readonly hosts: readonly string[];
  /** Monitoring address of each server: `http://host:port`. */
  readonly monitors: readonly string[];
  readonly isTls: boolean;
  /** Token of the first URL that has one. */
  readonly token: string | null;
  readonly user: string | null;
  readonly password: string | null;
}

const defaultPort = '4222';
const defaultMonitor = '8222';

/** Throws a KnellError `usage` for what is no URL of a NATS server. */
export function natsAddresses(urls: readonly string[]): NatsAddresses {
  const parsed = urls.map((text, at) => parseUrl(text, at));
  const first = parsed.find(({ username }) => username !== '');
  const name = first ? decodeURIComponent(first.username) : null;
  const password = first?.password ? decodeURIComponent(first.password) : null;
  return {
    servers: parsed.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
    hosts: parsed.map(({ hostname }) => hostname),
    monitors: parsed.map(
      ({ hostname, searchParams }) =>
        `http://${hostname}:${searchParams.get(monitorParameter) ?? defaultMonitor}`,
    ),
    isTls: parsed.some(({ protocol }) => protocol === 'tls:'),
    token: password === null ? name : null,
    user: password === null ? null : name,
    password,
  };
}

function parseUrl(text: string, at: number): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isServer = url !== null && /^(nats|tls):$/.test(url.protocol) && url.hostname !== '';
  if (!isServer)
    throw new KnellError(
      'usage',
      `server ${at + 1} of the cluster is no NATS address: nats://host:4222 or tls://host:4222`,
    );
  const monitor = url.searchParams.get(monitorParameter) ?? defaultMonitor;
  const isPort = /^\d{1,5}$/.test(monitor) && Number(monitor) > 0 && Number(monitor) < 2 ** 16;
  if (!isPort || [...url.searchParams.keys()].some((name) => name !== monitorParameter))
    throw new KnellError(
      'usage',
      `server ${at + 1} of the cluster: behind its address there can be ?monitor=PORT, and nothing else`,
    );
  return url;
}

const monitorParameter = 'monitor';
