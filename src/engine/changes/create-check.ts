/**
 * Making a check in memory and in the journal's batch, and unmaking it when the batch fails.
 */

import { actorOf } from '../../domain/accounts/audit.ts';
import { getsAlerts, settingsOf } from '../../domain/accounts/project.ts';
import { type Check, type CheckConfig, defaultConfig, freshState } from '../../domain/check/check.ts';
import { asBadgeId, asCheckId, type Ids, type ProjectId } from '../../lib/ids.ts';
import { checkFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { PingRequest } from '../contract/engine.ts';
import type { ProjectIndex } from '../registry/project-index.ts';

type CheckIds = Pick<Check, 'id' | 'badgeId'>;

export function drawCheckIds(ids: Ids): CheckIds {
  return { id: asCheckId(ids.newUuid()), badgeId: asBadgeId(ids.newUuid()) };
}

/** A check that nothing has happened to yet. */
export function newCheck(
  { id, badgeId }: CheckIds,
  projectId: ProjectId,
  config: CheckConfig,
  createdAtMs: number,
): Check {
  return { id, projectId, badgeId, createdAtMs, config, state: freshState };
}

/** A check made by a ping to an unknown slug: named after it, with every integration of the project. Its handle. */
export function createBySlug(
  context: EngineContext,
  { index, slug }: { readonly index: ProjectIndex; readonly slug: string },
  { receivedAtMs: nowMs, remoteAddr }: Pick<PingRequest, 'receivedAtMs' | 'remoteAddr'>,
): number {
  const wanted = index.channels().filter((channel) => getsAlerts(channel) && !settingsOf(channel).notForNew);
  const channels = wanted.map((channel) => channel.id);
  const config: CheckConfig = { ...defaultConfig, name: slug, slug, channels: channels.sort() };
  const check = newCheck(drawCheckIds(context.ids), index.project.id, config, index.nextCreatedAtMs(nowMs));
  const handle = context.registry.addCheck(check);
  const waiter = { durable() {}, rolledBack: () => undoCreate(context, handle) };
  const fact = checkFact(context.registry, 'created', check);
  const audit = context.audit.by({ actor: actorOf('ping', '', '', remoteAddr), atMs: nowMs });
  audit.append({ type: 'check', check, changes: [] }, waiter, fact);
  return handle;
}

/** The check never was: its creation was rolled back. */
export function undoCreate(context: EngineContext, handle: number): void {
  context.ticker.forget(handle);
  context.registry.removeCheck(handle);
  context.registry.disposeCheck(handle);
}
