/** What is shown of what a job printed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOf, readableBody, shortened } from '../../../src/notify/words/shown-body.ts';

test('is without colours, carriage returns and other control characters', () => {
  const raw = '\u001b[1;31mfailed\u001b[0m\r\n10%\r20%\r\n\u001b]0;title\u0007a\0b\tc\n\n';
  expect(readableBody(raw)).toEqual({ text: 'failed\n20%\nab\tc', cutChars: 0 });
});

test('begins with a whole line where one fits', () => {
  const body = readableBody('first line\nsecond line\nthird');
  expect(endOf(body, 100)).toEqual(body);
  expect(endOf(body, 17)).toEqual({ text: 'second line\nthird', cutChars: 11 });
  expect(endOf(body, 9)).toEqual({ text: 'third', cutChars: 23 });
  expect(endOf(body, 0)).toEqual({ text: '', cutChars: 28 });
});

test('begins within a line that is longer than what is shown', () => {
  expect(endOf(readableBody(`${'x'.repeat(300)}\nend`), 100).text).toBe(`${'x'.repeat(96)}\nend`);
});

test('counts what is not shown of 100 kB', () => {
  const raw = `${'line of a log\n'.repeat(7200)}the error`;
  const { text, cutChars } = endOf(readableBody(raw), 1000);
  expect(text.endsWith('\nthe error')).toBe(true);
  expect(text.startsWith('line of a log\n')).toBe(true);
  expect(text.length + cutChars).toBe(raw.length);
});

test('is never longer than asked for, and cuts no character in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(80), (raw, charsMax) => {
      const { text } = endOf(readableBody(raw), charsMax);
      expect(text.length).toBeLessThanOrEqual(charsMax);
      expect(text).not.toMatch(/^[\udc00-\udfff]/);
    }),
  );
});

test('of a run that failed shows the first errors and the end, where that fits and an error is before the end', () => {
  const lines = Array.from({ length: 90 }, (_, at) => `copied file number ${at}`);
  const raw = ['error: full', ...lines].join('\n');
  const body = readableBody(raw, true);
  expect(shortened(body, raw.length)).toMatchObject({ text: raw, cutChars: 0 });
  expect(shortened(body, 1000)).toEqual({
    text: ['error: full', '… 84 lines left out', ...lines.slice(-6)].join('\n'),
    cutChars: 0,
    isChosen: true,
  });
  expect(shortened(body, 100)).toEqual(endOf(body, 100));
  expect(shortened(readableBody(raw), 1000)).toEqual(endOf(body, 1000));
  expect(shortened(readableBody(lines.join('\n'), true), 1000).text).toBe(
    endOf(readableBody(lines.join('\n')), 1000).text,
  );
});
