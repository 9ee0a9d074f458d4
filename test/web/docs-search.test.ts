/** How the manual is searched: words that count, other words for the same, excerpts. Pure, without a browser. */
import { expect, test } from 'vitest';
import {
  askedWords,
  excerptOf,
  headingRank,
  phraseIn,
  phraseWeight,
  queryOf,
  shownWords,
  wordsOf,
} from '../../src/web/docs-search.ts';

test.each([
  ['how do I change the port', ['port']],
  ['Where is KNELL_BASE_URL?', ['knell_base_url']],
  ['how do I', ['how', 'do', 'i']],
])('of the question %j count %j', (question, words) => {
  expect(askedWords(question)).toEqual(words);
});

test('asks for what the manual calls it, too', () => {
  const exactly = { combineWith: 'OR', prefix: false, fuzzy: false };
  expect(queryOf('silence at night', 'AND')).toEqual({
    combineWith: 'AND',
    queries: [
      { combineWith: 'OR', queries: ['silence', { ...exactly, queries: ['mute', 'quiet', 'snooze'] }] },
      { combineWith: 'OR', queries: ['night', { ...exactly, queries: ['quiet', 'hours'] }] },
    ],
  });
});

test('has names and their parts as words', () => {
  expect(wordsOf('Set KNELL_SMTP, --dry-run')).toEqual([
    ...['set', 'knell_smtp', 'knell', 'smtp', 'dry-run', 'dry', 'run'],
  ]);
  expect(wordsOf('Back up, then go back')).toEqual(['back', 'backup', 'up', 'then', 'go', 'back']);
});

test('shows the part of a text around what was found, in whole words', () => {
  const text = `${'word '.repeat(60)}the Needle is here ${'and more '.repeat(60)}`;
  const shown = excerptOf(text, ['needle', 'missing']);
  expect(shown).toMatch(/^… (?:word )+the Needle is here (?:and more ?|and ?)+ …$/);
  expect(shown.length).toBeLessThan(150);
  expect(excerptOf(' A short\n text. ', ['short'])).toBe('A short text.');
  expect(excerptOf('', ['a'])).toBe('');
});

test.each([
  ['GET /badges/', 'GET /badges/', 'api-reference#get-badges', 3],
  ['snooze', 'Acknowledging, notes, snoozing', 'incidents#notes', 0],
  ['snooz', 'Acknowledging, notes, snoozing', 'incidents#notes', 2],
  ['the badge', 'Badges', 'api#badges', 2],
  ['backup', 'Back up', 'operating#back-up', 2],
  ['badge', 'GET /badges/', 'api-reference#get-badges', 1],
  ['snooze', 'Snooze', 'api-reference#snooze', 1],
  ['ip', 'Ipswich', 'a', 0],
  ['grace badge', 'Badges', 'api#badges', 0],
] as const)('for %j the heading %j of %s has the rank %i', (asked, heading, path, rank) => {
  expect(headingRank(asked, heading, path)).toBe(rank);
});

test('shows what was asked for, rather than what else that is called', () => {
  expect(shownWords('snooze', 'Quiet hours, or a snooze', ['quiet', 'snooze'])).toEqual(['snooze']);
  expect(shownWords('snooze', 'Quiet hours', ['quiet'])).toEqual(['quiet']);
  expect(shownWords('grace time', 'A grace time', ['time'])).toEqual(['grace time']);
});

test('counts a section more that has the words together', () => {
  const together = 'a check has a Grace\n time of an hour';
  expect(phraseIn('what is the grace time', together)).toBe('grace time');
  expect(phraseIn('grace', together)).toBe('');
  expect(phraseIn('grace time', 'the time of grace')).toBe('');
  const weights = [
    phraseWeight('grace time', 'Grace time', ''),
    phraseWeight('grace time', 'A check', together),
    phraseWeight('grace time', 'A check', 'time, and grace'),
  ];
  expect(weights).toEqual([...weights].sort((a, b) => b - a));
  expect(new Set(weights).size).toBe(3);
});
