/** Checks for tests, and fast-check arbitraries of them. */
import fc from 'fast-check';
import {
  type Check,
  type CheckConfig,
  type CheckState,
  defaultConfig,
  freshState,
} from '../../../src/domain/check/check.ts';
import type { CheckEvent } from '../../../src/domain/check/check-machine.ts';
import { withDeadlines } from '../../../src/domain/check/deadline.ts';
import { asBadgeId, asCheckId, asProjectId, asRunId } from '../../../src/lib/ids.ts';

export const t0 = Date.UTC(2026, 0, 5, 12);

export function checkWith(config: Partial<CheckConfig>, state: Partial<CheckState> = {}): Check {
  const whole = { ...defaultConfig, ...config };
  return {
    id: asCheckId('3c1169a0-0000-4000-8000-000000000001'),
    projectId: asProjectId('3c1169a0-0000-4000-8000-000000000002'),
    badgeId: asBadgeId('3c1169a0-0000-4000-8000-000000000003'),
    createdAtMs: t0,
    config: whole,
    state: withDeadlines(whole, { ...freshState, ...state }),
  };
}

const instant = fc.integer({ min: t0, max: t0 + 500_000 });
const runIds = [
  null,
  asRunId('00000000-0000-4000-8000-00000000000a'),
  asRunId('00000000-0000-4000-8000-00000000000b'),
];

const timing: fc.Arbitrary<Partial<CheckConfig>> = fc.oneof(
  fc.record({
    kind: fc.constant('simple' as const),
    timeoutS: fc.integer({ min: 60, max: 400 }),
    graceS: fc.integer({ min: 60, max: 200 }),
  }),
  fc.record({
    kind: fc.constant('cron' as const),
    schedule: fc.constantFrom('* * * * *', '*/2 * * * *'),
    tz: fc.constant('Europe/Riga'),
    graceS: fc.integer({ min: 60, max: 200 }),
  }),
  fc.record({
    kind: fc.constant('oncalendar' as const),
    schedule: fc.constantFrom('minutely', '2001-01-01'),
    graceS: fc.integer({ min: 60, max: 200 }),
  }),
);

export const anyConfig: fc.Arbitrary<CheckConfig> = fc
  .tuple(timing, fc.boolean())
  .map(([part, manualResume]) => ({ ...defaultConfig, ...part, manualResume }));

/** A check as any history of facts could have left it. */
export const anyCheck: fc.Arbitrary<Check> = fc
  .record({
    config: anyConfig,
    status: fc.constantFrom(
      'new' as const,
      'up' as const,
      'grace' as const,
      'down' as const,
      'paused' as const,
    ),
    nPings: fc.integer({ min: 0, max: 9 }),
    lastPingMs: fc.option(instant),
    startedMs: fc.option(instant),
    startRid: fc.constantFrom(...runIds),
    lastDurationMs: fc.option(fc.integer({ min: 0, max: 9999 })),
    isWarned: fc.boolean(),
    credits: fc.tuple(fc.option(instant), fc.option(instant)),
  })
  .map(({ config, credits, ...state }) => {
    const pinged = state.status === 'up' || state.status === 'grace';
    return checkWith(config, {
      ...state,
      lastPingMs: pinged ? (state.lastPingMs ?? t0) : state.status === 'new' ? null : state.lastPingMs,
      startedMs: state.status === 'paused' ? null : state.startedMs,
      startRid: state.startedMs === null || state.status === 'paused' ? null : state.startRid,
      graceNotBeforeMs: pinged ? (credits[0] ?? 0) : 0,
      downNotBeforeMs: pinged ? (credits[1] ?? 0) : 0,
    });
  });

export const anyPingEvent: fc.Arbitrary<CheckEvent> = fc.oneof(
  fc.record({
    type: fc.constantFrom('success' as const, 'fail' as const, 'start' as const),
    atMs: instant,
    rid: fc.constantFrom(...runIds),
  }),
  fc.record({ type: fc.constantFrom('log' as const, 'ign' as const), atMs: instant }),
);

export const anyEvent: fc.Arbitrary<CheckEvent> = fc.oneof(
  { weight: 3, arbitrary: anyPingEvent },
  fc.record({
    type: fc.constantFrom('timeout' as const, 'pause' as const, 'resume' as const),
    atMs: instant,
  }),
  fc.record({ type: fc.constant('update' as const), atMs: instant, config: anyConfig }),
);
