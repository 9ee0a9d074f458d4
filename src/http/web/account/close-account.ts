/**
 * The end of one's own account: what is said before it, and the closing itself.
 * Invariant: it takes the password, under the limits of signing in, and the name, typed. The last owner of the installation stays.
 */
import type { User } from '../../../domain/accounts/user.ts';
import type { ClosingView } from '../../../domain/views/account-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { KnellError } from '../../../lib/errors.ts';
import { leftProjectsShownMax } from '../../limits.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall } from '../calls/call.ts';
import { setCookie } from '../calls/principal.ts';
import { wrongUser } from './credentials.ts';

const ofProxy =
  'a proxy signs you in, and would bring your account back: ask an owner to remove it there first';
const ofLastOwner = 'you are the only owner of this server, so make another member an owner first';

type Read = Pick<EngineRead, 'users' | 'project'>;

/** `hasSession`: false for one whom a proxy signs in. */
export function closingOf(read: Read, user: User, hasSession: boolean): ClosingView {
  const left = leftProjects(read, user);
  return {
    refusal: refusalOf(read, user, hasSession),
    isLastOwner: hasSession && isLastOwner(read, user),
    projects: left.slice(0, leftProjectsShownMax),
    more: Math.max(0, left.length - leftProjectsShownMax),
  };
}

/** Returns why the account cannot be closed; empty if it can. */
function refusalOf(read: Read, user: User, hasSession: boolean): string {
  if (!hasSession) return ofProxy;
  return isLastOwner(read, user) ? ofLastOwner : '';
}

function isLastOwner(read: Read, { id, role }: User): boolean {
  return role === 'owner' && !read.users().some((one) => one.id !== id && one.role === 'owner');
}

/** Returns the names of the projects that nobody else owns but the owners of the installation. */
function leftProjects(read: Read, user: User): readonly string[] {
  if (user.role === 'owner') return [];
  const left = new Set(ownedBy(user));
  for (const other of read.users())
    if (other.id !== user.id) for (const id of ownedBy(other)) left.delete(id);
  return [...left].flatMap((id) => read.project(id)?.name ?? []).sort();
}

function ownedBy({ projects = [] }: User) {
  return projects.filter(({ role }) => role === 'owner').map(({ projectId }) => projectId);
}

/** With the user go the sessions, passkeys, codes, reports and links; projects, checks and integrations stay. */
export async function closeAccount(call: UserCall): Promise<HttpReply> {
  const { context, change, json, principal, request } = call;
  const { read } = context.engine;
  const { user } = principal;
  const refusal = refusalOf(read, user, principal.session !== null);
  if (refusal !== '') throw new KnellError('conflict', refusal);
  if (textIn(json, 'name') !== user.name)
    throw new KnellError('usage', `to close your account, type its name: ${user.name}`);
  const refused = await wrongUser(call);
  if (refused) return refused;
  const now = read.users().find(({ id }) => id === user.id);
  if (now && now.passwordHash !== user.passwordHash)
    throw new KnellError('conflict', 'your password was changed meanwhile: sign in again');
  await change.deleteUser(user.id);
  context.commands.accounts.noteClosed(now ?? user);
  return jsonReply({}, 200, [setCookie('', request, context.basePath)]);
}
