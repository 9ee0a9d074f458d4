/**
 * What a ping means and when the next one is expected, as the model has it.
 * Invariant: pure.
 */
import type { CheckConfig } from '../../src/domain/check/check.ts';
import type { ModelBreach, ModelNumber } from './model-results.ts';

export type Signal = 'success' | 'start' | 'fail' | 'log' | 'ign' | 'warn' | 'alive';

export interface ModelPing {
  readonly signal: Signal;
  readonly atMs: number;
  readonly rid: string | null;
  readonly host: string;
  readonly exitStatus: number | null;
  readonly body: string;
  /** Of the run that it ended; null for none. */
  readonly durationMs: number | null;
  /** What it reported, as it is stored. */
  readonly results: readonly ModelNumber[];
  /** Of a limit that it broke; null for none. */
  readonly breach: ModelBreach['about'] | null;
}

/** Schedules whose times are evenly spaced in UTC, so that the next one is arithmetic. */
export const schedules = [
  { kind: 'cron', schedule: '*/5 * * * *', tz: 'UTC', everyS: 300, phaseS: 0 },
  { kind: 'cron', schedule: '15 * * * *', tz: 'Asia/Kolkata', everyS: 3600, phaseS: 2700 },
  { kind: 'oncalendar', schedule: '*:0/10', tz: 'UTC', everyS: 600, phaseS: 0 },
  { kind: 'oncalendar', schedule: '09:00', tz: 'Asia/Kathmandu', everyS: 86_400, phaseS: 11_700 },
] as const;

/** When the next ping is expected after one at `lastMs`. */
export function expectedAfter(config: CheckConfig, lastMs: number): number {
  if (config.kind === 'simple') return lastMs + config.timeoutS * 1000;
  const found = schedules.find(({ schedule, tz }) => schedule === config.schedule && tz === config.tz);
  if (!found) throw new Error(`the model does not know the schedule ${config.schedule} in ${config.tz}`);
  const everyMs = found.everyS * 1000;
  const phaseMs = found.phaseS * 1000;
  return (Math.floor((lastMs - phaseMs) / everyMs) + 1) * everyMs + phaseMs;
}

/** What a ping says before its check is looked at. */
export interface Meaning {
  readonly via: 'http' | 'mail';
  readonly action: 'success' | 'start' | 'fail' | 'log' | 'warn' | 'alive';
  readonly method: string;
  readonly exitStatus: number | null;
  readonly subject: string;
  readonly body: string;
}

/** Keywords decide alone where the check has filters for the client; else the exit status; else the address. */
export function signalOf(config: CheckConfig, ping: Meaning): Signal {
  if (ping.via === 'http' && config.methods === 'POST' && ping.method !== 'POST') return 'ign';
  const searched =
    ping.via === 'http'
      ? [...(config.filterHttpBody ? [ping.body] : [])]
      : [...(config.filterSubject ? [ping.subject] : []), ...(config.filterBody ? [ping.body] : [])];
  if (searched.length > 0) {
    const says = (keyword: string) => keyword !== '' && searched.some((text) => text.includes(keyword));
    if (says(config.failureKw)) return 'fail';
    if (says(config.successKw)) return 'success';
    if (says(config.startKw)) return 'start';
    return config.filterDefaultFail ? 'fail' : 'ign';
  }
  if (ping.exitStatus !== null) return ping.exitStatus === 0 ? 'success' : 'fail';
  return ping.action;
}
