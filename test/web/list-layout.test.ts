/** Where rows and heads of groups lie in the list: pure geometry, whatever is folded. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListGroup } from '../../src/domain/views/page-view.ts';
import { groupPx, layOut, pieceRange } from '../../src/web/list/list-layout.ts';
import { countOpen, isOpenAt, openRows, stepOver } from '../../src/web/rows/open-rows.ts';

const rowPx = 48;
const counts = { down: 0, late: 0, running: 0, up: 0, paused: 0, new: 0 };

function groupsOf(sizes: readonly number[]): readonly ListGroup[] {
  let from = 0;
  return sizes.map((size, at) => {
    const group = { name: `g${at}`, from, size, counts, neverPinged: 0 };
    from += size;
    return group;
  });
}

test('a plain list has its rows one below the other', () => {
  const layout = layOut(1000, [], new Set(), rowPx);
  expect(layout.height).toBe(48_000);
  expect(pieceRange(layout, 480, 575)).toEqual([
    { kind: 'row', at: 10, top: 480 },
    { kind: 'row', at: 11, top: 528 },
  ]);
});

test('pieces follow each other without a gap, and every row that is not folded has its place', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.array(fc.nat(11)), (all, foldedAt) => {
      const groups = groupsOf(all);
      const folded = new Set(foldedAt.map((at) => `g${at}`));
      const total = all.reduce((sum, size) => sum + size, 0);
      const layout = layOut(total, groups, folded, rowPx);
      const pieces = pieceRange(layout, 0, layout.height);
      let top = 0;
      for (const piece of pieces) {
        expect(piece.top).toBe(top);
        top += piece.kind === 'group' ? groupPx : rowPx;
        if (piece.kind === 'row') expect(layout.topOf(piece.at)).toBe(piece.top);
      }
      expect(top).toBe(layout.height);
      const shown = groups.filter(({ name }) => !folded.has(name)).reduce((sum, { size }) => sum + size, 0);
      expect(pieces.filter(({ kind }) => kind === 'row')).toHaveLength(shown);
    }),
  );
});

test('only what touches the range is given', () => {
  const layout = layOut(100_000, groupsOf([50_000, 50_000]), new Set(), rowPx);
  const pieces = pieceRange(layout, 1_000_000, 1_000_900);
  expect(pieces.length).toBeLessThan(22);
  for (const { top } of pieces) expect(top).toBeGreaterThan(1_000_000 - rowPx);
});

test('steps go through what is open, and stay at its ends', () => {
  const open = openRows(12, groupsOf([3, 2, 4, 3]), new Set(['g1', 'g3']));
  expect(countOpen(open)).toBe(7);
  const steps = (by: 1 | -1, from: number) => stepOver(open, from, by);
  expect([-1, 0, 2, 3, 5, 8, 11].map((at) => steps(1, at))).toEqual([0, 1, 5, 5, 6, 8, 8]);
  expect([-1, 0, 2, 3, 5, 6, 11].map((at) => steps(-1, at))).toEqual([0, 0, 1, 2, 2, 5, 8]);
  expect([2, 3, 4, 5, 8, 9].map((at) => isOpenAt(open, at))).toEqual([true, false, false, true, true, false]);
  expect(stepOver([], 3, 1)).toBe(-1);
  expect(stepOver([], 3, -1)).toBe(-1);
  expect(openRows(0, [], new Set())).toEqual([]);
});
