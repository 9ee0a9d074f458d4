/**
 * The management API for those who are signed in: the same endpoints, opened by a session in place of a key, without
 * the limit that keys have.
 * Invariant: whoever may only look gets answers to GET alone.
 */

import type { SchedulePreview } from '../../domain/page-view.ts';
import { mayActAs } from '../../domain/user.ts';
import { parseSchedule } from '../../schedule/schedule.ts';
import { routeOf } from '../api/routes.ts';
import { errorReply, jsonReply, notFound } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import type { Answer, ProjectCall, VisitorCall } from './call.ts';

export function throughApi({ room, request, visitor, project, path, json, nowMs }: ProjectCall): Answer {
  const routed = routeOf(`/api/v3/${path.rest ?? ''}`);
  const entrance = routed.kind === 'route' ? routed.entrances.get(request.method) : undefined;
  if (routed.kind !== 'route' || entrance === undefined) return notFound;
  if (request.method !== 'GET' && !mayActAs(visitor.user.role, 'editor')) return mayOnlyLook;
  return entrance.endpoint({
    read: room.engine.read,
    change: room.engine.change,
    baseUrl: room.baseUrl,
    version: routed.version,
    project,
    readOnly: false,
    path: routed.path,
    query: new URLSearchParams(request.query),
    json,
    nowMs,
  });
}

export const mayOnlyLook = errorReply(403, 'your role does not allow this: ask an owner');

const previewTimes = 5;

/** What a schedule comes to, as one types it. */
export function previewSchedule({ request, nowMs }: VisitorCall): HttpReply {
  const query = new URLSearchParams(request.query);
  const parsed = parseSchedule(query.get('expr') ?? '', query.get('tz') ?? 'UTC');
  if (!parsed.ok) return jsonReply({ ok: false, error: parsed.error } satisfies SchedulePreview);
  const timesMs: number[] = [];
  for (let at = parsed.schedule.next(nowMs); at !== null; at = parsed.schedule.next(at)) {
    if (timesMs.push(at) === previewTimes) break;
  }
  return jsonReply({ ok: true, kind: parsed.schedule.kind, timesMs } satisfies SchedulePreview);
}
