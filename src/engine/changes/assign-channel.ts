/**
 * An integration assigned to many checks, or taken from them: a slice a turn, each check by a record of its own, as if its
 * owner had edited it. One batch of all of them would be as whole, but a batch is bounded and a project is not.
 *
 * A crash on the way leaves the integration with some checks assigned and the others not. Nothing of it was answered, and the
 * page shows which check notifies which integration.
 * Invariant: resolves once everything is durable.
 */

import { getsAlerts } from '../../domain/accounts/project.ts';
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ChannelId, CheckId } from '../../lib/ids.ts';
import { bytesOfUuid } from '../../store/codec/uuid.ts';
import { assignmentFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { quietly } from '../context/context.ts';
import { assignedChecksPerTurn } from '../contract/limits.ts';
import { notWritten } from '../contract/not-written.ts';
import { updateCheck } from './accept-change.ts';
import { settled } from './settled.ts';

/** Resolves to the number of checks that were assigned. `checks`: `all` of its project, or some of it. */
export async function assignChannel(
  context: EngineContext,
  id: ChannelId,
  checks: 'all' | readonly CheckId[],
  nowMs: number,
): Promise<number> {
  const ids = checks === 'all' ? allOf(context, id) : checks;
  const channel = context.registry.projectOfChannel(id)?.channel(id);
  if (channel && !getsAlerts(channel)) {
    if (checks === 'all') return 0;
    throw new KnellError(
      'usage',
      'an event subscription gets all events of its project: it is assigned to no check',
    );
  }
  if (channel && ids.length > 0)
    context.audit.note(assignmentFact(context.registry, 'assigned', channel, ids));
  let assigned = 0;
  for (let at = 0; at < ids.length; at += assignedChecksPerTurn) {
    // Deleted meanwhile: what was assigned is gone with it.
    if (!context.registry.projectOfChannel(id)) return assigned;
    const slice = ids.slice(at, at + assignedChecksPerTurn);
    const done = await settled(slice.map((check) => assign(context, id, check, nowMs)));
    assigned += done.changed;
    if (done.isFull)
      throw notWritten(
        context.store,
        `the integration was created, but only ${assigned} of ${ids.length} checks notify it`,
      );
  }
  return assigned;
}

/** Takes the integration from those of `checks` that have it. Resolves to their number. */
export async function unassignFrom(
  context: EngineContext,
  id: ChannelId,
  checks: readonly CheckId[],
  nowMs: number,
): Promise<number> {
  const channel = context.registry.projectOfChannel(id)?.channel(id);
  if (channel && checks.length > 0)
    context.audit.note(assignmentFact(context.registry, 'unassigned', channel, checks));
  let taken = 0;
  for (let at = 0; at < checks.length; at += assignedChecksPerTurn) {
    const slice = checks.slice(at, at + assignedChecksPerTurn);
    const done = await settled(slice.map((check) => unassign(context, id, check, nowMs)));
    taken += done.changed;
    if (done.isFull)
      throw notWritten(context.store, `the integration was taken from ${taken} of ${checks.length} checks`);
  }
  return taken;
}

/**
 * Takes the integration from the checks that have it, but for as many as one turn can take with the integration itself: of
 * few checks all happens in one batch. Throws a KnellError `store-full`: then some still have it.
 */
export async function unassignChannel(context: EngineContext, id: ChannelId, nowMs: number): Promise<void> {
  const ids = checksWith(context, id);
  for (let at = 0; ids.length - at > assignedChecksPerTurn; at += assignedChecksPerTurn) {
    const slice = ids.slice(at, at + assignedChecksPerTurn);
    const done = await settled(slice.map((check) => unassign(context, id, check, nowMs)));
    if (done.isFull) throw notWritten(context.store, 'the integration was not deleted');
  }
}

/** A walk over 100,000 checks takes some 10 ms. */
export function checksWith({ registry }: EngineContext, id: ChannelId): readonly CheckId[] {
  const ids: CheckId[] = [];
  const bytes = bytesOfUuid(id);
  for (const handle of registry.projectOfChannel(id)?.handles() ?? []) {
    // Nearly all others differ in their bytes already, and need not be decoded.
    if (!registry.mentions(handle, bytes)) continue;
    if (registry.check(handle).config.channels.includes(id)) ids.push(registry.id(handle));
  }
  return ids;
}

/** Null when there is nothing to do. No await between reading the check and changing it. */
export function unassign(
  context: EngineContext,
  id: ChannelId,
  checkId: CheckId,
  nowMs: number,
): Promise<Check> | null {
  const config: CheckConfig | undefined = context.registry.find(checkId)?.config;
  if (!config?.channels.includes(id)) return null;
  const channels = config.channels.filter((other) => other !== id);
  return updateCheck(quietly(context), checkId, { ...config, channels }, nowMs);
}

function allOf({ registry }: EngineContext, id: ChannelId): readonly CheckId[] {
  return Array.from(registry.projectOfChannel(id)?.handles() ?? [], (handle) => registry.id(handle));
}

/** Null when there is nothing to do. No await between reading the check and changing it. */
function assign(
  context: EngineContext,
  id: ChannelId,
  checkId: CheckId,
  nowMs: number,
): Promise<Check> | null {
  const config: CheckConfig | undefined = context.registry.find(checkId)?.config;
  if (!config || config.channels.includes(id)) return null;
  const channels = [...config.channels, id];
  return updateCheck(quietly(context), checkId, { ...config, channels }, nowMs);
}
