/**
 * Making a check in memory and in the journal's batch, and unmaking it when the batch fails.
 */
import { type Check, type CheckConfig, defaultConfig, freshState } from '../domain/check.ts';
import { asBadgeId, asCheckId, type Ids, type ProjectId } from '../lib/ids.ts';
import type { CheckActor } from './check-actor.ts';
import type { ProjectShelf } from './project-shelf.ts';
import type { Rooms } from './rooms.ts';

/** A check that nothing has happened to yet. */
export function newCheck(ids: Ids, projectId: ProjectId, config: CheckConfig, createdAtMs: number): Check {
  return {
    id: asCheckId(ids.newUuid()),
    projectId,
    badgeId: asBadgeId(ids.newUuid()),
    createdAtMs,
    config,
    state: freshState,
  };
}

/** A check made by a ping to an unknown slug: named after it, with every integration of the project. */
export function createBySlug(
  rooms: Rooms,
  { shelf, slug }: { readonly shelf: ProjectShelf; readonly slug: string },
  nowMs: number,
): CheckActor {
  const channels = shelf.channels().map((channel) => channel.id);
  const config: CheckConfig = { ...defaultConfig, name: slug, slug, channels: channels.sort() };
  const check = newCheck(rooms.ids, shelf.project.id, config, shelf.nextCreatedAtMs(nowMs));
  const actor = rooms.registry.addCheck(check);
  rooms.store.append(
    { type: 'check', check, changes: [] },
    { durable() {}, rolledBack: () => undoCreate(rooms, actor) },
  );
  return actor;
}

/** The check never was: its creation was taken back. */
export function undoCreate(rooms: Rooms, actor: CheckActor): void {
  rooms.ticker.forget(actor);
  rooms.registry.takeOut(actor);
  rooms.registry.release(actor);
}
