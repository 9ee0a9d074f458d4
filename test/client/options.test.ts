import { expect, test } from 'vitest';
import { durationMs, type OptionTable, optionsHelp, readOptions } from '../../src/client/options.ts';

const table: OptionTable = {
  check: { value: 'SLUG', help: 'the check' },
  rid: { value: 'UUID', optional: true, help: 'the run' },
  quiet: { help: 'say nothing' },
};

test.each([
  [['--check', 'a', 'cmd', '--check', 'b'], { check: 'a' }, ['cmd', '--check', 'b']],
  [['--check=a=b', '--', '--quiet'], { check: 'a=b' }, ['--quiet']],
  [['--rid', 'cmd'], { rid: '' }, ['cmd']],
  [['--rid=x', '--quiet', '-'], { rid: 'x', quiet: '' }, ['-']],
  [['--check', '-x'], { check: '-x' }, []],
])('%j', (words, options, rest) => {
  expect(readOptions(table, words)).toEqual({ options, rest });
});

test.each([[['--nope']], [['-q']], [['--check']], [['--check', '--']], [['--quiet=1']], [['--constructor']]])(
  'refuses %j in a sentence',
  (words) => {
    expect(() => readOptions(table, words)).toThrow(expect.objectContaining({ code: 'usage' }));
  },
);

test.each([
  ['5', 5000],
  ['5s', 5000],
  ['1500ms', 1500],
  ['2h24m', 8_640_000],
  ['1d', 86_400_000],
])('%s is %i ms', (text, ms) => {
  expect(durationMs('--x', text)).toBe(ms);
});

test.each(['', 's', '5x', '5s ', '-5', '1h 2m', '5s5'])('%j is no time', (text) => {
  expect(() => durationMs('--x', text)).toThrow('--x must be a time');
});

test('help has a line for each option, aligned', () => {
  expect(optionsHelp(table).split('\n')).toEqual([
    '  --check SLUG  the check',
    '  --rid[=UUID]  the run',
    '  --quiet       say nothing',
  ]);
});
