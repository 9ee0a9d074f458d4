/** The servers of a cluster, from their URLs. Invariant: no error says what a URL has before its host: that is secret. */
import { KnellError } from '../../lib/errors.ts';

export interface NatsAddresses {
  /** `host:port` */
  readonly servers: readonly string[];
  readonly isTls: boolean;
  /** From the first URL that has them. */
  readonly token: string | null;
  readonly user: string | null;
  readonly password: string | null;
}

const defaultPort = '4222';

/** Throws a KnellError `usage` for what is no URL of a NATS server. */
export function natsAddresses(urls: readonly string[]): NatsAddresses {
  const parsed = urls.map((text, at) => parseUrl(text, at));
  const first = parsed.find(({ username }) => username !== '');
  const name = first ? decodeURIComponent(first.username) : null;
  const password = first?.password ? decodeURIComponent(first.password) : null;
  return {
    servers: parsed.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
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
  return url;
}
