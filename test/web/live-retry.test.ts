import { expect, test } from 'vitest';
import { retryPauseMs } from '../../src/web/core/live-retry.ts';

test('the first tries of a new connection are quick, later ones some seconds apart, and no two pages keep step', () => {
  expect([0, 1, 2, 3, 50].map((nth) => retryPauseMs(nth, 1))).toEqual([700, 1400, 2800, 4000, 4000]);
  expect([0, 1, 2, 3, 50].map((nth) => retryPauseMs(nth, 0))).toEqual([350, 700, 1400, 2000, 2000]);
});
