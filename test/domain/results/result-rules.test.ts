/** The text of the field `results`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResultLimit, ResultRule, ResultVerdict } from '../../../src/domain/results/result.ts';
import { readResultRules, resultRulesError } from '../../../src/domain/results/result-rules.ts';

function limitOf(kind: ResultLimit['kind'], value: number, then: ResultVerdict): ResultLimit {
  return kind === 'missing' ? { kind, then } : { kind, value, then };
}

test.each<[string, ResultRule]>([
  ['files', { name: 'files', unit: '', source: { kind: 'line' }, limits: [] }],
  [
    'files: below 1',
    {
      name: 'files',
      unit: '',
      source: { kind: 'line' },
      limits: [limitOf('below', 1, 'fail')],
    },
  ],
  [
    'bytes in B from rsync transferred: below 1e6 warns, change 50% warns, missing',
    {
      name: 'bytes',
      unit: 'B',
      source: { kind: 'preset', program: 'rsync', figure: 'transferred' },
      limits: [limitOf('below', 1e6, 'warn'), limitOf('change', 0.5, 'warn'), limitOf('missing', 0, 'fail')],
    },
  ],
  [
    'rows from /summary/rows: change 30%',
    {
      name: 'rows',
      unit: '',
      source: { kind: 'pointer', pointer: '/summary/rows' },
      limits: [limitOf('change', 0.3, 'fail')],
    },
  ],
  [
    'tables from count "dumping contents of table": below 12 fails',
    {
      name: 'tables',
      unit: '',
      source: { kind: 'count', pattern: 'dumping contents of table' },
      limits: [limitOf('below', 12, 'fail')],
    },
  ],
  [
    'x from "a \\"b\\" \\\\ {}:" :above -3 warns',
    {
      name: 'x',
      unit: '',
      source: { kind: 'pattern', pattern: 'a "b" \\ {}:' },
      limits: [limitOf('above', -3, 'warn')],
    },
  ],
  ['x from /a:b', { name: 'x', unit: '', source: { kind: 'pointer', pointer: '/a:b' }, limits: [] }],
  [
    'x from rsync sent',
    { name: 'x', unit: 'B', source: { kind: 'preset', program: 'rsync', figure: 'sent' }, limits: [] },
  ],
])('%s', (text, rule) => {
  expect(resultRulesError(text)).toBe('');
  expect(readResultRules(text)).toEqual([rule]);
});

const tenRules = Array.from({ length: 10 }, (_, at) => `r${at}`).join('\n');

describe('what is wrong', () => {
  test.each([
    ['a\n\nb: blow 1', 'line 3: "blow" is no limit; write below, above, change or missing'],
    ['a:', 'line 1: "" is no limit; write below, above, change or missing'],
    ['a: below', 'line 1: "" is no number; write one such as below 100'],
    ['a: above 1 MB', 'line 1: "1MB" is no number; write one such as above 100'],
    ['a: change 30', 'line 1: "30" is no change; write a percentage above 0 such as change 30%'],
    ['a: change 0%', 'line 1: "0%" is no change; write a percentage above 0 such as change 30%'],
    ['a: change 1e-323%', 'line 1: "1e-323%" is no change; write a percentage above 0 such as change 30%'],
    [
      'a: missing twice',
      'line 1: "missing twice" is no limit; write missing, missing warns or missing fails',
    ],
    ['a\na', 'line 2: "a" has a rule already; write each name once'],
    [`${tenRules}\nr10`, 'line 11: there are 10 rules already; write no more'],
    [
      '1a: below 1',
      'line 1: "1a" is no name; write a letter and at most 39 more letters, digits, "_", "." or "-"',
    ],
    [
      'a below 1',
      'line 1: "below 1" is not expected there; write "in UNIT", "from SOURCE" or ":" and limits, in this order',
    ],
    ['a in : below 1', 'line 1: "" is no unit; write 1 to 16 characters without blanks and ":"'],
    [
      `a in ${'u'.repeat(17)}`,
      `line 1: "${'u'.repeat(17)}" is no unit; write 1 to 16 characters without blanks and ":"`,
    ],
    [
      'a from tables',
      'line 1: "tables" is no source; write /a/pointer, "a text with {}", count "a text", or a figure of rsync, restic, borg, pg_dump, duplicity, robocopy, tar, rclone',
    ],
    ['a from tar files', 'line 1: "files" is no figure of tar; write bytes'],
    ['a from count x', 'line 1: after "count" comes a text in double quotes'],
    ['a from "x {}', 'line 1: a text in double quotes has no end; write " behind it'],
    ['a from "x"', 'line 1: "x" has no {}; write one where the number is'],
    ['a from "x {} {}"', 'line 1: "x {} {}" has more than one {}; write one where the number is'],
    ['a from "* {}"', 'line 1: "* {}" would match any line; write some text of the line'],
    [
      `a from "${'x'.repeat(201)}{}"`,
      'line 1: a text in double quotes has 203 characters; write at most 200',
    ],
    [
      'a from /x~2',
      'line 1: "/x~2" is no JSON pointer; write at most 200 characters, with ~0 for "~" and ~1 for "/"',
    ],
    [
      `a from /${'x'.repeat(200)}`,
      `line 1: "/${'x'.repeat(39)}…" is no JSON pointer; write at most 200 characters, with ~0 for "~" and ~1 for "/"`,
    ],
    ['\n'.repeat(2001), 'these are 2001 characters; write at most 2000'],
  ])('with %j', (text, error) => {
    expect(resultRulesError(text)).toBe(error);
  });
});

test('of a text that is not right the lines that are right count', () => {
  expect(readResultRules(`a: blow\nb\n\nb: below 1\nc`).map(({ name }) => name)).toEqual(['b', 'c']);
});

const then = fc.constantFrom<ResultVerdict>('warn', 'fail');
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const percent = fc.integer({ min: 1, max: 999 }).map((value) => value / 100);
const limit: fc.Arbitrary<ResultLimit> = fc
  .oneof(
    fc.tuple(fc.constantFrom<'below' | 'above' | 'missing'>('below', 'above', 'missing'), number, then),
    fc.tuple(fc.constant<'change'>('change'), percent, then),
  )
  .map(([kind, value, verdict]) => limitOf(kind, value, verdict));
const text = fc.string({ maxLength: 50 }).map((one) => one.replaceAll(/[{}\n\r]/g, ''));
const rule: fc.Arbitrary<ResultRule> = fc.record({
  name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,39}$/),
  unit: fc.stringMatching(/^(?:[a-z%/]{1,16})?$/),
  source: fc.oneof(
    fc.record({ kind: fc.constant<'line'>('line') }),
    fc.record({
      kind: fc.constant<'pointer'>('pointer'),
      pointer: fc.stringMatching(/^\/(?:[a-z:/]{0,20}[a-z/])?$/),
    }),
    fc.record({ kind: fc.constant<'pattern'>('pattern'), pattern: text.map((one) => `x${one}{}`) }),
    fc.record({ kind: fc.constant<'count'>('count'), pattern: text.map((one) => `x${one}`) }),
  ),
  limits: fc.array(limit, { maxLength: 3 }),
});

function written({ name, unit, source, limits }: ResultRule): string {
  const quoted = (pattern: string): string => `"${pattern.replaceAll(/["\\]/g, '\\$&')}"`;
  const from = {
    line: () => '',
    pointer: () => ` from ${'pointer' in source ? source.pointer : ''}`,
    pattern: () => ` from ${quoted('pattern' in source ? source.pattern : '')}`,
    count: () => ` from count ${quoted('pattern' in source ? source.pattern : '')}`,
    preset: () => '',
  }[source.kind]();
  const words = limits.map((one) => {
    const value =
      one.kind === 'missing' ? '' : one.kind === 'change' ? `${Math.round(one.value * 100)}%` : one.value;
    return `${one.kind} ${value} ${one.then}s`;
  });
  return `${name}${unit && ` in ${unit}`}${from}${words.length > 0 ? `: ${words.join(', ')}` : ''}`;
}

test('rules are what was written', () => {
  fc.assert(
    fc.property(fc.uniqueArray(rule, { selector: ({ name }) => name, maxLength: 5 }), (rules) => {
      const lines = rules.map(written).join('\n');
      fc.pre(lines.length <= 2000);
      expect(resultRulesError(lines)).toBe('');
      expect(readResultRules(lines)).toEqual(rules);
    }),
  );
});

test('any text is read', () => {
  const piece = fc.constantFrom(
    ...['a', 'in', 'from', ':', '"', '\\', '{}', '*', ' ', '\n', 'count', '/', ','],
  );
  const any = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(any, (one) => {
      expect(readResultRules(one).length).toBeLessThanOrEqual(10);
      expect(typeof resultRulesError(one)).toBe('string');
    }),
  );
});
