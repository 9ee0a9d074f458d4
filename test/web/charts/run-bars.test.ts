import { expect, test } from 'vitest';
import { barRowsOf } from '../../../src/web/charts/run-bars.ts';

test('runs that were in flight at once have rows of their own, the first that is free', () => {
  const run = (startedMs: number, endedMs: number) => ({ startedMs, endedMs });
  expect(barRowsOf([run(5, 9), run(0, 10), run(10, 12), run(6, 7), run(9, 20)])).toEqual([1, 0, 0, 2, 1]);
  expect(barRowsOf([])).toEqual([]);
});
