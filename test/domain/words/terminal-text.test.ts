/** What is shown of an output that was written for a terminal. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalLines, terminalText } from '../../../src/domain/words/terminal-text.ts';

const pieces = fc.constantFrom(
  '\u001b',
  '[',
  ']',
  '8;;',
  '31',
  ';',
  'm',
  'K',
  '\u0007',
  '\\',
  '\r',
  '\n',
  'a',
  'ß',
  ' ',
  '\u009b',
);

test('text without control characters is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (any) => {
      const text = any.replace(/[^\P{Cc}\n\t]/gu, '');
      expect(terminalText(text)).toBe(text);
    }),
  );
});

test('whatever comes, no control character is left, no line is lost, and it is never an error', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const lines = terminalLines(text);
      expect(terminalText(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(lines).toHaveLength(text.split('\n').length);
      for (const line of lines) expect(line.parts.map((part) => part.text).join('')).toBe(line.text);
    }),
  );
});

test.each([
  ['\u001b]8;;https://example.org/\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b[2K\u001b[1A\u001b(Btext\u001b[?25l', 'text'],
  ['\u001bP1$r0m\u001b\\text', 'text'],
  ['10 %\r20 %\r100 %\ndone\r\n', '100 %\ndone\n'],
  ['10 %\r      \rdone', 'done'],
  ['cut off \u001b[3', 'cut off '],
  ['cut off \u001b]8;;http\nnext', 'cut off \nnext'],
])('%j is %j', (text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

const plain = { colour: null, behind: null, isBold: false, isUnderlined: false };

test.each([
  ['31', { ...plain, colour: 'red' }],
  ['1;4;92', { ...plain, colour: 'green', isBold: true, isUnderlined: true }],
  ['97;41', { ...plain, behind: 'red' }],
  ['33;7', { ...plain, behind: 'yellow' }],
  ['2', { ...plain, colour: 'grey' }],
  ['38;5;196', { ...plain, colour: 'red' }],
  ['38;2;20;30;240;1', { ...plain, colour: 'blue', isBold: true }],
  ['48;5;22;36', { ...plain, colour: 'cyan', behind: 'green' }],
  ['37', null],
  ['31;0', null],
  ['1;22', null],
  ['', null],
])('a style of %s goes on to the next line', (codes, style) => {
  const [first, second] = terminalLines(`\u001b[${codes}ma\nb\u001b[mc`);
  expect(first?.parts).toEqual([{ text: 'a', style }]);
  expect(second?.parts).toEqual([
    { text: 'b', style },
    { text: 'c', style: null },
  ]);
});

test('a body of nothing but beginnings of sequences is read in a moment', () => {
  const startedMs = performance.now();
  for (const part of ['\u001b[', '\u001b]', '\u001b[1', '\r', '\u001b[31;'])
    terminalLines(part.repeat(Math.floor(100_000 / part.length)));
  for (const part of ['1', ' ', ';']) terminalLines(`\u001b[${part.repeat(100_000)}`);
  expect(performance.now() - startedMs).toBeLessThan(2000);
});
