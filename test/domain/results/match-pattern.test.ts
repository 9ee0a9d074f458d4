/** What a pattern matches of a line. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchLine, readPattern } from '../../../src/domain/results/match-pattern.ts';
import { OutputLine } from '../../../src/domain/results/read-output.ts';

function matched(pattern: string, line: string): number | 'no number' | null {
  const match = matchLine(readPattern(pattern), new OutputLine(line), { left: 1000 });
  return match === null || match === 'no number' ? match : match.value;
}

test.each([
  ['files: {}', 'files: 12', 12],
  ['files:{}', 'files: 12', 12],
  ['files: {}', 'all files: 12, and more', 12],
  ['files: {}', 'files: none, files: 3', 3],
  ['files: {}', 'Files: 3', null],
  ['{} files', '3 files', 3],
  ['{} files', 'of 12 rows 3 files', 3],
  ['{} files', 'v3 files', null],
  ['{}files', '142files', 142],
  ['a*b {}', 'a 1 b 2', 2],
  ['a*b {}', 'b 2 a', null],
  ['a{}*b', 'a1 a2 b', 1],
  ['took {} s', 'took 3 s', 3],
  ['{} of {_} rows', '3 of 12 rows', 3],
  ['{_} of {} rows', '3 of 12 rows', 12],
  ['x {_} {_} {}', 'x 1.5 MB 2 GB 3 kB', 3],
  ['in {} (', 'in 5 MB (fast)', 5],
  ['a  b {}', 'a b 1', 1],
  ['done', 'it is done', 'no number'],
  ['temperature {}', 'temperature -3', -3],
] as const)('%j on %j: %s', (pattern, line, found) => {
  expect(matched(pattern, line)).toBe(found);
});

test('a search without steps finds nothing', () => {
  expect(matchLine(readPattern('a{}'), new OutputLine('a1'), { left: 0 })).toBeNull();
});

test('a short text is found at the same place in a long line', () => {
  const long = fc.array(fc.constantFrom('a', 'b', 'š', '1'), { minLength: 200, maxLength: 400 });
  const short = fc.array(fc.constantFrom('a', 'b', 'š'), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(long, short, (chars, literal) => {
      const [line, text] = [chars.join(''), literal.join('')];
      expect(matched(text, line)).toBe(line.includes(text) ? 'no number' : null);
      const numbers = line
        .split(text)
        .slice(1)
        .filter((rest) => /^1/.test(rest));
      if (!line.includes(`${text}1`)) expect(matched(`${text}{}`, line)).toBeNull();
      if (numbers.length > 0) expect(matched(`${text}{}`, line)).not.toBeNull();
    }),
  );
});
