/**
 * What a step of a check means for incidents: one opens, the check joins or leaves one, the last one that leaves resolves it.
 * `domain/alerting/incident` says what an incident is then.
 * Invariants: in the batch of the step. A check that is snoozed, or whose alerts its own settings hold back, opens none.
 */
import {
  type Incident,
  independent,
  joined,
  left,
  openIncident,
  reopened,
} from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import { incidentReopenMs, incidentsKeptMax } from '../../domain/limits.ts';
import type { ProjectId } from '../../lib/ids.ts';
import type { EngineContext } from '../context/context.ts';
import { parentsDown } from './alerting-facts.ts';

const none: readonly Incident[] = [];

/** The incident as the step leaves it, at most one; none for most steps. */
export function incidentsAfter(context: EngineContext, check: Check, atMs: number): readonly Incident[] {
  const { incidents } = context.registry;
  const current = incidents.openOf(check.id);
  switch (placeOf(check)) {
    case 'as before':
      return none;
    case 'outside':
      return current ? [left(current, check.id, atMs)] : none;
    case 'dependent': {
      if (current) return none;
      const parents = parentsDown(context.registry, check);
      const incident = parents.map(({ id }) => incidents.openOf(id)).find((one) => one !== null);
      return incident ? [joined(incident, check, atMs)] : none;
    }
    case 'inside': {
      if (current) return madeIndependent(current, check);
      const last = incidents.lastOf(check.id);
      return [isRecent(last, check, atMs) ? reopened(last, check, atMs) : openIncident(check, atMs)];
    }
  }
}

/** Of a check that is deleted, or leaves its project. */
export function incidentsWithout(context: EngineContext, check: Check, atMs: number): readonly Incident[] {
  const current = context.registry.incidents.openOf(check.id);
  return current ? [left(current, check.id, atMs)] : none;
}

type Place = 'inside' | 'dependent' | 'outside' | 'as before';

function placeOf({ state, hold, snooze }: Check): Place {
  if (state.status !== 'down') {
    const isNotSaid = hold?.reason === 'recover-after' || hold?.reason === 'unstable';
    return isNotSaid ? 'as before' : 'outside';
  }
  if (hold === undefined) return snooze ? 'as before' : 'inside';
  return hold.reason === 'parent-down' ? 'dependent' : 'as before';
}

function madeIndependent(incident: Incident, { id }: Check): readonly Incident[] {
  const isDependent = incident.checks.some((check) => check.id === id && check.isDependent);
  return isDependent ? [independent(incident, id)] : none;
}

function isRecent(last: Incident | null, { projectId }: Check, atMs: number): last is Incident {
  return (
    last !== null &&
    last.projectId === projectId &&
    last.stage === 'resolved' &&
    atMs - last.resolvedMs < incidentReopenMs
  );
}

/** Appends them to the group that is open, and puts them into the registry; undone with the batch. */
export function appendIncidents(context: EngineContext, changed: readonly Incident[]): void {
  for (const incident of changed) {
    if (incident === context.registry.incidents.get(incident.id)) continue;
    putIncident(context, incident, { durable() {}, refused() {} });
    forgetOldest(context, incident.projectId);
  }
}

export function putIncident(
  { registry, store, events }: EngineContext,
  incident: Incident,
  asker: { durable(): void; refused(): void },
): void {
  const { incidents } = registry;
  const before = incidents.get(incident.id);
  incidents.put(incident);
  store.append(
    { type: 'put', kind: 'incident', fact: incident },
    {
      durable() {
        asker.durable();
        events.incidentChanged.publish(incident);
      },
      rolledBack() {
        if (before) incidents.put(before);
        else incidents.remove(incident.id);
        asker.refused();
      },
    },
  );
}

/** Beyond so many, the oldest that is resolved goes. */
function forgetOldest({ registry, store }: EngineContext, projectId: ProjectId): void {
  const { incidents } = registry;
  if (incidents.countOf(projectId) <= incidentsKeptMax) return;
  for (const oldest of incidents.of(projectId)) {
    if (oldest.stage !== 'resolved') continue;
    incidents.remove(oldest.id);
    store.append(
      { type: 'removed', kind: 'incident', id: oldest.id },
      { durable() {}, rolledBack: () => incidents.put(oldest) },
    );
    return;
  }
}
