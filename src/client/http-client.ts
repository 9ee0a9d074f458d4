/**
 * One HTTP request of a command, with nothing but Node: no retries (`deliver`), no meaning (`ping-address`, `management`).
 * Invariant: it ends within its time, whatever the server does, and follows a redirect with the same method and body; a
 * redirect to another host gets no header that may be a key.
 */

import { KnellError } from '../lib/errors.ts';
import { type ClientResponse, exchange } from './http-exchange.ts';
import { redirectsMax } from './limits.ts';

export type { ClientResponse } from './http-exchange.ts';

export interface ClientRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Time limit of the whole request, redirects included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Whether redirects are refused: the content is for this address only. */
  readonly refusesRedirects?: boolean;
}

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
    const timedOut = limit.signal.aborted && !request.signal?.aborted;
    if (!timedOut) throw error;
    throw new KnellError('not-found', noAnswer(url, request.timeoutMs), { cause: error });
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', cancel);
  }
}

async function followed(url: URL, request: ClientRequest, signal: AbortSignal): Promise<ClientResponse> {
  const { method, body = '', headers = {} } = request;
  const bytes = Buffer.from(body);
  let at = url;
  for (let hops = 0; ; hops++) {
    const own = at.hostname === url.hostname ? headers : harmless(headers);
    const sent = { method, body: bytes, headers: { 'user-agent': 'knell', ...own }, signal };
    const response = await exchange(at, sent);
    const { location } = response.headers;
    if (!redirects.has(response.status) || location === undefined) return response;
    if (request.refusesRedirects)
      throw new KnellError(
        'conflict',
        `${at.host} redirects to ${new URL(location, at).href}: use that address`,
      );
    if (hops === redirectsMax) throw new KnellError('conflict', `${url.host} redirects without end`);
    const next = new URL(location, at);
    // A key must not go in clear where it was sent encrypted.
    if (at.protocol === 'https:' && next.protocol !== 'https:')
      throw new KnellError('conflict', `${at.host} redirects from https to ${next.protocol.slice(0, -1)}`);
    at = next;
  }
}

function harmless(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^content-type$/i.test(name)));
}

function noAnswer({ host }: URL, timeoutMs: number): string {
  return `${host} did not answer within ${Math.round(timeoutMs / 100) / 10} s`;
}
