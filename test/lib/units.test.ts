import { expect, test } from 'vitest';
import { parseSize } from '../../src/lib/units.ts';

test.each([
  ['10MB', 10_000_000],
  ['10 mb', 10_000_000],
  ['1.5kB', 1500],
  ['4096', 4096],
  ['0', 0],
  ['2GB', 2_000_000_000],
])('%j is %i bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', 'MB', '-1', '10 TB', '1e3', '10MB 5'])('%j is no size', (text) => {
  expect(parseSize(text)).toBeNull();
});
