/**
 * The one table of how an integration is notified, beyond what its value says: a setting's names, its kind, bounds and default, and the
 * words that explain it. Read by the types, the codec, the commands' input, configuration files, the audit log, the page's form and
 * the command line. Not here: what a setting does.
 * Invariants: a new one is one line here. `stored` and `default` never change once they were released: records leave out what has its
 * default, and fields are stored in this order.
 */

import type { Growing } from '../check/unknown-fields.ts';
import { collectSecondsMax, settingSecondsMax, tagsLengthMax } from '../limits.ts';

interface SettingOf<Kind extends string, Value> {
  readonly kind: Kind;
  /** Name in records. */
  readonly stored: string;
  readonly default: Value;
}

/** A setting that an owner changes, with its name in every place where it can be set. */
interface Outward<Json extends string> {
  /** Name in configuration files, in what commands show, and in the audit log. Commands take it by its name in the code. */
  readonly json: Json;
  /** Label on the page. */
  readonly label: string;
  /** Fainter, behind it. */
  readonly hint?: string;
  /** Description in the schema of configuration files. */
  readonly help: string;
  /** `--name <value>`. */
  readonly option: { readonly name: string; readonly value: string; readonly help: string };
  /** Not asked for when an integration is created. */
  readonly isLater?: true;
}

interface SecondsSetting<Json extends string = string> extends SettingOf<'seconds', number>, Outward<Json> {
  /** 0 is always allowed. */
  readonly min: number;
  readonly max: number;
  /** Error for a value out of bounds. */
  readonly error: string;
  /** Before the time, where an integration is summed up in a line. */
  readonly inLine: string;
}

interface FlagSetting<Json extends string = string> extends SettingOf<'flag', boolean>, Outward<Json> {
  /** The two values on the command line. */
  readonly on: string;
  readonly off: string;
  /** Text for the line that sums up an integration; empty for nothing. */
  readonly inLine: string;
  /** Title and words of its card on the page, if it has one. */
  readonly card?: { readonly title: string; readonly tick: string };
}

/** Words, separated by spaces; empty for none. */
interface WordsSetting<Json extends string = string> extends SettingOf<'words', string>, Outward<Json> {
  readonly charsMax: number;
  /** The only words that it may have; absent: any. */
  readonly choices?: readonly string[];
  /** Error for a word that is none of them, or too many. */
  readonly error: string;
  /** Before the words, where an integration is summed up in a line. */
  readonly inLine: string;
}

/** An IANA name, or empty. */
interface ZoneSetting<Json extends string = string> extends SettingOf<'zone', string>, Outward<Json> {}

/** A setting that Knell notes itself. */
interface NotedSetting<Value extends boolean | string | number> extends SettingOf<'noted', Value> {
  /** Name in the audit log, if somebody can change it. */
  readonly audited?: string;
}

type Rules<Setting> = Omit<Setting, 'kind' | 'stored' | 'default' | 'max'> & {
  readonly stored?: string;
  readonly max?: number;
};

function seconds<const Json extends string>(rules: Rules<SecondsSetting<Json>>): SecondsSetting<Json> {
  return { kind: 'seconds', stored: rules.json, default: 0, max: settingSecondsMax, ...rules };
}

function flag<const Json extends string>(rules: Rules<FlagSetting<Json>>): FlagSetting<Json> {
  return { kind: 'flag', stored: rules.json, default: false, ...rules };
}

function words<const Json extends string>(rules: Rules<WordsSetting<Json>>): WordsSetting<Json> {
  return { kind: 'words', stored: rules.json, default: '', ...rules };
}

function zone<const Json extends string>(rules: Rules<ZoneSetting<Json>>): ZoneSetting<Json> {
  return { kind: 'zone', stored: rules.json, default: '', ...rules };
}

function noted(stored: string, whenAbsent: boolean, audited?: string): NotedSetting<boolean>;
function noted(stored: string, whenAbsent: string, audited?: string): NotedSetting<string>;
function noted(stored: string, whenAbsent: number, audited?: string): NotedSetting<number>;
function noted(
  stored: string,
  whenAbsent: boolean | string | number,
  audited?: string,
): NotedSetting<boolean | string | number> {
  return { kind: 'noted', stored, default: whenAbsent, ...(audited === undefined ? {} : { audited }) };
}

/** What a check that goes down, or comes up, is for `events`. */
export const routedEvents = ['down', 'hung', 'missed', 'up'] as const;
export type RoutedEvent = (typeof routedEvents)[number];

export const channelSettingFields = {
  /** That a check must have been down (or late) before it is notified; 0 for at once. */
  delayS: seconds({
    json: 'delay',
    min: 1,
    error: 'the delay must be 0, or from 1 second to 31 days',
    label: 'Notify only if down for more than',
    help: 'Seconds that a check must have been down before it is notified.',
    option: {
      name: 'delay',
      value: 'time',
      help: 'notify only after the check has been down this long, e.g. 5m; 0: at once',
    },
    inLine: 'after',
  }),
  /** After which it is notified again while the check stays down; 0 for never. More often than once a minute is noise. */
  repeatS: seconds({
    json: 'repeat',
    min: 60,
    error: 'the repeat interval must be 0, or from 1 minute to 31 days',
    label: 'Repeat while down, every',
    hint: '0: never',
    help: 'Seconds after which it is notified again while the check stays down; 0 for never.',
    option: {
      name: 'repeat',
      value: 'time',
      help: 'repeat the notification while the check is down, e.g. every 1h; 0: never',
    },
    inLine: 'again every',
  }),
  /** What goes wrong within that time is one message; 0: each check has its own. */
  collectS: seconds({
    json: 'collect',
    min: 1,
    max: collectSecondsMax,
    error: 'the time to collect must be 0, or from 1 second to 10 minutes',
    label: 'Collect checks that go down within',
    hint: '0: a message for each check, at once',
    help: 'Seconds for which checks that go down are collected into one message; 0 for a message of each check, at once.',
    option: {
      name: 'collect',
      value: 'time',
      help: 'one message about all checks that go down within this time, e.g. 1m; 0: one for each',
    },
    inLine: 'collected for',
  }),
  /** Notified only of what nobody has acknowledged by then: a step of an escalation; 0: of everything. */
  escalateS: seconds({
    json: 'escalate_after',
    min: 60,
    error: 'the time of an escalation must be 0, or from 1 minute to 31 days',
    label: 'Only if nobody has acknowledged it after',
    hint: '0: in any case',
    help: 'Seconds after which it is notified of what is down and nobody has acknowledged by then; 0 to notify it in any case.',
    option: {
      name: 'escalate',
      value: 'time',
      help: 'notify only if nobody has acknowledged the incident by then, e.g. 15m; 0: in any case',
    },
    inLine: 'if nobody has acknowledged it after',
  }),
  /** Notified of a late ping too, when the grace time begins. */
  late: flag({
    json: 'late',
    label: 'Also notify when a ping is late',
    help: 'Notified of late pings too.',
    option: {
      name: 'on',
      value: 'what',
      help: 'late: notify when a ping is late, too; down: only when the check is down',
    },
    on: 'late',
    off: 'down',
    inLine: 'when late too',
  }),
  /** Notified of runs that ended with a warning, or were unusual, where the check says so. */
  warnings: flag({
    json: 'warnings',
    label: 'Also notify of warnings',
    help: 'Notified of warnings too.',
    option: {
      name: 'warnings',
      value: 'switch',
      help: 'on: notify of runs that ended with a warning, too',
    },
    on: 'on',
    off: 'off',
    inLine: 'of warnings too',
  }),
  /** Notified only of checks that have one of these tags. */
  tags: words({
    json: 'tags',
    charsMax: tagsLengthMax,
    error: `the tags have at most ${tagsLengthMax} characters`,
    label: 'Only checks with one of these tags',
    hint: 'separated by spaces or commas; empty: all that it is assigned to',
    help: 'Notified only of checks with one of these tags; empty for all that it is assigned to.',
    option: { name: 'tags', value: 'tags', help: 'notify only of checks with one of these tags' },
    inLine: 'of checks tagged',
  }),
  /** Notified only of these events. A warning, or that a check is late, has a setting of its own. */
  events: words({
    json: 'events',
    charsMax: 100,
    choices: routedEvents,
    error: `the events must be some of ${routedEvents.join(', ')}, separated by spaces`,
    label: 'Only these events',
    hint: 'none chosen: all',
    help: `Notified only of these events, some of ${routedEvents.join(', ')}; empty for all. down: other than hung and missed.`,
    option: {
      name: 'events',
      value: 'events',
      help: `notify only of these: some of ${routedEvents.join(', ')}`,
    },
    inLine: 'only when',
  }),
  /** Checks that are created from now on are not assigned to it, unless somebody says so. */
  notForNew: flag({
    json: 'not_for_new_checks',
    label: 'Not for new checks',
    help: 'New checks are not assigned to it by themselves.',
    option: { name: 'new-checks', value: 'switch', help: 'off: do not assign new checks to it' },
    on: 'off',
    off: 'on',
    inLine: '',
  }),
  /** Gets no deliveries until it is enabled again. */
  disabled: flag({
    json: 'disabled',
    label: 'Turned off',
    card: { title: 'Turn off', tick: 'Send nothing to it until it is turned on again' },
    help: 'Gets no notifications.',
    option: { name: 'disabled', value: 'switch', help: 'on: send it no notifications' },
    on: 'on',
    off: 'off',
    inLine: '',
    isLater: true,
  }),
  /** Why Knell disabled it, or its recipient did; empty when somebody else did. Holds no secret. */
  disabledReason: noted('disabled_reason', ''),
  /** Its address has not confirmed that it wants alerts, and gets none. */
  unverified: noted('unverified', false, 'verified'),
  /** Zone in which its messages show times; empty: the installation's. */
  timeZone: zone({
    json: 'time_zone',
    stored: 'tz',
    label: 'Time zone of its messages',
    hint: "empty: the server's",
    help: 'Time zone of the times in its messages',
    option: { name: 'tz', value: 'zone', help: 'of the times in its messages, such as Europe/Riga' },
  }),
  /** Error of the latest attempt if it failed, else empty. Holds no secret. */
  lastError: noted('last_error', ''),
  /** Epoch milliseconds since which every attempt has failed; 0 while the latest one went well. */
  failingSinceMs: noted('failing_since', 0),
  /** Knell disabled it, and has not yet notified the project's other integrations of that. */
  announcePending: noted('announce_pending', false),
};

type Fields = typeof channelSettingFields;
export type ChannelSettingName = keyof Fields;
export type ChannelSettingField = Fields[ChannelSettingName];

/** Names in the order of the table. */
export const channelSettingNames = Object.keys(channelSettingFields) as readonly ChannelSettingName[];

type Values = { readonly [Name in ChannelSettingName]: Fields[Name]['default'] };
export interface ChannelSettings extends Values, Growing {}

export const defaultChannelSettings: ChannelSettings = Object.fromEntries(
  channelSettingNames.map((name) => [name, channelSettingFields[name].default]),
) as Values;

/** Names of the settings that an owner sets. */
export type OwnerSettingName = {
  [Name in ChannelSettingName]: Fields[Name] extends Outward<string> ? Name : never;
}[ChannelSettingName];
export type OwnerSettingField = Fields[OwnerSettingName];

export const ownerSettingNames: readonly OwnerSettingName[] = channelSettingNames.filter(
  (name): name is OwnerSettingName => channelSettingFields[name].kind !== 'noted',
);

/** The order of forms and the command line: typed settings come before switches. */
export const typedThenSwitched: readonly OwnerSettingName[] = [
  ...ownerSettingNames.filter((name) => channelSettingFields[name].kind !== 'flag'),
  ...ownerSettingNames.filter((name) => channelSettingFields[name].kind === 'flag'),
];

/** The setting's name in the audit log, if it is there at all. */
export function auditedName(field: ChannelSettingField): string | undefined {
  return field.kind === 'noted' ? field.audited : field.json;
}

/** Values by their JSON names. */
export type IntegrationSettings = {
  readonly [Name in OwnerSettingName as Fields[Name]['json']]: Fields[Name]['default'];
};

export function integrationSettings(settings: ChannelSettings): IntegrationSettings {
  return Object.fromEntries(
    ownerSettingNames.map((name) => [channelSettingFields[name].json, settings[name]]),
  ) as IntegrationSettings;
}

/** Likewise, with the defaults of those that `from` lacks. What it has, has been checked. */
export function settingsGiven(from: Readonly<Record<string, unknown>>): IntegrationSettings {
  const fields = ownerSettingNames.map((name) => channelSettingFields[name]);
  return Object.fromEntries(
    fields.map(({ json, default: whenAbsent }) => [json, from[json] ?? whenAbsent]),
  ) as IntegrationSettings;
}

/** Maps JSON names in `from` to the names in the code; settings that `from` lacks are left out. */
export function settingsByName(from: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = ownerSettingNames.map((name) => [name, from[channelSettingFields[name].json]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
