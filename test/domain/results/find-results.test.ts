/** What rules find in an output. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findResults } from '../../../src/domain/results/find-results.ts';
import { presetNames } from '../../../src/domain/results/presets.ts';
import { readResultRules, resultRulesError } from '../../../src/domain/results/result-rules.ts';
import { isLong } from '../../support/long.ts';

function found(rule: string, output: string): number | undefined {
  expect(resultRulesError(rule)).toBe('');
  return findResults(readResultRules(rule), [], Buffer.from(output))[0]?.value;
}

describe('a line of its own', () => {
  test.each([
    ['files', 'files=142', 142],
    ['files', '  files : 142 files', 142],
    ['files', 'files: 1\nfiles: 2\ndone', 2],
    ['files', 'files: 1\nfiles: none', 1],
    ['size in B', 'size: 1.2 GB', 1.2e9],
    ['size', 'size: 1.2 GB', 1.2],
    ['took in s', 'took: 5 min', 300],
    ['files', 'files: 1 234', undefined],
    ['files', 'files: 3 of 12', undefined],
    ['files', 'myfiles: 3', undefined],
    ['files', 'files2: 3', undefined],
    ['files', 'files: 0x1f', undefined],
    ['files', 'files: NaN', undefined],
    ['share', 'share: 12%', 12],
    ['files', '', undefined],
  ])('%j in %j: %s', (rule, output, value) => {
    expect(found(rule, output)).toBe(value);
  });
});

describe('a pointer', () => {
  test.each([
    ['/a/b', '{"a": {"b": 3}}', 3],
    ['/a/1', '{"a": [1, 2]}', 2],
    ['/a~1b/c~0d', '{"a/b": {"c~d": 5}}', 5],
    ['/a', 'begun\n{"a": 1}\n{"a": 2}\nover', 2],
    ['/a', '{"a": "1,234"}', 1234],
    ['/a', '{"a": "none"}', undefined],
    ['/a', '{"a": true}', undefined],
    ['/a', '{"a": 1e999}', undefined],
    ['/a/length', '{"a": [1]}', undefined],
    ['/constructor/length', '{}', undefined],
    ['/b', '{"a": 1}', undefined],
    ['/a', 'a: 1', undefined],
  ])('%s in %s: %s', (pointer, output, value) => {
    expect(found(`x from ${pointer}`, output)).toBe(value);
  });
});

test('a pattern takes the last line that it matches', () => {
  expect(found('x from "sent {}"', 'sent 1\nsent 2 MB\nsent nothing')).toBe(2);
  expect(found('x in kB from "sent {}"', 'sent 2 MB')).toBe(2000);
});

test('lines are counted, also when there is none', () => {
  expect(found('x from count "table"', 'table a\ntable b, table c\nrow')).toBe(2);
  expect(found('x from count "table"', '')).toBe(0);
});

test('what a ping gave comes first, and rules do not search it', () => {
  const given = [
    { name: 'b', value: 1 },
    { name: 'own', value: 2 },
    { name: 'b', value: 3 },
    { name: 'nan', value: Number.NaN },
  ];
  expect(findResults(readResultRules('a\nb\nc'), given, ['b: 9\nc: 5', 'a: 4'])).toEqual([
    { name: 'b', value: 3 },
    { name: 'own', value: 2 },
    { name: 'a', value: 4 },
    { name: 'c', value: 5 },
  ]);
});

test('a ping gives 20 results at most', () => {
  const given = Array.from({ length: 30 }, (_, at) => ({ name: `n${at}`, value: at }));
  expect(findResults([], given, [])).toEqual(given.slice(0, 20));
});

const piece = fc.constantFrom(
  'a',
  '1',
  ':',
  '=',
  ' ',
  '\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  '.',
  '-',
  'GB',
  'e',
);
const anyOutput = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  fc.array(piece, { maxLength: 200 }).map((pieces) => Buffer.from(pieces.join(''))),
  fc.json().map((json) => Buffer.from(json)),
);
const sources = ['a', 'a from /a', 'a from /0', 'a from "a{}"', 'a from "{}a*{_}a"', 'a from count "a"'];

test('of any output the results are finite, and the same again', () => {
  const anyRule = fc.constantFrom(...sources, ...presetNames().map((name) => `a from ${name}`));
  fc.assert(
    fc.property(anyRule, anyOutput, (rule, output) => {
      const rules = readResultRules(rule);
      const results = findResults(rules, [], output);
      expect(results.every(({ value }) => Number.isFinite(value))).toBe(true);
      expect(findResults(rules, [], output)).toEqual(results);
    }),
    { numRuns: isLong ? 500 : 100 },
  );
});

describe('100 kB hold nothing up', () => {
  const filled = (text: string): string => text.repeat(Math.ceil(100_000 / text.length)).slice(0, 100_000);
  const ten = (source: string): string =>
    Array.from({ length: 10 }, (_, at) => `a${at} ${source}`).join('\n');
  /** Ten times what is meant to hold: other processes run at the same time. */
  const msMax = 50;

  test.each([
    ...['a', 'a\n', '\n', ' \n', 'a1', '1 ', '-', "1'1", '[', '{"a":', '{}\n', '{x}\n', '[1]\n', '[],'],
    ...['a1: \n', '\u001b', '\u001b[', '\u001b]', 'é', '\r'],
  ])('of %j', (text) => {
    for (const source of [
      '',
      'from /a/0',
      'from "a{}a{}b"',
      'from "a*a*a*{}b"',
      'from "{}b"',
      'from count "ab"',
    ]) {
      const rules = readResultRules(ten(source.replace('{}a{}', '{_}a{}')));
      expect(rules).toHaveLength(10);
      const output = Buffer.from(filled(text));
      const times = [1, 2, 3, 4, 5].map(() => {
        const begun = performance.now();
        findResults(rules, [], output);
        return performance.now() - begun;
      });
      expect(Math.min(...times), source).toBeLessThan(msMax);
    }
  });

  test('of JSON that is deep', () => {
    const deep = Buffer.from(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(findResults(readResultRules(ten('from /0/0')), [], deep)).toEqual([]);
  });
});
