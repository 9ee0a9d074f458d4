import { expect, test } from 'vitest';
import { MB } from '../../src/lib/units.ts';
import { collectGarbage, collectYoungGarbage, growthPercent } from '../../src/lib/v8-tuning.ts';
import { youngCollections } from '../support/young-collections.ts';

test.each([
  [16 * MB, 400],
  [64 * MB, 100],
  [100 * MB, 64],
])('a heap of %d bytes may grow by %d percent: 64 MB', (aliveBytes, percent) => {
  expect(growthPercent(aliveBytes)).toBe(percent);
});

test('a heap of next to nothing is not let grow without bounds', () => {
  expect(growthPercent(0)).toBe(growthPercent(8 * MB));
});

test.each([128 * MB, 2000 * MB])('a heap of %d bytes is left to V8', (aliveBytes) => {
  expect(growthPercent(aliveBytes)).toBe(0);
});

test('what nobody holds any more goes back at once', () => {
  const held = new WeakRef({ row: new Uint8Array(4 * MB) });
  // A target is alive until the end of the turn in which it was made or read.
  return new Promise<void>((resolve) => {
    setImmediate(() => {
      collectGarbage();
      expect(held.deref()).toBeUndefined();
      resolve();
    });
  });
});

test('young garbage is collected at once', async () => {
  expect(await youngCollections(() => {})).toBe(0);
  expect(await youngCollections(() => [collectYoungGarbage(), collectYoungGarbage()])).toBe(2);
});
