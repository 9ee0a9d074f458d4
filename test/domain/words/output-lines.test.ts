/** The lines of an output that are shown where there is little space. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputErrorCharsMax, outputLineCharsMax, outputLinesMax } from '../../../src/domain/limits.ts';
import { leftOutWords, shownOutput, shownOutputText } from '../../../src/domain/words/output-lines.ts';

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
    'ERROR: connection reset',
    'fatal: no space left',
    'Exception: x',
    '… 36 lines left out',
    ...end,
  ]);
  expect(shownOutput(output, true)?.last.map(({ isError }) => isError)).toEqual(end.map(() => false));
  // What a run that succeeded calls an error was none.
  expect(shownOutputText(output, false)?.split('\n')).toEqual([
    '… 36 lines left out',
    ...steps(37, 44),
    'exit status 1',
  ]);
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
  const [line] = shownOutput(long, true)?.last ?? [];
  expect(line?.text).toMatch(/^error: 🔔+ … 🔔+ exit status 2$/u);
  expect(line?.text).not.toMatch(/[\ud800-\udfff]/u);
  expect(line?.parts.map(({ style }) => style?.colour ?? null)).toEqual(['red', null, 'red', null]);
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
      const { errors, leftOut, last } = output;
      const shown = [...errors, ...last];
      expect(shown.length + Number(leftOut > 0)).toBeLessThanOrEqual(outputLinesMax);
      for (const { text, isError } of shown)
        expect(text.length).toBeLessThanOrEqual((isError ? outputErrorCharsMax : outputLineCharsMax) + 3);
      expect(leftOut === 0 ? errors.length : 0).toBe(0);
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
        const { errors = [], last = [], leftOut = 0 } = output ?? {};
        const gap = leftOut === 0 ? [] : [leftOutWords(leftOut)];
        const expected = [...errors.map(({ text }) => text), ...gap, ...last.map(({ text }) => text)];
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
