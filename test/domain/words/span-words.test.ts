/** Spans in words. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  everySpan,
  exactSpan,
  longSpan,
  outageSpan,
  roughSpan,
  shortSpan,
  spanAhead,
  spanDown,
  spanRange,
} from '../../../src/domain/words/span-words.ts';
import { day, hour, minute, second } from '../../../src/lib/units.ts';

test.each([
  [0, '0 s'],
  [11, '1 s'],
  [4440, '4 s'],
  [hour, '1 h'],
])('a downtime of %d ms is %s', (ms, words) => {
  expect(outageSpan(ms)).toBe(words);
});

test.each([
  [0, '0 seconds', '0 s', '0 s', '0 s'],
  [0.4, '0 seconds', '0 ms', '0 ms', '0 s'],
  [210, '0 seconds', '210 ms', '210 ms', '0 s'],
  [second, '1 second', '1 s', '1 s', '1 s'],
  [4440, '4 seconds', '4 s', '4.4 s', '4 s'],
  [59.6 * second, '1 minute', '1 min', '1 min', '59 s'],
  [2 * minute + 4 * second, '2 minutes 4 seconds', '2 min 4 s', '2 min 4 s', '2 min'],
  [3 * hour + 9 * minute + 40 * second, '3 hours 9 minutes', '3 h 9 min', '3 h 9 min', '3 h'],
  [day + 5 * minute, '1 day', '1 d', '1 d', '1 d'],
  [400 * day + hour, '400 days 1 hour', '400 d 1 h', '400 d 1 h', '400 d'],
  [-5 * minute, '0 seconds', '0 s', '0 s', '0 s'],
])('%d ms', (ms, long, short, exact, rough) => {
  expect([longSpan(ms), shortSpan(ms), exactSpan(ms), roughSpan(ms)]).toEqual([long, short, exact, rough]);
});

test.each([
  [31 * minute, 37 * minute, '31 to 37 min'],
  [31 * minute + 1, 37 * minute + 59_999, '32 to 37 min'],
  [58 * minute, 63 * minute, '58 min to 1 h 3 min'],
  [0, 6200, 'up to 6.2 s'],
  [2110, 3990, '2.2 to 3.9 s'],
  [59_100, 61_200, '1 min to 1 min 1 s'],
  [12 * minute + 10 * second, 12 * minute + 40 * second, '12 min 10 s to 12 min 40 s'],
  [2 * hour, 2 * hour, '2 h'],
])('from %d to %d ms', (fromMs, toMs, words) => {
  expect(spanRange(fromMs, toMs)).toBe(words);
});

test.each([
  [5 * hour + 59 * minute, '5 h'],
  [day - 1, '23 h'],
  [day, '1 d'],
  [3 * day + 21 * hour + 40 * minute, '3 d 21 h'],
  [4 * day - 1, '3 d 23 h'],
  [10 * day + 3 * hour, '10 d'],
])('down for %d ms', (ms, words) => {
  expect(spanDown(ms)).toBe(words);
});

test.each([
  [day, 'every day'],
  [2 * hour, 'every 2 hours'],
  [day + hour, 'every 25 hours'],
  [hour + 20 * minute, 'every 80 minutes'],
  [hour + 40 * minute, 'every 1 hour 40 minutes'],
  [day + hour + minute, 'every 1 day 1 hour'],
])('%d ms, repeated', (ms, words) => {
  expect(everySpan(ms)).toBe(words);
});

describe('whatever the span', () => {
  test('it has two units at most, and says no more than there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: second, max: 1000 * day }), (ms) => {
        const counts = [...shortSpan(ms).matchAll(/(\d+) (d|h|min|s)/g)];
        const sizes = { d: day, h: hour, min: minute, s: second };
        const said = counts.reduce(
          (sum, [, n, unit]) => sum + Number(n) * sizes[unit as keyof typeof sizes],
          0,
        );
        expect(counts.length).toBeLessThanOrEqual(2);
        expect(said).toBeLessThanOrEqual(ms + second / 2);
        expect(said).toBeGreaterThan(ms * 0.95 - second);
      }),
    );
  });
});

test.each([
  [59 * second, '59 s'],
  [2 * minute + 10 * second, '2 min'],
  [1 * hour, '1 h'],
  [1 * hour + 50 * minute + 40 * second, '1 h 50 min'],
  [9 * hour + 59 * minute, '9 h 59 min'],
  [14 * hour + 40 * minute, '15 h'],
  [24 * hour, '24 h'],
  [3 * 24 * hour, '3 d'],
])('what is to come is as exact as one can wait for it: %i ms', (ms, said) => {
  expect(spanAhead(ms)).toBe(said);
});
