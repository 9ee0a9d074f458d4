import { expect, test } from 'vitest';
import { retryPauseMs } from '../../src/web/core/live-retry.ts';

const pauses = (random: number) => [0, 1, 2, 3, 5, 50].map((nth) => Math.round(retryPauseMs(nth, random)));

test('the first tries of a new connection are quick, later ones some seconds apart, and no two pages keep step', () => {
  expect(pauses(1)).toEqual([700, 980, 1372, 1921, 3000, 3000]);
  expect(pauses(0)).toEqual([350, 490, 686, 960, 1500, 1500]);
});
