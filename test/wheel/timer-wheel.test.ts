import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NEVER } from '../../src/lib/units.ts';
import { TimerWheel } from '../../src/wheel/timer-wheel.ts';

const t0 = 1_767_614_400_123;
const year = 365 * 24 * 3600 * 1000;

type Step =
  | { readonly do: 'arm'; readonly handle: number; readonly inMs: number }
  | { readonly do: 'disarm'; readonly handle: number }
  | { readonly do: 'advance'; readonly byMs: number; readonly budget: number };

const span = fc.oneof(
  fc.integer({ min: -50, max: 200 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: 3 * year }),
  fc.constantFrom(63, 64, 65, 4095, 4096, 4097, 262_144, 2 ** 24, 2 ** 30, 64 ** 6, 64 ** 6 + 1, 30 * year),
);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('arm' as const), handle: fc.nat(40), inMs: span }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disarm' as const), handle: fc.nat(40) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      byMs: span,
      budget: fc.constantFrom(1, 3, 1000),
    }),
  },
);

test('the wheel fires what a sorted list would, whatever is armed, put off, disarmed, and however time jumps', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const wheel = new TimerWheel(t0);
      const list = new Map<number, number>();
      let nowMs = t0;
      for (const step of steps) {
        if (step.do === 'arm') {
          wheel.arm(step.handle, nowMs + step.inMs);
          list.set(step.handle, nowMs + step.inMs);
        } else if (step.do === 'disarm') {
          wheel.disarm(step.handle);
          list.delete(step.handle);
        } else {
          nowMs = Math.max(nowMs, nowMs + step.byMs);
          const fired: number[] = [];
          while (!wheel.advance(nowMs, (handle) => fired.push(handle), { moves: step.budget, perDue: 1 }));
          const due = [...list].filter(([, deadlineMs]) => deadlineMs <= nowMs).map(([handle]) => handle);
          expect(fired.sort((a, b) => a - b)).toEqual(due.sort((a, b) => a - b));
          for (const handle of due) list.delete(handle);
        }
        const earliest = Math.min(NEVER, ...list.values());
        expect(wheel.earliest()).toBeLessThanOrEqual(Math.max(earliest, nowMs));
        if (list.size === 0) expect(wheel.earliest()).toBe(NEVER);
      }
    }),
    { numRuns: 1000 },
  );
});

test('sleeping until the earliest time, again and again, fires every deadline in its very millisecond', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 2 * year }), { minLength: 1, maxLength: 30 }),
      (delays) => {
        const wheel = new TimerWheel(t0);
        for (const [handle, delay] of delays.entries()) wheel.arm(handle, t0 + delay);
        const firedAt = new Map<number, number>();
        for (let nowMs = wheel.earliest(); nowMs !== NEVER; nowMs = wheel.earliest()) {
          wheel.advance(nowMs, (handle) => firedAt.set(handle, nowMs), {
            moves: Number.MAX_SAFE_INTEGER,
            perDue: 1,
          });
        }
        expect(firedAt.size).toBe(delays.length);
        for (const [handle, delay] of delays.entries()) expect(firedAt.get(handle)).toBe(t0 + delay);
      },
    ),
  );
});

test('a deadline put off a thousand times fires once, at its last time', () => {
  const wheel = new TimerWheel(t0);
  for (let i = 1; i <= 1000; i++) wheel.arm(7, t0 + 1000 + i);
  const fired: number[] = [];
  wheel.advance(t0 + 1999, (handle) => fired.push(handle), { moves: 10, perDue: 1 });
  expect(fired).toEqual([]);
  wheel.advance(t0 + 2000, (handle) => fired.push(handle), { moves: 10, perDue: 1 });
  expect(fired).toEqual([7]);
});

test('a handle armed again by its own firing fires again', () => {
  const wheel = new TimerWheel(t0);
  wheel.arm(1, t0 + 10);
  let fired = 0;
  const due = (handle: number): void => {
    fired++;
    if (fired < 5) wheel.arm(handle, t0 + 10 * (fired + 1));
  };
  while (!wheel.advance(t0 + 1000, due, { moves: 2, perDue: 1 }));
  expect(fired).toBe(5);
});

test('a budget spreads a burst over several calls and loses none', () => {
  const wheel = new TimerWheel(t0);
  for (let handle = 0; handle < 5000; handle++) wheel.arm(handle, t0 + 86_400_000);
  let fired = 0;
  let calls = 1;
  while (!wheel.advance(t0 + 86_400_000, () => fired++, { moves: 100, perDue: 1 })) calls++;
  expect(fired).toBe(5000);
  expect(calls).toBeGreaterThanOrEqual(50);
});

test('a handle that is due counts for as many moves as its owner says', () => {
  const wheel = new TimerWheel(t0);
  for (let handle = 0; handle < 10; handle++) wheel.arm(handle, t0 + 1000);
  const perCall: number[] = [];
  let fired = 0;
  for (let finished = false; !finished; ) {
    const before = fired;
    finished = wheel.advance(t0 + 1000, () => fired++, { moves: 100, perDue: 40 });
    perCall.push(fired - before);
  }
  expect(fired).toBe(10);
  expect(Math.max(...perCall)).toBe(3);
});

test('a call that has done enough leaves the rest to the next', () => {
  const wheel = new TimerWheel(t0);
  for (let handle = 0; handle < 10; handle++) wheel.arm(handle, t0 + 1000);
  let fired = 0;
  const budget = { moves: 1000, perDue: 1, isSpent: () => fired % 4 === 0 };
  const perCall: number[] = [];
  for (let finished = false; !finished; ) {
    const before = fired;
    finished = wheel.advance(t0 + 1000, () => fired++, budget);
    perCall.push(fired - before);
  }
  expect(perCall).toEqual([4, 4, 2]);
});

test('moves that have taken enough leave the rest to the next call, and lose none', () => {
  const wheel = new TimerWheel(t0);
  for (let handle = 0; handle < 5000; handle++) wheel.arm(handle, t0 + 3_600_000 + handle);
  let fired = 0;
  let calls = 0;
  const budget = { moves: 1_000_000, perDue: 1, isSpent: () => true };
  while (!wheel.advance(t0 + 3_600_000 - 1, () => fired++, budget)) calls++;
  expect(calls).toBeGreaterThan(10);
  expect(fired).toBe(0);
  while (!wheel.advance(t0 + 3_700_000, () => fired++, budget));
  expect(fired).toBe(5000);
});
