import { expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { exactUptime } from '../../../src/domain/runs/exact-uptime.ts';
import { hour } from '../../../src/lib/units.ts';

const untilMs = Date.UTC(2026, 11, 1, 16, 43);
const range = { fromMs: untilMs - 24 * hour, untilMs };
const change = (atMs: number, from: StatusChange['from'], to: StatusChange['to']): StatusChange => ({
  ...{ atMs, from, to, cause: to === 'up' ? 'success' : 'timeout' },
});

test('a check that is down all the time was down for all of it', () => {
  expect(exactUptime([], 'down', range)).toEqual({ downMs: 24 * hour, watchedMs: 24 * hour, outages: 1 });
});

test('what was before the range does not count, and the rest is exact', () => {
  const wasDown = change(range.fromMs + hour / 2, 'down', 'up');
  const isDown = change(untilMs - hour, 'grace', 'down');
  expect(exactUptime([isDown, wasDown], 'down', range)).toEqual({
    ...{ downMs: 1.5 * hour, watchedMs: 24 * hour, outages: 1 },
  });
});

test('time in which it was new or paused is not watched', () => {
  const begun = change(untilMs - 2 * hour, 'new', 'up');
  expect(exactUptime([begun], 'up', range)).toEqual({ downMs: 0, watchedMs: 2 * hour, outages: 0 });
  expect(exactUptime([], 'paused', range)).toEqual({ downMs: 0, watchedMs: 0, outages: 0 });
});
