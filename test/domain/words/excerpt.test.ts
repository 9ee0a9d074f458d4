/** What a search finds in a text, and what is shown of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptCharsMax } from '../../../src/domain/limits.ts';
import { findWords } from '../../../src/domain/words/excerpt.ts';
import { foldCase, hasWords, searchWords } from '../../../src/domain/words/search-words.ts';
import { withoutEscapes } from '../../../src/domain/words/terminal-text.ts';
import { wordFilter } from '../../../src/http/api/search/word-filter.ts';

const pieces = fc.constantFrom(
  ...[
    'a',
    'B',
    'c',
    'ss',
    'ß',
    'É',
    'e\u0301',
    'İ',
    '\u212a',
    'k',
    'i',
    'Σ',
    'ς',
    ' ',
    '\n',
    '\r',
    '\u001b[31m',
    '\u001b',
    '🔔',
    '\ud800',
  ],
  ...['\u0000', '\t', '\u2028', 'x'.repeat(100)],
);
const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));
const words = fc
  .array(fc.constantFrom('a', 'B', 'ab', 'SS', 'é', 'e', 'i', 'K', 'σ', 'ς', 'x'.repeat(30)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((some) => searchWords(some.join(' '), 200));

test('whatever the text, the excerpt is of the line, short and without control characters, and its marks are words', () => {
  fc.assert(
    fc.property(texts, words, (text, wanted) => {
      const hit = findWords(text, wanted);
      const plain = withoutEscapes(text);
      expect(hit !== null).toBe(hasWords(foldCase(plain), wanted));
      if (!hit) return;
      const line = plain.split('\n')[hit.line - 1] ?? '';
      expect(hit.excerpt.length).toBeLessThanOrEqual(excerptCharsMax + 2);
      expect(hit.excerpt).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      const squeezed = (one: string) => one.normalize('NFC').replace(/[\p{Cc}\u2028\u2029\s]+/gu, '');
      expect(squeezed(line)).toContain(squeezed(hit.excerpt.replace(/^…|…$/g, '')));
      let end = 0;
      for (const [from = 0, to = 0] of hit.marks) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
        expect(wanted.some((word) => foldCase(hit.excerpt.slice(from, to)).includes(word))).toBe(true);
      }
      expect(end).toBeLessThanOrEqual(hit.excerpt.length);
    }),
    { numRuns: 2000 },
  );
});

test('a letter at the end of an excerpt keeps its mark, or goes with it', () => {
  const end = 'x'.repeat(excerptCharsMax - 1);
  expect(findWords(`${end}e\u0301 and more`, ['x'])?.excerpt).toBe(`${end}…`);
  expect(findWords(`${end}\u{1f514} and more`, ['x'])?.excerpt).toBe(`${end}…`);
});

test('the filter of bytes rules out nothing that has the words', () => {
  fc.assert(
    fc.property(texts, words, (text, wanted) => {
      const bytes = Buffer.from(text);
      if (findWords(bytes.toString(), wanted)) expect(wordFilter(wanted)(bytes)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('the filter of bytes finds a word in either case wherever it is, and rules out a text without it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 40 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 }),
      (text, word) => {
        expect(wordFilter([word])(Buffer.from(text))).toBe(text.toLowerCase().includes(word));
      },
    ),
    { numRuns: 2000 },
  );
});

test('the first line that has all words is shown, else the first with the longest', () => {
  const text = 'disk\nfull\nthe disk is nearly full\ndisk full';
  expect(findWords(text, ['disk', 'full'])).toMatchObject({ line: 3, excerpt: 'the disk is nearly full' });
  expect(findWords('a\nlongest\nb a', ['a', 'longest'])).toMatchObject({ line: 2, excerpt: 'longest' });
});

test('words are folded, each once, and quotes keep blanks; a single quote is a character', () => {
  expect(searchWords('  Disk  disk "No Space"  x" ', 200)).toEqual(['disk', 'no space', 'x"']);
  expect(searchWords('"" " "', 200)).toEqual(['""']);
  expect(searchWords('abcdef ghi', 8)).toEqual(['abcdef', 'g']);
});

test('a letter may have many marks, in any order; of more than thirty the first count', () => {
  const [one, other] = ['\u0301\u0323', '\u0323\u0301'].map((marks) => `a${marks.repeat(15)}b`);
  expect(foldCase(one ?? '')).toBe(foldCase(other ?? ''));
  const many = foldCase(`A${'\u0301'.repeat(40)}B`);
  expect(many).toBe(`a${'\u0301'.repeat(30)}b`.normalize('NFC'));
  expect(findWords(`x A${'\u0301'.repeat(4000)}B`, ['b'])).toMatchObject({ line: 1 });
});
