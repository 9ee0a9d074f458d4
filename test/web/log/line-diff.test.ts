/** What differs between two outputs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffRow, editsMax, foldedDiff, lineDiff, sideBySide } from '../../../src/web/log/line-diff.ts';

const diff = (left: string, right: string) => lineDiff([...left], [...right]);

test('the shortest script: what both have is lined up', () => {
  expect(diff('abcd', 'abxd').rows).toEqual([
    [0, 0],
    [1, 1],
    [2, null],
    [null, 2],
    [3, 3],
  ]);
  // The example of the paper: five edits.
  const { rows } = diff('abcabba', 'cbabac');
  expect(rows.filter(([left, right]) => left === null || right === null)).toHaveLength(5);
  expect(diff('', 'ab').rows).toEqual([
    [null, 0],
    [null, 1],
  ]);
  expect(diff('same', 'same').rows).toHaveLength(4);
});

test('every line of both is there once, in order, and what is lined up is equal', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const { rows } = lineDiff(left, right);
      const places = (side: 0 | 1) => rows.flatMap((row) => (row[side] === null ? [] : [row[side]]));
      expect(places(0)).toEqual(left.map((_, at) => at));
      expect(places(1)).toEqual(right.map((_, at) => at));
      for (const [one, other] of rows)
        if (one !== null && other !== null) expect(left[one]).toBe(right[other]);
      expect(rows.length - common(left, right)).toBe(left.length + right.length - 2 * common(left, right));
    }),
  );
});

/** Length of the longest common subsequence, the slow way. */
function common(left: readonly string[], right: readonly string[]): number {
  let before = right.map(() => 0);
  for (const line of left) {
    const row: number[] = [];
    for (const [at, other] of right.entries())
      row.push(line === other ? (before[at - 1] ?? 0) + 1 : Math.max(before[at] ?? 0, row[at - 1] ?? 0));
    before = row;
  }
  return before.at(-1) ?? 0;
}

test('100 kB of lines that are all different take no longer than the bound allows', () => {
  const lines = (prefix: string) => [
    'same',
    ...Array.from({ length: 25_000 }, (_, at) => `${prefix}${at}`),
    'same',
  ];
  const [a, b] = [lines('a'), lines('b')];
  // The best of a few rounds: what else the machine does is not its work.
  const took = Array.from({ length: 5 }, () => {
    const began = performance.now();
    lineDiff(a, b);
    return performance.now() - began;
  });
  expect(Math.min(...took)).toBeLessThan(1000);
  const { rows, isRough } = lineDiff(a, b);
  expect([rows.length, isRough]).toEqual([50_002, true]);
  expect(rows[0]).toEqual([0, 0]);
  expect(rows.at(-1)).toEqual([25_001, 25_001]);
  expect(lineDiff(lines('a').slice(0, editsMax / 2), lines('b').slice(0, editsMax / 2)).isRough).toBe(false);
});

test('equal stretches are folded but for three lines beside a difference, and short ones are not', () => {
  const same = (from: number, count: number): DiffRow[] =>
    Array.from({ length: count }, (_, at) => [from + at, from + at]);
  const parts = foldedDiff([...same(0, 20), [20, null], ...same(21, 9), [30, null], ...same(31, 20)]);
  expect(parts.map(({ kind, rows }) => `${kind} ${rows.length}`)).toEqual(['same 17', 'rows 17', 'same 17']);
  expect(foldedDiff(same(0, 10)).map(({ kind }) => kind)).toEqual(['same']);
});

test('side by side, what was taken out is beside what came in its place', () => {
  expect(
    sideBySide([
      [0, 0],
      [1, null],
      [2, null],
      [null, 1],
      [3, 2],
    ]),
  ).toEqual([
    [0, 0],
    [1, 1],
    [2, null],
    [3, 2],
  ]);
});
