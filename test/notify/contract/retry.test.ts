/** When a failed delivery is tried again, and when no more. */
import { describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/lib/units.ts';
import {
  isTooLate,
  parseRetryAfter,
  pauseAsked,
  pauseMs,
  type RetryLimits,
} from '../../../src/notify/contract/retry.ts';

const limits: RetryLimits = { firstMs: second, retryMsMax: hour, giveUpAfterMs: 24 * hour, attemptsMin: 10 };

describe('the pause after a failure', () => {
  test('is about a second at first, doubles, and never exceeds an hour by more than its jitter', () => {
    expect([1, 2, 3, 4].map((attempts) => pauseMs(attempts, limits, 0.5))).toEqual([1000, 2000, 4000, 8000]);
    expect(pauseMs(12, limits, 0.5)).toBe(2048 * second);
    expect(pauseMs(13, limits, 0.5)).toBe(hour);
    expect(pauseMs(100_000, limits, 1)).toBeLessThanOrEqual(1.2 * hour);
  });

  test('is spread by a fifth either way', () => {
    expect(pauseMs(1, limits, 0)).toBe(800);
    expect(pauseMs(1, limits, 1)).toBe(1200);
  });

  test('is what the other side asks for when that is longer, within an hour', () => {
    expect(pauseAsked(1000, undefined, limits)).toBe(1000);
    expect(pauseAsked(1000, 500, limits)).toBe(1000);
    expect(pauseAsked(1000, 5 * minute, limits)).toBe(5 * minute);
    expect(pauseAsked(1000, 999 * hour, limits)).toBe(hour);
  });
});

test('a delivery is given up after a day, but not before it was tried ten times', () => {
  expect(isTooLate(9, 48 * hour, limits)).toBe(false);
  expect(isTooLate(10, 24 * hour, limits)).toBe(true);
  expect(isTooLate(50, 23 * hour, limits)).toBe(false);
});

test('Retry-After is read as seconds or as a date', () => {
  const nowMs = Date.UTC(2024, 5, 15);
  expect(parseRetryAfter('120', nowMs)).toBe(120_000);
  expect(parseRetryAfter('Sat, 15 Jun 2024 00:01:00 GMT', nowMs)).toBe(60_000);
  expect(parseRetryAfter('Fri, 14 Jun 2024 00:00:00 GMT', nowMs)).toBe(0);
  expect(parseRetryAfter('soon', nowMs)).toBeUndefined();
  expect(parseRetryAfter(undefined, nowMs)).toBeUndefined();
});
