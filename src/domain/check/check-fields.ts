/**
 * The one table of what an owner sets on a check: a field's name, its JSON name (in the API and in stored rows), its kind,
 * bounds and default. Read by the parser of requests, by what applies them, by the JSON of a check, by the codec and by the
 * types. Not here: what a field does.
 *
 * Invariants: a new boolean is one line here. A `default` never changes once it was released: rows leave out what has it.
 */

import type { ChannelId } from '../../lib/ids.ts';
import {
  alertOutcomesMax,
  checkNameLengthMax,
  checkSecondsMax,
  checkSecondsMin,
  dependsOnCharsMax,
  dependsOnMax,
  descLengthMax,
  exitCodesLengthMax,
  expectedRunsMax,
  hostCharsMax,
  hostsCharsMax,
  hostsMax,
  keywordsLengthMax,
  parentWaitSecondsMax,
  resultRulesCharsMax,
  retentionCharsMax,
  slugLengthMax,
  tagsLengthMax,
  unstableChangesMax,
  unstableWindowSecondsMax,
  unusualFactorMax,
  unusualFactorMin,
} from '../limits.ts';
import { resultRulesError } from '../results/result-rules.ts';
import { retentionError } from '../retention/retention-rules.ts';
import { exitCodesPattern } from './exit-codes.ts';

interface FieldOf<Kind extends string, Json extends string, Value> {
  readonly kind: Kind;
  readonly json: Json;
  readonly default: Value;
}

interface TextField<Json extends string = string> extends FieldOf<'text', Json, string> {
  /** Longest text, in code points. */
  readonly lengthMax?: number;
  readonly pattern?: RegExp;
  /** Published in place of the pattern: see `field-schema`. */
  readonly form?: string;
  /** What is wrong with a text, in words; empty for nothing. */
  readonly wrong?: (text: string) => string;
  /** Many checks have the same text: one string in memory serves them all. */
  readonly shared?: boolean;
}
interface IntegerField<Json extends string = string> extends FieldOf<'integer', Json, number> {
  readonly min: number;
  readonly max: number;
}
interface ChoiceField<Json extends string = string, Choice extends string = string>
  extends FieldOf<'choice', Json, Choice> {
  readonly choices: readonly Choice[];
}
type FlagField<Json extends string = string> = FieldOf<'flag', Json, boolean>;
/** A cron or OnCalendar expression. */
type ScheduleField<Json extends string = string> = FieldOf<'schedule', Json, string>;
/** An IANA name. */
type ZoneField<Json extends string = string> = FieldOf<'zone', Json, string>;
/** Never set by itself: it follows from another field. */
type ScheduleKindField<Json extends string = string> = FieldOf<'schedule-kind', Json, CheckKind>;
type ChannelsField<Json extends string = string> = FieldOf<'channels', Json, readonly ChannelId[]>;

export const checkKinds = ['simple', 'cron', 'oncalendar'] as const;
export type CheckKind = (typeof checkKinds)[number];

type TextRules = Pick<TextField, 'lengthMax' | 'pattern' | 'form' | 'shared' | 'wrong'>;

function text<Json extends string>(json: Json, rules: TextRules = {}): TextField<Json> {
  return { kind: 'text', json, default: '', ...rules };
}

function keywords<Json extends string>(json: Json): TextField<Json> {
  return text(json, { lengthMax: keywordsLengthMax, shared: true });
}

function seconds<Json extends string>(json: Json, whenAbsent: number): IntegerField<Json> {
  return { kind: 'integer', json, default: whenAbsent, min: checkSecondsMin, max: checkSecondsMax };
}

/** Seconds; 0 for unset. */
function secondsOrUnset<Json extends string>(json: Json): IntegerField<Json> {
  return { kind: 'integer', json, default: 0, min: 0, max: checkSecondsMax };
}

function amount<Json extends string>(
  json: Json,
  { whenAbsent, min, max }: { readonly whenAbsent: number; readonly min: number; readonly max: number },
): IntegerField<Json> {
  return { kind: 'integer', json, default: whenAbsent, min, max };
}

function flag<Json extends string>(json: Json): FlagField<Json> {
  return { kind: 'flag', json, default: false };
}

function choice<Json extends string, const Choice extends string>(
  json: Json,
  choices: readonly [Choice, ...Choice[]],
): ChoiceField<Json, Choice> {
  return { kind: 'choice', json, choices, default: choices[0] };
}

function schedule<Json extends string>(json: Json): ScheduleField<Json> {
  return { kind: 'schedule', json, default: '* * * * *' };
}

function zone<Json extends string>(json: Json): ZoneField<Json> {
  return { kind: 'zone', json, default: 'UTC' };
}

function scheduleKind<Json extends string>(json: Json): ScheduleKindField<Json> {
  return { kind: 'schedule-kind', json, default: 'simple' };
}

function channels<Json extends string>(json: Json): ChannelsField<Json> {
  return { kind: 'channels', json, default: [] };
}

const exitCodesForm =
  'Codes from 0 to 255, ranges of them, or *, each with success, warning or failure: 24=warning,*=failure.';
const hostsForm = `At most ${hostsMax} names of letters, digits, dots, - and _, separated by spaces.`;

const hostsPattern = new RegExp(`^ *(?:[A-Za-z0-9._-]{1,${hostCharsMax}}(?: +|$)){0,${hostsMax}}$`);

const dependsOnForm = `At most ${dependsOnMax} slugs, UUIDs, or tag: with a tag, separated by spaces.`;

const dependsOnPattern = new RegExp(`^ *(?:(?:[a-z0-9_-]+|tag:[^ ]+)(?: +|$)){0,${dependsOnMax}}$`);

const resultsForm =
  'Rules of results, one per line: NAME [in UNIT] [from SOURCE] [: LIMIT, ...], such as `files: below 1`.';

export const retentionForm =
  'Rules of retention, one per line: pings, failures, bodies, bodies of successes or bodies of failures, and how long: `failures 365 days`, `pings last 500`.';

/** The fields in the order of a check's JSON, for those that `http/api/check-json` does not place by hand. */
export const checkFields = {
  name: text('name', { lengthMax: checkNameLengthMax }),
  slug: text('slug', { lengthMax: slugLengthMax, pattern: /^[a-z0-9_-]*$/ }),
  tags: text('tags', { lengthMax: tagsLengthMax, shared: true }),
  desc: text('desc', { lengthMax: descLengthMax }),
  kind: scheduleKind('kind'),
  /** Kept, but without effect, while `kind` is not `simple`. */
  timeoutS: seconds('timeout', 86_400),
  graceS: seconds('grace', 3_600),
  /** A valid expression of the kind that `kind` names; kept while `kind` is `simple`. */
  schedule: schedule('schedule'),
  /** A canonical IANA name. */
  tz: zone('tz'),
  manualResume: flag('manual_resume'),
  /** `POST`: pings by other methods are ignored. */
  methods: choice('methods', ['', 'POST']),
  startKw: keywords('start_kw'),
  successKw: keywords('success_kw'),
  failureKw: keywords('failure_kw'),
  filterSubject: flag('filter_subject'),
  filterBody: flag('filter_body'),
  filterHttpBody: flag('filter_http_body'),
  filterDefaultFail: flag('filter_default_fail'),
  /** A run may take so long; unset: the grace time. */
  maxRuntimeS: secondsOrUnset('max_runtime'),
  /** A run that ends with success sooner has failed. */
  minRuntimeS: secondsOrUnset('min_runtime'),
  /** A run that is expected must have started within so long. */
  startGraceS: secondsOrUnset('start_grace'),
  /** What a run whose duration is far from the usual one means. */
  unusualRuntime: choice('unusual_runtime', ['off', 'warn', 'fail']),
  /** How many median absolute deviations are far. */
  unusualFactor: amount('unusual_factor', { whenAbsent: 6, min: unusualFactorMin, max: unusualFactorMax }),
  /** What a start means while another run is in flight. */
  overlap: choice('overlap', ['allow', 'warn', 'fail']),
  /** Which exit status means what, such as `24=warning,*=failure`. What it does not name: 0 is a success, all others failures. */
  exitCodes: text('exit_codes', {
    lengthMax: exitCodesLengthMax,
    pattern: exitCodesPattern,
    shared: true,
    form: exitCodesForm,
  }),
  /** Names of the machines that each have to report, separated by spaces. */
  hosts: text('hosts', { lengthMax: hostsCharsMax, pattern: hostsPattern, shared: true, form: hostsForm }),
  /** Number of reports in each period; unset: one. */
  expectedRuns: amount('expected_runs', { whenAbsent: 0, min: 0, max: expectedRunsMax }),
  /** A ping that comes so much before its slot counts for that slot. */
  earlyToleranceS: secondsOrUnset('early_tolerance'),
  /** Rules by which numbers are found in what a run reports, and judged, one per line: `results/result-rules`. */
  results: text('results', {
    lengthMax: resultRulesCharsMax,
    wrong: resultRulesError,
    shared: true,
    form: resultsForm,
  }),
  /** Which pings and bodies are kept, one rule per line: `retention/retention-rules`. Empty: the project's rules. */
  retention: text('retention', {
    lengthMax: retentionCharsMax,
    wrong: retentionError,
    shared: true,
    form: retentionForm,
  }),
  /** Failures, or pings that did not come, before anybody is notified: so many in a row, or of the last. */
  alertAfter: amount('alert_after', { whenAbsent: 1, min: 1, max: alertOutcomesMax }),
  /** The last outcomes of which `alertAfter` must be failures; unset: those in a row. */
  alertOfLast: amount('alert_of_last', { whenAbsent: 0, min: 0, max: alertOutcomesMax }),
  /** Successes in a row before anybody is notified that it is up. */
  recoverAfter: amount('recover_after', { whenAbsent: 1, min: 1, max: alertOutcomesMax }),
  /** With more status changes than that within the window below it is unstable: one notification, until it is steady. Unset: never. */
  unstableChanges: amount('unstable_changes', { whenAbsent: 0, min: 0, max: unstableChangesMax }),
  unstableWindowS: amount('unstable_window', { whenAbsent: 1_800, min: 60, max: unstableWindowSecondsMax }),
  /** Checks of its project that it depends on: while one of them is down, nobody is notified of this one. */
  dependsOn: text('depends_on', {
    lengthMax: dependsOnCharsMax,
    pattern: dependsOnPattern,
    shared: true,
    form: dependsOnForm,
  }),
  /** Seconds that a notification waits for one of those to go down, too. */
  holdS: amount('hold', { whenAbsent: 0, min: 0, max: parentWaitSecondsMax }),
  /** Assigned integrations, sorted, each once. */
  channels: channels('channels'),
};

export type CheckFields = typeof checkFields;
export type CheckFieldName = keyof CheckFields;
export type CheckField = CheckFields[CheckFieldName];

/** Names in the order of the table. */
export const checkFieldNames: readonly CheckFieldName[] = Object.keys(checkFields) as CheckFieldName[];

/** The values of all fields. */
export type CheckFieldValues = { readonly [Name in CheckFieldName]: CheckFields[Name]['default'] };

export const checkFieldDefaults: CheckFieldValues = Object.fromEntries(
  checkFieldNames.map((name) => [name, checkFields[name].default]),
) as CheckFieldValues;
