/**
 * Projects, keys and integrations: created and removed by the owner of this Knell, over the admin socket.
 * Invariant: a key is shown once, when it is created; what is kept is its hash (a ping key in clear too).
 */

import type { AuditFact } from '../../domain/accounts/audit.ts';
import {
  type ApiKey,
  type Channel,
  type KeyScope,
  type Plan,
  type Project,
  settingsOf,
} from '../../domain/accounts/project.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import { KnellError } from '../../lib/errors.ts';
import {
  asChannelId,
  asKeyId,
  asProjectId,
  type ChannelId,
  type KeyId,
  type ProjectId,
  sha256Hex,
} from '../../lib/ids.ts';
import type { JournalRecord } from '../../store/store.ts';
import { channelChangedFact, channelFact, keyFact, projectFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { ChannelEdit, KeyToCreate, NewChannel, NewKey, NewProject } from '../contract/engine.ts';
import { notWritten } from '../contract/not-written.ts';
import { beginFeed, endFeed } from './accept-event-feed.ts';
import { checksWith, unassign, unassignChannel } from './assign-channel.ts';
import { allDurable } from './settled.ts';

const badgeKeyLength = 22;
/** Prefix and length of the keys of each scope: design, "Contract". */
const keyShape: Readonly<Record<KeyScope, { readonly prefix: string; readonly length: number }>> = {
  'read-write': { prefix: 'hcw_', length: 32 },
  'read-only': { prefix: 'hcr_', length: 32 },
  ping: { prefix: '', length: 22 },
  wall: { prefix: 'wall_', length: 37 },
};

/** The project and a key of each scope go into one batch: a crash leaves all of them or none. */
export async function createProject(
  context: EngineContext,
  name: string,
  plan: Plan,
  nowMs: number,
): Promise<NewProject> {
  const { project, done } = addProject(context, name, plan, nowMs);
  const [readWrite, readOnly, ping] = await Promise.all([
    createKey(context, { projectId: project.id, scope: 'read-write' }, nowMs),
    createKey(context, { projectId: project.id, scope: 'read-only' }, nowMs),
    createKey(context, { projectId: project.id, scope: 'ping' }, nowMs),
    done,
  ]);
  return { project, readWrite, readOnly, ping };
}

/** Creates a project for those who create the keys that they need, and no others. */
export async function createProjectWithoutKeys(
  context: EngineContext,
  name: string,
  plan: Plan,
  nowMs: number,
): Promise<Project> {
  const { project, done } = addProject(context, name, plan, nowMs);
  await done;
  return project;
}

function addProject(
  context: EngineContext,
  name: string,
  plan: Plan,
  nowMs: number,
): { readonly project: Project; readonly done: Promise<void> } {
  const { projectsMax } = context.bounds;
  const id = asProjectId(context.ids.newUuid());
  const badgeKey = context.ids.randomBase62(badgeKeyLength);
  const existing = context.registry.projectIndex(id);
  if (existing) return { project: existing.project, done: allDurable(context) };
  if ([...context.registry.projectIndexes()].length >= projectsMax)
    throw new KnellError(
      'conflict',
      `there are ${projectsMax} projects, the most there may be: delete one first`,
    );
  const project: Project = { id, name: checkedName(context, name), plan, badgeKey, createdAtMs: nowMs };
  context.registry.addProject(project);
  const undo = (): void => context.registry.removeProject(project);
  const done = appended(
    context,
    { type: 'put', kind: 'project', fact: project },
    undo,
    projectFact('created', project),
  );
  return { project, done };
}

/** `self`: the project that is to have the name, when it is there already. */
export function checkedName(context: EngineContext, name: string, self: ProjectId | null = null): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new KnellError('usage', 'a project needs a name');
  if (trimmed.length > nameCharsMax) {
    throw new KnellError('usage', `a project's name has at most ${nameCharsMax} characters`);
  }
  for (const { project } of context.registry.projectIndexes()) {
    if (project.name === trimmed && project.id !== self)
      throw new KnellError('conflict', `a project named ${trimmed} exists already`);
  }
  return trimmed;
}

export async function createKey(
  context: EngineContext,
  { projectId, scope, name, existing }: KeyToCreate,
  nowMs: number,
): Promise<NewKey> {
  if (!context.registry.projectIndex(projectId)) throw new KnellError('not-found', 'no such project');
  const { prefix, length } = keyShape[scope];
  const clear = existing?.clear ?? prefix + context.ids.randomBase62(length - prefix.length);
  const hash = existing?.hash ?? sha256Hex(clear);
  const id = asKeyId(context.ids.newUuid());
  const before = context.registry.key(id);
  if (before) return allDurable(context).then(() => ({ key: before, clear }));
  if (context.registry.keyByHash(hash)) throw new KnellError('conflict', 'this key exists already');
  const key: ApiKey = {
    id,
    projectId,
    scope,
    hash,
    clear: scope === 'ping' ? clear : null,
    ...(name === undefined ? {} : { name }),
    createdAtMs: nowMs,
  };
  context.registry.addKey(key);
  const undo = (): void => context.registry.removeKey(key);
  await appended(
    context,
    { type: 'put', kind: 'key', fact: key },
    undo,
    keyFact(context.registry, 'created', key),
  );
  return { key, clear };
}

/** Revokes the key and creates the other one, in one turn and so in one commit. */
export async function replaceKey(
  context: EngineContext,
  id: KeyId,
  key: KeyToCreate,
  nowMs: number,
): Promise<NewKey> {
  if (context.registry.key(id)?.projectId !== key.projectId) throw new KnellError('not-found', 'no such key');
  const other = key.existing ? context.registry.keyByHash(key.existing.hash) : null;
  if (other && other.id !== id) throw new KnellError('conflict', 'this key exists already');
  const [, created] = await Promise.all([revokeKey(context, id), createKey(context, key, nowMs)]);
  return created;
}

export async function revokeKey(context: EngineContext, id: KeyId): Promise<void> {
  const key = context.registry.key(id);
  if (!key) throw new KnellError('not-found', `no key has the id ${id}: see knell key list PROJECT`);
  context.registry.removeKey(key);
  const undo = (): void => context.registry.addKey(key);
  await appended(
    context,
    { type: 'removed', kind: 'key', id },
    undo,
    keyFact(context.registry, 'deleted', key),
  );
}

export async function createChannel(
  context: EngineContext,
  projectId: ProjectId,
  { id, kind, name, value, settings }: NewChannel,
  nowMs: number,
): Promise<Channel> {
  const index = context.registry.projectIndex(projectId);
  if (!index) throw new KnellError('not-found', 'no such project');
  const { channelsPerProjectMax: most } = context.bounds;
  const drawn = asChannelId(context.ids.newUuid());
  const before = index.channel(drawn);
  if (before) return allDurable(context).then(() => before);
  if (index.channels().length >= most)
    throw new KnellError('conflict', `a project has at most ${most} integrations: delete one first`);
  if (id !== undefined && context.registry.projectOfChannel(id))
    throw new KnellError('conflict', `an integration has the id ${id} already`);
  const channel: Channel = {
    id: id ?? drawn,
    projectId,
    kind,
    name,
    value,
    createdAtMs: nowMs,
    ...(settings ? { settings } : {}),
  };
  index.addChannel(channel);
  const fact = channelFact(context.registry, 'created', channel, { detail: kind });
  context.store.beginGroup();
  beginFeed(context, channel);
  const done = appended(
    context,
    { type: 'put', kind: 'channel', fact: channel },
    () => {
      index.removeChannel(channel.id);
      context.registry.eventFeeds.delete(channel.id);
    },
    fact,
  );
  context.store.endGroup();
  await done;
  context.events.feedsChanged.publish(projectId);
  return channel;
}

export async function editChannel(
  context: EngineContext,
  id: ChannelId,
  edit: ChannelEdit,
): Promise<Channel> {
  const index = context.registry.projectOfChannel(id);
  const before = index?.channel(id);
  if (!index || !before) throw noSuchChannel(id);
  const { name = before.name, value = before.value, settings } = edit;
  const channel: Channel = {
    ...before,
    name,
    value,
    ...(settings ? { settings: { ...settingsOf(before), ...settings } } : {}),
  };
  index.addChannel(channel);
  const fact = channelChangedFact(context.registry, before, channel);
  await appended(
    context,
    { type: 'put', kind: 'channel', fact: channel },
    () => index.addChannel(before),
    fact,
  );
  if (channel.kind === 'events') context.events.feedsChanged.publish(channel.projectId);
  return channel;
}

/**
 * Puts an integration of any kind in the place of one, under its id: one record, so that there is always one of the two. What
 * waits to be sent goes to the new one.
 */
export async function replaceChannel(
  context: EngineContext,
  id: ChannelId,
  { kind, name, value, settings }: Omit<NewChannel, 'id'>,
): Promise<Channel> {
  const index = context.registry.projectOfChannel(id);
  const before = index?.channel(id);
  if (!index || !before) throw noSuchChannel(id);
  const { projectId, createdAtMs } = before;
  const channel: Channel = {
    id,
    projectId,
    kind,
    name,
    value,
    createdAtMs,
    ...(settings ? { settings } : {}),
  };
  index.addChannel(channel);
  const fact = channelChangedFact(context.registry, before, channel);
  await appended(
    context,
    { type: 'put', kind: 'channel', fact: channel },
    () => index.addChannel(before),
    fact,
  );
  if (channel.kind === 'events') context.events.feedsChanged.publish(channel.projectId);
  return channel;
}

/** Unassigns the integration from every check that has it, then removes it. */
export async function deleteChannel(context: EngineContext, id: ChannelId, nowMs: number): Promise<void> {
  const index = context.registry.projectOfChannel(id);
  if (!index?.channel(id)) throw noSuchChannel(id);
  await unassignChannel(context, id, nowMs);
  // Somebody else may have deleted it meanwhile.
  const channel = index.channel(id);
  if (!channel) throw noSuchChannel(id);
  // The last of them, and what was assigned since, go with the integration, in one turn.
  // Rolled back together with it, if at all: that one says so.
  for (const check of checksWith(context, id)) unassign(context, id, check, nowMs)?.catch(() => {});
  index.removeChannel(id);
  const fact = channelFact(context.registry, 'deleted', channel);
  const feed = context.registry.eventFeeds.get(id);
  const undo = (): void => {
    index.addChannel(channel);
    if (feed) context.registry.eventFeeds.set(id, feed);
  };
  context.store.beginGroup();
  endFeed(context, id);
  const done = appended(context, { type: 'removed', kind: 'channel', id }, undo, fact);
  context.store.endGroup();
  await done;
  context.events.feedsChanged.publish(index.project.id);
}

function noSuchChannel(id: ChannelId): KnellError {
  return new KnellError('not-found', `no integration has the id ${id}: see knell channel list PROJECT`);
}

/**
 * Resolves when `record` is durable; when it is rolled back, undoes its effect in memory and rejects. `fact`: what the audit log
 * says of it.
 */
export function appended(
  context: EngineContext,
  record: JournalRecord,
  undo: () => void,
  fact: AuditFact | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter = {
      durable: resolve,
      rolledBack() {
        undo();
        reject(notWritten(context.store));
      },
    };
    context.audit.append(record, waiter, fact);
  });
}
