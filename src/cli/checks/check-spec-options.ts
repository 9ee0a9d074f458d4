/**
 * The options that create and edit a check, read into the JSON of the management API. The API decides which values are valid.
 */

import { type Command, Option } from 'commander';
import { countOf, durationMs } from '../../client/options.ts';
import { type CheckFieldName, checkFields } from '../../domain/check/check-fields.ts';
import { quoted } from '../../domain/discover/shell-quote.ts';
import { KnellError } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import { parseSchedule } from '../../schedule/schedule.ts';
import type { Flags } from '../io/flags.ts';
import { optionNumberMax } from '../io/limits.ts';

/** `choice`: the value lists them, with `|` between. */
type Reading = 'text' | 'time' | 'switch' | 'choice' | 'number';

interface SpecOption {
  readonly flag: string;
  readonly json: string;
  readonly reading: Reading;
  readonly value: string;
  readonly help: string;
}

const options: readonly SpecOption[] = [
  { flag: 'slug', json: 'slug', reading: 'text', value: 'slug', help: 'for ping URLs: a-z, 0-9, - and _' },
  { flag: 'tags', json: 'tags', reading: 'text', value: 'tags', help: 'separated by spaces' },
  {
    flag: 'desc',
    json: 'desc',
    reading: 'text',
    value: 'text',
    help: 'a description, such as a link to the runbook',
  },
  {
    flag: 'timeout',
    json: 'timeout',
    reading: 'time',
    value: 'time',
    help: 'a ping is expected this often, e.g. 1h',
  },
  {
    flag: 'schedule',
    json: 'schedule',
    reading: 'text',
    value: 'expr',
    help: 'or: a cron or OnCalendar expression',
  },
  {
    flag: 'tz',
    json: 'tz',
    reading: 'text',
    value: 'zone',
    help: 'time zone of the schedule, such as Europe/Riga',
  },
  {
    flag: 'grace',
    json: 'grace',
    reading: 'time',
    value: 'time',
    help: 'alert when a ping is late by more than this',
  },
  {
    flag: 'channels',
    json: 'channels',
    reading: 'text',
    value: 'names',
    help: 'integrations by name or id, separated by commas; "*" for all, "" for none',
  },
  {
    flag: 'methods',
    json: 'methods',
    reading: 'text',
    value: 'POST',
    help: 'POST: take no other pings; "": all',
  },
  {
    flag: 'manual-resume',
    json: 'manual_resume',
    reading: 'switch',
    value: 'on|off',
    help: 'on: a paused check stays paused until it is resumed by hand',
  },
  {
    flag: 'start-kw',
    json: 'start_kw',
    reading: 'text',
    value: 'words',
    help: 'keywords of a start, separated by commas',
  },
  { flag: 'success-kw', json: 'success_kw', reading: 'text', value: 'words', help: 'keywords of a success' },
  { flag: 'failure-kw', json: 'failure_kw', reading: 'text', value: 'words', help: 'keywords of a failure' },
  {
    flag: 'filter-subject',
    json: 'filter_subject',
    reading: 'switch',
    value: 'on|off',
    help: 'search subjects of emails',
  },
  {
    flag: 'filter-body',
    json: 'filter_body',
    reading: 'switch',
    value: 'on|off',
    help: 'search bodies of emails',
  },
  {
    flag: 'filter-http-body',
    json: 'filter_http_body',
    reading: 'switch',
    value: 'on|off',
    help: 'search bodies of HTTP pings',
  },
  {
    flag: 'filter-default-fail',
    json: 'filter_default_fail',
    reading: 'switch',
    value: 'on|off',
    help: 'on: a ping without any keyword is a failure',
  },
  {
    flag: 'max-runtime',
    json: 'max_runtime',
    reading: 'time',
    value: 'time',
    help: 'alert when a run takes longer; 0: than the grace time',
  },
  {
    flag: 'min-runtime',
    json: 'min_runtime',
    reading: 'time',
    value: 'time',
    help: 'a success that comes sooner is a failure; 0: off',
  },
  {
    flag: 'start-grace',
    json: 'start_grace',
    reading: 'time',
    value: 'time',
    help: 'alert when a start is late by more than this; 0: off',
  },
  {
    flag: 'unusual-runtime',
    json: 'unusual_runtime',
    reading: 'choice',
    value: 'off|warn|fail',
    help: 'what a run of unusual duration is',
  },
  {
    flag: 'unusual-factor',
    json: 'unusual_factor',
    reading: 'number',
    value: 'n',
    help: 'how many deviations from the usual that is, 1 to 100',
  },
  {
    flag: 'overlap',
    json: 'overlap',
    reading: 'choice',
    value: 'allow|warn|fail',
    help: 'what a start is while another run is in flight',
  },
  {
    flag: 'exit-codes',
    json: 'exit_codes',
    reading: 'text',
    value: 'table',
    help: 'what exit statuses mean, such as "24=warning,*=failure"',
  },
  {
    flag: 'hosts',
    json: 'hosts',
    reading: 'text',
    value: 'names',
    help: 'machines that each have to report, separated by spaces',
  },
  {
    flag: 'expected-runs',
    json: 'expected_runs',
    reading: 'number',
    value: 'n',
    help: 'this many reports are due in each period; 0: one',
  },
  {
    flag: 'early-tolerance',
    json: 'early_tolerance',
    reading: 'time',
    value: 'time',
    help: 'a ping that comes so much before its time counts for it',
  },
  {
    flag: 'results',
    json: 'results',
    reading: 'text',
    value: 'rules',
    help: 'numbers that a run reports, and their limits, such as "files: below 1"; one per line',
  },
  {
    flag: 'retention',
    json: 'retention',
    reading: 'text',
    value: 'rules',
    help: 'what is kept, such as "pings 90 days, failures 1 year"; "": as the project says',
  },
  {
    flag: 'alert-after',
    json: 'alert_after',
    reading: 'number',
    value: 'n',
    help: 'alert after so many failures, 1 to 20',
  },
  {
    flag: 'alert-of-last',
    json: 'alert_of_last',
    reading: 'number',
    value: 'n',
    help: 'failures among the last n; 0: in a row',
  },
  {
    flag: 'recover-after',
    json: 'recover_after',
    reading: 'number',
    value: 'n',
    help: 'say that it is up after so many successes, 1 to 20',
  },
  {
    flag: 'depends-on',
    json: 'depends_on',
    reading: 'text',
    value: 'checks',
    help: 'no alert while one of these is down: slugs, UUIDs, tag:name',
  },
  {
    flag: 'hold',
    json: 'hold',
    reading: 'time',
    value: 'time',
    help: 'wait so long for one of those to go down, too; 0: not',
  },
  {
    flag: 'unstable-changes',
    json: 'unstable_changes',
    reading: 'number',
    value: 'n',
    help: 'more changes within the window are one alert; 0: off',
  },
  {
    flag: 'unstable-window',
    json: 'unstable_window',
    reading: 'time',
    value: 'time',
    help: 'in which changes are counted, 1m to 1d',
  },
];

export function addSpecOptions(command: Command): Command {
  for (const { flag, reading, value, help } of options) {
    const option = new Option(`--${flag} <${value}>`, help);
    const choices = reading === 'switch' || reading === 'choice' ? value.split('|') : null;
    command.addOption(choices === null ? option : option.choices(choices));
  }
  return command;
}

/** The fields that options were given for. Throws a KnellError `usage` for a malformed time or schedule. */
export function specOf(flags: Flags): Readonly<Record<string, unknown>> {
  if (flags.schedule !== undefined && flags.timeout !== undefined)
    throw new KnellError('usage', 'give --timeout or --schedule, not both');
  if (flags.schedule !== undefined) mustBeSchedule(String(flags.schedule));
  const given = options.filter(({ flag }) => flags[camelCase(flag)] !== undefined);
  return Object.fromEntries(
    given.map(({ flag, json, reading }) => [json, valueIn(flag, String(flags[camelCase(flag)]), reading)]),
  );
}

/** The options that set these fields of the API, as a shell takes them. */
export function specOptionsOf(fields: Readonly<Record<string, string | number>>): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const option = options.find(({ json }) => json === name);
      return `--${option?.flag ?? name} ${option?.reading === 'time' ? `${value}s` : quoted(String(value))}`;
    })
    .join(' ');
}

/** The API says only that it is none, and not what is wrong with it. */
function mustBeSchedule(expr: string): void {
  const parsed = parseSchedule(expr, 'UTC');
  if (!parsed.ok) throw new KnellError('usage', `--schedule: ${parsed.error}`);
}

function valueIn(flag: string, text: string, reading: Reading): unknown {
  if (reading === 'switch') return text === 'on';
  if (reading === 'number') return countOf(`--${flag}`, text, optionNumberMax);
  return reading === 'time' ? Math.round(durationMs(`--${flag}`, text) / second) : text;
}

/** The name of an option in camel case, by which commander stores its value. */
function camelCase(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

const runFields = [
  'maxRuntimeS',
  'minRuntimeS',
  'startGraceS',
  'unusualRuntime',
  'unusualFactor',
  'overlap',
  'exitCodes',
  'hosts',
  'expectedRuns',
  'earlyToleranceS',
  'results',
] as const;

const alertFields = [
  ...(['alertAfter', 'alertOfLast', 'recoverAfter', 'dependsOn', 'holdS'] as const),
  ...(['unstableChanges', 'unstableWindowS'] as const),
] as const;

/** The settings of runs that are not as they are by default, such as `max_runtime 1800, overlap warn`. */
export function runSettingsText(check: object): string {
  return settingsText(check, runFields);
}

/** Likewise of alerts. */
export function alertSettingsText(check: object): string {
  return settingsText(check, alertFields);
}

function settingsText(check: object, names: readonly CheckFieldName[]): string {
  const values = new Map<string, unknown>(Object.entries(check));
  return names
    .map((name) => checkFields[name])
    .filter((field) => (values.get(field.json) ?? field.default) !== field.default)
    .map(({ json }) => `${json} ${values.get(json)}`)
    .join(', ');
}

/** The fields of a check from the API that a copy of it gets. */
export function copiedSpec(check: object): Readonly<Record<string, unknown>> {
  const names = options.map(({ json }) => json).filter((name) => name !== 'slug');
  return Object.fromEntries(Object.entries(check).filter(([name]) => names.includes(name)));
}
