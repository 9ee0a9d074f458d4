/**
 * Finding the check that a path names, or the refusal: 404 when there is none, 403 when it is another project's.
 * Invariant: between the finding and what `act` does at once there is no await, so that nothing comes in between; and
 * a refusal is sent only when what it rests on is durable.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import { errorReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { type ApiCall, pathPart } from './call.ts';

const denied = errorReply(403, 'access denied: the check belongs to another project');

type CheckLookup = { readonly check: Check } | { readonly refusal: HttpReply };

/** By UUID, or by unique key where the path has one: that finds this project's checks alone. */
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

/** The first look-up by unique key makes an index, with turns of the event loop between its parts. */
async function indexed({ read, project, path }: ApiCall): Promise<void> {
  if (path.unique_key === undefined) return;
  while (!read.indexUniqueKeys(project.id)) await nextTurn();
}

/** What `show` makes of the check, once all it shows is durable. */
export async function showCheck(call: ApiCall, show: (check: Check) => HttpReply): Promise<HttpReply> {
  await indexed(call);
  return call.read.durably(() => {
    const found = findCheck(call);
    return 'check' in found ? show(found.check) : found.refusal;
  });
}

/** `act` changes the check. The search is repeated when the refusal turned out to rest on what did not last. */
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
