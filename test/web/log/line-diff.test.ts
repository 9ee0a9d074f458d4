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

test('up to the bound of edits lines are lined up, and one more makes it one block', () => {
  const lines = (prefix: string, count: number) => [
    'same',
    ...Array.from({ length: count }, (_, at) => `${prefix}${at}`),
    'same',
  ];
  const half = editsMax / 2;
  expect(lineDiff(lines('a', half), lines('b', half)).isRough).toBe(false);
  expect(lineDiff(lines('a', half + 1), lines('b', half)).isRough).toBe(true);
  const { rows, isRough } = lineDiff(lines('a', 25_000), lines('b', 25_000));
  expect([rows.length, isRough]).toEqual([50_002, true]);
  expect(rows[0]).toEqual([0, 0]);
  expect(rows.at(-1)).toEqual([25_001, 25_001]);
});

test('the slowest outputs of 100 kB take well under a second: those that are equal on every diagonal', () => {
  // Every edit so goes over all lines of its diagonal, which the bound of edits does not say by itself.
  const [left, right] = [
    `a${'\n'.repeat(98_000)}b`.split('\n'),
    `c${'\n'.repeat(98_000 - editsMax + 4)}d`.split('\n'),
  ];
  const took = Array.from({ length: 3 }, () => {
    const began = process.cpuUsage();
    expect(lineDiff(left, right).isRough).toBe(false);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  // Ten times as many edits are over it. The best of three: what the compiler and the collector take is not its work.
  expect(Math.min(...took)).toBeLessThan(400);
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
