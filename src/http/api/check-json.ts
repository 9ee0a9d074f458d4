/**
 * Renders a check as the API shows it, with the fields in Healthchecks' order (specification, "Check"). It writes text
 * directly: JSON.stringify takes twice as long for a list of ten thousand. `domain/views/api-answers` declares the properties;
 * `checks` decides which checks are shown to whom.
 * Invariant: what a read-only key gets names neither the check's UUID nor its integrations.
 */
import type { Check, CheckConfig } from '../../domain/check/check.ts';
import {
  type CheckField,
  type CheckFieldName,
  checkFieldNames,
  checkFields,
} from '../../domain/check/check-fields.ts';
import { nextPingMs } from '../../domain/check/deadline.ts';
import { runLimitS } from '../../domain/check/run-state.ts';
import {
  type CheckAnswer,
  checkProperties,
  checkSettings,
  type ReadOnlyCheckAnswer,
  readOnlyCheckProperties,
} from '../../domain/views/api-answers.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { ApiVersion } from '../../spec/apply-spec.ts';
import { isoSeconds } from './iso-time.ts';

/** Reader and instant that a check is rendered for. */
export interface CheckView {
  /** Base URL without a slash at its end. */
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly readOnly: boolean;
  readonly nowMs: number;
}

type CheckRenderer = (check: Check) => string;
type Setting = keyof typeof checkSettings;

/**
 * The text in front of each value: its name. A property that is missing here, or that does not exist, is a type error; one that
 * is not used below is a lint error. They are constants, which are as fast as names in the text itself: a table of functions by
 * property takes a tenth longer.
 */
const { name, slug, tags, desc, grace, n_pings, status, started, last_ping, next_ping, ...others } = labels();
const { badge_url, last_duration, results, retention, uuid, ping_url, update_url, ...placed } = others;
const { pause_url, resume_url, channels, unique_key, timeout, schedule, tz, ...none } = placed;
none satisfies Readonly<Record<string, never>>;

type Placed = Exclude<keyof CheckAnswer | keyof ReadOnlyCheckAnswer, Setting>;

function labels(): Readonly<Record<Placed, string>> {
  const names = Object.keys({ ...checkProperties, ...readOnlyCheckProperties });
  const placed = names.filter((name) => !isSetting(name));
  return Object.fromEntries(
    placed.map((name, at) => [name, piece(at > 0 ? ',"' : '"', name, '":')]),
  ) as Record<Placed, string>;
}

function isSetting(name: string): name is Setting {
  return name in checkSettings;
}

/** Returns a renderer for the checks of one answer. */
export function checkRenderer(view: CheckView): CheckRenderer {
  const baseUrl = quoted(view.baseUrl).slice(1, -1);
  const settingsText = rememberingSettings();
  const badgeUrl = piece(badge_url, '"', baseUrl, '/b/2/');
  const identity: CheckRenderer = view.readOnly
    ? ({ id }) => `${unique_key}"${uniqueKeyOf(id)}"`
    : addressRenderer(baseUrl, view.version);
  return (check) => {
    const { config, state } = check;
    return (
      `{${name}${quoted(config.name)}${slug}${quoted(config.slug)}${tags}${quoted(config.tags)}` +
      `${desc}${quoted(config.desc)}${grace}${config.graceS}${n_pings}${state.nPings}` +
      `${status}"${shownStatus(check, view)}"${started}${state.startedMs !== null}` +
      `${last_ping}${instant(state.lastPingMs)}${next_ping}${instant(nextPingMs(check))}` +
      `${settingsText(config)}${badgeUrl}${check.badgeId}.svg"` +
      `${lastDuration(check)}${rulesOf(config)}${identity(check)}${expectation(config)}}`
    );
  };
}

/** Renders the addresses, which only the holder of a read-write key may see. */
function addressRenderer(baseUrl: string, version: ApiVersion): CheckRenderer {
  const checksUrl = `"${baseUrl}/api/v${version}/checks/`;
  const ping = piece('"', ping_url, '"', baseUrl, '/ping/');
  const update = piece('"', update_url, checksUrl);
  const pause = piece('"', pause_url, checksUrl);
  const resume = piece('/pause"', resume_url, checksUrl);
  const assigned = piece('/resume"', channels, '"');
  return ({ id, config }) =>
    `${uuid}"${id}${ping}${id}${update}${id}${pause}${id}${resume}${id}${assigned}${config.channels.join(',')}"`;
}

/** Joins texts that are the same for many checks: a row of fewer pieces is encoded faster. */
function piece(...parts: readonly string[]): string {
  return parts.join('');
}

/**
 * Status as that version of the API knows it: only v1 has one for a check that runs. A down check stays down in v1 too, unless
 * the run began after it went down and still has time.
 */
function shownStatus({ config, state }: Check, { version, nowMs }: CheckView): string {
  if (version !== 1 || state.startedMs === null) return state.status;
  const overdue = nowMs >= state.startedMs + runLimitS(config) * second;
  return state.status === 'down' && overdue ? 'down' : 'started';
}

function lastDuration({ state }: Check): string {
  if (state.lastDurationMs === null) return '';
  return `${last_duration}${Math.floor(state.lastDurationMs / second)}`;
}

/** Rules of results and of retention are left out where there are none. */
function rulesOf(config: CheckConfig): string {
  const ofResults = config.results === '' ? '' : `${results}${quoted(config.results)}`;
  return config.retention === '' ? ofResults : `${ofResults}${retention}${quoted(config.retention)}`;
}

function expectation(config: CheckConfig): string {
  return config.kind === 'simple'
    ? `${timeout}${config.timeoutS}`
    : `${schedule}${quoted(config.schedule)}${tz}${quoted(config.tz)}`;
}

type SettingValue = (config: CheckConfig) => CheckConfig[CheckFieldName];

/** `subject` and `subject_fail` are the older names of the keywords that are looked for in subjects. */
const olderNames: Readonly<Record<Exclude<Setting, CheckField['json']>, SettingValue>> = {
  subject: ({ filterSubject, successKw }) => (filterSubject ? successKw : ''),
  subject_fail: ({ filterSubject, failureKw }) => (filterSubject ? failureKw : ''),
};

/** The fields of a check that are settings. */
const settingNames = checkFieldNames.filter((name) => isSetting(checkFields[name].json));

const settingValues = {
  ...Object.fromEntries(
    settingNames.map((name): [string, SettingValue] => [checkFields[name].json, (config) => config[name]]),
  ),
  ...olderNames,
} as Readonly<Record<Setting, SettingValue>>;

/** Settings, each with the text before its value. */
const settings = Object.keys(checkSettings)
  .filter(isSetting)
  .map((name) => ({ label: piece(',"', name, '":'), read: settingValues[name] }));

function settingsOf(config: CheckConfig): string {
  let text = '';
  for (const { label, read } of settings) {
    const value = read(config);
    text += label + (typeof value === 'string' ? quoted(value) : value);
  }
  return text;
}

/**
 * Renders settings and keeps the last text: nearly all checks of a project share these settings, so it mostly serves for the
 * next check too.
 */
function rememberingSettings(): (config: CheckConfig) => string {
  const last: unknown[] = [];
  let text = '';
  return (config) => {
    if (remember(last, config)) text = settingsOf(config);
    return text;
  };
}

/** Copies the settings into `last`; returns whether any of them differs from before. */
function remember(last: unknown[], config: CheckConfig): boolean {
  let isOther = false;
  let at = 0;
  for (const name of settingNames) {
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
