/** What a long description shows before somebody asks for all of it. Without a browser. */
import { expect, test } from 'vitest';
import { foldedText } from '../../src/web/ui/description-lines.ts';

const url = 'https://wiki.example.org/restore';
const rows = (count: number): string => Array.from({ length: count }, (_, n) => `row ${n + 1}`).join('\n');

test('one that is hardly longer than what would be shown is whole', () => {
  expect(foldedText('', 2)).toBeNull();
  expect(foldedText(rows(4), 2)).toBeNull();
  expect(foldedText(`${rows(4)}\n\n`, 2)).toBeNull();
});

test('of a longer one the first lines are shown, and the runbook wherever it is', () => {
  expect(foldedText(rows(5), 2)).toEqual({ text: 'row 1\nrow 2 …', runbook: '' });
  expect(foldedText(`${rows(9)}\n${url}.`, 2)).toEqual({ text: 'row 1\nrow 2 …', runbook: url });
  expect(foldedText(`${url}\n${rows(9)}`, 2)).toEqual({ text: `${url}\nrow 1 …`, runbook: '' });
});

test('a long line counts as several, and no word of it is cut, an address least of all', () => {
  const words = 'word '.repeat(60).trim();
  const shown = foldedText(words, 2)?.text ?? '';
  expect(shown).toMatch(/^(word )+…$/);
  expect(shown.length).toBeLessThanOrEqual(92);
  const long = `${url}/${'a'.repeat(300)}`;
  expect(foldedText(`See ${long}`, 2)).toEqual({ text: 'See …', runbook: long });
});
