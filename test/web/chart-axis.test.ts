/** Axes of charts: round steps, not too many, whatever the range. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisTop, countTicks, durationTicks, timeTicks } from '../../src/web/charts/chart-axis.ts';

test('durations go from 0 to above the longest in round steps, five lines at most', () => {
  expect(durationTicks(141_000)).toEqual([0, 60_000, 120_000, 180_000]);
  expect(durationTicks(210)).toEqual([0, 100, 200, 300]);
  expect(durationTicks(0)).toEqual([0, 1]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 * 86_400_000 }), (maxMs) => {
      const ticks = durationTicks(maxMs);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(maxMs);
    }),
  );
});

test('counts go from 0 to above the most in whole, round steps, five lines at most', () => {
  expect(countTicks(1)).toEqual([0, 1]);
  expect(countTicks(7)).toEqual([0, 2, 4, 6, 8]);
  expect(countTicks(12)).toEqual([0, 5, 10, 15]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (max) => {
      const ticks = countTicks(max);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }),
  );
});

test('times are whole hours or midnights within the range, seven at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4_000_000_000_000 }),
      fc.constantFrom(1, 7, 30, 90),
      (untilMs, days) => {
        const fromMs = untilMs - days * 86_400_000;
        const ticks = timeTicks(fromMs, untilMs);
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.length).toBeLessThanOrEqual(7);
        for (const { atMs, words, wordsAtMs } of ticks) {
          expect(atMs).toBeGreaterThanOrEqual(fromMs);
          expect(atMs).toBeLessThan(untilMs);
          const date = new Date(atMs);
          expect([date.getMinutes(), date.getSeconds()]).toEqual([0, 0]);
          if (days > 1) expect(date.getHours() % 12).toBe(0);
          expect(words).not.toBe('');
          // Those of a day are within it, also of today.
          expect(wordsAtMs > atMs).toBe(days > 1);
          expect(wordsAtMs).toBeLessThanOrEqual(Math.min(untilMs, atMs + 12 * 3_600_000));
        }
      },
    ),
  );
});

test('an axis ends above the highest value, also where that is at a step', () => {
  expect(axisTop([0, 60_000, 120_000], 90_000)).toBe(120_000);
  expect(axisTop(durationTicks(240_000), 240_000)).toBeGreaterThan(250_000);
  expect(axisTop(countTicks(8), 8)).toBeGreaterThan(8.5);
});

test('a time of a few minutes or hours has its labels in even steps, within it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4_000_000_000_000 }),
      fc.integer({ min: 60_001, max: 3 * 3_600_000 }),
      fc.constantFrom(4, 7),
      (fromMs, spanMs, most) => {
        const times = timeTicks(fromMs, fromMs + spanMs, most).map(({ wordsAtMs }) => wordsAtMs);
        if (spanMs > (most - 1) * 30 * 60_000) return;
        const [first = 0, second = 0] = times;
        const last = times.at(-1) ?? 0;
        expect(times.length).toBeGreaterThanOrEqual(2);
        expect(times.length).toBeLessThanOrEqual(most);
        expect(first).toBeGreaterThanOrEqual(fromMs);
        expect(last).toBeLessThanOrEqual(fromMs + spanMs);
        if (times.length === 2) return;
        expect(second % 60_000).toBe(0);
        for (const [at, atMs] of times.slice(1).entries())
          expect(atMs - (times[at] ?? 0)).toBe(second - first);
      },
    ),
  );
});

test('no two labels of a short time have the same words', () => {
  const fromMs = Date.UTC(2026, 8, 2, 3, 44, 5);
  expect(timeTicks(fromMs, fromMs + 165_000).length).toBeGreaterThan(1);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 300_000 }),
      fc.integer({ min: 1, max: 600_000 }),
      (afterMs, spanMs) => {
        const words = timeTicks(fromMs + afterMs, fromMs + afterMs + spanMs).map((tick) => tick.words);
        expect(new Set(words).size).toBe(words.length);
      },
    ),
  );
});
