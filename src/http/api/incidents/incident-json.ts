/**
 * An incident as the management API and the page show it.
 * Invariant: a reader gets no UUID of a check, which would let him ping.
 */
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { PlaceInQueue } from '../../../domain/deliveries/sent-notification.ts';
import type { IncidentAnswer, IncidentDetailsAnswer } from '../../../domain/views/api-answers.ts';
import type { IncidentView } from '../../../domain/views/incident-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { uniqueKeyOf } from '../../../lib/ids.ts';
import { secondsRounded } from '../history.ts';
import { isoMicroseconds, isoSeconds } from '../iso-time.ts';
import { notificationsOf, waitingOf } from './incident-notifications.ts';
import { type NameNow, namesNow, withNamesNow } from './names-now.ts';

/**
 * `read`: knows how many checks are down that the incident's list has no place for. `nameNow`: absent where the names are those of then,
 * as in an event.
 */
export function incidentJson(
  incident: Incident,
  read: Pick<EngineRead, 'unlistedCount'>,
  nowMs: number,
  nameNow?: NameNow,
): IncidentAnswer {
  const { openedMs, resolvedMs, checks, more } = incident;
  return {
    id: incident.id,
    state: incident.stage,
    title: incidentTitle(incident, nameNow),
    opened: isoSeconds(openedMs),
    acknowledged: secondsOrNull(incident.acknowledgedMs),
    acknowledged_by: incident.acknowledgedMs === 0 ? null : incident.acknowledgedBy,
    resolved: secondsOrNull(resolvedMs),
    duration: secondsRounded((resolvedMs || Math.max(nowMs, openedMs)) - openedMs),
    n_checks: checks.length + more,
    n_down: checks.filter(({ leftMs }) => leftMs === 0).length + read.unlistedCount(incident.id),
  };
}

/** What a reader may see. */
export interface IncidentReader {
  readonly read: EngineRead;
  readonly readOnly: boolean;
  /** Whether notifications are shown. */
  readonly withNotifications: boolean;
  /** The deliveries that are not over, of all projects. */
  readonly deliveries: () => Iterable<Delivery>;
  /** Whether the page offers to send the delivery again, asked newest first; absent for the management API. */
  readonly isOffered?: (delivery: string) => boolean;
  /** What the page says of one that waits; absent for the management API. */
  readonly placeOf?: (delivery: Delivery) => PlaceInQueue;
  readonly nowMs: number;
}

/** Resolves once what it shows is durable. */
export async function incidentDetails(stored: Incident, reader: IncidentReader): Promise<IncidentView> {
  const { read } = reader;
  const incident = await read.durably(() => withNamesNow(stored, namesNow(stored, read, reader.nowMs)));
  const shown = reader.withNotifications ? await sentAndWaiting(incident, reader) : {};
  return {
    ...(await read.durably(() => incidentJson(incident, read, reader.nowMs))),
    checks: incident.checks.map((check) => checkJson(check, reader.readOnly)),
    entries: incident.entries.map(({ atMs, kind, check, by, text }) => ({
      timestamp: isoMicroseconds(atMs),
      ...{ kind, check, by, text },
    })),
    ...shown,
  };
}

/** What waits is read first: what is sent meanwhile is then in both, rather than in none. */
async function sentAndWaiting(
  incident: Incident,
  { read, deliveries, isOffered, placeOf }: IncidentReader,
): Promise<Pick<IncidentView, 'notifications' | 'waiting'>> {
  const waiting = await waitingOf(incident, read, deliveries(), placeOf);
  const notifications = await notificationsOf(incident, read, isOffered);
  return { notifications, ...(waiting.length === 0 ? {} : { waiting }) };
}

function checkJson(
  { id, name, joinedMs, leftMs, isDependent }: IncidentCheck,
  readOnly: boolean,
): IncidentDetailsAnswer['checks'][number] {
  return {
    ...(readOnly ? { unique_key: uniqueKeyOf(id) } : { uuid: id }),
    name,
    joined: isoSeconds(joinedMs),
    left: secondsOrNull(leftMs),
    dependent: isDependent,
  };
}

function secondsOrNull(atMs: number): string | null {
  return atMs === 0 ? null : isoSeconds(atMs);
}
