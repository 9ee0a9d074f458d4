import { describe, expect, test } from 'vitest';
import type { Check, CheckState } from '../../../src/domain/check/check.ts';
import { nextDeadline, outageCredit, withDeadlines } from '../../../src/domain/check/deadline.ts';
import { checkWith, t0 } from '../../support/engine/checks.ts';
import { step } from '../../support/step.ts';

const at = (minutes: number): number => t0 + minutes * 60_000;
const up = step(checkWith({ timeoutS: 600, graceS: 300 }), { type: 'success', atMs: at(0), rid: null });
const grace = step(up, { type: 'timeout', atMs: at(10) });

/** The state once a credit is granted, if one is. */
function withOutageCredit({ state, config }: Check, aliveMs: number, nowMs: number): CheckState {
  const credit = outageCredit(state, config.graceS, aliveMs, nowMs);
  return credit === null ? state : withDeadlines(config, { ...state, ...credit });
}

describe('the outage credit', () => {
  test('puts off a deadline that passed while Knell was away, by the time away', () => {
    const state = withOutageCredit(grace, at(14), at(16));
    expect(state.downAtMs).toBe(at(17));
  });

  test('is granted for a deadline that passes at the very instant of the return', () => {
    expect(withOutageCredit(grace, at(14), at(15)).downAtMs).toBe(at(16));
  });

  test('is never longer than the grace time', () => {
    const state = withOutageCredit(grace, at(14), at(600));
    expect(state.downAtMs).toBe(at(20));
  });

  test('is not granted for a deadline that passed before, or is still to come', () => {
    expect(withOutageCredit(grace, at(16), at(18))).toBe(grace.state);
    expect(withOutageCredit(grace, at(11), at(14))).toBe(grace.state);
  });

  test('is granted once for a deadline, however often Knell is restarted', () => {
    const once = { ...grace, state: withOutageCredit(grace, at(14), at(16)) };
    expect(withOutageCredit(once, at(16), at(18))).toBe(once.state);
  });

  test('puts off both deadlines when both passed meanwhile', () => {
    const state = withOutageCredit(up, at(8), at(16));
    expect(state).toMatchObject({ expectedAtMs: at(15), downAtMs: at(20) });
  });

  test('ends with the next success', () => {
    const credited = { ...grace, state: withOutageCredit(grace, at(14), at(16)) };
    const after = step(credited, { type: 'success', atMs: at(16.5), rid: null });
    expect(after.state).toMatchObject({ downNotBeforeMs: 0, graceNotBeforeMs: 0, downAtMs: at(31.5) });
  });

  test('is not cut short by a start that arrives while it lasts', () => {
    const credited = { ...grace, state: withOutageCredit(grace, at(14), at(16)) };
    const running = step(credited, { type: 'start', atMs: at(16.5), rid: null });
    expect(nextDeadline(running.state)).toBe(at(17));
  });
});

test('deriving the deadlines again changes nothing', () => {
  expect(withDeadlines(up.config, up.state)).toBe(up.state);
});
