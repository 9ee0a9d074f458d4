/**
 * An incident as the management API and the page show it.
 * Invariant: a reader gets no UUID of a check, which would let him ping.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import { incidentReopenMs } from '../../../domain/limits.ts';
import type { IncidentAnswer, IncidentDetailsAnswer } from '../../../domain/views/api-answers.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { uniqueKeyOf } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { incidentLogsPerTurn, incidentNotificationsMax } from '../../limits.ts';
import { notificationJson, secondsRounded } from '../history.ts';
import { isoMicroseconds, isoSeconds } from '../iso-time.ts';

/** `read`: knows how many checks are down that the incident's list has no place for. */
export function incidentJson(
  incident: Incident,
  read: Pick<EngineRead, 'unlistedCount'>,
  nowMs: number,
): IncidentAnswer {
  const { openedMs, resolvedMs, checks, more } = incident;
  return {
    id: incident.id,
    state: incident.stage,
    title: incidentTitle(incident),
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
  readonly nowMs: number;
}

/** Resolves once what it shows is durable. */
export async function incidentDetails(
  incident: Incident,
  { read, readOnly, withNotifications, nowMs }: IncidentReader,
): Promise<IncidentDetailsAnswer> {
  return {
    ...(await read.durably(() => incidentJson(incident, read, nowMs))),
    checks: incident.checks.map((check) => checkJson(check, readOnly)),
    entries: incident.entries.map(({ atMs, kind, check, by, text }) => ({
      timestamp: isoMicroseconds(atMs),
      ...{ kind, check, by, text },
    })),
    ...(withNotifications ? { notifications: await notificationsOf(incident, read) } : {}),
  };
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

type ShownNotification = NonNullable<IncidentDetailsAnswer['notifications']>[number];

/**
 * The newest of all its checks. Those of an outage soon after it are its own, too: it opens the incident again. What is known only
 * later than that is left out, as the next outage of a check may be another incident.
 */
async function notificationsOf(
  { checks, openedMs, resolvedMs }: Incident,
  read: EngineRead,
): Promise<readonly ShownNotification[]> {
  const range = { fromMs: openedMs, untilMs: resolvedMs === 0 ? NEVER : resolvedMs + incidentReopenMs };
  const found: { readonly atMs: number; readonly shown: ShownNotification }[] = [];
  for (let from = 0; from < checks.length; from += incidentLogsPerTurn) {
    const part = checks.slice(from, from + incidentLogsPerTurn);
    const sent = await read.durably(() =>
      part.flatMap(({ id, name }) =>
        read.notifications(id, range, incidentNotificationsMax).map((one) => ({
          atMs: one.atMs,
          shown: { check: name, ...notificationJson(one) },
        })),
      ),
    );
    found.push(...sent);
    await nextTurn();
  }
  return found
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, incidentNotificationsMax)
    .map(({ shown }) => shown);
}

function secondsOrNull(atMs: number): string | null {
  return atMs === 0 ? null : isoSeconds(atMs);
}
