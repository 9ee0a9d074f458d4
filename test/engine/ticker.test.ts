import { expect, test } from 'vitest';
import { limits } from '../../src/config.ts';
import { CheckActor } from '../../src/engine/check-actor.ts';
import { Ticker } from '../../src/engine/ticker.ts';
import { checkWith, t0 } from '../support/checks.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

function actorDueIn(handle: number, ms: number): CheckActor {
  return new CheckActor(handle, checkWith({ timeoutS: 60 }, { status: 'up', lastPingMs: t0 + ms - 60_000 }));
}

function started(): { clock: SimulatedClock; ticker: Ticker; due: [number, number][] } {
  const clock = new SimulatedClock(t0);
  const due: [number, number][] = [];
  const ticker = new Ticker(clock, limits.ticker, (handle) => due.push([handle, clock.nowMs() - t0]));
  ticker.start();
  return { clock, ticker, due };
}

test('a deadline is looked at in its own millisecond, in order', async () => {
  const { clock, ticker, due } = started();
  for (const [handle, ms] of [
    [3, 4500],
    [1, 20],
    [2, 90_000],
  ] as const)
    ticker.watch(actorDueIn(handle, ms));
  await clock.advance(100_000);
  expect(due).toEqual([
    [1, 20],
    [3, 4500],
    [2, 90_000],
  ]);
});

test('a jump of the wall clock is noticed within a second', async () => {
  const { clock, ticker, due } = started();
  ticker.watch(actorDueIn(1, 3_600_000));
  await clock.advance(10_000);
  clock.jump(7_200_000);
  await clock.advance(1000);
  expect(due).toHaveLength(1);
});

test('a deadline that has passed unnoticed is a problem until it is taken, and so is a timer', async () => {
  const { clock, ticker } = started();
  expect(ticker.health.problem()).toBeNull();
  ticker.watch(actorDueIn(1, 5000));
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
  const actors = [actorDueIn(0, 20_000), actorDueIn(1, 5000)];
  const ticker: Ticker = new Ticker(clock, limits.ticker, (handle, nowMs) => {
    const actor = actors[handle];
    if (!actor) return;
    if (actor.check.state.expectedAtMs <= nowMs) due.push([handle, nowMs - t0]);
    else ticker.watch(actor);
  });
  ticker.start();
  if (actors[0]) ticker.watch(actors[0]);
  await clock.advance(15_000);
  clock.jump(-14_000);
  await clock.advance(1500);
  if (actors[1]) ticker.watch(actors[1]);
  await clock.advance(30_000);
  expect(due).toEqual([
    [1, 5000],
    [0, 20_000],
  ]);
});

test('a timeout that could not be written is looked at again a little later', async () => {
  const { clock, ticker, due } = started();
  const actor = actorDueIn(1, 1000);
  ticker.watch(actor);
  await clock.advance(1000);
  ticker.watchAgain(actor);
  await clock.advance(limits.ticker.retryMs);
  expect(due).toEqual([
    [1, 1000],
    [1, 1000 + limits.ticker.retryMs],
  ]);
});

test('many deadlines at once are taken in batches, each in a turn of its own', async () => {
  const { clock, ticker, due } = started();
  for (let handle = 0; handle < 1000; handle++) ticker.watch(actorDueIn(handle, 5000));
  await clock.advance(5000);
  expect(due).toHaveLength(1000);
});

test('nothing fires once it has been stopped', async () => {
  const { clock, ticker, due } = started();
  ticker.watch(actorDueIn(1, 1000));
  ticker.stop();
  await clock.advance(5000);
  expect(due).toEqual([]);
});
