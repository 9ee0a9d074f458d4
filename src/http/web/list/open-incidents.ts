/**
 * The incidents of a project that are not resolved, as the pages show them beside its checks.
 * Invariant: it costs no more than there are incidents that are not resolved: the list asks for them with every change.
 */
import type { Incident } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import type { OpenIncidentsView, WallIncidentView } from '../../../domain/views/page-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { ProjectId } from '../../../lib/ids.ts';

type IncidentRead = Pick<EngineRead, 'openIncidents'>;

export const noIncidents: OpenIncidentsView = {
  count: 0,
  acknowledged: 0,
  down: 0,
  isMore: false,
  only: null,
};

export function openIncidentsOf(read: IncidentRead, projectId: ProjectId): OpenIncidentsView {
  const open = read.openIncidents(projectId);
  const [first] = open;
  return {
    count: open.length,
    acknowledged: open.filter(isAcknowledged).length,
    down: open.reduce((sum, incident) => sum + downIn(incident), 0),
    isMore: open.some(({ more }) => more > 0),
    only: first && open.length === 1 ? first.id : null,
  };
}

/** At most `max`: those that nobody has acknowledged first, the oldest of them first. */
export function wallIncidents(
  read: IncidentRead,
  projectId: ProjectId,
  max: number,
): readonly WallIncidentView[] {
  if (max === 0) return [];
  return read
    .openIncidents(projectId)
    .toSorted((a, b) => Number(isAcknowledged(a)) - Number(isAcknowledged(b)) || a.openedMs - b.openedMs)
    .slice(0, max)
    .map((incident) => ({
      title: incidentTitle(incident),
      openedMs: incident.openedMs,
      down: downIn(incident),
      isAcknowledged: isAcknowledged(incident),
      by: isAcknowledged(incident) ? incident.acknowledgedBy : '',
    }));
}

function isAcknowledged({ stage }: Incident): boolean {
  return stage === 'acknowledged';
}

function downIn({ checks }: Incident): number {
  return checks.reduce((count, { leftMs }) => count + Number(leftMs === 0), 0);
}
