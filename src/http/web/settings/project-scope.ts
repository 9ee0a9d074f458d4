/**
 * The management API for signed-in users: the same endpoints, authorized by a session instead of a key, without the limit that
 * keys have.
 * Invariant: a viewer may only GET.
 */

import { mayActAs } from '../../../domain/accounts/user.ts';
import type { CheckDraftView, SchedulePreview } from '../../../domain/views/page-view.ts';
import { day, hour, minute, second } from '../../../lib/units.ts';
import { clockChangeOf, parseSchedule, type Schedule } from '../../../schedule/schedule.ts';
import { specErrors } from '../../../spec/check-spec.ts';
import { routeOf } from '../../api/routes.ts';
import { dueStepsMax } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall, UserCall } from '../calls/call.ts';
import { checkIdOf, mayPing } from '../calls/shown-id.ts';

export async function throughApi(call: ProjectCall): Promise<HttpReply> {
  const { context, request, principal, role, change, project, json, nowMs } = call;
  const routed = routeOf(`/api/v3/${await apiPathOf(call)}`);
  const handler = routed.kind === 'route' ? routed.handlers.get(request.method) : undefined;
  if (routed.kind !== 'route' || handler === undefined) return notFound;
  if (request.method !== 'GET' && !mayActAs(role, 'editor')) return forbidden;
  return handler.endpoint({
    read: context.engine.read,
    change,
    baseUrl: context.baseUrl(),
    version: routed.version,
    project,
    readOnly: !mayPing(role),
    readsBodies: true,
    by: principal.user.name,
    path: routed.path,
    query: new URLSearchParams(request.query),
    json,
    nowMs,
    changesAt: () => {},
    deliveries: () => context.commands.outbox.withSettling(),
    search: context.search,
  });
}

/** Pings have no address by unique key in the API; this adds one, so that viewers can see them. */
async function apiPathOf(call: ProjectCall): Promise<string> {
  const path = call.path.rest ?? '';
  const [checks = '', shown = '', ...rest] = path.split('/');
  if (shown === '') return path;
  return [checks, await checkIdOf(call, shown), ...rest].join('/');
}

export const forbidden = errorReply(403, 'your role does not allow this: ask an owner');

/** Says all that is wrong with the fields of a check, of which the API names the first. Nothing is changed. */
export function judgeDraft({ json }: ProjectCall): HttpReply {
  return jsonReply({ errors: specErrors(json) } satisfies CheckDraftView);
}

const previewTimes = 5;

/** Shows the meaning of a schedule while the user types it. */
export function previewSchedule({ request, nowMs }: UserCall): HttpReply {
  const query = new URLSearchParams(request.query);
  const dueMs = nowMs - secondsIn(query, 'grace') * second;
  if (query.has('timeout')) {
    const lastDueMs = dueMs - secondsIn(query, 'timeout') * second;
    return jsonReply({
      ok: true,
      kind: 'simple',
      timesMs: [],
      notes: [],
      lastDueMs,
    } satisfies SchedulePreview);
  }
  const parsed = parseSchedule(query.get('expr') ?? '', query.get('tz') ?? 'UTC');
  if (!parsed.ok) return jsonReply({ ok: false, error: parsed.error } satisfies SchedulePreview);
  const { schedule } = parsed;
  const timesMs: number[] = [];
  const notes: string[] = [];
  let beforeMs = nowMs;
  for (let at = schedule.next(nowMs); at !== null; at = schedule.next(at)) {
    notes.push(clockChangeOf(schedule, beforeMs, at)?.words ?? '');
    beforeMs = at;
    if (timesMs.push(at) === previewTimes) break;
  }
  return jsonReply({
    ...{ ok: true, kind: schedule.kind, timesMs, notes },
    ...(query.has('grace') ? { lastDueMs: lastUntil(schedule, dueMs) } : {}),
  } satisfies SchedulePreview);
}

/** 0 for what is no number of seconds. */
function secondsIn(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Spans of time in which an earlier time is looked for, one after the other. */
const lookedBackMs = [minute, hour, day, 8 * day, 32 * day, 370 * day];
/** The last time of a schedule until then, or one before it of a schedule with ever so many; null for none within a year. */
function lastUntil(schedule: Schedule, untilMs: number): number | null {
  for (const spanMs of lookedBackMs) {
    let lastMs = schedule.next(untilMs - spanMs);
    if (lastMs === null || lastMs > untilMs) continue;
    for (let steps = 0; steps < dueStepsMax; steps++) {
      const nextMs = schedule.next(lastMs);
      if (nextMs === null || nextMs > untilMs) break;
      lastMs = nextMs;
    }
    return lastMs;
  }
  return null;
}
