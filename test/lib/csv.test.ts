/** Comma-separated values: RFC 4180, and no formulas. */
import { expect, test } from 'vitest';
import { csvCell, csvRow } from '../../src/lib/csv.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("a","b")', '"\'=HYPERLINK(""a"",""b"")"'],
  [-1.5, '-1.5'],
  [8.1e21, '8.1e+21'],
])('%j is %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('a row ends with CR LF', () => {
  expect(csvRow(['a', 1, ''])).toBe('a,1,\r\n');
});
