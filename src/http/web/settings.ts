/**
 * The settings of a project as the page shows them, and the users, whom only the page creates and changes.
 * Invariant: only owners see the users.
 */
import type { ProjectSettings } from '../../domain/page-view.ts';
import { planLimits } from '../../domain/project.ts';
import { mayActAs, roles, type User } from '../../domain/user.ts';
import { asUserId, newUuid } from '../../lib/ids.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { choiceIn } from '../owner-commands/command.ts';
import { type ProjectCall, textIn, type UserCall } from './call.ts';
import { channelView } from './channel-view.ts';
import { linkForPassword, resetTotp, userIn } from './owner-endpoints.ts';
import { mayPing } from './shown-id.ts';
import { linkPath } from './tokens.ts';

export async function showSettings({ context, project, principal }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  const { role } = principal.user;
  const snapshots = role === 'owner' ? await context.snapshots() : null;
  return read.durably(() => {
    const { checksMax } = planLimits[project.plan];
    const settings: ProjectSettings = {
      project: {
        id: project.id,
        name: project.name,
        plan: project.plan,
        checks: read.checkCount(project.id),
        checksMax: Number.isFinite(checksMax) ? checksMax : null,
      },
      keys: read.keys(project.id).map(({ id, scope, clear, createdAtMs }) => ({
        id,
        scope,
        clear: mayPing(role) ? clear : null,
        createdAtMs,
      })),
      channels: read.channels(project.id).map((one) => channelView(one, mayActAs(role, 'editor'))),
      members:
        role === 'owner'
          ? read.users().map(({ id, name, role, passwordHash, totp }) => {
              return { id, name, role, hasPassword: passwordHash !== '', hasTotp: totp !== undefined };
            })
          : [],
      snapshots,
      cluster: role === 'owner' ? context.cluster() : null,
    };
    return jsonReply(settings);
  });
}

/** With the link by which the new user sets a password. */
export async function createUser({ context, change, json, nowMs }: UserCall): Promise<HttpReply> {
  const user: User = {
    id: asUserId(newUuid()),
    name: textIn(json, 'name'),
    role: choiceIn(json, 'role', roles),
    passwordHash: '',
    createdAtMs: nowMs,
  };
  await change.putUser(user);
  return jsonReply({ id: user.id, link: linkPath(context.tokens.link(user, nowMs)) }, 201);
}

/** A new role; with `link` a link by which the user sets a new password; with `resetTotp` no codes at the sign-in any more. */
export async function changeUser(call: UserCall): Promise<HttpReply> {
  const { change, json } = call;
  if (json.link === true) return linkForPassword.run(call);
  if (json.resetTotp === true) return resetTotp.run(call);
  const user = userIn(call);
  await change.putUser({ ...user, role: choiceIn(json, 'role', roles) });
  return jsonReply({});
}

export async function deleteUser({ change, path }: UserCall): Promise<HttpReply> {
  const id = asUserId(path.id ?? '');
  await change.deleteUser(id);
  return jsonReply({});
}
