/**
 * Integrations for the page: made, tested, changed, removed.
 * Invariant: of an integration's value nothing leaves but what its form calls open, and that to those who may change it;
 * who may run commands on this machine is an owner.
 */
import { channelForms } from '../../domain/channel-form.ts';
import {
  changedFields,
  type FieldError,
  type FieldTexts,
  fieldError,
  fieldsOfValue,
  valueOfFields,
} from '../../domain/channel-form-value.ts';
import { channelValueError } from '../../domain/channel-value.ts';
import type { ChannelView } from '../../domain/page-view.ts';
import { type Channel, type ChannelKind, channelKinds, settingsOf } from '../../domain/project.ts';
import type { ChannelEdit } from '../../engine/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { asChannelId } from '../../lib/ids.ts';
import type { JsonObject } from '../api/request-json.ts';
import { jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { oneOf, type ProjectCall, textIn } from './call.ts';

/** `mayEdit`: whether what is open of its value is shown. */
export function channelView(channel: Channel, mayEdit: boolean): ChannelView {
  const { id, kind, name, value } = channel;
  const { fields } = channelForms[kind];
  const texts: FieldTexts = mayEdit ? fieldsOfValue(kind, value) : {};
  const held = fields.map((field) => [field, texts[field.name] ?? ''] as const);
  return {
    id,
    kind,
    name,
    ...settingsOf(channel),
    fields: Object.fromEntries(held.filter(([{ open }]) => open).map(([field, text]) => [field.name, text])),
    filled: held.filter(([{ open }, text]) => !open && text !== '').map(([field]) => field.name),
  };
}

/** Of its form's `fields`, or of a whole `value`. */
export async function createChannel(call: ProjectCall): Promise<HttpReply> {
  const { context, project, json, nowMs } = call;
  const kind = oneOf(channelKinds, json, 'kind');
  mayHave(call, kind);
  const name = checkedName(textIn(json, 'name'));
  const typed = fieldsIn(kind, json);
  const error = typed && fieldError(kind, typed);
  if (error) return jsonReply(error, 400);
  const value = typed ? valueOfFields(kind, typed) : checkedValue(kind, textIn(json, 'value'));
  const { id } = await context.engine.change.createChannel(project.id, { kind, name, value }, nowMs);
  return jsonReply({ id }, 201);
}

/** What is absent stays; so does what is empty of that which the page was never told. `clear` names what is to go. */
export async function editChannel(call: ProjectCall): Promise<HttpReply> {
  const { json } = call;
  const channel = channelOf(call);
  mayHave(call, channel.kind);
  const edited = editedValue(channel, json);
  if ('error' in edited) return jsonReply(edited, 400);
  const edit: ChannelEdit = {
    ...('name' in json ? { name: checkedName(textIn(json, 'name')) } : {}),
    ...edited,
    settings: {
      ...('delayS' in json ? { delayS: secondsIn(json, 'delayS') } : {}),
      ...('repeatS' in json ? { repeatS: secondsIn(json, 'repeatS') } : {}),
      ...('late' in json ? { late: json.late === true } : {}),
      ...('disabled' in json ? { disabled: json.disabled === true } : {}),
    },
  };
  return jsonReply(channelView(await call.context.engine.change.editChannel(channel.id, edit), true));
}

/** Nothing where it is as it was: a value that came from elsewhere is not written anew for no reason. */
function editedValue({ kind, value }: Channel, json: JsonObject): { readonly value?: string } | FieldError {
  const typed = fieldsIn(kind, json);
  if (!typed) {
    const whole = textIn(json, 'value');
    return whole === '' ? {} : { value: checkedValue(kind, whole) };
  }
  const cleared = Array.isArray(json.clear) ? json.clear.map(String) : [];
  const fields = changedFields(kind, value, { typed, cleared });
  const before = fieldsOfValue(kind, value);
  if (Object.entries(fields).every(([name, text]) => text === before[name])) return {};
  return fieldError(kind, fields, value) ?? { value: valueOfFields(kind, fields, value) };
}

/** Null where the call speaks of no fields. What stands on one line is cut of its blanks. */
function fieldsIn(kind: ChannelKind, json: JsonObject): FieldTexts | null {
  const given = json.fields;
  if (typeof given !== 'object' || given === null) return null;
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const field = channelForms[kind].fields.find((one) => one.name === name);
    if (field && typeof text === 'string') texts[name] = field.input === 'lines' ? text : text.trim();
  }
  return texts;
}

export async function testChannel(call: ProjectCall): Promise<HttpReply> {
  const results = await call.context.sendTest(channelOf(call));
  const failed = results.find(({ ok }) => !ok);
  return jsonReply({ ok: failed === undefined, error: failed?.error ?? '' });
}

export async function deleteChannel(call: ProjectCall): Promise<HttpReply> {
  const channel = channelOf(call);
  mayHave(call, channel.kind);
  await call.context.engine.change.deleteChannel(channel.id, call.nowMs);
  return jsonReply({});
}

function channelOf({ context, project, path }: ProjectCall): Channel {
  const id = asChannelId(path.id ?? '');
  const channel = context.engine.read.channels(project.id).find((one) => one.id === id);
  if (!channel) throw new KnellError('not-found', 'no such integration: somebody has deleted it already');
  return channel;
}

function mayHave({ principal }: ProjectCall, kind: ChannelKind): void {
  if (kind === 'shell' && principal.user.role !== 'owner')
    throw new KnellError('conflict', 'shell commands are for owners: ask one');
}

const nameCharsMax = 100;

function checkedName(name: string): string {
  if ([...name].length > nameCharsMax)
    throw new KnellError('usage', `a name has at most ${nameCharsMax} characters`);
  return name;
}

function checkedValue(kind: ChannelKind, value: string): string {
  const error = channelValueError(kind, value);
  if (error !== null) throw new KnellError('usage', error);
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
