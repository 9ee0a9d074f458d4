/** Results that a ping gives in its address. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGivenResult } from '../../../src/domain/results/given-results.ts';

test.each([
  ['files:142', 'files', 142],
  ['bytes:8.1e9', 'bytes', 8.1e9],
  ['a.b-c_d:-3', 'a.b-c_d', -3],
  ['x:.5', 'x', 0.5],
  ['x:-0', 'x', 0],
])('%j', (text, name, value) => {
  expect(readGivenResult(text)).toEqual({ name, value });
});

test.each([
  ...['', 'files', 'files:', ':1', 'files:x', 'files:NaN', 'files:Infinity', 'files:1e999', 'files:0x1f'],
  ...['files:1,5', 'files: 1', 'files:1 ', '1a:1', 'a b:1', 'a:1:2', `${'a'.repeat(41)}:1`],
  `a:${'1'.repeat(41)}`,
])('%j is none', (text) => {
  expect(readGivenResult(text)).toBeNull();
});

test('any text is a finite result or none', () => {
  fc.assert(fc.property(fc.string(), (text) => Number.isFinite(readGivenResult(`a:${text}`)?.value ?? 0)));
});
