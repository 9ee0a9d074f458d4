/**
 * The steps of `config apply` about users. Not here: what else users are (`http/web`), nor their passwords: a new user sets one
 * by a link.
 * Invariant: nobody gets by them what only a password of an owner, or the shell, allows.
 */
import { type Role, roles, type User } from '../../domain/user.ts';
import { asUserId, newUuid } from '../../lib/ids.ts';
import { linkPath } from '../web/tokens.ts';
import { type CommandRequest, choiceIn, textIn } from './command.ts';
import { needsShell } from './needs-shell.ts';
import { changed } from './outdated-plan.ts';

export async function createUser(request: CommandRequest): Promise<{ id: string; link: string }> {
  const { args, context, nowMs } = request;
  const user: User = {
    id: asUserId(newUuid()),
    name: textIn(args, 'name'),
    role: roleIn(request),
    passwordHash: '',
    createdAtMs: nowMs,
  };
  await context.engine.change.putUser(user);
  return { id: user.id, link: context.baseUrl() + linkPath(context.tokens.link(user, nowMs)) };
}

export async function changeRole(request: CommandRequest): Promise<{ id: string }> {
  const user = userIn(request);
  await request.context.engine.change.putUser({ ...user, role: roleIn(request) });
  return { id: user.id };
}

export async function deleteUser(request: CommandRequest): Promise<{ id: string }> {
  const { id } = userIn(request);
  await request.context.engine.change.deleteUser(id);
  return { id };
}

/** An owner can set up shell integrations on the page. */
function roleIn({ args, shell }: CommandRequest): Role {
  const role = choiceIn(args, 'role', roles);
  if (role === 'owner' && !shell) throw needsShell('make a user an owner');
  return role;
}

function userIn({ args, context }: CommandRequest): User {
  const id = textIn(args, 'id');
  const user = context.engine.read.users().find((one) => one.id === id);
  if (!user || user.role !== args.expect) throw changed(`user ${user?.name ?? id}`);
  return user;
}
