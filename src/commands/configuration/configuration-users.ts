/**
 * The steps of `config apply` about users. Not here: what else users are (`http/web`), nor their passwords: a new user sets one
 * by a link.
 * Invariant: nobody gets by them what only a password of an owner, or the shell, allows.
 */

import { type MemberRole, memberRoles, type ProjectRole, type User } from '../../domain/accounts/user.ts';
import { rolesLine } from '../../domain/configuration/configuration.ts';
import { KnellError } from '../../lib/errors.ts';
import { asUserId, newUuid } from '../../lib/ids.ts';
import { type CommandRequest, choiceIn, textIn } from '../contract/command.ts';
import { needsShell } from '../contract/needs-shell.ts';
import { shownUser } from '../owner/users.ts';
import { linkPath } from '../secrets/tokens.ts';
import { changed } from './outdated-plan.ts';

export async function createUser(request: CommandRequest): Promise<{ id: string; link: string }> {
  const { args, context, nowMs } = request;
  const user: User = {
    id: asUserId(newUuid()),
    name: textIn(args, 'name'),
    role: roleIn(request),
    projects: projectsIn(request),
    passwordHash: '',
    createdAtMs: nowMs,
  };
  await context.engine.change.putUser(user);
  return { id: user.id, link: context.baseUrl() + linkPath(context.tokens.link(user, nowMs)) };
}

export async function changeRole(request: CommandRequest): Promise<{ id: string }> {
  const user = userIn(request);
  const projects = request.args.projects === undefined ? user.projects : projectsIn(request);
  await request.context.engine.change.putUser({ ...user, role: roleIn(request), projects });
  return { id: user.id };
}

export async function deleteUser(request: CommandRequest): Promise<{ id: string }> {
  const { id } = userIn(request);
  await request.context.engine.change.deleteUser(id);
  return { id };
}

/** An owner can set up shell integrations on the page. */
function roleIn({ args, shell }: CommandRequest): MemberRole {
  const role = choiceIn(args, 'role', memberRoles);
  if (role === 'owner' && !shell) throw needsShell('make a user an owner');
  return role;
}

/** Undefined for none. */
function projectsIn({ args, context }: CommandRequest): readonly ProjectRole[] | undefined {
  const given: unknown = args.projects ?? [];
  if (!Array.isArray(given)) throw new KnellError('usage', 'projects must be a list');
  const roles = given.map((one: unknown): ProjectRole => {
    const part = typeof one === 'object' && one !== null ? { ...one } : {};
    const name = textIn(part, 'project');
    const project = context.engine.read.projects().find((known) => known.name === name);
    if (!project) throw new KnellError('not-found', `no project is named ${JSON.stringify(name)}`);
    return { projectId: project.id, role: choiceIn(part, 'role', memberRoles) };
  });
  return roles.length === 0 ? undefined : roles;
}

function userIn({ args, context }: CommandRequest): User {
  const id = textIn(args, 'id');
  const user = context.engine.read.users().find((one) => one.id === id);
  const line = user && rolesLine(shownUser(user, context.engine.read));
  if (!user || line !== args.expect) throw changed(`user ${user?.name ?? id}`);
  return user;
}
