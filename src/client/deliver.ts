/**
 * Delivers one ping, with retries: after network errors, 5xx, 408 and 429, with growing, random pauses.
 * Invariant: it takes at most `timeoutMs` for each try, pauses included, so a Knell that is down delays a job by seconds
 * only.
 */

import { messageOf } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import { second } from '../lib/units.ts';
import { type ClientResponse, sendRequest } from './http-client.ts';
import { reasonCharsMax, retryAfterMsMax } from './limits.ts';
import { pause } from './pause.ts';

export interface DeliverOptions {
  /** Tries after the first. */
  readonly retries: number;
  readonly timeoutMs: number;
  /** Besides those that every ping has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the tries: after it no further one; one that is in flight is waited for. */
  readonly stop?: AbortSignal;
  /** Ends the try that is in flight, too. */
  readonly abandon?: AbortSignal;
}

export type Delivered =
  /** `bodyBytesMax`: how much the server keeps of a body; null if it did not say. */
  | { readonly ok: true; readonly bodyBytesMax: number | null }
  | { readonly ok: false; readonly reason: string };

interface Attempt {
  readonly result: Delivered;
  /** Null: another try would end the same. */
  readonly pauseMs: number | null;
}

export async function deliver(url: URL, body: Uint8Array, options: DeliverOptions): Promise<Delivered> {
  const { retries, timeoutMs, headers = {}, stop, abandon } = options;
  const endsAtMs = performance.now() + timeoutMs * (retries + 1);
  for (let tried = 0; ; tried++) {
    const remainingMs = endsAtMs - performance.now();
    const { result, pauseMs } = await attempt(url, body, {
      tried,
      timeoutMs: Math.max(1, Math.min(timeoutMs, remainingMs)),
      headers,
      abandon,
    });
    const isOver = pauseMs === null || tried >= retries || stop?.aborted || abandon?.aborted;
    if (result.ok || isOver) return result;
    const leftMs = endsAtMs - performance.now() - pauseMs;
    if (leftMs <= 0) return result;
    await pause(pauseMs, [stop, abandon]);
    if (stop?.aborted || abandon?.aborted) return result;
  }
}

interface AttemptOptions {
  /** Number of earlier tries. */
  readonly tried: number;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly abandon: AbortSignal | undefined;
}

async function attempt(
  url: URL,
  body: Uint8Array,
  { tried, timeoutMs, headers, abandon }: AttemptOptions,
): Promise<Attempt> {
  const pauseMs = backoffMs(tried);
  try {
    const response = await sendRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body,
      timeoutMs,
      ...(abandon ? { signal: abandon } : {}),
    });
    if (response.status >= 200 && response.status < 300)
      return { result: { ok: true, bodyBytesMax: bodyLimitOf(response) }, pauseMs: null };
    const result: Delivered = { ok: false, reason: refusalOf(url, response) };
    return { result, pauseMs: isTransient(response.status) ? (retryAfterMs(response) ?? pauseMs) : null };
  } catch (error) {
    return { result: { ok: false, reason: messageOf(error) }, pauseMs };
  }
}

function isTransient(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

/** Half a second, then twice as long each time, of which a random half: many jobs begin on the minute. */
function backoffMs(tried: number): number {
  return (second / 2) * 2 ** tried * (0.5 + Math.random() / 2);
}

function retryAfterMs({ headers }: ClientResponse): number | null {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * second, retryAfterMsMax);
  // A date: relative to the server's own, since this machine's clock may be wrong.
  const untilMs = Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isFinite(untilMs) ? Math.min(Math.max(0, untilMs), retryAfterMsMax) : null;
}

function bodyLimitOf({ headers }: ClientResponse): number | null {
  const limit = headers['ping-body-limit'];
  return typeof limit === 'string' && /^\d{1,9}$/.test(limit) ? Number(limit) : null;
}

/** The server's own words, if it has any that fit into a line. */
function refusalOf(url: URL, response: ClientResponse): string {
  const { host } = url;
  const { status, body } = response;
  const known = knownRefusal(url, response);
  if (known !== null) return known;
  const said = body.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const words = said === '' || said.startsWith('<') ? '' : `: ${said.slice(0, reasonCharsMax)}`;
  const hint = status === 404 ? '; check the slug and the ping key, --create creates a check' : '';
  return `${host} answered ${status}${words}${hint}`;
}

/** The refusal in the words of the commands; null if only the status says it. */
function knownRefusal({ host, pathname }: URL, { headers }: ClientResponse): string | null {
  const [, target = ''] = /\/ping\/([^/]+)/.exec(pathname) ?? [];
  switch (headers['knell-refusal']) {
    case 'unknown-key':
      return `the ping key is wrong: no project on ${host} has it; set KNELL_PING_KEY, or use --key`;
    case 'over-limit':
      return `the project has as many checks as it may have on ${host}: the check was not created`;
    case 'not-found':
      return isUuid(target.toLowerCase())
        ? `no check on ${host} has this UUID`
        : `the project of the ping key has no check of this slug on ${host}; --create creates one`;
    default:
      return null;
  }
}
