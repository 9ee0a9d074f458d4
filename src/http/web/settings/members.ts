/**
 * Shows, creates and changes members: those of the installation, for its owners, and those with a role in a project, for the
 * owners of that project.
 * Invariant: a role in a project gives no role in the installation, no link to set the password of an existing user, and no
 * view of users who have nothing to do with the project.
 */

import { choiceIn } from '../../../commands/contract/command.ts';
import { projectRoleChoices } from '../../../commands/owner/users.ts';
import { linkPath } from '../../../commands/secrets/tokens.ts';
import type { Project } from '../../../domain/accounts/project.ts';
import {
  type MemberRole,
  maySee,
  memberRoles,
  roleInProject,
  type User,
  withProjectRole,
} from '../../../domain/accounts/user.ts';
import type { MemberView, NewMemberView } from '../../../domain/views/account-view.ts';
import { forms } from '../../../integrations/contract/values.ts';
import { KnellError } from '../../../lib/errors.ts';
import { asUserId, type ProjectId } from '../../../lib/ids.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ProjectCall, textIn, type UserCall } from '../calls/call.ts';
import { linkForPassword, resetTotp, userIn } from './owner-endpoints.ts';
import { forbidden } from './project-scope.ts';

/** Returns the members whom `viewer` may see in the settings of a project that `viewer` owns. */
export function membersFor(
  viewer: User,
  users: readonly User[],
  projectId: ProjectId,
): readonly MemberView[] {
  const all = viewer.role === 'owner';
  return users
    .filter((user) => all || isOf(user, projectId))
    .map((user) => ({
      id: user.id,
      name: user.name,
      role: user.role,
      roleHere: roleInProject(user, projectId),
      ownRole: ownRole(user, projectId),
      hasPassword: user.passwordHash !== '',
      isNew: user.passwordHash === '' && user.oidc === undefined && (user.sessions ?? []).length === 0,
      hasTotp: all && user.totp !== undefined,
    }));
}

function ownRole({ projects = [] }: User, id: ProjectId): MemberRole | null {
  return projects.find(({ projectId }) => projectId === id)?.role ?? null;
}

function isOf(user: User, projectId: ProjectId): boolean {
  return maySee(user, projectId) || ownRole(user, projectId) !== null;
}

/** Answers with the link by which the new user sets a password. */
export async function createUser(call: UserCall): Promise<HttpReply> {
  const { change, json } = call;
  const user = newUser(call, choiceIn(json, 'role', memberRoles));
  if (isBroken(user)) return brokenAddress;
  if (!wasCreated(call, user)) await change.putUser(user);
  return created(call, user, null);
}

/** Whether the name is meant as an address and is none: no invitation would ever be sent to it. */
function isBroken({ name }: User): boolean {
  return name.includes('@') && !forms.mail.fits(name);
}

const brokenAddress = jsonReply(
  {
    field: 'name',
    error: 'this email address is not complete: enter one such as ada@example.org, or a name without @',
  },
  400,
);

function newUser({ json, nowMs, change }: UserCall, role: MemberRole): User {
  return {
    id: asUserId(change.ids.newUuid()),
    name: textIn(json, 'name'),
    role,
    passwordHash: '',
    createdAtMs: nowMs,
  };
}

/** Whether this very request created the user, and is now carried out a second time. */
function wasCreated({ context }: UserCall, { id }: User): boolean {
  return context.engine.read.users().some((user) => user.id === id);
}

/** Answers with the new user, who is also invited by mail if there is an address to send it to. */
async function created(
  { context, principal, nowMs }: UserCall,
  user: User,
  project: Project | null,
): Promise<HttpReply> {
  const by = principal.user;
  const invitation = { by: by.id, project: project?.id ?? null };
  const link = linkPath(context.tokens.invitation(context.tokens.link(user, nowMs), invitation));
  const mailed = await context.commands.accounts.invite(
    user,
    { by, project: project?.name ?? '', path: link },
    nowMs,
  );
  return jsonReply({ id: user.id, link, ...(mailed ? { mailed } : {}) } satisfies NewMemberView, 201);
}

/**
 * Sets a new role; with `link` creates a link by which the user sets a new password; with `resetTotp` ends the codes at the
 * sign-in.
 */
export async function changeUser(call: UserCall): Promise<HttpReply> {
  const { change, json } = call;
  if (json.link === true) return linkForPassword.run(call);
  if (json.resetTotp === true) return resetTotp.run(call);
  const role = choiceIn(json, 'role', memberRoles);
  await change.updateUser(userIn(call).id, (user) => ({ ...user, role }));
  return jsonReply({});
}

export async function deleteUser({ change, path }: UserCall): Promise<HttpReply> {
  const id = asUserId(path.id ?? '');
  await change.deleteUser(id);
  return jsonReply({});
}

/**
 * Adds the member of the installation with that name, or a new one, who gets no other role unless an owner of the installation
 * asks for it.
 */
export async function addMember(call: ProjectCall): Promise<HttpReply> {
  const { context, change, project, principal, json } = call;
  const role = choiceIn(json, 'role', memberRoles);
  const elsewhere = json.installation === undefined ? null : choiceIn(json, 'installation', memberRoles);
  if (elsewhere !== null && principal.user.role !== 'owner') return forbidden;
  const name = textIn(json, 'name').toLowerCase();
  const known = context.engine.read.users().find((user) => user.name.toLowerCase() === name);
  const user = withProjectRole(newUser(call, elsewhere ?? 'none'), project.id, role);
  if (!known && isBroken(user)) return brokenAddress;
  if (!known) await change.putUser(user);
  if (!known || wasCreated(call, user)) return created(call, user, project);
  const isAgain = call.request.idempotencyKey !== undefined && ownRole(known, project.id) === role;
  if (isAgain) return jsonReply({ id: known.id, link: null } satisfies NewMemberView);
  if (isOf(known, project.id))
    return jsonReply(
      {
        field: 'name',
        error: `this project has a member ${known.name} already: change the role in the list`,
      },
      409,
    );
  await change.updateUser(known.id, (now) => withProjectRole(now, project.id, role));
  return jsonReply({ id: known.id, link: null } satisfies NewMemberView);
}

/** Changes a role in the project; `default` means the role in the installation again. */
export async function changeMember(call: ProjectCall): Promise<HttpReply> {
  const { change, project, principal, json } = call;
  const user = userIn(call);
  if (principal.user.role !== 'owner' && !isOf(user, project.id))
    throw new KnellError('not-found', 'this user was removed');
  if (user.role === 'owner')
    throw new KnellError('conflict', `${user.name} is an owner of the installation, and so of every project`);
  const role = choiceIn(json, 'role', projectRoleChoices);
  await change.updateUser(user.id, (now) =>
    withProjectRole(now, project.id, role === 'default' ? null : role),
  );
  return jsonReply({});
}
