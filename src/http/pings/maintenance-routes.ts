/**
 * Starts and ends maintenance by a ping key, for scripts: `/ping/<ping_key>/maintenance/2h` and `…/maintenance/end`, with `?tag=` for a
 * tag, and `/ping/<ping_key>/<slug>/maintenance/2h` for one check. A check whose slug is `maintenance` keeps all of its addresses: a
 * time with its unit and `end` are no signals of a ping.
 * Invariant: it is answered when it is durable, and asked twice it has the effect of once.
 */
import { actorOf } from '../../domain/accounts/audit.ts';
import type { Project } from '../../domain/accounts/project.ts';
import { activeAt } from '../../domain/alerting/calendar.ts';
import { type CheckScope, startedId } from '../../domain/alerting/maintenance.ts';
import { maintenanceSecondsMax, maintenanceSecondsMin, tagsLengthMax } from '../../domain/limits.ts';
import type { Engine } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import { spanSeconds } from '../../spec/maintenance-spec.ts';
import { type HttpReply, type HttpRequest, mergedSlashes, type Route } from '../wire/message.ts';
import { pingReplies, pingText } from '../wire/replies.ts';

interface Asked {
  readonly pingKey: string;
  /** Empty for the whole project. */
  readonly slug: string;
  /** `2h`, or `end`. */
  readonly what: string;
}

const ofProject = /^\/ping\/([-\w]+)\/maintenance\/(\d+[a-z]+|end)$/i;
const ofCheck = /^\/ping\/([-\w]+)\/([-\w]+)\/maintenance\/([-\w]+)$/;

/** Null for any other address: a ping, or one that does not exist. */
function askedBy({ method, path }: Pick<HttpRequest, 'method' | 'path'>): Asked | null {
  if (!path.includes('/maintenance/') || (method !== 'GET' && method !== 'POST')) return null;
  const [, key, what] = ofProject.exec(path) ?? [];
  if (key !== undefined && what !== undefined) return { pingKey: key, slug: '', what };
  const [, pingKey, slug, asked] = ofCheck.exec(path) ?? [];
  return pingKey === undefined || slug === undefined || asked === undefined
    ? null
    : { pingKey, slug, what: asked };
}

/** Whether the request is one of these, and no ping. */
export function asksForMaintenance({ method, path }: Pick<HttpRequest, 'method' | 'path'>): boolean {
  return askedBy({ method, path: mergedSlashes(path) }) !== null;
}

export function createMaintenanceRoute({ read, changeBy }: Pick<Engine, 'read' | 'changeBy'>): Route {
  return async (request) => {
    const asked = askedBy(request);
    if (asked === null) return pingReplies['not-found'];
    const ends = asked.what.toLowerCase() === 'end';
    const seconds = spanSeconds(asked.what.toLowerCase()) ?? 0;
    if (!ends && (seconds < maintenanceSecondsMin || seconds > maintenanceSecondsMax))
      return pingText(400, 'give a time from 1m to 7d, such as 90m, 2h or 1d, or end');
    const found = await read.durably(() => scopeOf(read, asked, request));
    if ('refusal' in found) return found.refusal;
    const { remoteAddr, receivedAtMs: nowMs } = request;
    const change = changeBy({ actor: actorOf('ping', '', '', remoteAddr), atMs: nowMs });
    const { project, scope, name } = found;
    try {
      if (ends) return await ended({ read, change }, project, scope, nowMs);
      const untilMs = nowMs + seconds * second;
      const window = await change.startMaintenance({ projectId: project.id, ...scope, name, untilMs }, nowMs);
      return pingText(200, `OK, maintenance until ${iso(activeAt(window, nowMs)?.untilMs ?? untilMs)}`);
    } catch (error) {
      return refusalOf(error);
    }
  };
}

interface Found {
  readonly project: Project;
  readonly scope: CheckScope;
  /** Of the window, if there is none yet. */
  readonly name: string;
}

function scopeOf(
  read: Engine['read'],
  { pingKey, slug }: Asked,
  { query, receivedAtMs }: HttpRequest,
): Found | { readonly refusal: HttpReply } {
  const holder = read.holderOf(pingKey);
  if (holder?.scope !== 'ping') return { refusal: pingReplies['unknown-key'] };
  const { project } = holder;
  const tags = [...new Set(new URLSearchParams(query).getAll('tag'))].sort();
  if (tags.some((tag) => !/^\S+$/.test(tag) || tag.length > tagsLengthMax))
    return { refusal: pingText(400, 'a tag has no blanks, and is not empty') };
  if (slug === '') return { project, scope: { checks: [], tags }, name: ['Maintenance', ...tags].join(' ') };
  if (tags.length > 0) return { refusal: pingText(400, 'give a slug or a tag, not both') };
  const target = { by: 'slug', pingKey, slug, create: false } as const;
  const mailbox = read.mailbox(target);
  if (mailbox === 'ambiguous' || mailbox === 'not-found') return { refusal: pingReplies[mailbox] };
  const check = read.checkOfTarget(target, receivedAtMs);
  if (!check) return { refusal: pingReplies['not-found'] };
  return { project, scope: { checks: [check.id], tags: [] }, name: `Maintenance ${slug}` };
}

/** A script that ends twice, or what nobody has started, has what it wants. */
async function ended(
  { read, change }: { readonly read: Engine['read']; readonly change: Engine['change'] },
  project: Project,
  scope: CheckScope,
  nowMs: number,
): Promise<HttpReply> {
  const window = read.maintenanceWindow(startedId(project.id, scope));
  if (window === null || activeAt(window, nowMs) === null)
    return read.durably(() => pingText(200, 'OK, no maintenance was on'));
  await change.endMaintenance(window.id, nowMs);
  return pingText(200, 'OK, maintenance has ended');
}

function refusalOf(error: unknown): HttpReply {
  if (!(error instanceof KnellError)) throw error;
  if (error.code === 'store-full') return pingReplies['store-full'];
  if (error.code === 'not-found') return pingReplies['not-found'];
  if (error.code === 'conflict') return pingText(409, error.message);
  throw error;
}

function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
