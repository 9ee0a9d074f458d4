/**
 * What the page's settings change: projects, keys, users. Not integrations (`channels`).
 * Invariant: a key is shown once, in the answer that makes it.
 */
import type { NewProjectView, ProjectSettings } from '../../domain/page-view.ts';
import { keyScopes, planLimits, plans } from '../../domain/project.ts';
import { mayActAs, roles, type User } from '../../domain/user.ts';
import { KnellError } from '../../lib/errors.ts';
import { asKeyId, asUserId, newUuid } from '../../lib/ids.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { oneOf, type ProjectCall, textIn, type UserCall } from './call.ts';
import { channelView } from './channels.ts';
import { userTopic } from './live.ts';

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
      keys: read
        .keys(project.id)
        .map(({ id, scope, clear, createdAtMs }) => ({ id, scope, clear, createdAtMs })),
      channels: read.channels(project.id).map((one) => channelView(one, mayActAs(role, 'editor'))),
      members:
        role === 'owner'
          ? read.users().map(({ id, name, role, passwordHash }) => {
              return { id, name, role, hasPassword: passwordHash !== '' };
            })
          : [],
      snapshots,
    };
    return jsonReply(settings);
  });
}

export async function createProject({ context, json, nowMs }: UserCall): Promise<HttpReply> {
  const plan = 'plan' in json ? oneOf(plans, json, 'plan') : 'paid';
  const made = await context.engine.change.createProject(textIn(json, 'name'), plan, nowMs);
  const { project, readWrite, readOnly, ping } = made;
  const keys = { 'read-write': readWrite.clear, 'read-only': readOnly.clear, ping: ping.clear };
  return jsonReply({ id: project.id, keys } satisfies NewProjectView, 201);
}

export async function renameProject({ context, project, json }: ProjectCall): Promise<HttpReply> {
  const { id, name } = await context.engine.change.renameProject(project.id, textIn(json, 'name'));
  return jsonReply({ id, name });
}

/** Wants its name, since it cannot be taken back. */
export async function deleteProject({ context, project, json, nowMs }: ProjectCall): Promise<HttpReply> {
  if (textIn(json, 'name') !== project.name)
    throw new KnellError('usage', `to delete this project, type its name: ${project.name}`);
  return jsonReply({ checks: await context.engine.change.deleteProject(project.id, nowMs) });
}

export async function createKey({ context, project, json, nowMs }: ProjectCall): Promise<HttpReply> {
  const scope = oneOf(keyScopes, json, 'scope');
  const { key, clear } = await context.engine.change.createKey(project.id, scope, nowMs);
  return jsonReply({ id: key.id, scope, key: clear }, 201);
}

export async function revokeKey({ context, project, path }: ProjectCall): Promise<HttpReply> {
  const id = asKeyId(path.id ?? '');
  if (!context.engine.read.keys(project.id).some((key) => key.id === id))
    throw new KnellError('not-found', 'no such key: somebody has revoked it already');
  await context.engine.change.revokeKey(id);
  return jsonReply({});
}

/** With the link by which the new user sets a password. */
export async function createUser({ context, json, nowMs }: UserCall): Promise<HttpReply> {
  const user: User = {
    id: asUserId(newUuid()),
    name: textIn(json, 'name'),
    role: oneOf(roles, json, 'role'),
    passwordHash: '',
    createdAtMs: nowMs,
  };
  await context.engine.change.putUser(user);
  return jsonReply({ id: user.id, link: linkPath(context.tokens.link(user, nowMs)) }, 201);
}

/** A new role, or with `link` a link by which the user sets a new password. */
export async function changeUser({ context, json, path, nowMs }: UserCall): Promise<HttpReply> {
  const user = context.engine.read.users().find(({ id }) => id === path.id);
  if (!user) throw new KnellError('not-found', 'no such user: somebody has removed them already');
  if (json.link === true) return jsonReply({ link: linkPath(context.tokens.link(user, nowMs)) });
  await context.engine.change.putUser({ ...user, role: oneOf(roles, json, 'role') });
  return jsonReply({});
}

export async function deleteUser({ context, path }: UserCall): Promise<HttpReply> {
  const id = asUserId(path.id ?? '');
  await context.engine.change.deleteUser(id);
  context.dismiss(userTopic(id));
  return jsonReply({});
}

/** Behind the hash, where no log and no referrer sees it. */
export function linkPath(link: string): string {
  return `/set-password#${link}`;
}
