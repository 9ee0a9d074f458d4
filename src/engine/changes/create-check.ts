/**
 * Making a check in memory and in the journal's batch, and unmaking it when the batch fails.
 */

import { assignedChannels } from '../../domain/accounts/assigned-channels.ts';
import { actorOf } from '../../domain/accounts/audit.ts';
import { getsAlerts, settingsOf } from '../../domain/accounts/project.ts';
import { type Check, type CheckConfig, defaultConfig, freshState } from '../../domain/check/check.ts';
import type { GivenNewCheck } from '../../domain/check/new-check.ts';
import { asBadgeId, asCheckId, type ChannelId, type Ids, type ProjectId } from '../../lib/ids.ts';
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

/**
 * The configuration of a check made by a ping to an unknown slug: named after it, with every integration of the project, unless the
 * ping says something else. Null if it says what cannot be.
 */
export function configBySlug({
  index,
  slug,
  settings,
}: {
  readonly index: ProjectIndex;
  readonly slug: string;
  readonly settings: GivenNewCheck;
}): CheckConfig | null {
  if (settings === 'bad') return null;
  const channels = channelsOf(index, settings?.channels);
  return channels && { ...defaultConfig, name: slug, slug, channels, ...settings?.config };
}

function channelsOf(index: ProjectIndex, named: string | undefined): readonly ChannelId[] | null {
  if (named !== undefined) {
    const assigned = assignedChannels(named, index.channels().filter(getsAlerts));
    return assigned.ok ? assigned.ids : null;
  }
  const wanted = index.channels().filter((channel) => getsAlerts(channel) && !settingsOf(channel).notForNew);
  return wanted.map((channel) => channel.id).sort();
}

/** The handle of the new check. */
export function createBySlug(
  context: EngineContext,
  index: ProjectIndex,
  config: CheckConfig,
  { receivedAtMs: nowMs, remoteAddr }: Pick<PingRequest, 'receivedAtMs' | 'remoteAddr'>,
): number {
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
