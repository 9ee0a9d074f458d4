/** What nodes hold, compared and in words. */
import { expect, test } from 'vitest';
import { fullest, type HeldData, heldWords, holdsMore, readHeld } from '../../../src/cluster/status/held.ts';

const held = (lastSeq: number, checks: number, log: string | null = 'one'): HeldData => ({
  ...{ log, lastSeq, checks },
  writtenAtMs: null,
});

test('more batches are more; of another log, more checks are too', () => {
  expect(holdsMore(held(9, 1), held(8, 5))).toBe(true);
  expect(holdsMore(held(8, 5), held(9, 1))).toBe(false);
  expect(holdsMore(held(8, 5, 'two'), held(9, 1))).toBe(true);
  expect(holdsMore(held(8, 1), held(8, 1))).toBe(false);
  expect(holdsMore(held(0, 0), held(0, 0))).toBe(false);
});

test('the fullest of several is found, and none among the empty and those that have said nothing', () => {
  const one = (name: string, what: HeldData | null) => ({ name, held: what, isAlive: true, saidAtMs: 0 });
  expect(fullest([one('a', held(3, 1)), one('b', null), one('c', held(9, 1))])?.name).toBe('c');
  expect(fullest([one('a', held(0, 0)), one('b', null)])).toBeNull();
});

test('what was said is read as it was, and anything else is not known', () => {
  const all = { log: 'one', lastSeq: 812, checks: 14, writtenAtMs: 1_795_000_000_000 };
  expect(readHeld(JSON.parse(JSON.stringify(all)))).toEqual(all);
  for (const other of [undefined, null, 7, {}, { lastSeq: '7', checks: 1 }])
    expect(readHeld(other)).toBeNull();
  expect(heldWords(all)).toBe('batch 812, 14 checks, written until 2026-11-18 11:06:40 UTC');
  expect(heldWords(held(0, 0))).toBe('nothing');
});
