/**
 * Integrations and the outbox, for whoever runs this Knell.
 * Invariant: no result holds the value of an integration: values hold secrets.
 */
import { channelValueError } from '../domain/channel-value.ts';
import {
  type Channel,
  type ChannelKind,
  type ChannelSettings,
  channelKinds,
  defaultChannelSettings,
  settingsOf,
} from '../domain/project.ts';
import { KnellError } from '../lib/errors.ts';
import { day, hour, minute, second } from '../lib/units.ts';
import {
  type AdminRequest,
  type Call,
  type Command,
  channelOf,
  oneOf,
  optionalWord,
  projectOf,
  word,
} from './admin-call.ts';

export const channelCommands: readonly (readonly [string, Command])[] = [
  ['channel create', createChannel],
  ['channel list', listChannels],
  ['channel edit', editChannel],
  ['channel delete', deleteChannel],
  ['channel test', async ({ engine, desk, args }) => desk.test(channelOf(engine, args))],
];

export const outboxCommands: readonly (readonly [string, Command])[] = [
  ['outbox list', async ({ desk }) => desk.list()],
  ['outbox retry', async ({ desk, args }) => some(desk.retry(word(args, 'id')), args, 'retried')],
  ['outbox drop', async ({ desk, args }) => some(desk.drop(word(args, 'id')), args, 'dropped')],
];

function some(count: number, args: AdminRequest['args'], done: string): Readonly<Record<string, number>> {
  const id = word(args, 'id');
  if (count === 0 && id !== 'all') {
    const message = `no delivery ${id} can be ${done}: see knell outbox list (one that is under way cannot)`;
    throw new KnellError('not-found', message);
  }
  return { [done]: count };
}

async function createChannel({ engine, args, nowMs }: Call): Promise<unknown> {
  const kind = oneOf(channelKinds, word(args, 'kind'), '--kind');
  const name = checkedName(word(args, 'name'));
  const value = checkedValue(kind, word(args, 'value'));
  const asked = settingsAsked(args);
  const settings = Object.keys(asked).length > 0 ? { settings: { ...defaultChannelSettings, ...asked } } : {};
  const project = projectOf(engine, args);
  const { id } = await engine.change.createChannel(project.id, { kind, name, value, ...settings }, nowMs);
  return { id, name, kind };
}

async function listChannels({ engine, args }: Call): Promise<unknown> {
  return engine.read.channels(projectOf(engine, args).id).map(shownChannel);
}

async function editChannel({ engine, args }: Call): Promise<unknown> {
  const channel = channelOf(engine, args);
  const name = optionalWord(args, 'name');
  const value = optionalWord(args, 'value');
  const settings = settingsAsked(args);
  const edited = await engine.change.editChannel(channel.id, {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(value === undefined ? {} : { value: checkedValue(channel.kind, value) }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  });
  return shownChannel(edited);
}

async function deleteChannel({ engine, args, nowMs }: Call): Promise<unknown> {
  const { id } = channelOf(engine, args);
  await engine.change.deleteChannel(id, nowMs);
  return { id, deleted: true };
}

function shownChannel(channel: Channel): Readonly<Record<string, string | number | boolean>> {
  const { id, name, kind } = channel;
  const { delayS, repeatS, late, disabled, lastError } = settingsOf(channel);
  return { id, name, kind, delay: delayS, repeat: repeatS, late, disabled, last_error: lastError };
}

const channelNameMax = 100;

function checkedName(name: string): string {
  if ([...name].length > channelNameMax)
    throw new KnellError('usage', `--name has at most ${channelNameMax} characters`);
  return name;
}

function checkedValue(kind: ChannelKind, value: string): string {
  const error = channelValueError(kind, value);
  if (error !== null) throw new KnellError('usage', error);
  return value;
}

function settingsAsked(args: AdminRequest['args']): Partial<ChannelSettings> {
  const delay = optionalWord(args, 'delay');
  const repeat = optionalWord(args, 'repeat');
  const on = optionalWord(args, 'on');
  const disabled = optionalWord(args, 'disabled');
  return {
    ...(delay === undefined ? {} : { delayS: secondsOf(delay, '--delay', 1) }),
    ...(repeat === undefined ? {} : { repeatS: secondsOf(repeat, '--repeat', repeatSMin) }),
    ...(on === undefined ? {} : { late: oneOf(['late', 'down'], on, '--on') === 'late' }),
    ...(disabled === undefined ? {} : { disabled: oneOf(['on', 'off'], disabled, '--disabled') === 'on' }),
  };
}

const unitMs: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day };
/** Longer than a month is a mistake. */
const durationSMax = 31 * (day / second);
/** More often than once a minute is noise. */
const repeatSMin = 60;

/** `90s`, `5m`, `2h`, `1d`, or seconds; 0 for off. */
function secondsOf(text: string, flag: string, min: number): number {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * ((unitMs[unit || 's'] ?? second) / second);
  if (count === undefined || seconds > durationSMax || (seconds > 0 && seconds < min))
    throw new KnellError('usage', `${flag} must be 0, or from ${min}s to 31d, such as 90s, 5m, 2h or 1d`);
  return seconds;
}
