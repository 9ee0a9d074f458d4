/**
 * What the page's settings change: projects, keys, integrations, users.
 * Invariant: a key is shown once, in the answer that makes it; the value of an integration never leaves.
 */
import { channelValueFlaw } from '../../domain/channel-value.ts';
import type { ProjectSettings } from '../../domain/page-view.ts';
import { type Channel, channelKinds, keyScopes, planLimits } from '../../domain/project.ts';
import { roles, type User } from '../../domain/user.ts';
import { KnellError } from '../../lib/errors.ts';
import { asChannelId, asKeyId, asUserId, newUuid } from '../../lib/ids.ts';
import type { JsonObject } from '../api/request-json.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { type ProjectCall, textIn, type VisitorCall } from './call.ts';

export function showSettings({ room, project, visitor }: ProjectCall): Promise<HttpReply> {
  const { read } = room.engine;
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
      channels: read.channels(project.id).map(({ id, kind, name }) => ({ id, kind, name })),
      members:
        visitor.user.role === 'owner'
          ? read.users().map(({ id, name, role, passwordHash }) => {
              return { id, name, role, hasPassword: passwordHash !== '' };
            })
          : [],
    };
    return jsonReply(settings);
  });
}

export async function createProject({ room, json, nowMs }: VisitorCall): Promise<HttpReply> {
  const { project } = await room.engine.change.createProject(textIn(json, 'name'), 'paid', nowMs);
  return jsonReply({ id: project.id }, 201);
}

export async function createKey({ room, project, json, nowMs }: ProjectCall): Promise<HttpReply> {
  const scope = oneOf(keyScopes, json, 'scope');
  const { key, clear } = await room.engine.change.createKey(project.id, scope, nowMs);
  return jsonReply({ id: key.id, scope, key: clear }, 201);
}

export async function revokeKey({ room, project, path }: ProjectCall): Promise<HttpReply> {
  const id = asKeyId(path.id ?? '');
  if (!room.engine.read.keys(project.id).some((key) => key.id === id))
    throw new KnellError('not-found', 'no such key: somebody has revoked it already');
  await room.engine.change.revokeKey(id);
  return jsonReply({});
}

const channelNameCharsMax = 100;

export async function createChannel({ room, project, json, nowMs }: ProjectCall): Promise<HttpReply> {
  const kind = oneOf(channelKinds, json, 'kind');
  const name = textIn(json, 'name');
  const value = textIn(json, 'value');
  if ([...name].length > channelNameCharsMax)
    throw new KnellError('usage', `a name has at most ${channelNameCharsMax} characters`);
  const flaw = channelValueFlaw(kind, value);
  if (flaw !== null) throw new KnellError('usage', flaw);
  const { id } = await room.engine.change.createChannel(project.id, { kind, name, value }, nowMs);
  return jsonReply({ id }, 201);
}

export async function deleteChannel(call: ProjectCall): Promise<HttpReply> {
  await call.room.engine.change.deleteChannel(channelOf(call).id, call.nowMs);
  return jsonReply({});
}

function channelOf({ room, project, path }: ProjectCall): Channel {
  const id = asChannelId(path.id ?? '');
  const channel = room.engine.read.channels(project.id).find((one) => one.id === id);
  if (!channel) throw new KnellError('not-found', 'no such integration: somebody has deleted it already');
  return channel;
}

/** With the link by which the new user sets a password. */
export async function createUser({ room, json, nowMs }: VisitorCall): Promise<HttpReply> {
  const user: User = {
    id: asUserId(newUuid()),
    name: textIn(json, 'name'),
    role: oneOf(roles, json, 'role'),
    passwordHash: '',
    createdAtMs: nowMs,
  };
  await room.engine.change.putUser(user);
  return jsonReply({ id: user.id, link: linkPath(room.tokens.link(user, nowMs)) }, 201);
}

/** A new role, or with `link` a link by which the user sets a new password. */
export async function changeUser({ room, json, path, nowMs }: VisitorCall): Promise<HttpReply> {
  const user = room.engine.read.users().find(({ id }) => id === path.id);
  if (!user) throw new KnellError('not-found', 'no such user: somebody has removed them already');
  if (json.link === true) return jsonReply({ link: linkPath(room.tokens.link(user, nowMs)) });
  await room.engine.change.putUser({ ...user, role: oneOf(roles, json, 'role') });
  return jsonReply({});
}

export async function deleteUser({ room, path }: VisitorCall): Promise<HttpReply> {
  await room.engine.change.deleteUser(asUserId(path.id ?? ''));
  return jsonReply({});
}

/** Behind the hash, where no log and no referrer sees it. */
export function linkPath(link: string): string {
  return `/set-password#${link}`;
}

function oneOf<T extends string>(allowed: readonly T[], json: JsonObject, name: string): T {
  const found = allowed.find((one) => one === json[name]);
  if (found === undefined) throw new KnellError('usage', `${name} must be one of ${allowed.join(', ')}`);
  return found;
}
