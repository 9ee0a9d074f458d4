/**
 * The names under which the page knows checks. A UUID is the address that a job pings, so a viewer, who may only look, gets
 * unique keys instead, like a read-only API key.
 * Invariant: no answer to a viewer contains a UUID of a check, nor a ping key.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MemberRole, mayActAs } from '../../../domain/accounts/user.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { type CheckId, type ProjectId, uniqueKeyOf } from '../../../lib/ids.ts';
import type { ProjectCall } from './call.ts';

export function mayPing(role: MemberRole): boolean {
  return mayActAs(role, 'editor');
}

/** Returns the name that a user of that role gets instead of `id`. */
export function shownId(role: MemberRole, id: CheckId): string {
  return mayPing(role) ? id : uniqueKeyOf(id);
}

const uniqueKey = /^[0-9a-f]{40}$/;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether `text` has the form of the names that a user of that role gets. */
export function isShownTo(role: MemberRole, text: string): boolean {
  return (mayPing(role) ? uuid : uniqueKey).test(text);
}

/** Returns the id of the check that the page calls `shown`, by either name; `shown` itself if no check has that key. */
export async function checkIdOf(
  { context, project, nowMs }: ProjectCall,
  shown: string,
): Promise<CheckId | string> {
  if (!uniqueKey.test(shown)) return shown;
  const { read } = context.engine;
  await indexKeys(read, project.id);
  return read.checkByUniqueKey(project.id, shown, nowMs)?.id ?? shown;
}

/** Builds the index with turns of the event loop between its parts. */
async function indexKeys(read: EngineRead, projectId: ProjectId): Promise<void> {
  while (!read.indexUniqueKeys(projectId)) await nextTurn();
}
