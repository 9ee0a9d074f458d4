/**
 * The management API, downward: route, method, rate, key, body, endpoint. What an endpoint does is in the files that
 * `routes` names.
 * Not here: sockets (`server`), pings and badges, which have routes of their own.
 * Invariant: whatever is sent, the answer is a reply, and any page may read it (`cors`).
 */
import type { Project } from '../../domain/project.ts';
import type { EngineChange, EngineRead } from '../../engine/engine.ts';
import { loadZoneData } from '../../schedule/schedule.ts';
import { answerAcrossOrigins, withCors } from '../cors.ts';
import { errorReply, notFound } from '../json-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../message.ts';
import { createRateLimit, type RateLimit, rateLimitOptions } from '../rate-limit.ts';
import { admit } from './auth.ts';
import { serviceStatus } from './project.ts';
import { type JsonObject, requestJson } from './request-json.ts';
import { type Entrance, type Routed, routeOf } from './routes.ts';

export interface ApiOptions {
  readonly read: EngineRead;
  readonly change: EngineChange;
  /** `{base_url}` of every URL in an answer. */
  readonly baseUrl: string;
  /** Requests a minute and client; 0 for no limit. */
  readonly rateLimitPerMinute: number;
}

interface Room {
  readonly read: EngineRead;
  readonly change: EngineChange;
  readonly baseUrl: string;
  readonly rateLimit: RateLimit | null;
}

type Destination = Extract<Routed, { kind: 'route' }>;

/** Serves the paths that begin with `/api/`. */
export function createApi({ read, change, baseUrl, rateLimitPerMinute }: ApiOptions): Route {
  loadZoneData();
  const rateLimit = rateLimitPerMinute > 0 ? createRateLimit(rateLimitOptions(rateLimitPerMinute)) : null;
  const room: Room = { read, change, baseUrl: baseUrl.replace(/\/+$/, ''), rateLimit };
  return (request) => answer(room, request);
}

function answer(room: Room, request: HttpRequest): HttpReply | Promise<HttpReply> {
  const routed = routeOf(request.path);
  switch (routed.kind) {
    case 'nowhere':
      return withCors([], notFound);
    case 'lacks-slash':
      return withCors([], redirectToSlash(request));
    case 'route':
      break;
  }
  const { entrances } = routed;
  if (entrances.size === 0) {
    return answerAcrossOrigins(request, ['GET', 'HEAD'], () => serviceStatus(room.read));
  }
  return answerAcrossOrigins(request, [...entrances.keys()], () => enter(room, request, routed));
}

/** Clients are sloppy about the slash and follow; that the method may become GET on the way is theirs to know. */
function redirectToSlash({ path, query }: HttpRequest): HttpReply {
  const location = query === '' ? `${path}/` : `${path}/?${query}`;
  return { status: 301, headers: [['Location', location]], body: '' };
}

function enter(room: Room, request: HttpRequest, to: Destination): HttpReply | Promise<HttpReply> {
  const entrance = to.entrances.get(request.method);
  if (entrance === undefined) return notFound;
  const waitSeconds = room.rateLimit?.take(request.clientAddr, request.receivedAtMs) ?? 0;
  if (waitSeconds > 0) return tooMany(waitSeconds);
  const visitor = identify(room.read, request, entrance);
  if ('refusal' in visitor) return visitor.refusal;
  return entrance.endpoint({
    read: room.read,
    change: room.change,
    baseUrl: room.baseUrl,
    version: to.version,
    project: visitor.project,
    readOnly: visitor.readOnly,
    path: to.path,
    query: new URLSearchParams(request.query),
    json: visitor.json,
    nowMs: request.receivedAtMs,
  });
}

function tooMany(waitSeconds: number): HttpReply {
  const message = `too many requests, try again in ${waitSeconds} s`;
  return errorReply(429, message, [['Retry-After', String(waitSeconds)]]);
}

type Visitor =
  | { readonly project: Project; readonly readOnly: boolean; readonly json: JsonObject }
  | { readonly refusal: HttpReply };

/** A key in the header is tried before the body is read, so that nobody without one makes Knell parse anything. */
function identify(read: EngineRead, request: HttpRequest, { access }: Entrance): Visitor {
  const { apiKey } = request;
  const early = apiKey === null ? null : admit(read, apiKey, access);
  if (early !== null && !early.ok) return { refusal: errorReply(401, early.error) };
  const body = request.method === 'POST' ? requestJson(request) : noBody;
  if (!body.ok) return { refusal: body.reply };
  const admission = early ?? admit(read, keyIn(body.json), access);
  if (!admission.ok) return { refusal: errorReply(401, admission.error) };
  return { project: admission.project, readOnly: admission.readOnly, json: body.json };
}

const noBody = { ok: true, json: {} } as const;

function keyIn({ api_key: key }: JsonObject): string | null {
  return typeof key === 'string' ? key : null;
}
