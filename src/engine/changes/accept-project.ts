/**
 * A project renamed, or deleted with all that is in it. `accept-admin` creates projects.
 *
 * Deleting is decided by one record, with which the project, its keys, integrations, status pages and maintenance windows
 * are gone. Once that is durable its checks follow, a slice a turn, each by a record of its own. One batch of everything
 * would be as whole, but a batch is bounded and a project is not.
 * Invariant: after a crash at any moment the project is there with everything, or is gone with everything by the time
 * a listener opens: what was cut off is finished at the start.
 */

import type { Plan, Project } from '../../domain/accounts/project.ts';
import { withFormer } from '../../domain/retention/former-rules.ts';
import { retentionError } from '../../domain/retention/retention-rules.ts';
import { KnellError } from '../../lib/errors.ts';
import type { CheckId, ProjectId } from '../../lib/ids.ts';
import { projectChangedFact, projectFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { quietly } from '../context/context.ts';
import { deletedChecksPerTurn } from '../contract/limits.ts';
import { checkedName } from './accept-admin.ts';
import { deleteCheck } from './accept-change.ts';
import { appended } from './appended.ts';
import { noSuchProject, projectOf, replaceProject } from './replace-project.ts';
import { settled } from './settled.ts';

export async function renameProject(context: EngineContext, id: ProjectId, name: string): Promise<Project> {
  const before = projectOf(context, id);
  const project: Project = { ...before, name: checkedName(context, name, id) };
  return replaceProject(context, before, project, projectChangedFact(before, project));
}

export async function changePlan(context: EngineContext, id: ProjectId, plan: Plan): Promise<Project> {
  const before = projectOf(context, id);
  const project: Project = { ...before, plan };
  return replaceProject(context, before, project, projectChangedFact(before, project));
}

/** What the rules before have dropped by then stays dropped: `domain/retention/former-rules`. */
export async function setRetention(
  context: EngineContext,
  id: ProjectId,
  rules: string,
  nowMs: number,
): Promise<Project> {
  const before = projectOf(context, id);
  const error = retentionError(rules);
  if (error !== '') throw new KnellError('usage', `retention is not valid: ${error}`);
  if (rules === (before.retention ?? '')) return before;
  const { retention, formerRetention = [], ...rest } = before;
  const replaced = { rules: retention ?? '', untilMs: Math.max(context.registry.aliveMs, nowMs) };
  const project: Project = {
    ...rest,
    ...(rules === '' ? {} : { retention: rules }),
    formerRetention: withFormer(formerRetention, replaced),
  };
  return replaceProject(context, before, project, projectChangedFact(before, project));
}

/** Resolves to the number of its checks. */
export async function deleteProject(context: EngineContext, id: ProjectId, nowMs: number): Promise<number> {
  const { registry } = context;
  const index = registry.projectIndex(id);
  if (!index) throw noSuchProject();
  assertNotLastProject(context);
  const keys = registry.keys(id);
  for (const key of keys) registry.removeKey(key);
  const pages = registry.statusPages.of(id);
  for (const page of pages) registry.statusPages.remove(page.id);
  const incidents = [...registry.incidents.of(id)];
  for (const incident of incidents) registry.incidents.remove(incident.id);
  const windows = registry.maintenance.of(id);
  for (const window of windows) registry.maintenance.remove(window.id);
  const feeds = [...registry.eventFeeds.values()].filter(({ projectId }) => projectId === id);
  for (const feed of feeds) registry.eventFeeds.delete(feed.id);
  registry.removeProject(index.project);
  const undo = (): void => {
    registry.restoreProject(index);
    for (const key of keys) registry.addKey(key);
    for (const page of pages) registry.statusPages.put(page);
    for (const incident of incidents) registry.incidents.put(incident);
    for (const window of windows) registry.maintenance.put(window);
    for (const feed of feeds) registry.eventFeeds.set(feed.id, feed);
  };
  const detail = `checks: ${index.size}`;
  await appended(
    context,
    { type: 'removed', kind: 'project', id },
    undo,
    projectFact('deleted', index.project, { detail }),
  );
  const checks = Array.from(index.handles(), (handle) => registry.id(handle));
  await deleteChecks(context, checks, nowMs);
  context.events.projectDeleted.publish(id);
  return checks.length;
}

/** An installation without a project would get the first one again at its next start, with keys that nobody needs. */
function assertNotLastProject({ registry }: EngineContext): void {
  if ([...registry.projectIndexes()].length > 1) return;
  throw new KnellError('conflict', 'this is the only project: make another one first, then delete it');
}

/**
 * A slice waits for the one before it to be durable: otherwise thousands of waiters would be called in one turn. Where the disk is
 * full, what is left are orphans until `retryDeletions`.
 */
async function deleteChecks(
  context: EngineContext,
  checks: readonly CheckId[],
  nowMs: number,
): Promise<void> {
  for (let at = 0; at < checks.length; at += deletedChecksPerTurn) {
    const slice = checks.slice(at, at + deletedChecksPerTurn);
    const done = await settled(slice.map((id) => deleteCheck(quietly(context), id, nowMs)));
    if (done.isFull) {
      for (const id of checks.slice(at)) context.registry.orphans.add(id);
      return;
    }
  }
}

/** There may be space again. */
export function retryDeletions(context: EngineContext, nowMs: number): void {
  const { orphans } = context.registry;
  if (orphans.size === 0) return;
  const checks = [...orphans];
  orphans.clear();
  void deleteChecks(context, checks, nowMs);
}

/** At the start: checks whose project is gone, since the deletion was cut off. */
export function finishDeletions({ registry, store, logger }: EngineContext): void {
  let checks = 0;
  for (const handle of registry.handles()) {
    if (registry.projectIndex(registry.projectId(handle)) !== null) continue;
    store.append({ type: 'check-deleted', id: registry.id(handle) }, null);
    registry.removeCheck(handle);
    registry.noteDeleted(registry.idWords(handle));
    registry.disposeCheck(handle);
    checks++;
  }
  if (checks > 0) logger.info({ checks }, 'finished deleting a project, which was cut off');
}
