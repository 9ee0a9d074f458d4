/**
 * Check-ins of Sentry: `/api/<project>/cron/<slug>/<key>/?status=in_progress|ok|error` by GET or POST, and the envelopes that its SDKs
 * send to `/api/<project>/envelope/`. The public key of the DSN is a ping key, its project any number.
 * What else an envelope has (errors, traces, logs) is accepted and dropped.
 */
import type { Action } from '../../../domain/check/classify.ts';
import type { HttpRequest } from '../../wire/message.ts';
import { bySlug, partsBehind, resultsIn, runIdOf } from './address.ts';
import type { Asked, AskedPing, CompatEndpoint, CompatRequest, Refusal } from './compat-endpoint.ts';
import { compatJson, notFoundHere } from './compat-endpoint.ts';
import { checkInsIn, type Json, objectIn } from './sentry-envelope.ts';
import { monitorConfigIn } from './sentry-monitor.ts';

const ours = /^\/api\/\d{1,20}\/(?:cron\/|envelope\/?$)/;
const ofProject = /^\/api\/\d{1,20}\//;
const noId = /^0{8}-?0{4}-?0{4}-?0{4}-?0{12}$/;

const actions: ReadonlyMap<unknown, Action> = new Map([
  ['in_progress', 'start'],
  ['ok', 'success'],
  ['error', 'fail'],
]);

export const sentry: CompatEndpoint = {
  owns: (path) => ours.test(path),
  reads: ['x-sentry-auth', 'content-encoding'],
  readsBody: true,
  read(asked) {
    const { request } = asked;
    if (request.bodyCut) return { status: 413, words: 'the body is larger than 100 kB' };
    return /\/envelope\/?$/.test(request.path) ? readEnvelope(asked) : readCheckIn(asked);
  },
  done: (asked) => compatJson({ id: asked[0]?.rid?.replaceAll('-', '') ?? '' }, asked.length > 0 ? 202 : 200),
  refuse: ({ status, words }) => compatJson({ detail: words }, status),
};

/** Gives checks that exist what their check-ins say, too. */
export const sentryUpserts: CompatEndpoint = { ...sentry, upserts: true };

function readCheckIn({ request, query }: CompatRequest): Asked {
  const prefix = ofProject.exec(request.path)?.[0] ?? '';
  const [, slug, key, ...others] = partsBehind(prefix, request.path);
  if (slug === undefined || key === undefined || others.length > 0) return notFoundHere;
  const said = request.body.length === 0 ? {} : objectIn({ bytes: Buffer.from(request.body) });
  if (said === null) return { status: 400, words: 'the body is no JSON object of up to 10 kB' };
  const ping = pingOf({ ...Object.fromEntries(query), ...said }, { key, slug, query });
  return 'status' in ping ? ping : { pings: [ping] };
}

function readEnvelope({ request, query }: CompatRequest): Asked {
  const found = checkInsIn(request.body, request.headers['content-encoding'] ?? '');
  if ('status' in found) return found;
  const key = keyOf(request, query) || found.key;
  const pings: AskedPing[] = [];
  for (const said of found.checkIns) {
    const slug = said.monitor_slug;
    if (typeof slug !== 'string') return { status: 400, words: 'monitor_slug is not a string' };
    const ping = pingOf(said, { key, slug, query });
    if ('status' in ping) return ping;
    pings.push({ ...ping, body: Buffer.from(JSON.stringify(said)) });
  }
  return { pings };
}

/** Of `Sentry sentry_key=…, sentry_version=7`, or of the query. */
function keyOf({ headers }: HttpRequest, query: URLSearchParams): string {
  const [, key] = /\bsentry_key=([-\w]+)/.exec(headers['x-sentry-auth'] ?? '') ?? [];
  return key ?? query.get('sentry_key') ?? '';
}

interface Place {
  readonly key: string;
  readonly slug: string;
  readonly query: URLSearchParams;
}

function pingOf(said: Json, { key, slug, query }: Place): AskedPing | Refusal {
  const action = actions.get(said.status);
  if (action === undefined) return { status: 400, words: 'status is one of in_progress, ok, error' };
  const { check_in_id: id = '', duration, monitor_config: config } = said;
  if (typeof id !== 'string') return { status: 400, words: 'check_in_id is not a string' };
  // Null is what an SDK sends for none.
  const read = config === undefined || config === null ? undefined : monitorConfigIn(config);
  const named = bySlug(key, slug, query, read && ('error' in read ? read : read.creation));
  if ('status' in named) return named;
  const given = read && 'given' in read ? read.given : null;
  const took = typeof duration === 'number' || typeof duration === 'string' ? [`duration:${duration}`] : [];
  return { ...named, given, action, rid: noId.test(id) ? null : runIdOf(id), results: resultsIn(took) };
}
