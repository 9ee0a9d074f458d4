/**
 * Turns outcomes into replies: one table for pings, and the replies that all routes share.
 * Invariant: every reply that a browser's script may need carries the CORS header, as those of Healthchecks do.
 */

import type { PingOutcome } from '../../engine/contract/engine.ts';
import { logSilentWords } from '../../engine/contract/not-written.ts';
import type { HttpReply } from './message.ts';

type Headers = HttpReply['headers'];

const plainText: Headers = [['Content-Type', 'text/plain; charset=utf-8']];

export function text(status: number, body: string, headers: Headers = []): HttpReply {
  return { status, headers: [...plainText, ...headers], body };
}

/** As in Healthchecks: a cache that answers in place of Knell hides a job that stopped, or drops a ping. */
export const neverCached = 'max-age=0, no-cache, no-store, must-revalidate, private';

const pingHeaders: Headers = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Access-Control-Allow-Origin', '*'],
  ['Ping-Body-Limit', '100000'],
  ['Cache-Control', neverCached],
];

/** Answer to a preflight: a ping needs only the headers that a script may always send. */
const pingPreflight: HttpReply = {
  status: 204,
  headers: [
    ...pingHeaders.slice(1),
    ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['Access-Control-Allow-Headers', 'Content-Type, User-Agent'],
    ['Access-Control-Max-Age', '600'],
  ],
  body: '',
};

function ping(status: number, body: string, more: Headers = []): HttpReply {
  return { fixed: true, status, headers: [...pingHeaders, ...more], body };
}

/** An answer to somebody with a ping key that is not the same each time. */
export function pingText(status: number, body: string): HttpReply {
  return { status, headers: pingHeaders, body };
}

/** Said if the bodies of other requests leave no memory. */
export const overBudgetWords = 'too many requests with bodies at once, try again in a moment';

/** Said while a cluster has no leader that answers. */
export const notRecordedWords = 'not recorded, try again';

/**
 * A header for clients that need to distinguish outcomes with the same words. It reveals no more about keys than a ping with
 * `create` does.
 */
function refusedFor(outcome: PingOutcome): Headers {
  return [['Knell-Refusal', outcome]];
}

/** The words that clients know (Healthchecks, ping view). */
export const pingReplies: Readonly<
  Record<PingOutcome | 'malformed' | 'preflight' | 'over-budget', HttpReply>
> = {
  ok: ping(200, 'OK'),
  created: ping(201, 'Created'),
  'not-found': ping(404, 'not found', refusedFor('not-found')),
  'unknown-key': ping(404, 'not found', refusedFor('unknown-key')),
  'over-limit': ping(404, 'not found', refusedFor('over-limit')),
  'too-many-new': ping(429, 'too many new checks, try again later', [['Retry-After', '60']]),
  ambiguous: ping(409, 'ambiguous slug'),
  'slug-too-long': ping(400, 'invalid url format'),
  'bad-settings': ping(400, 'channels names an integration that the project does not have, or has twice'),
  malformed: ping(400, 'invalid url format'),
  'bad-exit-status': ping(400, 'invalid url format'),
  'bad-run-id': ping(400, 'invalid uuid format'),
  'store-full': ping(503, 'the disk is full, try again later', [['Retry-After', '10']]),
  'log-silent': ping(503, `${logSilentWords}, try again`, [['Retry-After', '10']]),
  unavailable: ping(503, notRecordedWords, [['Retry-After', '2']]),
  'over-budget': ping(503, overBudgetWords, [['Retry-After', '2']]),
  preflight: pingPreflight,
};

export const notFound: HttpReply = text(404, 'not found');
