/**
 * Projects, keys and integrations: made and removed by whoever runs this Knell, over the admin socket.
 * Invariant: a key is shown once, when it is made; what is kept is its hash (a ping key in clear too).
 */
import {
  type ApiKey,
  type Channel,
  type KeyScope,
  type Plan,
  type Project,
  settingsOf,
} from '../domain/project.ts';
import { KnellError } from '../lib/errors.ts';
import {
  asChannelId,
  asKeyId,
  asProjectId,
  type ChannelId,
  type KeyId,
  type ProjectId,
  sha256Hex,
} from '../lib/ids.ts';
import type { JournalRecord } from '../store/store.ts';
import { updateCheck } from './accept-change.ts';
import type { ChannelEdit, NewChannel, NewKey, NewProject } from './engine.ts';
import type { Rooms } from './rooms.ts';

const badgeKeyLength = 22;
const projectNameMax = 100;
/** What each scope's keys begin with, and how long they are: design, "Contract". */
const keyShape: Readonly<Record<KeyScope, { readonly prefix: string; readonly length: number }>> = {
  'read-write': { prefix: 'hcw_', length: 32 },
  'read-only': { prefix: 'hcr_', length: 32 },
  ping: { prefix: '', length: 22 },
};

/** The project and a key of each scope go into one batch: a crash leaves all of them or none. */
export async function createProject(
  rooms: Rooms,
  name: string,
  plan: Plan,
  nowMs: number,
): Promise<NewProject> {
  const project: Project = {
    id: asProjectId(rooms.ids.newUuid()),
    name: checkedName(rooms, name),
    plan,
    badgeKey: rooms.ids.randomBase62(badgeKeyLength),
    createdAtMs: nowMs,
  };
  rooms.registry.addProject(project);
  const projectDone = appended(rooms, { type: 'project', project }, () =>
    rooms.registry.removeProject(project),
  );
  const [readWrite, readOnly, ping] = await Promise.all([
    createKey(rooms, project.id, 'read-write', nowMs),
    createKey(rooms, project.id, 'read-only', nowMs),
    createKey(rooms, project.id, 'ping', nowMs),
    projectDone,
  ]);
  return { project, readWrite, readOnly, ping };
}

/** `self`: the project that is to have the name, when it is there already. */
export function checkedName(rooms: Rooms, name: string, self: ProjectId | null = null): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new KnellError('usage', 'a project needs a name');
  if (trimmed.length > projectNameMax) {
    throw new KnellError('usage', `a project's name has at most ${projectNameMax} characters`);
  }
  for (const { project } of rooms.registry.shelves()) {
    if (project.name === trimmed && project.id !== self)
      throw new KnellError('conflict', `a project named ${trimmed} exists already`);
  }
  return trimmed;
}

export async function createKey(
  rooms: Rooms,
  projectId: ProjectId,
  scope: KeyScope,
  nowMs: number,
): Promise<NewKey> {
  if (!rooms.registry.shelf(projectId)) throw new KnellError('not-found', 'no such project');
  const { prefix, length } = keyShape[scope];
  const clear = prefix + rooms.ids.randomBase62(length - prefix.length);
  const key: ApiKey = {
    id: asKeyId(rooms.ids.newUuid()),
    projectId,
    scope,
    hash: sha256Hex(clear),
    clear: scope === 'ping' ? clear : null,
    createdAtMs: nowMs,
  };
  rooms.registry.addKey(key);
  await appended(rooms, { type: 'key', key }, () => rooms.registry.removeKey(key));
  return { key, clear };
}

export async function revokeKey(rooms: Rooms, id: KeyId): Promise<void> {
  const key = rooms.registry.key(id);
  if (!key) throw new KnellError('not-found', `no key has the id ${id}: see knell key list PROJECT`);
  rooms.registry.removeKey(key);
  await appended(rooms, { type: 'key-deleted', id }, () => rooms.registry.addKey(key));
}

export async function createChannel(
  rooms: Rooms,
  projectId: ProjectId,
  { kind, name, value, settings }: NewChannel,
  nowMs: number,
): Promise<Channel> {
  const shelf = rooms.registry.shelf(projectId);
  if (!shelf) throw new KnellError('not-found', 'no such project');
  const channel: Channel = {
    id: asChannelId(rooms.ids.newUuid()),
    projectId,
    kind,
    name,
    value,
    createdAtMs: nowMs,
    ...(settings ? { settings } : {}),
  };
  shelf.addChannel(channel);
  await appended(rooms, { type: 'channel', channel }, () => shelf.removeChannel(channel.id));
  return channel;
}

export async function editChannel(rooms: Rooms, id: ChannelId, edit: ChannelEdit): Promise<Channel> {
  const shelf = rooms.registry.shelfOfChannel(id);
  const before = shelf?.channel(id);
  if (!shelf || !before) throw noSuchChannel(id);
  const { name = before.name, value = before.value, settings } = edit;
  const channel: Channel = {
    ...before,
    name,
    value,
    ...(settings ? { settings: { ...settingsOf(before), ...settings } } : {}),
  };
  shelf.addChannel(channel);
  await appended(rooms, { type: 'channel', channel }, () => shelf.addChannel(before));
  return channel;
}

/** Unassigns the integration from every check that has it, then removes it. */
export async function deleteChannel(rooms: Rooms, id: ChannelId, nowMs: number): Promise<void> {
  const shelf = rooms.registry.shelfOfChannel(id);
  const channel = shelf?.channel(id);
  if (!shelf || !channel) throw noSuchChannel(id);
  for (const { check } of shelf.actors()) {
    if (!check.config.channels.includes(id)) continue;
    const channels = check.config.channels.filter((other) => other !== id);
    void updateCheck(rooms, check.id, { ...check.config, channels }, nowMs);
  }
  shelf.removeChannel(id);
  await appended(rooms, { type: 'channel-deleted', id }, () => shelf.addChannel(channel));
}

function noSuchChannel(id: ChannelId): KnellError {
  return new KnellError('not-found', `no integration has the id ${id}: see knell channel list PROJECT`);
}

/** Resolves when `record` is durable; when it is taken back, undoes its effect in memory and rejects. */
export function appended(rooms: Rooms, record: JournalRecord, undo: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    rooms.store.append(record, {
      durable: resolve,
      rolledBack() {
        undo();
        reject(new KnellError('store-full', 'the disk is full: nothing was changed; free some space'));
      },
    });
  });
}
