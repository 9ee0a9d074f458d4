/** Outputs as lines and as JSON. */
import { expect, test } from 'vitest';
import { resultLinesMax } from '../../../src/domain/limits.ts';
import { readOutput } from '../../../src/domain/results/read-output.ts';

test('lines come last one first, without empty ones, and with one blank for several', () => {
  expect(readOutput(['a  b\r\n\n \t\n  c\td\n10%\r20%\n']).lines).toEqual(['20%', '10%', 'c d', 'a b']);
});

test('of several texts those behind count as later', () => {
  expect(readOutput(['a\nb', 'c']).lines).toEqual(['c', 'b', 'a']);
});

test('colours are no part of a line', () => {
  expect(readOutput(['\u001b[32mdone\u001b[0m']).lines).toEqual(['done']);
});

test('only the last lines are looked at', () => {
  const lines = Array.from({ length: resultLinesMax + 5 }, (_, at) => `line ${at}`);
  const read = readOutput([lines.join('\n')]).lines;
  expect(read).toHaveLength(resultLinesMax);
  expect(read.at(-1)).toBe('line 5');
});

test.each([
  ['{"a": 1}', { a: 1 }],
  [' [1,\n2] ', [1, 2]],
  ['begun\n{"a": 1}\n{"a": 2}\ndone', { a: 2 }],
  ['{"a": 1}\n{broken}', { a: 1 }],
  ['1', undefined],
  ['"a"', undefined],
  ['', undefined],
])('the JSON of %j', (text, json) => {
  expect(readOutput(new TextEncoder().encode(text)).json()).toEqual(json);
});

test('only some lines are tried', () => {
  expect(readOutput([`{"a": 1}\n${'{x}\n'.repeat(20)}`]).json()).toBeUndefined();
});
