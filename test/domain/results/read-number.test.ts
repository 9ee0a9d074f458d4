/** Numbers as programs print them, and their units. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { converted, numberAt, wholeNumber } from '../../../src/domain/results/read-number.ts';
import { OutputLine } from '../../../src/domain/results/read-output.ts';

test.each([
  ['0', 0],
  ['-0', 0],
  ['142', 142],
  ['-3', -3],
  ['+3', 3],
  ['12%', 12],
  ['8.1e9', 8.1e9],
  ['1E-3', 0.001],
  ['1,234', 1234],
  ['1,234,567', 1_234_567],
  ['1,234,567.25', 1_234_567.25],
  ['1.234', 1.234],
  ['1.234.567', 1_234_567],
  ['1.234.567,5', 1_234_567.5],
  ["1'234", 1234],
  ["1'234'567.5", 1_234_567.5],
  ['1,5', 1.5],
  ['0,123', 0.123],
  ['1234,567', 1234.567],
  ['12.', 12],
  ['12,', 12],
  ['1 234', 1],
  ['3 sheets', 3],
])('%j begins with %d', (text, value) => {
  expect(numberAt(text, 0)?.value).toBe(value);
});

test.each([
  '',
  'x',
  '-',
  '.5',
  '1.2.3',
  '192.168.0.1',
  '1,2,3',
  '1,234,5',
  "1'2",
  '0x1f',
  '1e999',
  'NaN',
  'Infinity',
  '9'.repeat(40),
])('%j begins with no number', (text) => {
  expect(numberAt(text, 0)).toBeNull();
});

test.each([
  ['1.2 GB', 'B', 1.2e9],
  ['1.2GB', 'bytes', 1.2e9],
  ['1 KiB', 'B', 1024],
  ['8.40M', 'B', 8.4e6],
  ['5 kB', 'KB', 5],
  ['2 GiB', 'MiB', 2048],
  ['1500 ms', 's', 1.5],
  ['2 h', 'min', 120],
  ['1 d', 'h', 24],
  ['3 seconds', 'ms', 3000],
  ['3 seconds', 'B', 3],
  ['3 rows', 'B', 3],
  ['3 GB', 'rows', 3],
  ['3', 'B', 3],
])('%j is in %s %d', (text, unit, value) => {
  const number = numberAt(text, 0);
  expect(converted(number?.value ?? Number.NaN, number?.unit ?? '', unit)).toBe(value);
});

test('single letters are powers of 1024 where the program says so', () => {
  expect(converted(2, 'k', 'B', true)).toBe(2048);
  expect(converted(2, 'm', 'B', true)).toBe(2_097_152);
  expect(converted(2, 'm', 'B')).toBe(2);
  expect(converted(2, 'MB', 'B', true)).toBe(2e6);
});

test.each([
  ['a 5', 2],
  ['a5 6', 3],
  ['a -5', 2],
  ['2026-11-26', 0],
  ['x-5', 2],
  ['none', -1],
  ['v1.2 3', 5],
])('in %j a number begins at %d', (text, at) => {
  expect(new OutputLine(text).numberStart(0)).toBe(at);
});

test('the next number of a line begins at or behind a place, which cuts its sign off', () => {
  const line = new OutputLine('1 -2 3');
  expect([0, 1, 2, 3, 4, 5, 6].map((from) => line.numberStart(from))).toEqual([0, 2, 2, 3, 5, 5, -1]);
});

test('a whole number has nothing behind its unit', () => {
  expect(wholeNumber('5 MB')).toMatchObject({ value: 5, unit: 'MB' });
  expect(wholeNumber('5 apples')).toBeNull();
});

test('what JavaScript prints of a number is that number', () => {
  const printed = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(fc.property(printed, (value) => numberAt(String(value), 0)?.value === (value === 0 ? 0 : value)));
});

test('thousands are read as they were grouped', () => {
  fc.assert(
    fc.property(fc.nat(), (value) => {
      expect(numberAt(value.toLocaleString('en-US'), 0)?.value).toBe(value);
    }),
  );
});
