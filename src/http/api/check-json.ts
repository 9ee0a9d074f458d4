/**
 * A check as the API shows it, field by field in Healthchecks' order (specification, "Check").
 * Not here: which checks are shown to whom (`checks`).
 * Invariant: what a read-only key gets names neither the check's UUID nor its integrations.
 */
import type { Check } from '../../domain/check.ts';
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

/** The value of a field is what JSON makes of it; fields without one are left out. */
export type CheckJson = Readonly<Record<string, string | number | boolean | null>>;

export function checkJson(check: Check, view: CheckView): CheckJson {
  const { config, state } = check;
  const nextMs = nextPingMs(check);
  return {
    name: config.name,
    slug: config.slug,
    tags: config.tags,
    desc: config.desc,
    grace: config.graceS,
    n_pings: state.nPings,
    status: shownStatus(check, view),
    started: state.startedMs !== null,
    last_ping: state.lastPingMs === null ? null : isoSeconds(state.lastPingMs),
    next_ping: nextMs === null ? null : isoSeconds(nextMs),
    manual_resume: config.manualResume,
    methods: config.methods,
    subject: config.filterSubject ? config.successKw : '',
    subject_fail: config.filterSubject ? config.failureKw : '',
    start_kw: config.startKw,
    success_kw: config.successKw,
    failure_kw: config.failureKw,
    filter_subject: config.filterSubject,
    filter_body: config.filterBody,
    filter_http_body: config.filterHttpBody,
    filter_default_fail: config.filterDefaultFail,
    badge_url: `${view.baseUrl}/b/2/${check.badgeId}.svg`,
    ...(state.lastDurationMs === null ? {} : { last_duration: Math.floor(state.lastDurationMs / second) }),
    ...(view.readOnly ? { unique_key: uniqueKeyOf(check.id) } : addresses(check, view)),
    ...(config.kind === 'simple'
      ? { timeout: config.timeoutS }
      : { schedule: config.schedule, tz: config.tz }),
  };
}

/** What only the holder of a read-write key may know. */
function addresses({ id, config }: Check, { baseUrl, version }: CheckView): CheckJson {
  const updateUrl = `${baseUrl}/api/v${version}/checks/${id}`;
  return {
    uuid: id,
    ping_url: `${baseUrl}/ping/${id}`,
    update_url: updateUrl,
    pause_url: `${updateUrl}/pause`,
    resume_url: `${updateUrl}/resume`,
    channels: config.channels.join(','),
  };
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
