/**
 * One HTTP request of a command, with nothing but Node: no retries (`deliver`), no meaning (`ping-address`, `management`).
 * Invariant: it ends within its time, whatever the server does, and follows a redirect with the same method and body.
 */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { KnellError, messageOf, systemCode } from '../lib/errors.ts';

export interface ClientRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Of the whole request, redirects included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const redirectsMax = 5;
/** The largest answer of the API, ten thousand checks, has some 10 MB. */
const responseBytesMax = 200_000_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** Rejects with a KnellError that says in a few words why there is no answer. */
export async function sendRequest(url: URL, request: ClientRequest): Promise<ClientResponse> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), request.timeoutMs);
  const cancel = (): void => limit.abort();
  request.signal?.addEventListener('abort', cancel, { once: true });
  if (request.signal?.aborted) cancel();
  try {
    return await followed(url, request, limit.signal);
  } catch (error) {
    if (error instanceof KnellError) throw error;
    const timedOut = limit.signal.aborted && !request.signal?.aborted;
    throw new KnellError('not-found', timedOut ? noAnswer(url, request.timeoutMs) : reasonOf(url, error), {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', cancel);
  }
}

async function followed(url: URL, request: ClientRequest, signal: AbortSignal): Promise<ClientResponse> {
  let at = url;
  for (let hops = 0; ; hops++) {
    const response = await exchange(at, request, signal);
    const { location } = response.headers;
    if (!redirects.has(response.status) || location === undefined) return response;
    if (hops === redirectsMax) throw new KnellError('conflict', `${url.host} redirects without end`);
    const next = new URL(location, at);
    // A key must not go in clear where it was sent encrypted.
    if (at.protocol === 'https:' && next.protocol !== 'https:')
      throw new KnellError('conflict', `${at.host} redirects from https to ${next.protocol.slice(0, -1)}`);
    at = next;
  }
}

function exchange(url: URL, request: ClientRequest, signal: AbortSignal): Promise<ClientResponse> {
  const { method, body = '', headers = {} } = request;
  const bytes = Buffer.from(body);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      signal,
      agent: false,
      headers: { ...headers, 'User-Agent': 'knell', 'Content-Length': String(bytes.length) },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const parts: Buffer[] = [];
      let length = 0;
      incoming.on('data', (part: Buffer) => {
        length += part.length;
        if (length <= responseBytesMax) parts.push(part);
        else outgoing.destroy(new KnellError('conflict', `the answer of ${url.host} is too large`));
      });
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.end(bytes);
  });
}

function noAnswer({ host }: URL, timeoutMs: number): string {
  return `${host} did not answer within ${Math.round(timeoutMs / 100) / 10} s`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'is not a known host name',
  EAI_AGAIN: 'cannot be looked up: the name servers do not answer',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'cannot be reached',
};

function reasonOf({ host }: URL, error: unknown): string {
  const code = systemCode(error);
  return `${host} ${reasons[code] ?? `cannot be reached: ${code || messageOf(error)}`}`;
}
