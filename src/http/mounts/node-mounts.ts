/**
 * The mounts of the HTTP listeners of a cluster's node: those of a single server while it leads, otherwise ones that pass
 * requests to the leader. It also has the other end: the mounts for requests that other nodes have passed on.
 * Invariants: a path has the same route on every node. A node answers for itself only what is about itself (probes, its own
 * metrics); for everything else a node that does not lead may only repeat what the leader lets everybody keep.
 */

import type { HttpRefusal } from '../../cluster/requests/in-flight.ts';
import { isVerdict } from '../../cluster/requests/request-codec.ts';
import type { Engine, PingOutcome } from '../../engine/contract/engine.ts';
import { logSilentWords } from '../../engine/contract/not-written.ts';
import { healthPaths } from '../monitoring/health-routes.ts';
import { metricsPath } from '../monitoring/metrics-routes.ts';
import { asksForMaintenance } from '../pings/maintenance-routes.ts';
import { isPingPath } from '../pings/ping-routes.ts';
import { type StandbyLimits, StandbyPages } from '../status-page/standby.ts';
import { errorReply } from '../wire/json-reply.ts';
import type { Mount, Served } from '../wire/listener.ts';
import { type HttpReply, type HttpRequest, mergedSlashes } from '../wire/message.ts';
import { notRecordedWords, text } from '../wire/replies.ts';
import { asksForOptions } from './mounts.ts';
import { needsKey } from './recorded-changes.ts';

interface StandbyOptions {
  readonly isLeader: () => boolean;
  readonly forwarder: {
    readonly acceptPing: Engine['acceptPing'];
    /** Reads the request before it returns. Never rejects. */
    http(request: HttpRequest): Promise<HttpReply | HttpRefusal>;
  };
}

interface PingEndpointOptions extends StandbyOptions {
  /** Whether this node is certain to lead, now. */
  readonly mayAct: () => boolean;
  /** Resolves once this node is certain to lead; resolves to false if it could not find out. */
  readonly certainly: () => Promise<boolean>;
}

/**
 * Takes pings for all listeners of a node, including that for mail: by the engine while this node leads. A leader that was cut
 * off, or has stood still, does not know what another one has created since, so it answers that something does not exist only
 * when it is certain to lead.
 */
export function acceptAtLeader(
  { isLeader, mayAct, certainly, forwarder }: PingEndpointOptions,
  engine: Pick<Engine, 'acceptPing'>,
): Engine['acceptPing'] {
  return (request, answer, who) => {
    if (!isLeader()) forwarder.acceptPing(request, answer, who);
    else if (mayAct()) engine.acceptPing(request, answer, who);
    else {
      const answered = (outcome: PingOutcome): void => {
        if (!isVerdict(outcome)) answer(outcome, who);
        else void certainly().then((isCertain) => answer(isCertain ? outcome : 'unavailable', who));
      };
      engine.acceptPing(request, answered, null);
    }
  };
}

interface ServedOptions extends StandbyOptions {
  readonly statusPageLimits: StandbyLimits;
  /** Whether the reason for no answer is that the log has no new entries. */
  readonly isLogSilent: () => boolean;
  /** Whether this node has read of the request's API key. */
  readonly knowsKey: (request: HttpRequest) => boolean;
  /** Returns a random UUID. */
  readonly newKey: () => string;
}

/** `served` is the result of `servedBy` for an engine whose `acceptPing` is that of `acceptAtLeader`. */
export function servedAtLeader(
  { isLeader, forwarder, statusPageLimits, isLogSilent, knowsKey, newKey }: ServedOptions,
  served: Served,
): Served {
  const statusPages = new StandbyPages((request) => forwarder.http(request), statusPageLimits);
  const isTakenHere = (mount: Mount, request: HttpRequest): boolean =>
    isPing(request) ||
    isOfThisNode(request) ||
    mount.takesPings?.(request) === true ||
    (asksForEvents(request) && knowsKey(request));
  const forwarding = (mount: Mount): Mount => ({
    ...mount,
    route(request, replyTo) {
      if (isLeader() || isTakenHere(mount, request)) mount.route(request, replyTo);
      else {
        const { method, path } = request;
        const toLeader = needsKey(request) ? { ...request, idempotencyKey: newKey() } : request;
        const asked = statusPages.answer(request) ?? forwarder.http(toLeader);
        void asked.then((result) =>
          replyTo.send(
            typeof result === 'string' ? refusalOf(result, { method, path }, isLogSilent()) : result,
          ),
        );
      }
    },
  });
  return { ...served, mounts: served.mounts.map(forwarding) };
}

/** Serves requests that other nodes have taken; the base is already cut off their paths. Never rejects. */
export function serveForwarded({ mounts }: Served): (request: HttpRequest) => Promise<HttpReply> {
  const own = mounts.filter(({ base }) => base === '');
  return (request) =>
    new Promise((resolve) => {
      const mount = own.find(({ prefix }) => request.path.startsWith(prefix)) ?? own.at(-1);
      mount?.route(request, { send: (reply) => resolve(reply.stream ? notHereYet : reply) });
    });
}

/** The leader knows a key that the node which was asked has not read yet: streams are served by each node itself. */
const notHereYet = errorReply(503, 'this node does not know this key yet, try again', [
  ['Retry-After', '1'],
  ['Access-Control-Allow-Origin', '*'],
]);

/** Every node has read the journal, so each serves events by itself, with or without a leader. */
function asksForEvents({ path }: HttpRequest): boolean {
  return eventsPath.test(mergedSlashes(path));
}

const eventsPath = /^\/api\/v[123]\/events$/;

/** The engine of a node passes pings on by itself, in batches. */
function isPing(request: HttpRequest): boolean {
  return isPingPath(request.path) && !asksForMaintenance(request);
}

const ownPaths: ReadonlySet<string> = new Set([...healthPaths, metricsPath]);

function isOfThisNode(request: HttpRequest): boolean {
  return ownPaths.has(request.path) || asksForOptions(request);
}

const words: Readonly<Record<Exclude<HttpRefusal, 'unavailable'>, string>> = {
  'in-doubt': 'the answer was lost: it may have been done, so look before you try again',
  'too-large': 'the answer is too large for this node to pass on: ask for less, or try again later',
};
const jsonPath = /^\/(?:api|web)\//;

function whyUnavailable(isRead: boolean, isLogSilent: boolean): string {
  if (isLogSilent) return `${logSilentWords}, try again`;
  return isRead ? 'no node of the cluster can answer now, try again' : notRecordedWords;
}

/** Builds the reply to a client whose request the leader did not answer. */
export function refusalOf(
  refusal: HttpRefusal,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
  isLogSilent: boolean,
): HttpReply {
  const isRead = method === 'GET' || method === 'HEAD';
  const said = refusal === 'unavailable' ? whyUnavailable(isRead, isLogSilent) : words[refusal];
  // A client that tries again by itself could repeat a change that was already made.
  const retry = refusal === 'in-doubt' ? [] : [['Retry-After', '2'] as const];
  const headers = [...retry, ['Access-Control-Allow-Origin', '*'] as const];
  return jsonPath.test(mergedSlashes(path)) ? errorReply(503, said, headers) : text(503, said, headers);
}
