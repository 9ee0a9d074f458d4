/**
 * A check moves to another project: UUID, badge, history and counters stay with it, and so does its state.
 * Its integrations belong to the old project, so it leaves them; those of the new one take their place, or none.
 * Invariant: one record, the check as it is afterwards: a crash leaves the check in one project or in the other.
 */

import { planLimits } from '../../domain/accounts/plan-limits.ts';
import { getsAlerts } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import { KnellError } from '../../lib/errors.ts';
import type { CheckId } from '../../lib/ids.ts';
import { checkFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { CheckMove } from '../contract/engine.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { appendIncidents, incidentsMoved } from '../deadlines/incident-steps.ts';
import { noHandle } from '../registry/hashed-handles.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import { appended } from './appended.ts';
import { withFormerRules } from './carry-former.ts';
import { mustFitRules } from './rules-fit.ts';

/** Rejects with a KnellError: `not-found`, `conflict` (the slug is taken, the plan allows no more), `store-full`. */
export async function moveCheck(
  context: EngineContext,
  id: CheckId,
  move: CheckMove,
  nowMs: number,
): Promise<Check> {
  const { registry, events } = context;
  const handle = registry.handleOf(id);
  const target = registry.projectIndex(move.projectId);
  if (handle < 0 || !registry.projectIndex(registry.projectId(handle)))
    throw new KnellError('not-found', 'no such check');
  if (!target) throw new KnellError('not-found', 'no such project');
  applyDueDeadlines(context, handle, nowMs);
  const before = registry.check(handle);
  mustFit(before, target, move);
  const source = registry.projectIndex(before.projectId)?.project ?? target.project;
  const projects = { before: source, after: target.project, nowMs };
  const after = withFormerRules(registry, before, movedTo(before, target, move), projects);
  const incidents = incidentsMoved(context, before, after, nowMs);
  registry.replace(handle, after);
  registry.reindex(handle, before);
  context.ticker.watch(handle);
  const undo = (): void => {
    registry.replace(handle, before);
    registry.reindex(handle, after);
    context.ticker.watch(handle);
  };
  const from = registry.projectIndex(before.projectId)?.project.name ?? '';
  const fact = checkFact(registry, 'moved', after, { detail: `from ${from}` });
  context.store.beginGroup();
  appendIncidents(context, incidents);
  const done = appended(context, { type: 'check', check: after, changes: [] }, undo, fact);
  context.store.endGroup();
  await done;
  events.checkLeft.publish(before.projectId);
  events.checkChanged.publish(after);
  return after;
}

function mustFit(check: Check, target: ProjectIndex, { slug = check.config.slug }: CheckMove): void {
  const { project } = target;
  const named = JSON.stringify(project.name);
  if (check.projectId === project.id) throw new KnellError('conflict', `the check is in ${named} already`);
  if (target.size >= planLimits[project.plan].checksMax)
    throw new KnellError('conflict', `check limit reached: the plan of ${named} allows no more checks`);
  mustFitRules(target, 0, check.config.results);
  if (slug !== '' && target.bySlug(slug) !== noHandle)
    throw new KnellError('conflict', `${named} has a check with the slug ${slug}: give this one another`);
}

/** Lists are in the order of creation, so its instant must be no other's there. */
function movedTo(check: Check, target: ProjectIndex, { slug, channels }: CheckMove): Check {
  const taken = target.hasCreatedAt(check.createdAtMs);
  const assigned =
    channels === 'all'
      ? target
          .channels()
          .filter(getsAlerts)
          .map(({ id }) => id)
      : [];
  return {
    ...check,
    incident: undefined,
    projectId: target.project.id,
    createdAtMs: taken ? target.nextCreatedAtMs(check.createdAtMs) : check.createdAtMs,
    config: { ...check.config, slug: slug ?? check.config.slug, channels: assigned.sort() },
  };
}
