/**
 * A check as the API shows it, field by field in Healthchecks' order (specification, "Check"), straight as text: a
 * list of ten thousand takes half the time that JSON.stringify needs for as many objects.
 * Not here: which checks are shown to whom (`checks`).
 * Invariant: what a read-only key gets names neither the check's UUID nor its integrations.
 */
import type { Check, CheckConfig } from '../../domain/check.ts';
import { nextPingMs } from '../../domain/deadline.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import { isoSeconds } from './iso-time.ts';

/** `/api/v1/`, `/api/v2/`, `/api/v3/`. */
export type ApiVersion = 1 | 2 | 3;

/** For whom, and as of when. */
export interface CheckView {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly readOnly: boolean;
  readonly nowMs: number;
}

export type CheckRenderer = (check: Check) => string;

/** What renders the checks of one answer as JSON. */
export function checkRenderer(view: CheckView): CheckRenderer {
  const baseUrl = quoted(view.baseUrl).slice(1, -1);
  const settings = rememberingSettings();
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
      `${settings(config)},"badge_url":"${baseUrl}/b/2/${check.badgeId}.svg",` +
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

/** `subject` and `subject_fail` are the older names of the keywords that are looked for in subjects. */
function settingsOf(config: CheckConfig): string {
  return (
    `"manual_resume":${config.manualResume},"methods":"${config.methods}",` +
    `"subject":${quoted(config.filterSubject ? config.successKw : '')},` +
    `"subject_fail":${quoted(config.filterSubject ? config.failureKw : '')},` +
    `"start_kw":${quoted(config.startKw)},"success_kw":${quoted(config.successKw)},` +
    `"failure_kw":${quoted(config.failureKw)},"filter_subject":${config.filterSubject},` +
    `"filter_body":${config.filterBody},"filter_http_body":${config.filterHttpBody},` +
    `"filter_default_fail":${config.filterDefaultFail}`
  );
}

/** Nearly all checks of a project share these settings, so the text of the last one mostly serves for the next. */
function rememberingSettings(): (config: CheckConfig) => string {
  let last: CheckConfig | null = null;
  let text = '';
  return (config) => {
    if (last === null || !haveSameSettings(last, config)) text = settingsOf(config);
    last = config;
    return text;
  };
}

function haveSameSettings(a: CheckConfig, b: CheckConfig): boolean {
  return (
    a.manualResume === b.manualResume &&
    a.methods === b.methods &&
    a.startKw === b.startKw &&
    a.successKw === b.successKw &&
    a.failureKw === b.failureKw &&
    a.filterSubject === b.filterSubject &&
    a.filterBody === b.filterBody &&
    a.filterHttpBody === b.filterHttpBody &&
    a.filterDefaultFail === b.filterDefaultFail
  );
}

function instant(atMs: number | null): string {
  return atMs === null ? 'null' : `"${isoSeconds(atMs)}"`;
}

const needsNoEscape = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text);
}
