/**
 * Finds the check that a path names, or the refusal: 404 if there is none, 403 if it belongs to another project.
 * Invariant: between the look-up and what `act` does there is no await, so nothing can come in between. A refusal is sent only
 * when the data behind it is durable.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import { errorReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { type ApiCall, pathPart } from './call.ts';

const denied = errorReply(403, 'access denied: the check belongs to another project');

type CheckLookup = { readonly check: Check } | { readonly refusal: HttpReply };

/** Finds a check by UUID, or by unique key if the path has one; a unique key finds only checks of this project. */
function findCheck(call: ApiCall): CheckLookup {
  const { read, project, nowMs } = call;
  const uniqueKey = call.path.unique_key;
  const check =
    uniqueKey === undefined
      ? read.check(pathPart(call, 'uuid'), nowMs)
      : read.checkByUniqueKey(project.id, uniqueKey, nowMs);
  if (check === null) return { refusal: notFound };
  return check.projectId === project.id ? { check } : { refusal: denied };
}

/** Builds the index of unique keys at the first look-up, with turns of the event loop between its parts. */
async function indexed({ read, project, path }: ApiCall): Promise<void> {
  if (path.unique_key === undefined) return;
  while (!read.indexUniqueKeys(project.id)) await nextTurn();
}

/** Replies with the result of `show`, once everything that it shows is durable. */
export async function showCheck(call: ApiCall, show: (check: Check) => HttpReply): Promise<HttpReply> {
  const shown = await readCheck(call, show);
  return 'read' in shown ? shown.read : shown.refusal;
}

/** Resolves to the result of `read`, once everything that it has seen is durable. */
export async function readCheck<Read>(
  call: ApiCall,
  read: (check: Check) => Read,
): Promise<{ readonly read: Read } | { readonly refusal: HttpReply }> {
  await indexed(call);
  return call.read.durably(() => {
    const found = findCheck(call);
    return 'check' in found ? { read: read(found.check) } : found;
  });
}

/** Runs `act`, which changes the check. The search is repeated if the data behind a refusal was rolled back. */
export async function actOnCheck(
  call: ApiCall,
  act: (check: Check) => HttpReply | Promise<HttpReply>,
): Promise<HttpReply> {
  await indexed(call);
  for (;;) {
    const found = findCheck(call);
    if ('check' in found) return act(found.check);
    const again = await call.read.durably(() => findCheck(call));
    if ('refusal' in again) return again.refusal;
  }
}
