/**
 * The addresses that Healthchecks gives a check's page in its alerts: they redirect to the page of that check here, so that links
 * in old messages, and in tickets and runbooks, still work.
 * Invariant: only who is signed in learns anything of a check; to everybody else all such addresses look the same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check.ts';
import { checkPath } from '../../domain/page-address.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { type AuthContext, authenticate } from './principal.ts';

const byUniqueKey = /^\/cloaked\/([0-9a-f]{40})\/?$/;
const byId = /^\/checks\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:details\/)?$/;

export function isOldAddress(path: string): boolean {
  return byUniqueKey.test(path) || byId.test(path);
}

interface OldAddressContext extends AuthContext {
  readonly baseUrl: () => string;
}

/** Null where the page itself has to say something: sign in first, or there is no such check. */
export async function redirectOldAddress(
  context: OldAddressContext,
  request: HttpRequest,
): Promise<HttpReply | null> {
  if ((await authenticate(context, request)) === null) return null;
  const check = await checkAt(context, request);
  if (check === null) return null;
  const location = context.baseUrl() + checkPath(check.projectId, check.id);
  return {
    status: 302,
    headers: [
      ['Location', location],
      ['Cache-Control', 'no-store'],
    ],
    body: '',
  };
}

async function checkAt(
  { engine: { read } }: OldAddressContext,
  { path, receivedAtMs }: HttpRequest,
): Promise<Check | null> {
  const id = byId.exec(path)?.[1];
  if (id !== undefined) return read.check(id, receivedAtMs);
  const uniqueKey = byUniqueKey.exec(path)?.[1] ?? '';
  for (const project of read.projects()) {
    while (!read.indexUniqueKeys(project.id)) await nextTurn();
    const check = read.checkByUniqueKey(project.id, uniqueKey, receivedAtMs);
    if (check) return check;
  }
  return null;
}
