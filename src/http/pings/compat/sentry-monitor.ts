/**
 * The `monitor_config` of a check-in, as the settings of the check that it creates. A check that exists keeps its own: the public key of
 * a DSN may create checks, and change none.
 * Invariant: pure; what cannot be is an error that names the field.
 */
import type { NewCheck } from '../../../domain/check/new-check.ts';
import { readNewCheck } from '../../../spec/new-check-spec.ts';
import { isObject } from './sentry-envelope.ts';

/** Seconds. A month and a year are as Sentry's schedules mean them at most: thirty days, and 365. */
const unitSeconds: ReadonlyMap<unknown, number> = new Map([
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
  ['month', 2_592_000],
  ['year', 31_536_000],
]);
/** Minutes that Sentry assumes where the margin or the longest run is not given. */
const marginDefault = 1;
const runtimeDefault = 30;

export function monitorConfigIn(config: unknown): NewCheck | { readonly error: string } | null {
  if (!isObject(config)) return { error: 'monitor_config is not an object' };
  const { schedule, timezone, checkin_margin: margin, max_runtime: runtime } = config;
  if (!isObject(schedule)) return { error: 'monitor_config.schedule is not an object' };
  if (timezone !== undefined && timezone !== null && typeof timezone !== 'string')
    return { error: 'monitor_config.timezone is not a string' };
  const grace = secondsIn(margin ?? marginDefault, 60);
  const longest = secondsIn(runtime ?? runtimeDefault, 60);
  if (grace === null) return { error: 'monitor_config.checkin_margin is not a number of minutes' };
  if (longest === null) return { error: 'monitor_config.max_runtime is not a number of minutes' };
  const rest = { grace, max_runtime: longest, tz: timezone ?? undefined };
  if (schedule.type === 'crontab')
    return typeof schedule.value === 'string'
      ? readNewCheck({ ...rest, schedule: schedule.value })
      : { error: 'monitor_config.schedule.value is not a string' };
  const timeout = secondsIn(schedule.value, unitSeconds.get(schedule.unit) ?? 0);
  return schedule.type === 'interval' && timeout !== null
    ? readNewCheck({ ...rest, timeout })
    : { error: 'monitor_config.schedule is neither a crontab nor an interval with value and unit' };
}

/** At least a minute, as a text; null for what is no span of time. */
function secondsIn(count: unknown, unit: number): string | null {
  if (typeof count !== 'number' || !Number.isFinite(count) || count < 0 || unit === 0) return null;
  return Math.max(60, Math.round(count * unit)).toFixed(0);
}
