/**
 * The input of the commands that create and edit integrations: name, value, settings, checked. A value comes whole, as
 * Healthchecks stores it (`value`), or by the fields of its form (`fields`).
 * Invariant: what is absent from an edit stays as it is.
 */

import {
  type ChannelSettings,
  channelSettingFields,
  defaultChannelSettings,
  type OwnerSettingName,
  ownerSettingNames,
} from '../../domain/accounts/channel-settings.ts';
import { type Channel, type ChannelKind, channelKinds, settingsOf } from '../../domain/accounts/project.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import type { ChannelEdit, NewChannel } from '../../engine/contract/engine.ts';
import { kinds } from '../../integrations/all.ts';
import {
  changedFields,
  type FieldError,
  type FieldTexts,
  fieldError,
  fieldsOfValue,
  valueOfFields,
} from '../../integrations/channel-form-value.ts';
import { channelFields, channelValueError } from '../../integrations/channel-value.ts';
import { KnellError } from '../../lib/errors.ts';
import { canonicalTimeZone } from '../../schedule/time-zones.ts';
import { type Args, type CommandRequest, choiceIn, flagIn, InvalidField, textIn } from './command.ts';

export function newChannelIn(request: CommandRequest): NewChannel {
  const { args } = request;
  const kind = choiceIn(args, 'kind', channelKinds);
  mustBeAllowed(request, kind);
  const name = nameIn(args);
  const fields = fieldsIn(kind, args);
  const value = fields ? newValue(kind, fields) : valueIn(kind, args);
  const settings = { ...settingsIn(args), ...verificationIn(request, kind) };
  if (Object.keys(settings).length === 0) return { kind, name, value };
  return { kind, name, value, settings: { ...defaultChannelSettings, ...settings } };
}

/** Reads an edit. An empty field whose value is not shown stays as it is; `clear` names those to empty. */
export function channelEditIn(request: CommandRequest, channel: Channel): ChannelEdit {
  const { args } = request;
  mustBeAllowed(request, channel.kind);
  const value = editedValue(channel, args);
  const settings = {
    ...editedSettings(channel, args),
    ...(value !== null && hasOtherAddress(channel, value) ? verificationIn(request, channel.kind) : {}),
  };
  return {
    ...(args.name === undefined ? {} : { name: nameIn(args) }),
    ...(value === null ? {} : { value }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/** An address that an owner gives needs no verification, unless the owner wants it. */
function verificationIn(
  { role, args }: CommandRequest,
  kind: ChannelKind,
): Partial<Pick<ChannelSettings, 'unverified'>> {
  const confirmed = args.confirmed === undefined ? role === 'owner' : flagIn(args, 'confirmed');
  if (confirmed && role !== 'owner')
    throw new KnellError('conflict', 'only owners may confirm an address for somebody else');
  if (kind !== 'email') return {};
  return { unverified: !confirmed };
}

function hasOtherAddress({ kind, value }: Channel, edited: string): boolean {
  return channelFields(kind, value).value !== channelFields(kind, edited).value;
}

/** Shell integrations run commands on the server. */
export function mustBeAllowed({ shell }: CommandRequest, kind: ChannelKind): void {
  if (kind !== 'shell' || shell) return;
  throw new KnellError(
    'conflict',
    'only owners of the installation, and admin keys created with --allow-shell, may set up shell integrations',
  );
}

function nameIn(args: Args): string {
  const name = textIn(args, 'name');
  if ([...name].length > nameCharsMax)
    throw new InvalidField('name', `a name has at most ${nameCharsMax} characters`);
  return name;
}

function valueIn(kind: ChannelKind, args: Args): string {
  const value = textIn(args, 'value');
  const error = channelValueError(kind, value);
  if (error !== null) throw new KnellError('usage', error);
  return value;
}

function newValue(kind: ChannelKind, fields: FieldTexts): string {
  mustBeValid(fieldError(kind, fields));
  return valueOfFields(kind, fields);
}

/** Null when it stays as it is: a value that was created elsewhere is not rewritten without need. */
function editedValue({ kind, value }: Channel, args: Args): string | null {
  const typed = fieldsIn(kind, args);
  if (!typed) return args.value === undefined ? null : valueIn(kind, args);
  const cleared = Array.isArray(args.clear) ? args.clear.map(String) : [];
  const fields = changedFields(kind, value, { typed, cleared });
  const before = fieldsOfValue(kind, value);
  if (Object.entries(fields).every(([name, text]) => text === before[name])) return null;
  mustBeValid(fieldError(kind, fields, value));
  return valueOfFields(kind, fields, value);
}

function mustBeValid(invalid: FieldError | null): void {
  if (invalid) throw new InvalidField(invalid.field, invalid.error);
}

/** Null when the request has no fields. Spaces around a text of one line are dropped. */
function fieldsIn(kind: ChannelKind, { fields }: Args): FieldTexts | null {
  if (typeof fields !== 'object' || fields === null) return null;
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(fields)) {
    const field = kinds[kind].form.fields.find((one) => one.name === name);
    if (field && typeof text === 'string') texts[name] = field.input === 'lines' ? text : text.trim();
  }
  return texts;
}

function settingsIn(args: Args): Partial<ChannelSettings> {
  const given = ownerSettingNames.filter((name) => args[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, settingIn(args, name)]));
}

function settingIn(args: Args, name: OwnerSettingName): number | boolean | string {
  const field = channelSettingFields[name];
  switch (field.kind) {
    case 'seconds':
      return secondsIn(args, name, field);
    case 'flag':
      return flagIn(args, name);
    case 'words':
      return wordsIn(args, name, field);
    case 'zone':
      return timeZoneIn(args, name);
  }
}

/** Somebody who enables or disables an integration has reasons that outdate the one that is kept, and knows the last error. */
function editedSettings(channel: Channel, args: Args): Partial<ChannelSettings> {
  const settings = settingsIn(args);
  const { disabled } = settings;
  if (disabled === undefined || disabled === settingsOf(channel).disabled) return settings;
  return { ...settings, disabledReason: '', lastError: '', announcePending: false };
}

interface WordsBounds {
  readonly charsMax: number;
  readonly choices?: readonly string[];
  readonly error: string;
}

/** Each once, separated by single spaces. */
function wordsIn(args: Args, field: string, { charsMax, choices, error }: WordsBounds): string {
  const words = [...new Set(textIn(args, field).split(/[\s,]+/))].filter((word) => word !== '');
  const isWrong = choices !== undefined && words.some((word) => !choices.includes(word));
  const text = words.join(' ');
  if (isWrong || text.length > charsMax) throw new InvalidField(field, error);
  return text;
}

/** Empty: the installation's. */
function timeZoneIn(args: Args, field: string): string {
  const name = textIn(args, field);
  const timeZone = name === '' ? '' : canonicalTimeZone(name);
  if (timeZone === null) throw new InvalidField(field, `"${name}" is not a time zone`);
  return timeZone;
}

interface SecondsBounds {
  readonly min: number;
  readonly max: number;
  readonly error: string;
}

function secondsIn(args: Args, field: string, { min, max, error }: SecondsBounds): number {
  const value = args[field];
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (value === 0 || (value >= min && value <= max)) return value;
  }
  throw new InvalidField(field, error);
}
