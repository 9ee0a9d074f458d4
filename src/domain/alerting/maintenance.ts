/**
 * Maintenance windows: while one is on, alerts about its checks are held back; statuses, pings and flips are what they are. A window
 * that names integrations is their quiet hours instead: it holds back only what is sent to them.
 * Not here: when it is on (`calendar`), what becomes of the alerts.
 * Invariant: pure; whether a window is on follows from the time: nothing is written when it begins or ends.
 */
import {
  asMaintenanceId,
  type ChannelId,
  type CheckId,
  idsOf,
  type MaintenanceId,
  type ProjectId,
} from '../../lib/ids.ts';
import { type Check, tagsOf } from '../check/check.ts';
import type { Growing } from '../check/unknown-fields.ts';
import { exceptionsMax, maintenanceDatesMax } from '../limits.ts';
import { activeAt, type Calendar, mergedSpans, type TimeSpan } from './calendar.ts';

/** A check that is named, or has any of the tags. Both empty: every check of the project. */
export interface CheckScope {
  readonly checks: readonly CheckId[];
  readonly tags: readonly string[];
}

export interface MaintenanceScope extends CheckScope {
  /** Of quiet hours: whose. Empty for maintenance. */
  readonly integrations: readonly ChannelId[];
}

export interface MaintenanceWindow extends Calendar, MaintenanceScope, Growing {
  readonly id: MaintenanceId;
  readonly projectId: ProjectId;
  readonly name: string;
  /** Whether status pages count what was down meanwhile. */
  readonly countsAsDowntime: boolean;
  readonly createdAtMs: number;
  /** Who created it, as it is shown: a member, a key, or a ping key's address. */
  readonly by: string;
}

/** What is known of a check by who asks whether a window is about it. */
export type AboutCheck = Pick<Check, 'id'> & { readonly config: Pick<Check['config'], 'tags'> };

/** Whether it is maintenance of this check. */
export function isAbout(scope: MaintenanceScope, check: AboutCheck): boolean {
  return scope.integrations.length === 0 && isInScope(scope, check);
}

function isInScope({ checks, tags }: CheckScope, check: AboutCheck): boolean {
  if (checks.length === 0 && tags.length === 0) return true;
  if (checks.includes(check.id)) return true;
  return tags.length > 0 && tagsOf(check.config).some((tag) => tags.includes(tag));
}

export interface ActiveWindow {
  readonly id: MaintenanceId;
  readonly name: string;
  readonly untilMs: number;
}

/** Of the windows that are on and about this check the one that ends last; null for none. */
export function windowFor(
  windows: readonly MaintenanceWindow[],
  check: AboutCheck,
  atMs: number,
): ActiveWindow | null {
  return lastOf(windows, atMs, (window) => isAbout(window, check));
}

/** Likewise of the quiet hours of an integration. */
export function quietHoursOf(
  windows: readonly MaintenanceWindow[],
  { channelId, check }: { readonly channelId: ChannelId; readonly check: AboutCheck },
  atMs: number,
): ActiveWindow | null {
  return lastOf(
    windows,
    atMs,
    (window) => window.integrations.includes(channelId) && isInScope(window, check),
  );
}

function lastOf(
  windows: readonly MaintenanceWindow[],
  atMs: number,
  isMeant: (window: MaintenanceWindow) => boolean,
): ActiveWindow | null {
  let latest: ActiveWindow | null = null;
  for (const window of windows) {
    const untilMs = activeAt(window, atMs)?.untilMs ?? 0;
    if (untilMs > (latest?.untilMs ?? 0) && isMeant(window))
      latest = { id: window.id, name: window.name, untilMs };
  }
  return latest;
}

/** The id of the one window of a scope that is started at once, by a script or a command: started again, it is the same one. */
export function startedId(projectId: ProjectId, { checks, tags }: CheckScope): MaintenanceId {
  const scope = JSON.stringify(['maintenance', projectId, [...checks].sort(), [...tags].sort()]);
  return asMaintenanceId(idsOf(scope).newUuid());
}

/** The window as it is when somebody starts it at once, or lets it go on: it never ends sooner than it would have. */
export function startedNow(window: MaintenanceWindow, nowMs: number, untilMs: number): MaintenanceWindow {
  const { fromMs, dates } = window;
  const isOn = fromMs <= nowMs && nowMs < window.untilMs;
  if (isOn) return { ...window, untilMs: Math.max(window.untilMs, untilMs) };
  const past = fromMs < window.untilMs ? [{ fromMs, untilMs: window.untilMs }] : [];
  // What was ended before its time stays so, and no longer than until now.
  const except = window.except
    .filter((cut) => cut.fromMs < nowMs)
    .map((cut) => ({ ...cut, untilMs: Math.min(cut.untilMs, nowMs) }));
  return {
    ...{ ...window, fromMs: nowMs, untilMs, except },
    dates: mergedSpans([...dates, ...past]).slice(-maintenanceDatesMax),
  };
}

/** The window as it is when somebody ends it now: what comes later is as it was. */
export function endedNow(window: MaintenanceWindow, nowMs: number): MaintenanceWindow {
  const { fromMs, untilMs } = window;
  const isOnce = fromMs <= nowMs && nowMs < untilMs;
  // What it has begun with stays, for those who ask what there was.
  const shortened: MaintenanceWindow = isOnce ? { ...window, untilMs: nowMs } : window;
  const rest = activeAt(shortened, nowMs);
  if (rest === null) return shortened;
  const cut: TimeSpan = { fromMs: nowMs, untilMs: rest.untilMs };
  return { ...shortened, except: [...shortened.except, cut].slice(-exceptionsMax) };
}
