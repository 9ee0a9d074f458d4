/**
 * When a check that tracks its runs is due: of each run in flight, of each host, of its schedule. Not here: what happens then
 * (`runs/track-runs`), checks that do not track them (`deadline`).
 * Invariant: pure; the deadline of the check is the earliest of all of them.
 */
import { NEVER, second } from '../../lib/units.ts';
import { internSchedule, type Schedule } from '../../schedule/schedule.ts';
import type { CheckConfig, CheckState } from './check.ts';
import { type HostState, type OpenRun, type RunState, runLimitS } from './run-state.ts';

export interface Deadlines {
  /** When the grace time begins; NEVER when nothing is expected. */
  readonly expectedAtMs: number;
  /** When the check goes down by what is expected of it, or of its hosts. */
  readonly scheduleDownMs: number;
  /** When the first run in flight hangs. */
  readonly runDownMs: number;
}

const never: Deadlines = { expectedAtMs: NEVER, scheduleDownMs: NEVER, runDownMs: NEVER };

/** When that run hangs, unless it ends or says that it is alive. */
export function runDeadline(config: CheckConfig, run: OpenRun): number {
  const fromMs = Math.max(run.startedMs, run.aliveMs);
  return Math.max(fromMs + runLimitS(config) * second, run.notBeforeMs);
}

/**
 * The slot that follows a report at `atMs`. One that comes at most `early_tolerance` before a slot is taken for that slot. Without
 * a schedule, one timeout later.
 */
export function slotAfter(config: CheckConfig, atMs: number): number {
  if (config.kind === 'simple') return atMs + config.timeoutS * second;
  const schedule = internSchedule(config.schedule, config.tz);
  const next = schedule.next(atMs) ?? NEVER;
  if (next === NEVER || next - atMs > config.earlyToleranceS * second) return next;
  return schedule.next(next) ?? NEVER;
}

/** How far back is looked for the last slot, in turn: a schedule has one within four years, or never. */
const stepsBackMs = [60, 3_600, 86_400, 8 * 86_400, 32 * 86_400, 367 * 86_400, 1_462 * 86_400].map(
  (seconds) => seconds * second,
);

/** The last slot that had come by then, with `early_tolerance`; 0 for none, and for a check without a schedule. */
export function slotBefore(config: CheckConfig, atMs: number): number {
  if (config.kind === 'simple') return 0;
  const schedule = internSchedule(config.schedule, config.tz);
  const untilMs = atMs + config.earlyToleranceS * second;
  for (const backMs of stepsBackMs) {
    const slot = schedule.next(untilMs - backMs) ?? NEVER;
    if (slot <= untilMs) return lastSlot(schedule, slot, untilMs);
  }
  return 0;
}

/** The last slot until then, from one before it on: by halves, as a day may have a slot in each minute, and the year no other day. */
function lastSlot(schedule: Schedule, fromMs: number, untilMs: number): number {
  let slot = fromMs;
  let noneAfterMs = untilMs;
  for (let next = schedule.next(slot) ?? NEVER; next <= untilMs; next = schedule.next(slot) ?? NEVER) {
    slot = next;
    const middleMs = Math.floor((slot + noneAfterMs) / 2);
    const later = schedule.next(middleMs) ?? NEVER;
    if (later <= untilMs) slot = later;
    else noneAfterMs = middleMs;
  }
  return slot;
}

/** When the host's next report is expected; NEVER while none is. */
export function hostExpectedAt(config: CheckConfig, { status, fromMs }: HostState): number {
  return status === 'missing' || fromMs === 0 ? NEVER : slotAfter(config, fromMs);
}

/** The deadlines of a check that tracks its runs. The credits of an outage are in them. */
export function trackedDeadlines(config: CheckConfig, state: CheckState, runs: RunState): Deadlines {
  if (state.status === 'paused') return never;
  const runDownMs = earliest(runs.open.map((run) => runDeadline(config, run)));
  const due = scheduleDue(config, state, runs);
  const isExpecting = state.status === 'up' || state.status === 'grace';
  const limitS = config.startGraceS === 0 ? config.graceS : config.startGraceS;
  return {
    expectedAtMs: isExpecting ? Math.max(due, state.graceNotBeforeMs) : NEVER,
    scheduleDownMs:
      isExpecting || (state.status === 'down' && runs.hosts.length > 0)
        ? Math.max(due + limitS * second, state.downNotBeforeMs)
        : NEVER,
    runDownMs,
  };
}

/** When the next report, or start, is expected; NEVER for none. */
function scheduleDue(config: CheckConfig, state: CheckState, runs: RunState): number {
  if (runs.hosts.length > 0) return earliest(runs.hosts.map((host) => hostExpectedAt(config, host)));
  if (config.expectedRuns > 0) return reportsDue(config, runs);
  if (state.lastPingMs === null && runs.lastStartMs === 0) return NEVER;
  // With a start grace a start is what is expected; a run that is in flight has a deadline of its own.
  const isRunning = runs.open.length > 0;
  if (config.startGraceS > 0) {
    if (config.kind === 'simple')
      return isRunning || state.lastPingMs === null ? NEVER : slotAfter(config, state.lastPingMs);
    return slotAfter(config, Math.max(runs.lastStartMs, state.lastPingMs ?? 0));
  }
  const isTimed = config.maxRuntimeS > 0 || runs.open.some(({ aliveMs }) => aliveMs !== 0);
  if (state.lastPingMs === null || (isTimed && isRunning)) return NEVER;
  return slotAfter(config, state.lastPingMs);
}

function reportsDue(config: CheckConfig, { slotMs, slotDueMs, reports }: RunState): number {
  if (slotMs === 0) return NEVER;
  if (config.kind !== 'simple' && reports < config.expectedRuns) return slotDueMs;
  return slotAfter(config, slotMs);
}

function earliest(instants: readonly number[]): number {
  return instants.reduce((first, atMs) => Math.min(first, atMs), NEVER);
}
