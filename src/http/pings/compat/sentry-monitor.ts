/**
 * The `monitor_config` of a check-in, as the settings of the check that it creates, and as those that it gives one that exists.
 * Invariant: pure; what cannot be is an error that names the field.
 */
import type { NewCheck } from '../../../domain/check/new-check.ts';
import { alertOutcomesMax } from '../../../domain/limits.ts';
import type { CheckSpec } from '../../../spec/check-spec.ts';
import { type NewCheckTexts, readGiven, readNewCheck } from '../../../spec/new-check-spec.ts';
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

/** `given` has only what the configuration has: margins that are assumed change no check. */
export interface MonitorConfig {
  readonly creation: NewCheck | null;
  readonly given: CheckSpec | null;
}

export function monitorConfigIn(config: unknown): MonitorConfig | { readonly error: string } {
  const given = textsIn(config);
  if ('error' in given) return given;
  const creation = readNewCheck({
    grace: minutes(marginDefault),
    max_runtime: minutes(runtimeDefault),
    ...given,
  });
  if (creation !== null && 'error' in creation) return creation;
  const spec = readGiven(given);
  return spec !== null && 'error' in spec ? spec : { creation, given: spec };
}

type Texts = NewCheckTexts | { readonly error: string };

function textsIn(config: unknown): Texts {
  if (!isObject(config)) return { error: 'monitor_config is not an object' };
  const schedule = scheduleIn(config.schedule);
  if ('error' in schedule) return schedule;
  const { timezone: tz = null } = config;
  if (tz !== null && typeof tz !== 'string') return { error: 'monitor_config.timezone is not a string' };
  const texts: Record<string, string> = {};
  for (const [field, name] of Object.entries(amounts)) {
    const value = config[field] ?? null;
    const text = value === null ? null : name.read(value);
    if (text === undefined) return { error: `monitor_config.${field} is not ${name.words}` };
    if (text !== null) texts[name.is] = text;
  }
  return { ...schedule, ...(tz === null ? {} : { tz }), ...texts };
}

interface Amount {
  readonly is: 'grace' | 'max_runtime' | 'alert_after' | 'recover_after';
  readonly words: string;
  /** Undefined for what is none. */
  read(value: unknown): string | undefined;
}

const inMinutes = { words: 'a number of minutes', read: (value: unknown) => secondsIn(value, 60) } as const;
/** Sentry counts further than Knell looks back. */
const inTimes = {
  words: 'a number of check-ins',
  read: (value: unknown) =>
    typeof value === 'number' && value >= 1 && Number.isFinite(value)
      ? Math.min(Math.round(value), alertOutcomesMax).toFixed(0)
      : undefined,
} as const;
const amounts: Readonly<Record<string, Amount>> = {
  checkin_margin: { is: 'grace', ...inMinutes },
  max_runtime: { is: 'max_runtime', ...inMinutes },
  failure_issue_threshold: { is: 'alert_after', ...inTimes },
  recovery_threshold: { is: 'recover_after', ...inTimes },
};

function scheduleIn(schedule: unknown): Texts {
  if (!isObject(schedule)) return { error: 'monitor_config.schedule is not an object' };
  if (schedule.type === 'crontab')
    return typeof schedule.value === 'string'
      ? { schedule: schedule.value }
      : { error: 'monitor_config.schedule.value is not a string' };
  const timeout = secondsIn(schedule.value, unitSeconds.get(schedule.unit) ?? 0);
  return schedule.type === 'interval' && timeout !== undefined
    ? { timeout }
    : { error: 'monitor_config.schedule is neither a crontab nor an interval with value and unit' };
}

function minutes(count: number): string {
  return (count * 60).toFixed(0);
}

/** At least a minute, as a text; undefined for what is no span of time. */
function secondsIn(count: unknown, unit: number): string | undefined {
  if (typeof count !== 'number' || !Number.isFinite(count) || count < 0 || unit === 0) return undefined;
  return Math.max(60, Math.round(count * unit)).toFixed(0);
}
