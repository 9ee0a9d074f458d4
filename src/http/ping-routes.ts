/**
 * The HTTP door for pings: `/ping/<uuid>` and `/ping/<ping_key>/<slug>`, each also with `/start`, `/fail`, `/log` or
 * an exit status. Takes plain values off the request and hands them to the engine; what they mean is not its matter.
 */
import type { Action } from '../domain/classify.ts';
import type { Engine, PingRequest, PingTarget } from '../engine/engine.ts';
import { parseRunId } from '../lib/ids.ts';
import type { HttpRequest, ReplyTo } from './message.ts';
import { pingReplies } from './replies.ts';

export const pingPrefix = '/ping/';

/** A refusal is replied to at once, a ping when it is durable. */
export function createPingRoutes(
  engine: Pick<Engine, 'acceptPing'>,
): (request: HttpRequest, replyTo: ReplyTo) => void {
  return (request, replyTo) => {
    if (request.method === 'OPTIONS') {
      replyTo.send(pingReplies.preflight);
      return;
    }
    const address = parseAddress(request.path);
    if (typeof address === 'string') {
      replyTo.send(pingReplies[address]);
      return;
    }
    engine.acceptPing(pingRequestOf(request, address), (outcome) => replyTo.send(pingReplies[outcome]));
  };
}

interface Address {
  readonly uuid: string | null;
  readonly pingKey: string;
  readonly slug: string;
  readonly action: Action;
  readonly exitStatus: number | null;
}

/** No plain object: a client may ask for `constructor`, which every one of those has. */
const actions: ReadonlyMap<string, Action> = new Map([
  ['start', 'start'],
  ['fail', 'fail'],
  ['log', 'log'],
]);
const word = /^[-a-zA-Z0-9_]+$/;
const digits = /^[0-9]+$/;

/** No ping key is so long; whether it is a UUID, the registry knows, which has none but those of checks. */
const uuidLength = 36;

/** What the path names; `malformed` for a slug in upper case, `not-found` for what is no ping address at all. */
function parseAddress(path: string): Address | 'malformed' | 'not-found' {
  const rest = path.slice(pingPrefix.length);
  if (rest.length === uuidLength && !rest.includes('/')) return addressOf(rest, '', '', '');
  const [first = '', second = '', third, fourth] = rest.split('/');
  if (fourth !== undefined) return 'not-found';
  if (third === undefined && first.length === uuidLength && (second === '' || isSuffix(second))) {
    return addressOf(first, '', '', second);
  }
  if (!word.test(first) || !word.test(second)) return 'not-found';
  if (third !== undefined && !isSuffix(third)) return 'not-found';
  if (second !== second.toLowerCase()) return 'malformed';
  return addressOf(null, first, second, third ?? '');
}

function isSuffix(segment: string): boolean {
  return actions.has(segment) || digits.test(segment);
}

function addressOf(uuid: string | null, pingKey: string, slug: string, suffix: string): Address {
  if (suffix === '') return { uuid, pingKey, slug, action: 'success', exitStatus: null };
  const exitStatus = digits.test(suffix) ? Number(suffix) : null;
  return { uuid, pingKey, slug, action: actions.get(suffix) ?? 'success', exitStatus };
}

function pingRequestOf(request: HttpRequest, address: Address): PingRequest {
  const query = request.query === '' ? null : new URLSearchParams(request.query);
  const ridText = query === null ? null : lastOf(query, 'rid');
  const rid = ridText === null ? null : parseRunId(ridText);
  const badExitStatus = address.exitStatus !== null && address.exitStatus > 255;
  const badRunId = ridText !== null && rid === null;
  return {
    target: targetOf(address, query !== null && lastOf(query, 'create') === '1'),
    error: badExitStatus ? 'bad-exit-status' : badRunId ? 'bad-run-id' : null,
    action: address.action,
    exitStatus: address.exitStatus,
    rid,
    scheme: request.scheme,
    method: request.method,
    remoteAddr: request.remoteAddr,
    ua: request.userAgent,
    body: request.body,
    searchable: { door: 'http', body: request.body },
    receivedAtMs: request.receivedAtMs,
  };
}

/** Of a parameter that comes several times the last one counts, as in the management API. */
function lastOf(query: URLSearchParams, name: string): string | null {
  return query.getAll(name).at(-1) ?? null;
}

function targetOf({ uuid, pingKey, slug }: Address, create: boolean): PingTarget {
  return uuid === null ? { by: 'slug', pingKey, slug, create } : { by: 'uuid', uuid };
}
