/** Results of many runs, summed up. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultNamesMax } from '../../../src/domain/limits.ts';
import { addResultSums, addResults, type ResultSumsByName } from '../../../src/domain/results/result-sums.ts';

const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const results = fc.array(fc.record({ name: fc.constantFrom('files', 'bytes'), value }), { maxLength: 20 });

test('count, sum, least and most of each name are numbers, whatever the values are', () => {
  fc.assert(
    fc.property(results, results, (one, other) => {
      const sums: ResultSumsByName = new Map();
      const others: ResultSumsByName = new Map();
      addResults(sums, one);
      addResults(others, other);
      addResultSums(sums, others);
      for (const [name, { count, sum, min, max }] of sums) {
        const values = [...one, ...other]
          .filter((result) => result.name === name)
          .map((result) => result.value);
        expect([count, min, max]).toEqual([values.length, Math.min(...values), Math.max(...values)]);
        expect(Number.isFinite(sum / count)).toBe(true);
      }
    }),
  );
});

test('the sum is that of the values', () => {
  const sums: ResultSumsByName = new Map();
  addResults(sums, [
    { name: 'files', value: 2 },
    { name: 'files', value: 3 },
  ]);
  expect(sums.get('files')).toEqual({ count: 2, sum: 5, min: 2, max: 3 });
});

test('of more names than are kept, the first are', () => {
  const sums: ResultSumsByName = new Map();
  addResults(
    sums,
    Array.from({ length: resultNamesMax + 5 }, (_, at) => ({ name: `n${at}`, value: at })),
  );
  expect([...sums.keys()]).toEqual(Array.from({ length: resultNamesMax }, (_, at) => `n${at}`));
});
