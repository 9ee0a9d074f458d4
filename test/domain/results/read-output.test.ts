/** Outputs as lines and as JSON. */
import { expect, test } from 'vitest';
import { resultLinesMax } from '../../../src/domain/limits.ts';
import { readOutput } from '../../../src/domain/results/read-output.ts';

function linesOf(...texts: readonly string[]): readonly string[] {
  return readOutput(texts).lines.map(({ text }) => text);
}

test('lines come last one first, without empty ones, and with one blank for several', () => {
  expect(linesOf('a  b\r\n\n \t\n  c\td\n10%\r20%\n')).toEqual(['20%', '10%', 'c d', 'a b']);
});

test.each(['a', '✓'])('a long line has one blank for several, too', (sign) => {
  expect(linesOf(`${sign} \t ${sign}\u00e9`.repeat(100))).toEqual([`${sign} ${sign}\u00e9`.repeat(100)]);
});

test('of several texts those behind count as later', () => {
  expect(linesOf('a\nb', 'c')).toEqual(['c', 'b', 'a']);
});

test('colours are no part of a line', () => {
  expect(linesOf('\u001b[32mdone\u001b[0m')).toEqual(['done']);
});

test('only the last lines are looked at', () => {
  const lines = Array.from({ length: resultLinesMax + 5 }, (_, at) => `line ${at}`);
  const read = linesOf(lines.join('\n'));
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
