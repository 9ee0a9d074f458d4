/**
 * One event as a listener of its project sees it. What is stored has ids; names are those of now.
 * Invariant: a reader gets no UUID of a check, which would let him ping, and nothing about keys, members and sessions.
 */
import type { AuditEntry } from '../../../domain/accounts/audit.ts';
import type { Check } from '../../../domain/check/check.ts';
import type { EventAnswer, EventCheckAnswer, EventType } from '../../../domain/views/event-answers.ts';
import type { EngineRead, EventPlace, StoredEvent } from '../../../engine/contract/engine.ts';
import { asCheckId, asProjectId, type CheckId, type ProjectId, uniqueKeyOf } from '../../../lib/ids.ts';
import { notificationJson, secondsRounded } from '../history.ts';
import { incidentJson } from '../incidents/incident-json.ts';
import { isoMicroseconds } from '../iso-time.ts';
import { resultsJson } from '../results/results-json.ts';

/** The check that an event is about. */
interface EventSubject {
  readonly id: CheckId;
  readonly name: string;
  readonly slug: string;
  readonly tags: string;
}

/** An event, as far as it is the same for all listeners. */
export interface ProjectEvent {
  /** The text by which clients name it. */
  readonly id: string;
  readonly place: EventPlace;
  readonly type: EventType;
  readonly projectId: ProjectId;
  /** Ids of the checks that it is about; none for what is about no check. */
  readonly checks: readonly CheckId[];
  /** Renders it as JSON, for one kind of key. */
  json(readOnly: boolean): string;
}

export type ProjectEventReads = Pick<
  EngineRead,
  'checkAsIs' | 'deletedCheck' | 'unlistedCount' | 'eventsEpoch'
>;

/** Null for what belongs to no project, or is of no concern to listeners. */
export function projectEventOf(read: ProjectEventReads, event: StoredEvent): ProjectEvent | null {
  const place = { seq: event.seq, place: event.place };
  const id = idOfPlace(read.eventsEpoch(), place);
  if (event.type === 'incident') {
    const { incident } = event;
    const at = incident.entries.at(-1)?.atMs ?? incident.openedMs;
    return {
      ...{
        id,
        place,
        type: 'incident',
        projectId: incident.projectId,
        checks: incident.checks.map((one) => one.id),
      },
      json: once(() => ({
        ...{ id, type: 'incident', timestamp: isoMicroseconds(at) },
        // As of its last entry, so that the event is the same whenever it is rendered.
        incident: incidentJson(incident, read, at),
      })),
    };
  }
  if (event.type === 'audit') return configurationEvent(event.entry, place, id);
  const found = subjectOf(read, event.checkId);
  if (found === null) return null;
  return {
    ...{ id, place, type: typeOf(event.type), projectId: found.projectId, checks: [event.checkId] },
    json: once((readOnly) => checkEvent(event, id, checkJson(found.check, readOnly))),
  };
}

/** The text by which a client names a place. */
export function idOfPlace(epoch: string, { seq, place }: EventPlace): string {
  return `${epoch}-${seq}-${place}`;
}

/** Rendered once for each kind of key, however many listen. */
function once(render: (readOnly: boolean) => EventAnswer): ProjectEvent['json'] {
  const texts: (string | undefined)[] = [];
  return (readOnly) => {
    texts[Number(readOnly)] ??= JSON.stringify(render(readOnly));
    return texts[Number(readOnly)] ?? '';
  };
}

type OfCheck = Exclude<StoredEvent, { readonly type: 'audit' | 'incident' }>;

function typeOf(type: OfCheck['type']): EventType {
  if (type === 'notification') return 'delivery';
  return type === 'run-ending' ? 'run' : type;
}

function subjectOf(
  read: ProjectEventReads,
  id: CheckId,
): { readonly projectId: ProjectId; readonly check: EventSubject } | null {
  const check = read.checkAsIs(id);
  if (check !== null) return { projectId: check.projectId, check: subjectOfCheck(check) };
  const deleted = read.deletedCheck(id);
  return deleted && { projectId: deleted.projectId, check: { id, name: deleted.name, slug: '', tags: '' } };
}

function subjectOfCheck({ id, config }: Check): EventSubject {
  return { id, name: config.name, slug: config.slug, tags: config.tags };
}

function checkJson({ id, name, slug, tags }: EventSubject, readOnly: boolean): EventCheckAnswer {
  return { ...(readOnly ? { unique_key: uniqueKeyOf(id) } : { uuid: id }), name, slug, tags };
}

function checkEvent(event: OfCheck, id: string, check: EventCheckAnswer): EventAnswer {
  switch (event.type) {
    case 'ping':
      return pingEvent(event, id, check);
    case 'run':
      return runEvent(event, id, check);
    case 'status': {
      const { atMs, to, from, cause } = event.change;
      const timestamp = isoMicroseconds(atMs);
      return { id, type: 'status', timestamp, check, status: to, previous: from, cause };
    }
    case 'notification': {
      const { notification } = event;
      const timestamp = isoMicroseconds(notification.atMs);
      return { id, type: 'delivery', timestamp, check, notification: notificationJson(notification) };
    }
    case 'run-ending': {
      const { atMs, outcome, startedMs, rid, host } = event.ending;
      return {
        ...{ id, type: 'run', timestamp: isoMicroseconds(atMs), check, outcome },
        ...{ started: startedMs === null ? null : isoMicroseconds(startedMs), duration: null },
        ...{ rid, host, exitstatus: null, n: null },
      };
    }
  }
}

type PingLike<Type> = Extract<StoredEvent, { readonly type: Type }>;

function pingEvent({ ping, durationMs }: PingLike<'ping'>, id: string, check: EventCheckAnswer): EventAnswer {
  const { n, atMs, signal, rid, exitStatus, host, results, bodyBytes } = ping;
  return {
    ...{ id, type: 'ping', timestamp: isoMicroseconds(atMs), check, n, signal, rid, exitstatus: exitStatus },
    ...(host === '' ? {} : { host }),
    duration: durationMs === null ? null : secondsRounded(durationMs),
    ...(results.length === 0 ? {} : { results: resultsJson(results) }),
    body_bytes: bodyBytes,
  };
}

function runEvent({ ping, durationMs }: PingLike<'run'>, id: string, check: EventCheckAnswer): EventAnswer {
  const { n, atMs, signal, rid, exitStatus, host } = ping;
  const outcome = signal === 'fail' ? 'failed' : signal === 'warn' ? 'warned' : 'succeeded';
  return {
    ...{ id, type: 'run', timestamp: isoMicroseconds(atMs), check, outcome },
    started: durationMs === null ? null : isoMicroseconds(atMs - durationMs),
    duration: durationMs === null ? null : secondsRounded(durationMs),
    ...{ rid, host, exitstatus: exitStatus, n },
  };
}

/** Subjects of the audit log that a project's listener may see. */
const shownSubjects: ReadonlySet<AuditEntry['subject']> = new Set([
  'check',
  'integration',
  'notification',
  'project',
  'status-page',
  'maintenance',
]);

function configurationEvent(entry: AuditEntry, place: EventPlace, id: string): ProjectEvent | null {
  const { action, subject, subjectId, projectId, name, fields, detail, actor, atMs } = entry;
  if (projectId === '' || !shownSubjects.has(subject)) return null;
  const checkId = subject === 'check' ? asCheckId(subjectId) : null;
  return {
    ...{ id, place, type: 'configuration', projectId: asProjectId(projectId) },
    checks: checkId === null ? [] : [checkId],
    json: once((readOnly) => ({
      ...{ id, type: 'configuration', timestamp: isoMicroseconds(atMs), action, subject },
      ...(readOnly && subject === 'check' ? {} : { subject_id: subjectId }),
      ...{ name, fields, detail },
      ...(readOnly ? {} : { by: actor.name === '' ? actor.kind : actor.name }),
    })),
  };
}
