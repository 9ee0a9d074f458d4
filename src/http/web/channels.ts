/**
 * Integrations for the page: made, tested, changed, removed.
 * Invariant: the value of an integration never leaves; who may run commands on this machine is an owner.
 */
import { channelValueFlaw } from '../../domain/channel-value.ts';
import type { ChannelView } from '../../domain/page-view.ts';
import { type Channel, type ChannelKind, channelKinds, settingsOf } from '../../domain/project.ts';
import type { ChannelEdit } from '../../engine/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { asChannelId } from '../../lib/ids.ts';
import type { JsonObject } from '../api/request-json.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { oneOf, type ProjectCall, textIn } from './call.ts';

export function channelView(channel: Channel): ChannelView {
  const { id, kind, name } = channel;
  return { id, kind, name, ...settingsOf(channel) };
}

export async function createChannel(call: ProjectCall): Promise<HttpReply> {
  const { room, project, json, nowMs } = call;
  const kind = oneOf(channelKinds, json, 'kind');
  mayHave(call, kind);
  const name = checkedName(textIn(json, 'name'));
  const value = checkedValue(kind, textIn(json, 'value'));
  const { id } = await room.engine.change.createChannel(project.id, { kind, name, value }, nowMs);
  return jsonReply({ id }, 201);
}

/** What is absent stays; so does the value when it is empty, since the page was never told it. */
export async function editChannel(call: ProjectCall): Promise<HttpReply> {
  const { json } = call;
  const channel = channelOf(call);
  mayHave(call, channel.kind);
  const value = textIn(json, 'value');
  const edit: ChannelEdit = {
    ...('name' in json ? { name: checkedName(textIn(json, 'name')) } : {}),
    ...(value === '' ? {} : { value: checkedValue(channel.kind, value) }),
    settings: {
      ...('delayS' in json ? { delayS: secondsIn(json, 'delayS') } : {}),
      ...('repeatS' in json ? { repeatS: secondsIn(json, 'repeatS') } : {}),
      ...('late' in json ? { late: json.late === true } : {}),
      ...('disabled' in json ? { disabled: json.disabled === true } : {}),
    },
  };
  return jsonReply(channelView(await call.room.engine.change.editChannel(channel.id, edit)));
}

export async function testChannel(call: ProjectCall): Promise<HttpReply> {
  const results = await call.room.sendTest(channelOf(call));
  const failed = results.find(({ ok }) => !ok);
  return jsonReply({ ok: failed === undefined, error: failed?.error ?? '' });
}

export async function deleteChannel(call: ProjectCall): Promise<HttpReply> {
  const channel = channelOf(call);
  mayHave(call, channel.kind);
  await call.room.engine.change.deleteChannel(channel.id, call.nowMs);
  return jsonReply({});
}

function channelOf({ room, project, path }: ProjectCall): Channel {
  const id = asChannelId(path.id ?? '');
  const channel = room.engine.read.channels(project.id).find((one) => one.id === id);
  if (!channel) throw new KnellError('not-found', 'no such integration: somebody has deleted it already');
  return channel;
}

function mayHave({ visitor }: ProjectCall, kind: ChannelKind): void {
  if (kind === 'shell' && visitor.user.role !== 'owner')
    throw new KnellError('conflict', 'shell commands are for owners: ask one');
}

const nameCharsMax = 100;

function checkedName(name: string): string {
  if ([...name].length > nameCharsMax)
    throw new KnellError('usage', `a name has at most ${nameCharsMax} characters`);
  return name;
}

function checkedValue(kind: ChannelKind, value: string): string {
  const flaw = channelValueFlaw(kind, value);
  if (flaw !== null) throw new KnellError('usage', flaw);
  return value;
}

/** As the command has it: a month is a mistake, and more often than once a minute is noise. */
const secondsMax = 31 * 86_400;
const repeatSecondsMin = 60;

function secondsIn(json: JsonObject, name: 'delayS' | 'repeatS'): number {
  const value = Number(json[name]);
  const min = name === 'repeatS' ? repeatSecondsMin : 1;
  if (!Number.isInteger(value) || value < 0 || value > secondsMax || (value > 0 && value < min))
    throw new KnellError('usage', `the time must be 0, or from ${min} seconds to 31 days`);
  return value;
}
