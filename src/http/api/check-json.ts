/**
 * A check as the API shows it, field by field in Healthchecks' order (specification, "Check"), straight as text: a
 * list of ten thousand takes half the time that JSON.stringify needs for as many objects.
 * Not here: which checks are shown to whom (`checks`).
 * Invariant: what a read-only key gets names neither the check's UUID nor its integrations.
 */
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import { type CheckFieldName, checkFieldNames, checkFields } from '../../domain/check/check-fields.ts';
import { nextPingMs } from '../../domain/check/deadline.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { ApiVersion } from '../../spec/apply-spec.ts';
import { isoSeconds } from './iso-time.ts';

/** For whom, and as of when. */
export interface CheckView {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly readOnly: boolean;
  readonly nowMs: number;
}

type CheckRenderer = (check: Check) => string;

/** What renders the checks of one answer as JSON. */
export function checkRenderer(view: CheckView): CheckRenderer {
  const baseUrl = quoted(view.baseUrl).slice(1, -1);
  const settingsText = rememberingSettings();
  const identity: CheckRenderer = view.readOnly
    ? ({ id }) => `"unique_key":"${uniqueKeyOf(id)}"`
    : (check) => addresses(check, `${baseUrl}/ping/`, `${baseUrl}/api/v${view.version}/checks/`);
  return (check) => {
    const { config, state } = check;
    return (
      `{"name":${quoted(config.name)},"slug":${quoted(config.slug)},"tags":${quoted(config.tags)},` +
      `"desc":${quoted(config.desc)},"grace":${config.graceS},"n_pings":${state.nPings},` +
      `"status":"${shownStatus(check, view)}","started":${state.startedMs !== null},` +
      `"last_ping":${instant(state.lastPingMs)},"next_ping":${instant(nextPingMs(check))},` +
      `${settingsText(config)},"badge_url":"${baseUrl}/b/2/${check.badgeId}.svg",` +
      `${lastDuration(check)}${identity(check)},${expectation(config)}}`
    );
  };
}

/** What only the holder of a read-write key may know. */
function addresses({ id, config }: Check, pingUrl: string, apiUrl: string): string {
  const updateUrl = apiUrl + id;
  return (
    `"uuid":"${id}","ping_url":"${pingUrl}${id}","update_url":"${updateUrl}",` +
    `"pause_url":"${updateUrl}/pause","resume_url":"${updateUrl}/resume","channels":"${config.channels.join(',')}"`
  );
}

/**
 * v1 alone has a status for a check that runs. A down check stays down there too, unless the run began after it went
 * down and still has time.
 */
function shownStatus({ config, state }: Check, { version, nowMs }: CheckView): string {
  if (version !== 1 || state.startedMs === null) return state.status;
  const overdue = nowMs >= state.startedMs + config.graceS * second;
  return state.status === 'down' && overdue ? 'down' : 'started';
}

function lastDuration({ state }: Check): string {
  if (state.lastDurationMs === null) return '';
  return `"last_duration":${Math.floor(state.lastDurationMs / second)},`;
}

function expectation({ kind, timeoutS, schedule, tz }: CheckConfig): string {
  return kind === 'simple' ? `"timeout":${timeoutS}` : `"schedule":${quoted(schedule)},"tz":${quoted(tz)}`;
}

/** Placed by hand: for whom and when they are shown depends on more than the field. */
const placed = [
  'name',
  'slug',
  'tags',
  'desc',
  'kind',
  'timeoutS',
  'graceS',
  'schedule',
  'tz',
  'channels',
] as const;
type Placed = (typeof placed)[number];
type SettingName = Exclude<CheckFieldName, Placed>;

function isSetting(name: CheckFieldName): name is SettingName {
  return !placed.some((other) => other === name);
}

/** All other fields, in the order of the table, each with the text before its value. */
const settings = checkFieldNames
  .filter(isSetting)
  .map((name, at) => ({ name, label: `${at > 0 ? ',' : ''}"${checkFields[name].json}":` }));

function settingsOf(config: CheckConfig): string {
  let text = '';
  for (const { name, label } of settings) {
    const value = config[name];
    text += label + (typeof value === 'string' ? quoted(value) : value);
    if (name === 'methods') text += olderNames(config);
  }
  return text;
}

/** `subject` and `subject_fail` are the older names of the keywords that are looked for in subjects. */
function olderNames({ filterSubject, successKw, failureKw }: CheckConfig): string {
  return (
    `,"subject":${quoted(filterSubject ? successKw : '')},` +
    `"subject_fail":${quoted(filterSubject ? failureKw : '')}`
  );
}

/** Nearly all checks of a project share these settings, so the text of the last one mostly serves for the next. */
function rememberingSettings(): (config: CheckConfig) => string {
  const last: unknown[] = [];
  let text = '';
  return (config) => {
    if (remember(last, config)) text = settingsOf(config);
    return text;
  };
}

/** Puts the settings into `last`; says whether any of them is another than before. */
function remember(last: unknown[], config: CheckConfig): boolean {
  let isOther = false;
  let at = 0;
  for (const { name } of settings) {
    const value = config[name];
    if (last[at] !== value) {
      last[at] = value;
      isOther = true;
    }
    at++;
  }
  return isOther;
}

function instant(atMs: number | null): string {
  return atMs === null ? 'null' : `"${isoSeconds(atMs)}"`;
}

const needsNoEscape = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text);
}
