/**
 * The incidents of a project that are not resolved, as the wall view shows them beside its checks.
 * Invariant: none has one check only, those that nobody has acknowledged come first, and at most so many as fit.
 */
import type { Incident } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import type { WallIncidentView } from '../../../domain/views/page-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ProjectId } from '../../../lib/ids.ts';
import { namesNow } from '../../api/incidents/names-now.ts';

/** At most `max` of several checks, since that of one says what the line of its check does: those that nobody has acknowledged first, the newest of them first. */
export function wallIncidents(
  read: Pick<EngineRead, 'openIncidents' | 'unlistedCount' | 'check'>,
  projectId: ProjectId,
  { max, nowMs }: { readonly max: number; readonly nowMs: number },
): readonly WallIncidentView[] {
  if (max === 0) return [];
  const nameNow = namesNow({ projectId }, read, nowMs);
  return read
    .openIncidents(projectId)
    .filter(({ id, checks }) => checks.length + read.unlistedCount(id) > 1)
    .toSorted((a, b) => Number(isAcknowledged(a)) - Number(isAcknowledged(b)) || b.openedMs - a.openedMs)
    .slice(0, max)
    .map((incident) => ({
      title: incidentTitle(incident, nameNow),
      openedMs: incident.openedMs,
      down: incident.checks.filter(({ leftMs }) => leftMs === 0).length + read.unlistedCount(incident.id),
      isAcknowledged: isAcknowledged(incident),
      by: isAcknowledged(incident) ? incident.acknowledgedBy : '',
    }));
}

function isAcknowledged({ stage }: Incident): boolean {
  return stage === 'acknowledged';
}
