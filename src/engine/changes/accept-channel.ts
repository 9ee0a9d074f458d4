/**
 * Integrations: created, edited, replaced and deleted by the owner of their project.
 * Invariant: one that is sent events has its feed from its first record to its last, and no check.
 */

import type { AuditFact } from '../../domain/accounts/audit.ts';
import { type Channel, getsAlerts, settingsOf } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import { asChannelId, type ChannelId, type ProjectId } from '../../lib/ids.ts';
import type { JournalRecord } from '../../store/store.ts';
import { channelChangedFact, channelFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { ChannelEdit, NewChannel } from '../contract/engine.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import { endFeed, putFeedOf } from './accept-event-feed.ts';
import { appended } from './appended.ts';
import { checksWith, unassign, unassignChannel } from './assign-channel.ts';
import { allDurable } from './settled.ts';

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
  await putWithFeed(context, channel, () => index.removeChannel(channel.id), fact);
  return channel;
}

export async function editChannel(
  context: EngineContext,
  id: ChannelId,
  edit: ChannelEdit,
): Promise<Channel> {
  const { index, before } = placeOf(context, id);
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
  if (!getsAlerts(channel)) context.events.feedsChanged.publish(channel.projectId);
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
  nowMs: number,
): Promise<Channel> {
  if (!getsAlerts({ kind })) await unassignChannel(context, id, nowMs);
  const { index, before } = placeOf(context, id);
  if (!getsAlerts({ kind })) unassignRest(context, id, nowMs);
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
  await putWithFeed(context, channel, () => index.addChannel(before), fact);
  return channel;
}

/** The record of an integration, and in the same group that of the feed that it has, or has not any more. */
async function putWithFeed(
  context: EngineContext,
  channel: Channel,
  undo: () => void,
  fact: AuditFact | null,
): Promise<void> {
  const { store, events, registry } = context;
  const hadFeed = registry.eventFeeds.has(channel.id);
  store.beginGroup();
  const undoFeed = putFeedOf(context, channel);
  const record: JournalRecord = { type: 'put', kind: 'channel', fact: channel };
  const done = appended(
    context,
    record,
    () => {
      undo();
      undoFeed();
    },
    fact,
  );
  store.endGroup();
  await done;
  if (hadFeed || !getsAlerts(channel)) events.feedsChanged.publish(channel.projectId);
}

/** Unassigns the integration from every check that has it, then removes it. */
export async function deleteChannel(context: EngineContext, id: ChannelId, nowMs: number): Promise<void> {
  await unassignChannel(context, id, nowMs);
  const { index, before: channel } = placeOf(context, id);
  unassignRest(context, id, nowMs);
  index.removeChannel(id);
  const fact = channelFact(context.registry, 'deleted', channel);
  context.store.beginGroup();
  const undoFeed = endFeed(context, id);
  const undo = (): void => {
    index.addChannel(channel);
    undoFeed();
  };
  const done = appended(context, { type: 'removed', kind: 'channel', id }, undo, fact);
  context.store.endGroup();
  await done;
  if (!getsAlerts(channel)) context.events.feedsChanged.publish(channel.projectId);
}

/**
 * Behind `unassignChannel`: takes it from the last checks, and from those that it was assigned to since, in one turn with what
 * becomes of the integration. Rolled back together with that, if at all: that one says so.
 */
function unassignRest(context: EngineContext, id: ChannelId, nowMs: number): void {
  for (const check of checksWith(context, id)) unassign(context, id, check, nowMs)?.catch(() => {});
}

/** Throws a KnellError `not-found`: somebody may have deleted it since the caller has seen it. */
function placeOf(
  { registry }: EngineContext,
  id: ChannelId,
): { readonly index: ProjectIndex; readonly before: Channel } {
  const index = registry.projectOfChannel(id);
  const before = index?.channel(id);
  if (!index || !before) throw noSuchChannel(id);
  return { index, before };
}

function noSuchChannel(id: ChannelId): KnellError {
  return new KnellError('not-found', `no integration has the id ${id}: see knell channel list PROJECT`);
}
