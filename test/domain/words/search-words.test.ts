/** How well a name fits the words of a search. */
import { expect, test } from 'vitest';
import { foldCase, matchRank, searchWords } from '../../../src/domain/words/search-words.ts';

const rank = (name: string, text: string): number => matchRank(foldCase(name), searchWords(text, 100));

test.each([
  ['WAL', 'wal', 0],
  ['Straße', 'STRASSE', 4],
  ['Nightly backup', 'NIGHTLY backup', 0],
  ['WAL archive check', 'wal', 1],
  ['Nightly backup', 'night', 1],
  ['Off-site WAL copy', 'wal', 2],
  ['Nightly backup', 'backup night', 2],
  ['db-backup', 'back', 2],
  ['Certificate renewal', 'wal', 3],
  ['Nightly backup', 'ight', 3],
  ['Nightly backup', 'night prod', 4],
] as const)('“%s” for “%s” has rank %d', (name, text, expected) => {
  expect(rank(name, text)).toBe(expected);
});
