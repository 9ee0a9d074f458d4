/**
 * The management API, read downward: route, method, rate, key, body, endpoint. The files that `routes` names have what an
 * endpoint does. `server` has the sockets; pings and badges have routes of their own.
 * Invariant: every request gets a reply, and any page may read it (`cors`).
 */

import type { Actor } from '../../domain/accounts/audit.ts';
import type { Engine, EngineRead } from '../../engine/contract/engine.ts';
import { randomHex } from '../../lib/ids.ts';
import { createRateLimit, type RateLimit, rateLimitOptions } from '../../lib/rate-limit.ts';
import { loadZoneData } from '../../schedule/schedule.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import { answerAcrossOrigins, withCors } from '../wire/cors.ts';
import { errorReply, notFound, renderedReply } from '../wire/json-reply.ts';
import { type HttpReply, type HttpRequest, mergedSlashes, type Route } from '../wire/message.ts';
import { authorizeKey } from './auth.ts';
import type { ApiCall, ListeningCall } from './call.ts';
import { answerTagged, type UntaggedCall } from './entity-tag.ts';
import { EventHub } from './events/event-hub.ts';
import { openApiDocument } from './openapi.ts';
import { serviceStatus } from './project.ts';
import { requestJson } from './request-json.ts';
import { type OpenRoute, type Routed, type RouteHandler, routeOf } from './routes.ts';
import { OutputSearch } from './search/output-search.ts';

interface ApiOptions {
  readonly read: EngineRead;
  readonly changeBy: Engine['changeBy'];
  /** The deliveries that are not over; none if omitted. */
  readonly deliveries?: ApiCall['deliveries'];
  /** The listeners to events; a hub of its own if omitted. */
  readonly events?: EventHub;
  /** Those of the page too; of its own, which reads no mails, if omitted. */
  readonly search?: OutputSearch;
  /** `{base_url}` of every URL in an answer, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Path of the base URL; empty if omitted. */
  readonly basePath?: string;
  /** Requests per minute and client; 0 means no limit. */
  readonly rateLimitPerMinute: number;
}

interface ApiContext {
  readonly basePath: string;
  readonly read: EngineRead;
  readonly changeBy: Engine['changeBy'];
  readonly deliveries: ApiCall['deliveries'];
  readonly events: EventHub;
  readonly search: OutputSearch;
  readonly baseUrl: () => string;
  readonly rateLimit: RateLimit | null;
  readonly document: () => string;
  /** Random, of the tags of this process. */
  readonly epoch: string;
}

type Destination = Extract<Routed, { kind: 'route' }>;

const epochBytes = 16;

/** The headers that the routes read besides the key, in lower case. */
export const apiReads: readonly string[] = ['if-none-match', 'accept', 'last-event-id'];

/** Serves the paths that begin with `/api/`. */
export function createApi({ rateLimitPerMinute, basePath = '', ...options }: ApiOptions): Route {
  loadZoneData();
  const rateLimit = rateLimitPerMinute > 0 ? createRateLimit(rateLimitOptions(rateLimitPerMinute)) : null;
  const context: ApiContext = {
    ...options,
    basePath,
    rateLimit,
    deliveries: options.deliveries ?? (() => []),
    events: options.events ?? new EventHub(options.read),
    search: options.search ?? new OutputSearch(),
    epoch: randomHex(epochBytes),
    document: rememberedDocument(options.baseUrl),
  };
  return (request) => answer(context, request);
}

/** Waits for the first request: the port that the base URL may name is known only once the listener is open. */
function rememberedDocument(baseUrl: () => string): () => string {
  let json: string | null = null;
  return () => {
    json ??= JSON.stringify(openApiDocument(baseUrl()));
    return json;
  };
}

function answer(context: ApiContext, request: HttpRequest): HttpReply | Promise<HttpReply> {
  const routed = routeOf(mergedSlashes(request.path));
  switch (routed.kind) {
    case 'nowhere':
      return withCors([], notFound);
    case 'lacks-slash':
      return withCors([], redirectToSlash(context.basePath, request));
    case 'route':
      break;
  }
  const { handlers, open } = routed;
  if (open !== null) return answerAcrossOrigins(request, ['GET', 'HEAD'], () => openAnswers[open](context));
  return answerAcrossOrigins(request, [...handlers.keys()], () => callEndpoint(context, request, routed));
}

/**
 * Redirects clients that leave out the slash, as many do. If a client turns its method into GET on the way, that is its own
 * matter.
 */
function redirectToSlash(basePath: string, { path, query }: HttpRequest): HttpReply {
  const whole = basePath + mergedSlashes(path);
  const location = query === '' ? `${whole}/` : `${whole}/?${query}`;
  return { status: 301, headers: [['Location', location]], body: '' };
}

const openAnswers: Readonly<Record<OpenRoute, (context: ApiContext) => HttpReply>> = {
  serviceStatus: ({ read }) => serviceStatus(read),
  openApiDocument: ({ document }) => renderedReply(document()),
};

function callEndpoint(
  context: ApiContext,
  request: HttpRequest,
  to: Destination,
): HttpReply | Promise<HttpReply> {
  const handler = to.handlers.get(request.method);
  if (handler === undefined) return notFound;
  const waitSeconds = context.rateLimit?.take(request.clientAddr, request.receivedAtMs) ?? 0;
  if (waitSeconds > 0) return tooMany(waitSeconds);
  const auth = authenticate(context.read, request, handler);
  if ('refusal' in auth) return auth.refusal;
  const call: UntaggedCall = {
    read: context.read,
    change: context.changeBy({
      actor: { ...auth.actor, address: request.clientAddr },
      atMs: request.receivedAtMs,
      idempotencyKey: request.idempotencyKey,
    }),
    baseUrl: context.baseUrl(),
    version: to.version,
    project: auth.project,
    readOnly: auth.readOnly,
    readsBodies: !auth.readOnly,
    by: auth.by,
    listening: { headers: request.headers, keyId: auth.keyId, hub: context.events },
    path: to.path,
    query: new URLSearchParams(request.query),
    accept: request.headers.accept,
    json: auth.json,
    nowMs: request.receivedAtMs,
    deliveries: context.deliveries,
    search: context.search,
  };
  const reply = answerOf(call, handler, request, context.epoch);
  // Not earlier: a read waits for what was appended before it. A failure concerns the caller, who waits for the reply.
  const noteUse = (): void => call.change.noteKeyUse(auth.keyId, call.nowMs);
  if (reply instanceof Promise) void reply.then(noteUse, () => {});
  else noteUse();
  return reply;
}

function answerOf(
  call: UntaggedCall,
  handler: RouteHandler,
  request: HttpRequest,
  epoch: string,
): HttpReply | Promise<HttpReply> {
  if (!handler.isTagged) return handler.endpoint({ changesAt: () => {}, ...call });
  const target = `${request.path}?${request.query}`;
  const ifNoneMatch = request.headers['if-none-match'] ?? '';
  return answerTagged(call, { epoch, target, ifNoneMatch }, handler);
}

function tooMany(waitSeconds: number): HttpReply {
  const message = `too many requests, try again in ${waitSeconds} s`;
  return errorReply(429, message, [['Retry-After', String(waitSeconds)]]);
}

type Authentication =
  | (Pick<ApiCall, 'project' | 'readOnly' | 'by'> &
      Pick<ListeningCall, 'keyId'> & {
        readonly json: JsonObject;
        readonly actor: Actor;
      })
  | { readonly refusal: HttpReply };

/** Authenticates by the header before the body is read, so that a client without a key never makes Knell parse anything. */
function authenticate(read: EngineRead, request: HttpRequest, { access }: RouteHandler): Authentication {
  const { apiKey } = request;
  const early = apiKey === null ? null : authorizeKey(read, apiKey, access);
  if (early !== null && !early.ok) return { refusal: errorReply(401, early.error) };
  const body = request.method === 'POST' ? requestJson(request) : noBody;
  if (!body.ok) return { refusal: body.reply };
  const authorized = early ?? authorizeKey(read, keyIn(body.json), access);
  if (!authorized.ok) return { refusal: errorReply(401, authorized.error) };
  const { project, readOnly, by, keyId, actor } = authorized;
  return { project, readOnly, by, keyId, actor, json: body.json };
}

const noBody = { ok: true, json: {} } as const;

function keyIn({ api_key: key }: JsonObject): string | null {
  return typeof key === 'string' ? key : null;
}
