import { describe, expect, test } from 'vitest';
import { shownStatusOf } from '../../../src/domain/check/shown-status.ts';

const dueMs = 1_000_000;
const minute = 60_000;

describe('a check in its grace time', () => {
  test.each([
    ['late', 'no run is in flight', null],
    ['running', 'its run began at its time', dueMs],
    ['running', 'its run began less than a minute later', dueMs + minute - 1],
    ['running', 'its run began before its time', dueMs - 10 * minute],
    ['late', 'its run began a minute later', dueMs + minute],
  ] as const)('is %s where %s', (shown, _, startedMs) => {
    expect(shownStatusOf({ status: 'grace', startedMs, expectedAtMs: dueMs })).toBe(shown);
  });
});

test('a run in flight shows of one that is up or new, and not of one that is down or paused', () => {
  const run = { startedMs: dueMs, expectedAtMs: dueMs };
  const shown = (['up', 'new', 'down', 'paused'] as const).map((status) => shownStatusOf({ status, ...run }));
  expect(shown).toEqual(['running', 'running', 'down', 'paused']);
});
