/**
 * Changes by the owner: checks, projects, keys, integrations. Each decides and takes effect in memory at once,
 * without an await, goes into the journal's batch, and is told when that batch is durable.
 * Invariant: what is taken back leaves no trace in any index.
 */
import type { Check, CheckConfig } from '../domain/check.ts';
import type { CheckEvent } from '../domain/check-machine.ts';
import { planLimits } from '../domain/project.ts';
import type { CheckId, ProjectId } from '../lib/ids.ts';
import { changesBetween, owedFor, settleDeadlines } from './accept-timeout.ts';
import type { CheckActor } from './check-actor.ts';
import { newCheck, undoCreate } from './create-check.ts';
import type { ChangeOutcome } from './engine.ts';
import type { Rooms } from './rooms.ts';

export async function createCheck(
  rooms: Rooms,
  projectId: ProjectId,
  config: CheckConfig,
  nowMs: number,
): Promise<ChangeOutcome> {
  const shelf = rooms.registry.shelf(projectId);
  if (!shelf) return { kind: 'not-found' };
  if (shelf.size >= planLimits[shelf.project.plan].checksMax) return { kind: 'over-limit' };
  const check = newCheck(rooms.ids, projectId, config, shelf.nextCreatedAtMs(nowMs));
  const actor = rooms.registry.addCheck(check);
  return settled((resolve) =>
    rooms.store.append(
      { type: 'check', check, changes: [] },
      {
        durable() {
          resolve({ kind: 'ok', check });
          rooms.touched(check);
        },
        rolledBack() {
          undoCreate(rooms, actor);
          resolve({ kind: 'store-full' });
        },
      },
    ),
  );
}

export async function updateCheck(
  rooms: Rooms,
  id: CheckId,
  config: CheckConfig,
  nowMs: number,
): Promise<ChangeOutcome> {
  return stepByOwner(rooms, id, { type: 'update', atMs: nowMs, config });
}

export async function pauseCheck(rooms: Rooms, id: CheckId, nowMs: number): Promise<ChangeOutcome> {
  return stepByOwner(rooms, id, { type: 'pause', atMs: nowMs });
}

export async function resumeCheck(rooms: Rooms, id: CheckId, nowMs: number): Promise<ChangeOutcome> {
  const actor = rooms.registry.actor(id);
  if (actor && actor.check.state.status !== 'paused') return { kind: 'not-paused' };
  return stepByOwner(rooms, id, { type: 'resume', atMs: nowMs });
}

export async function deleteCheck(rooms: Rooms, id: CheckId, nowMs: number): Promise<ChangeOutcome> {
  const actor = rooms.registry.actor(id);
  if (!actor) return { kind: 'not-found' };
  settleDeadlines(rooms, actor, nowMs);
  const { check } = actor;
  rooms.ticker.forget(actor);
  rooms.registry.takeOut(actor);
  return settled((resolve) =>
    rooms.store.append(
      { type: 'check-deleted', id },
      {
        durable() {
          rooms.registry.release(actor);
          resolve({ kind: 'ok', check });
          rooms.touched(check);
        },
        rolledBack() {
          rooms.registry.putBack(actor);
          rooms.ticker.watch(actor);
          resolve({ kind: 'store-full' });
        },
      },
    ),
  );
}

type OwnerEvent = Extract<CheckEvent, { type: 'update' | 'pause' | 'resume' }>;

async function stepByOwner(rooms: Rooms, id: CheckId, event: OwnerEvent): Promise<ChangeOutcome> {
  const actor = rooms.registry.actor(id);
  if (!actor) return { kind: 'not-found' };
  settleDeadlines(rooms, actor, event.atMs);
  const before = actor.check;
  rooms.registry.send(actor, event);
  const { check } = actor;
  rooms.registry.reindex(actor, before);
  rooms.ticker.watch(actor);
  const changes = changesBetween(before, check, event.type, event.atMs);
  const owed = owedFor(rooms, check, changes);
  return settled((resolve) =>
    rooms.store.append(
      { type: event.type === 'update' ? 'check' : 'state', check, changes, owed },
      {
        durable() {
          resolve({ kind: 'ok', check });
          rooms.touched(check);
          if (changes.length > 0) rooms.changed(owed);
        },
        rolledBack() {
          undoStep(rooms, actor, before);
          resolve({ kind: 'store-full' });
        },
      },
    ),
  );
}

function undoStep(rooms: Rooms, actor: CheckActor, before: Check): void {
  const after = actor.check;
  actor.restore(before);
  rooms.registry.reindex(actor, after);
  rooms.ticker.watch(actor);
}

function settled(start: (resolve: (outcome: ChangeOutcome) => void) => void): Promise<ChangeOutcome> {
  return new Promise(start);
}
