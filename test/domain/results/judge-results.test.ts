/** What limits make of results, and what is usual. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breachFigures,
  breachOf,
  judgeResults,
  usualRange,
  withGoodRun,
} from '../../../src/domain/results/judge-results.ts';
import { readResultRules } from '../../../src/domain/results/result-rules.ts';

const usual = new Map([
  ['a', [90, 100, 100, 100, 110]],
  ['zero', [0, 0, 0, 0, 0]],
  ['few', [1, 1, 1, 1]],
  ['negative', [-10, -10, -10, -10, -10]],
]);

function verdict(rules: string, values: Readonly<Record<string, number>>): string {
  const found = Object.entries(values).map(([name, value]) => ({ name, value }));
  const { verdict: is, breach } = judgeResults(readResultRules(rules), found, usual);
  return breach === null ? is : `${is}: ${breach.name} ${breach.limit.kind}`;
}

test.each([
  ['a: below 1', { a: 0 }, 'fail: a below'],
  ['a: below 1', { a: 1 }, 'success'],
  ['a: above 1', { a: 1 }, 'success'],
  ['a: above 1 warns', { a: 2 }, 'warn: a above'],
  ['a: change 30%', { a: 130 }, 'success'],
  ['a: change 30%', { a: 131 }, 'fail: a change'],
  ['a: change 30%', { a: 69 }, 'fail: a change'],
  ['negative: change 50%', { negative: -14 }, 'success'],
  ['negative: change 50%', { negative: 10 }, 'fail: negative change'],
  ['zero: change 30%', { zero: 0 }, 'success'],
  ['zero: change 30%', { zero: 1 }, 'fail: zero change'],
  ['few: change 30%', { few: 100 }, 'success'],
  ['a: below 1, above 2, change 1%', {}, 'success'],
  ['a: missing', {}, 'fail: a missing'],
  ['a: missing', { a: 1 }, 'success'],
  ['a: below 5 warns, below 1', { a: 0 }, 'fail: a below'],
  ['a: below 5 warns\nb: missing warns', { a: 0 }, 'warn: a below'],
  ['a: below 5 warns\nb: missing', { a: 0 }, 'fail: b missing'],
  ['', { a: 0 }, 'success'],
])('%j of %j: %s', (rules, values, is) => {
  expect(verdict(rules, values)).toBe(is);
});

describe('a good run', () => {
  const rules = readResultRules('a\nb');

  test('adds its values, and forgets names without a rule', () => {
    const next = withGoodRun(usual, rules, [
      { name: 'a', value: 7 },
      { name: 'other', value: 1 },
    ]);
    expect([...next]).toEqual([['a', [90, 100, 100, 100, 110, 7]]]);
    expect(usual.get('a')).toHaveLength(5);
  });

  test('leaves 30 values at most', () => {
    const many = new Map([['b', Array.from({ length: 30 }, (_, at) => at)]]);
    const next = withGoodRun(many, rules, [{ name: 'b', value: 30 }]);
    expect(next.get('b')).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  });
});

test('the usual range leaves out a strange value in thirty', () => {
  const values = [...Array.from({ length: 29 }, (_, at) => 100 + at), 1e9];
  expect(usualRange(values)?.to).toBeLessThan(130);
  expect(usualRange([1, 2, 3, 4, 5])).toEqual({ from: 1.4, median: 3, to: 4.6 });
  expect(usualRange([1, 1, 1, 1])).toBeNull();
});

test('a range is in order and finite', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 5, maxLength: 30 }), (values) => {
      const { from, median, to } = usualRange(values) ?? { from: Number.NaN, median: 0, to: 0 };
      expect([from, median, to].every(Number.isFinite)).toBe(true);
      expect(from).toBeLessThanOrEqual(to);
    }),
  );
});

test.each(['a: below 1', 'a in B: above -5 warns', 'a: change 1%', 'c: missing'])(
  'the breach of %j is what its figures say',
  (text) => {
    const rules = readResultRules(text);
    const { breach } = judgeResults(rules, [{ name: 'a', value: 0 }], usual);
    if (breach === null) throw new Error('nothing is broken');
    const figures = breachFigures(breach);
    expect(figures.every(Number.isFinite)).toBe(true);
    expect(breachOf(rules, breach.name, figures)).toEqual(breach);
    expect(breachOf([], breach.name, figures)).toEqual({ ...breach, unit: '' });
  },
);

test.each([[[]], [[0, 1]], [[9, 0, 0, 0, 0, 0, 0, 0, 0]], [[0, 1, 1, Number.NaN, 0, 0, 0, 0, 0]]])(
  '%j are no figures of a breach',
  (figures) => {
    expect(breachOf([], 'a', figures)).toBeNull();
  },
);
