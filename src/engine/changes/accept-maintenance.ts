/**
 * Maintenance windows: created, changed, started, ended and deleted. `spec/maintenance-spec` checks what is entered.
 * Invariant: every window belongs to a project that is there, and after each change what is held back in it is looked at again.
 */
import type { Actor, ActorKind } from '../../domain/accounts/audit.ts';
import { activeAt, isOver } from '../../domain/alerting/calendar.ts';
import {
  endedNow,
  type MaintenanceWindow,
  startedId,
  startedNow,
} from '../../domain/alerting/maintenance.ts';
import { snoozedByLengthMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import type { MaintenanceId, ProjectId } from '../../lib/ids.ts';
import { maintenanceDeletedFact, maintenanceFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { MaintenanceStart } from '../contract/engine.ts';
import { appended } from './appended.ts';

export async function putMaintenance(
  context: EngineContext,
  asked: MaintenanceWindow,
  nowMs: number,
): Promise<MaintenanceWindow> {
  const { registry, audit } = context;
  const { maintenance } = registry;
  if (!registry.projectIndex(asked.projectId)) throw new KnellError('not-found', 'no such project');
  const before = maintenance.get(asked.id);
  const window = { ...asked, by: before?.by ?? (asked.by || nameOf(audit.actor)) };
  const deleted = before ? null : deleteOneOver(context, window.projectId, nowMs);
  maintenance.put(window);
  const undo = (): void => {
    if (before) maintenance.put(before);
    else maintenance.remove(window.id);
    registry.lookAgainAt(window.projectId);
  };
  const done = appended(
    context,
    { type: 'put', kind: 'maintenance', fact: window },
    undo,
    maintenanceFact(registry, before, window),
  );
  registry.lookAgainAt(window.projectId);
  await Promise.all([deleted, done]);
  context.events.maintenanceChanged.publish(window.projectId);
  return window;
}

export function startMaintenance(
  context: EngineContext,
  { projectId, checks, tags, name, untilMs }: MaintenanceStart,
  nowMs: number,
): Promise<MaintenanceWindow> {
  const id = startedId(projectId, { checks, tags });
  const before: MaintenanceWindow = context.registry.maintenance.get(id) ?? {
    ...{ id, projectId, name, by: '', createdAtMs: nowMs, countsAsDowntime: false },
    ...{ fromMs: 0, untilMs: 0, schedule: '', tz: 'UTC', durationS: 0, dates: [], except: [] },
    ...{ checks: [], tags: [], integrations: [] },
  };
  // Somebody may have edited its scope meanwhile; who starts it says which one is meant.
  return putMaintenance(
    context,
    { ...startedNow(before, nowMs, untilMs), checks, tags, integrations: [] },
    nowMs,
  );
}

export async function endMaintenance(
  context: EngineContext,
  id: MaintenanceId,
  nowMs: number,
): Promise<MaintenanceWindow> {
  const window = context.registry.maintenance.get(id);
  if (!window) throw noSuchWindow();
  if (activeAt(window, nowMs) === null)
    throw new KnellError('conflict', `the maintenance ${window.name} is not on: there is nothing to end`);
  return putMaintenance(context, endedNow(window, nowMs), nowMs);
}

export async function deleteMaintenance(context: EngineContext, id: MaintenanceId): Promise<void> {
  const { registry } = context;
  const { maintenance } = registry;
  const window = maintenance.get(id);
  if (!window) throw noSuchWindow();
  maintenance.remove(id);
  const done = appended(
    context,
    { type: 'removed', kind: 'maintenance', id },
    () => {
      maintenance.put(window);
      registry.lookAgainAt(window.projectId);
    },
    maintenanceDeletedFact(registry, window),
  );
  registry.lookAgainAt(window.projectId);
  await done;
  context.events.maintenanceChanged.publish(window.projectId);
}

/** Deletes the oldest window that is over, where there would be too many; null where there are not. */
function deleteOneOver(context: EngineContext, projectId: ProjectId, nowMs: number): Promise<void> | null {
  const windows = context.registry.maintenance.of(projectId);
  const most = context.bounds.maintenancePerProjectMax;
  if (windows.length < most) return null;
  const over = windows.find((window) => isOver(window, nowMs));
  if (over) return deleteMaintenance(context, over.id);
  throw new KnellError('conflict', `a project has at most ${most} maintenance windows: delete one first`);
}

/** Who has created a window, as it is shown. */
function nameOf({ kind, name }: Actor): string {
  const shown = name !== '' ? name : (namesOfOthers[kind] ?? 'Knell');
  return [...shown].slice(0, snoozedByLengthMax).join('');
}

const namesOfOthers: Partial<Record<ActorKind, string>> = {
  'command-line': 'the command line',
  ping: 'a script, by the ping key',
};

function noSuchWindow(): KnellError {
  return new KnellError('not-found', 'this maintenance window was deleted');
}
