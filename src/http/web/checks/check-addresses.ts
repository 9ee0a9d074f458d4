/**
 * The addresses under which people find the page of a check: Knell's own, by UUID or by unique key, and those that Healthchecks
 * wrote into its alerts, which are in old messages, tickets and runbooks. All of them redirect to the one that the reader's
 * page uses.
 * Invariant: only a reader who may see its project learns anything of a check; to everybody else all such addresses look the
 * same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkPath } from '../../../domain/accounts/page-address.ts';
import { maySee, roleInProject, type User } from '../../../domain/accounts/user.ts';
import type { Check } from '../../../domain/check/check.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import { type AuthContext, authenticate } from '../calls/principal.ts';
import { shownId } from '../calls/shown-id.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const patterns: readonly RegExp[] = [
  new RegExp(`^/project/[\\w-]{1,64}/checks/(?:(?<id>${uuid})|(?<key>[0-9a-f]{40}))$`),
  /^\/cloaked\/(?<key>[0-9a-f]{40})\/?$/,
  new RegExp(`^/checks/(?<id>${uuid})/(?:(?:details|log)/)?$`),
];

interface Named {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}

/** Returns null if `path` is not an address of a check. */
function namedBy(path: string): Named | null {
  for (const pattern of patterns) {
    const match = pattern.exec(path);
    if (match) return { id: match.groups?.id, key: match.groups?.key };
  }
  return null;
}

export function isCheckAddress(path: string): boolean {
  return namedBy(path) !== null;
}

interface AddressContext extends AuthContext {
  /** Path in front of every other one; empty if there is none. */
  readonly basePath: string;
}

/** Returns null if the page itself has to answer: sign in first, there is no such check, or this is its address. */
export async function redirectToCheck(
  context: AddressContext,
  request: HttpRequest,
): Promise<HttpReply | null> {
  const principal = await authenticate(context, request);
  const check = principal && (await checkAt(context, request, principal.user));
  if (!check) return null;
  const role = roleInProject(principal.user, check.projectId);
  const path = checkPath(check.projectId, shownId(role, check.id));
  if (path === request.path) return null;
  return {
    status: 302,
    headers: [
      // It has no host: a session belongs to the name that the reader has typed, which may differ from that of the base URL.
      ['Location', context.basePath + path + (request.query === '' ? '' : `?${request.query}`)],
      ['Cache-Control', 'no-store'],
    ],
    body: '',
  };
}

async function checkAt(
  { engine: { read } }: AddressContext,
  { path, receivedAtMs }: HttpRequest,
  user: User,
): Promise<Check | null> {
  const { id, key = '' } = namedBy(path) ?? {};
  if (id !== undefined) {
    const check = read.check(id, receivedAtMs);
    return check && maySee(user, check.projectId) ? check : null;
  }
  for (const project of read.projects()) {
    if (!maySee(user, project.id)) continue;
    while (!read.indexUniqueKeys(project.id)) await nextTurn();
    const check = read.checkByUniqueKey(project.id, key, receivedAtMs);
    if (check) return check;
  }
  return null;
}
