import { expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { Ticker } from '../../../src/engine/context/ticker.ts';
import { NEVER } from '../../../src/lib/units.ts';
import { t0 } from '../../support/engine/checks.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { youngCollections } from '../../support/young-collections.ts';

interface Started {
  readonly clock: SimulatedClock;
  readonly ticker: Ticker;
  readonly due: [number, number][];
  /** Watches a check whose deadline is in so many milliseconds of the start. */
  readonly watch: (handle: number, ms: number) => void;
}

function started(): Started {
  const clock = new SimulatedClock(t0);
  const due: [number, number][] = [];
  const deadlines = new Map<number, number>();
  const ticker = new Ticker(clock, limits.ticker, {
    deadlineOf: (handle) => deadlines.get(handle) ?? NEVER,
    due: (handle) => due.push([handle, clock.nowMs() - t0]),
  });
  ticker.start();
  const watch = (handle: number, ms: number): void => {
    deadlines.set(handle, t0 + ms);
    ticker.watch(handle);
  };
  return { clock, ticker, due, watch };
}

test('a deadline is looked at in its own millisecond, in order', async () => {
  const { clock, due, watch } = started();
  for (const [handle, ms] of [
    [3, 4500],
    [1, 20],
    [2, 90_000],
  ] as const)
    watch(handle, ms);
  await clock.advance(100_000);
  expect(due).toEqual([
    [1, 20],
    [3, 4500],
    [2, 90_000],
  ]);
});

test('a jump of the wall clock is noticed within a second', async () => {
  const { clock, due, watch } = started();
  watch(1, 3_600_000);
  await clock.advance(10_000);
  clock.jump(7_200_000);
  await clock.advance(1000);
  expect(due).toHaveLength(1);
});

test('a deadline that has passed unnoticed is a problem until it is taken, and so is a timer', async () => {
  const { clock, ticker, watch } = started();
  expect(ticker.health.problem()).toBeNull();
  watch(1, 5000);
  clock.jump(14_000);
  expect(ticker.health.problem()).toMatch(/^deadlines are noticed 1\d s late$/);
  await clock.advance(1000);
  expect(ticker.health.problem()).toBeNull();
  clock.jump(-3_600_000);
  expect(ticker.health.problem()).toBeNull();
  ticker.stop();
  clock.jump(7_200_000);
  expect(ticker.health.problem()).toBeNull();
});

test('after the clock was set back a deadline, old or new, is looked at in its own millisecond all the same', async () => {
  const clock = new SimulatedClock(t0);
  const due: [number, number][] = [];
  const deadlines = [t0 + 20_000, t0 + 5000];
  const deadlineOf = (handle: number): number => deadlines[handle] ?? NEVER;
  const ticker: Ticker = new Ticker(clock, limits.ticker, {
    deadlineOf,
    due(handle, nowMs) {
      if (deadlineOf(handle) <= nowMs) due.push([handle, nowMs - t0]);
      else ticker.watch(handle);
    },
  });
  ticker.start();
  ticker.watch(0);
  await clock.advance(15_000);
  clock.jump(-14_000);
  await clock.advance(1500);
  ticker.watch(1);
  await clock.advance(30_000);
  expect(due).toEqual([
    [1, 5000],
    [0, 20_000],
  ]);
});

test('a timeout that could not be written is looked at again a little later', async () => {
  const { clock, ticker, due, watch } = started();
  watch(1, 1000);
  await clock.advance(1000);
  ticker.watchAgain(1);
  await clock.advance(limits.ticker.retryMs);
  expect(due).toEqual([
    [1, 1000],
    [1, 1000 + limits.ticker.retryMs],
  ]);
});

test('many deadlines at once are taken in batches, each in a turn of its own', async () => {
  const { clock, due, watch } = started();
  for (let handle = 0; handle < 1000; handle++) watch(handle, 5000);
  await clock.advance(5000);
  expect(due).toHaveLength(1000);
});

test('among many deadlines at once young garbage is collected, so that none of its collections takes long', async () => {
  const { clock, due, watch } = started();
  const atOnce = async (checks: number, ms: number): Promise<number> => {
    for (let handle = 0; handle < checks; handle++) watch(handle, ms);
    return youngCollections(() => clock.advance(5000));
  };
  expect(await atOnce(limits.ticker.duePerCollection, 5000)).toBe(0);
  expect(await atOnce(4 * limits.ticker.duePerCollection, 10_000)).toBeGreaterThanOrEqual(3);
  expect(due).toHaveLength(5 * limits.ticker.duePerCollection);
});

test('nothing fires once it has been stopped', async () => {
  const { clock, ticker, due, watch } = started();
  watch(1, 1000);
  ticker.stop();
  await clock.advance(5000);
  expect(due).toEqual([]);
});
