/** Results and broken limits in words. */
import { expect, test } from 'vitest';
import { breachFigures } from '../../../src/domain/results/judge-results.ts';
import type { ResultLimit } from '../../../src/domain/results/result.ts';
import { resultValue, resultWords } from '../../../src/domain/results/result-words.ts';

const then = 'fail';
const missing: ResultLimit = { kind: 'missing', then };
const limit = (kind: 'below' | 'above' | 'change', value: number): ResultLimit => ({ kind, value, then });

test.each([
  [0, '', limit('change', 0.3), [1380, 1420], 'it 0, usually 1,380–1,420'],
  [0, '', limit('below', 1), [1380, 1420], 'it 0, below 1'],
  [8.1e9, 'B', limit('above', 5e9), null, 'it 8.1 GB, above 5 GB'],
  [0, 'B', limit('change', 0.3), [7.9e9, 8.2e9], 'it 0 B, usually 7.9–8.2 GB'],
  [0, 'B', limit('change', 0.3), [900e6, 8.2e9], 'it 0 B, usually 900 MB–8.2 GB'],
  [9, 'rows', limit('change', 0.3), [5, 5], 'it 9 rows, usually 5 rows'],
  [9, '', limit('change', 0.3), null, 'it 9, which is unusual'],
  [null, '', missing, null, 'it did not come'],
] as const)('%j in %j: %j', (value, unit, broken, range, words) => {
  const usual = range === null ? null : { from: range[0], median: range[0], to: range[1] };
  const figures = breachFigures({ name: 'it', unit, value, limit: broken, usual });
  expect(resultWords('it', unit, figures)).toBe(words);
});

test('figures of no breach have no words', () => {
  expect(resultWords('it', '', [])).toBe('');
});

test.each([
  [1234567, '', '1,234,567'],
  [-1234.56, '', '-1,234.6'],
  [0.125, '', '0.125'],
  [1 / 3, '', '0.3333'],
  [12, '%', '12%'],
  [1420, 'rows', '1,420 rows'],
  [999, 'B', '999 B'],
  [999_999, 'B', '1 MB'],
  [1536, 'KiB', '1.5 MiB'],
  [-2e6, 'bytes', '-2 MB'],
  [8.1, 'GB', '8.1 GB'],
  [1e300, 'B', '1e+285 PB'],
  [90, 's', '1 min 30 s'],
  [4400, 'ms', '4.4 s'],
  [-90, 's', '-1 min 30 s'],
  [1e-9, '', '1e-9'],
  [1e308, 'TB', '1e+308 TB'],
])('%d in %j is %s', (value, unit, words) => {
  expect(resultValue(value, unit)).toBe(words);
});
