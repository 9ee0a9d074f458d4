/**
 * The endpoints that are set: below the mounts whose paths they share, each request of theirs is read, handed to the engine as pings, and
 * answered as their clients expect.
 * Invariants: a mount without an endpoint is the mount itself. A request is answered when all of its pings are durable, or with the first
 * refusal.
 */
import { noResults } from '../../../domain/results/result.ts';
import type { Engine, PingOutcome, PingRequest } from '../../../engine/contract/engine.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { CompatService } from '../../../lib/read-setting.ts';
import type { Mount } from '../../wire/listener.ts';
import type { HttpReply, HttpRequest, ReplyTo } from '../../wire/message.ts';
import { pingReplies } from '../../wire/replies.ts';
import { betterStack } from './better-stack.ts';
import type { AskedPing, CompatEndpoint } from './compat-endpoint.ts';
import { cronitor } from './cronitor.ts';
import { deadMansSnitch } from './dead-mans-snitch.ts';
import { opsgenie } from './opsgenie.ts';
import { sentry, sentryUpserts } from './sentry.ts';
import { createUpsert, type Upsert } from './sentry-upsert.ts';
import { uptimeKuma } from './uptime-kuma.ts';

interface Placed {
  readonly endpoint: CompatEndpoint;
  /** Prefix of the mount that has its paths without it. */
  readonly below: '/' | '/api/';
}

const endpoints: Readonly<Record<CompatService, Placed>> = {
  cronitor: { endpoint: cronitor, below: '/' },
  'uptime-kuma': { endpoint: uptimeKuma, below: '/api/' },
  'dead-mans-snitch': { endpoint: deadMansSnitch, below: '/' },
  'better-stack': { endpoint: betterStack, below: '/api/' },
  opsgenie: { endpoint: opsgenie, below: '/' },
  sentry: { endpoint: sentry, below: '/api/' },
  'sentry-upserts': { endpoint: sentryUpserts, below: '/api/' },
};

type OpenMount = Omit<Mount, 'base'>;

/** Returns the mounts with the endpoints of the services in `names`. */
export function withCompat(
  names: readonly CompatService[],
  engine: Pick<Engine, 'acceptPing' | 'read' | 'changeBy'>,
  mounts: readonly OpenMount[],
  { bodyBytesMax, logger }: { readonly bodyBytesMax: number; readonly logger: Logger },
): readonly OpenMount[] {
  const open = names.map((name) => endpoints[name]);
  const pings = { acceptPing: engine.acceptPing, upsert: createUpsert(engine, logger) };
  return mounts.map((mount) => {
    const here = open.filter(({ below }) => below === mount.prefix).map(({ endpoint }) => endpoint);
    return here.length === 0 ? mount : withEndpoints(here, pings, mount, bodyBytesMax);
  });
}

interface Pings {
  readonly acceptPing: Engine['acceptPing'];
  readonly upsert: Upsert;
}

function withEndpoints(
  here: readonly CompatEndpoint[],
  to: Pings,
  mount: OpenMount,
  bodyBytesMax: number,
): OpenMount {
  const endpointOf = ({ path }: HttpRequest): CompatEndpoint | undefined =>
    here.find((endpoint) => endpoint.owns(path));
  return {
    ...mount,
    route(request, replyTo) {
      const endpoint = endpointOf(request);
      if (endpoint) serve(endpoint, to, request, replyTo);
      else mount.route(request, replyTo);
    },
    bodyBytesMax: (head) => (endpointOf(head) ? bodyBytesMax : mount.bodyBytesMax(head)),
    keepsBodyEnd(head) {
      const endpoint = endpointOf(head);
      return endpoint ? !endpoint.readsBody : (mount.keepsBodyEnd?.(head) ?? false);
    },
    reads: [...new Set([...(mount.reads ?? []), ...here.flatMap(({ reads }) => reads ?? [])])],
    // A node that does not lead changes no check: it passes these on as a whole.
    takesPings(request) {
      const endpoint = endpointOf(request);
      return endpoint !== undefined && !endpoint.upserts;
    },
  };
}

function serve(
  endpoint: CompatEndpoint,
  { acceptPing, upsert }: Pings,
  request: HttpRequest,
  replyTo: ReplyTo,
): void {
  if (request.method === 'OPTIONS') {
    replyTo.send(pingReplies.preflight);
    return;
  }
  const asked = endpoint.read({ request, query: new URLSearchParams(request.query) });
  if ('status' in asked) {
    replyTo.send(endpoint.refuse(asked));
    return;
  }
  const { pings } = asked;
  if (pings.length === 0) {
    replyTo.send(endpoint.done(pings, 'ok'));
    return;
  }
  const outcomes: PingOutcome[] = [];
  let left = pings.length;
  pings.forEach((ping, at) => {
    const done = (): void => {
      left -= 1;
      if (left === 0) replyTo.send(replyOf(endpoint, pings, outcomes));
    };
    const answer = (outcome: PingOutcome): void => {
      outcomes[at] = outcome;
      if (outcome === 'ok' && endpoint.upserts && ping.given) void upsert(ping, request).then(done);
      else done();
    };
    acceptPing(pingOf(request, ping), answer, null);
  });
}

function replyOf(
  endpoint: CompatEndpoint,
  pings: readonly AskedPing[],
  outcomes: readonly PingOutcome[],
): HttpReply {
  const at = outcomes.findIndex((outcome) => outcome !== 'ok' && outcome !== 'created');
  if (at < 0) return endpoint.done(pings, outcomes[0] ?? 'ok');
  const outcome = outcomes[at] ?? 'unavailable';
  const own = pingReplies[outcome];
  const said = outcome === 'bad-settings' ? pings[at]?.settingsError : undefined;
  const reply = endpoint.refuse({ status: own.status, words: said ?? String(own.body) });
  const kept = own.headers.filter(([name]) => name === 'Knell-Refusal' || name === 'Retry-After');
  return { ...reply, headers: [...reply.headers, ...kept] };
}

function pingOf(request: HttpRequest, asked: AskedPing): PingRequest {
  const { target, action, exitStatus = null, rid = null, host = '', results = noResults } = asked;
  const { scheme, method, remoteAddr, userAgent, receivedAtMs } = request;
  const body =
    asked.body ?? (request.body.length > 0 || !asked.message ? request.body : Buffer.from(asked.message));
  return {
    ...{ target, error: null, action, exitStatus, rid, host, results, scheme, method, remoteAddr },
    ua: userAgent,
    body,
    searchable: { via: 'http', body },
    receivedAtMs,
  };
}
