/**
 * When a check is due: the one place that turns config and facts into the two deadlines of its state.
 * Not here: what happens then (`check-machine`), who watches the clock (`engine/context/ticker`).
 * Invariant: pure; the same facts and the same zone rules give the same deadlines.
 */

import { NEVER, second } from '../../lib/units.ts';
import { internSchedule } from '../../schedule/schedule.ts';
import { type Check, type CheckConfig, type CheckState, type FreshState, freshCopy } from './check.ts';
import { trackedDeadlines } from './run-deadlines.ts';
import type { RunState } from './run-state.ts';

/** When the next ping is expected after one at `lastPingMs`; NEVER when the schedule has no further time. */
export function expectedAfter(config: CheckConfig, lastPingMs: number): number {
  if (config.kind === 'simple') return lastPingMs + config.timeoutS * second;
  return occurrenceAfter(config.schedule, config.tz, lastPingMs);
}

/** The first occurrence of an expression that was accepted once, after `fromMs`; NEVER for none. */
export function occurrenceAfter(schedule: string, tz: string, fromMs: number): number {
  return internSchedule(schedule, tz).next(fromMs) ?? NEVER;
}

/** Without credit. Only up and late checks expect a ping. */
function plainExpectedAt(config: CheckConfig, state: CheckState): number {
  if (state.lastPingMs === null) return NEVER;
  return state.status === 'up' || state.status === 'grace' ? expectedAfter(config, state.lastPingMs) : NEVER;
}

/** Without credit. A run that does not end within the grace time takes the check down, as a missing ping does. */
function plainDownAt(config: CheckConfig, state: CheckState, expectedAtMs: number): number {
  if (state.status === 'down' || state.status === 'paused') return NEVER;
  return Math.min(expectedAtMs, state.startedMs ?? NEVER) + config.graceS * second;
}

/** `state` with both deadlines derived anew. The same object when they stay. `runs`: of a check that tracks them. */
export function withDeadlines(config: CheckConfig, state: CheckState, runs?: RunState): CheckState {
  const after = dated(config, freshCopy(state), runs);
  return after.expectedAtMs === state.expectedAtMs && after.downAtMs === state.downAtMs ? state : after;
}

/** Derives both deadlines of a fresh state in place: a steady ping makes one new state, not two. */
export function dated(config: CheckConfig, fresh: FreshState, runs?: RunState): CheckState {
  if (runs !== undefined) {
    const { expectedAtMs, scheduleDownMs, runDownMs } = trackedDeadlines(config, fresh, runs);
    fresh.expectedAtMs = expectedAtMs;
    fresh.downAtMs = Math.min(scheduleDownMs, runDownMs);
    return fresh;
  }
  const plainExpectedMs = plainExpectedAt(config, fresh);
  fresh.expectedAtMs = Math.max(plainExpectedMs, fresh.graceNotBeforeMs);
  fresh.downAtMs = Math.max(plainDownAt(config, fresh, plainExpectedMs), fresh.downNotBeforeMs);
  return fresh;
}

export type OutageCredit = Pick<CheckState, 'graceNotBeforeMs' | 'downNotBeforeMs'>;

/**
 * The outage credit: a deadline that passed while Knell was away, in (aliveMs, nowMs], is put off by the time away,
 * at most by the grace time: no ping could have arrived. Granted once: a deadline that a credit has already put off
 * is left as it is. Null for none; both deadlines are to be derived anew from one that is granted.
 */
export function outageCredit(
  state: CheckState,
  graceS: number,
  aliveMs: number,
  nowMs: number,
): OutageCredit | null {
  const creditMs = Math.min(nowMs - aliveMs, graceS * second);
  const passed = (dueMs: number, notBeforeMs: number): boolean =>
    dueMs > aliveMs && dueMs <= nowMs && dueMs !== notBeforeMs;
  const late = state.status === 'up' && passed(state.expectedAtMs, state.graceNotBeforeMs);
  const overdue = passed(state.downAtMs, state.downNotBeforeMs);
  if (!late && !overdue) return null;
  return {
    graceNotBeforeMs: late ? state.expectedAtMs + creditMs : state.graceNotBeforeMs,
    downNotBeforeMs: overdue ? state.downAtMs + creditMs : state.downNotBeforeMs,
  };
}

/** The next instant at which the check changes by itself; NEVER for none. */
export function nextDeadline(state: CheckState): number {
  return state.status === 'up' ? Math.min(state.expectedAtMs, state.downAtMs) : state.downAtMs;
}

/**
 * `next_ping` of the API: the expected time after the last ping, while started the time of the start if that is
 * earlier; null when neither exists and for down and paused checks.
 */
export function nextPingMs(check: Check): number | null {
  const { status, startedMs, expectedAtMs } = check.state;
  if (status === 'down' || status === 'paused') return null;
  const next = Math.min(expectedAtMs, startedMs ?? NEVER);
  return next === NEVER ? null : next;
}
