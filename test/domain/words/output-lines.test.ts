/** The lines of an output that are shown where there is little space. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  outputErrorCharsMax,
  outputErrorsMax,
  outputLineCharsMax,
  outputLinesMax,
} from '../../../src/domain/limits.ts';
import { gapWords, shownOutput, shownOutputText } from '../../../src/domain/words/output-lines.ts';
import { terminalLines } from '../../../src/domain/words/terminal-text.ts';

const steps = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `step ${from + at}`);

test('are the first errors and the end, with how many lines are left out', () => {
  const output = [
    ...steps(1, 15),
    'ERROR: connection reset',
    ...steps(17, 20),
    'fatal: no space left',
    'Exception: x',
    'denied',
    ...steps(24, 44),
    'exit status 1',
  ].join('\n');
  const end = [...steps(40, 44), 'exit status 1'];
  expect(shownOutputText(output, true)?.split('\n')).toEqual([
    '… 15 lines left out',
    'ERROR: connection reset',
    '… 4 lines left out',
    'fatal: no space left',
    'Exception: x',
    '… 17 lines left out',
    ...end,
  ]);
  // What a run that succeeded calls an error was none.
  expect(shownOutputText(output, false)?.split('\n')).toEqual([
    '… 36 lines left out',
    ...steps(37, 44),
    'exit status 1',
  ]);
});

test('have the indented line after an error, where a stack trace begins, in the place of an error that there is not', () => {
  const first = (...middle: readonly string[]) =>
    shownOutputText([...steps(1, 9), ...middle, ...steps(1, 20)].join('\n'), true)
      ?.split('\n')
      .slice(1, -7);
  const [at, next] = ['    at dump (db.js:41:9)', '\tat main'];
  expect(first('Error: x', at, next)).toEqual(['Error: x', at]);
  expect(first('Error: x', at, next, '', 'Error: y', next)).toEqual([
    ...['Error: x', at, '… 2 lines left out', 'Error: y'],
  ]);
  expect(first('Error: x', 'Error: y', next, at)).toEqual(['Error: x', 'Error: y', next]);
  expect(first('Error: x', '', at)).toEqual(['Error: x']);
  expect(first('Error: x', 'retrying', at)).toEqual(['Error: x']);
});

test('begin shortly before an error that is in the end', () => {
  const output = [...steps(1, 400), 'ERROR: no space left on device', 'exit status 28'].join('\n');
  expect(shownOutputText(output, true)?.split('\n')).toEqual([
    '… 398 lines left out',
    ...steps(399, 400),
    'ERROR: no space left on device',
    'exit status 28',
  ]);
  expect(shownOutput(output, true)?.line).toBe(401);
  expect(shownOutputText(output, false)?.split('\n')).toHaveLength(10);
});

test('count what was not stored apart, since nobody knows its lines', () => {
  const whole = [
    ...steps(1, 10),
    '[144078 bytes left out]',
    ...steps(11, 20),
    'ERROR: a',
    'retry ok',
    ...steps(23, 28),
  ];
  expect(shownOutputText(whole.join('\n'), true)?.split('\n')).toEqual([
    '… 20 lines and 144 kB left out',
    'ERROR: a',
    'retry ok',
    ...steps(23, 28),
  ]);
  expect(shownOutputText('a\n[7 bytes left out]\nb', true)).toBe('a\n[7 bytes left out]\nb');
  expect([1, 999, 9999, 1_500_000].map((bytes) => gapWords({ kind: 'gap', lines: 0, bytes }))).toEqual(
    ['1 byte', '999 bytes', '10.0 kB', '1.5 MB'].map((words) => `… ${words} left out`),
  );
});

test('are all of a short one, in their order', () => {
  const lines = ['error: a', ...steps(2, outputLinesMax)];
  expect(shownOutputText(`\n\n${lines.join('\n')}\n \n`, true)).toBe(lines.join('\n'));
  expect(shownOutputText([...lines, 'end'].join('\n'), true)).toContain(
    'error: a\n… 4 lines left out\nstep 6',
  );
});

test('have the number of the first error, or of the end, in the whole', () => {
  const lines = ['', ...steps(2, 15), 'ERROR: no route', ...steps(17, 45), ''].join('\n');
  expect([shownOutput(lines, true)?.line, shownOutput(lines, false)?.line]).toEqual([16, 45]);
  expect(shownOutput('one\ntwo', true)?.line).toBe(2);
});

test('that are very long keep their start and their end, with the colours, and no half of a character', () => {
  const long = `\u001b[31merror: ${'🔔'.repeat(1000)}\u001b[0m exit status 2`;
  const [line] = shownOutput(long, true)?.rows ?? [];
  if (line?.kind !== 'line') throw new Error('one line');
  expect(line.text).toMatch(/^error: 🔔+ … 🔔+ exit status 2$/u);
  expect(line.text).not.toMatch(/[\ud800-\udfff]/u);
  expect(line.parts.map(({ style }) => style?.colour ?? null)).toEqual(['red', null, 'red', null]);
});

test.each([
  ['\u001b[1;31mfailed\u001b[0m\u0007', 'failed'],
  ['10 %\r20 %\r\ndone\r\n', '20 %\ndone'],
  ['\u001b]0;title\u0007a\tb\u0000', 'a\tb'],
  [' \r\n\u0000', null],
])('of a terminal are text: %j', (output, text) => {
  expect(shownOutputText(output, true)).toBe(text);
});

test('are never more than their bounds, and count the others', () => {
  const line = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'error', 'x'.repeat(5000)));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, hasFailed) => {
      const output = shownOutput(lines.join('\n'), hasFailed);
      if (!output) return;
      const shown = output.rows.filter((row) => row.kind === 'line');
      const gaps = output.rows.filter((row) => row.kind === 'gap');
      expect(output.rows.length).toBeLessThanOrEqual(outputLinesMax + outputErrorsMax);
      for (const { text, isError } of shown)
        expect(text.length).toBeLessThanOrEqual((isError ? outputErrorCharsMax : outputLineCharsMax) + 3);
      // But for blank lines around it, all is shown or counted.
      const filled = terminalLines(lines.join('\n')).map(({ text }) => text.trim() !== '');
      const counted = shown.length + gaps.reduce((sum, gap) => sum + gap.lines, 0);
      expect(counted).toBe(filled.lastIndexOf(true) - filled.indexOf(true) + 1);
    }),
  );
});

test('are the same in colours and as text, and those of 100 kB cost a server little', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('step', '\u001b[31mfailed\u001b[0m', 'no such file', '', 'a\rerror: b', ' ', 'x\ty'),
        {
          maxLength: 40,
        },
      ),
      fc.boolean(),
      (lines, hasFailed) => {
        const output = shownOutput(lines.join('\n'), hasFailed);
        const expected = (output?.rows ?? []).map((row) => (row.kind === 'gap' ? gapWords(row) : row.text));
        const text = output && expected.map((line) => line.trimEnd()).join('\n');
        expect(shownOutputText(lines.join('\n'), hasFailed)).toBe(text);
      },
    ),
  );
  const coloured = '\u001b[31mstep\u001b[0m is done\n'.repeat(4000);
  const whole = spentMs(() => shownOutput(coloured, true));
  expect(spentMs(() => shownOutputText(coloured, true))).toBeLessThan(whole / 2);
});

function spentMs(run: () => unknown): number {
  const spans = Array.from({ length: 9 }, () => {
    const from = performance.now();
    run();
    return performance.now() - from;
  });
  return Math.min(...spans);
}
