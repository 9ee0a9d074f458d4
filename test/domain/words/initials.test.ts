/** The letters of a person. */
import { expect, test } from 'vitest';
import { initials } from '../../../src/domain/words/initials.ts';

test.each([
  ['Ada Lovelace', 'AL'],
  ['Ada', 'AD'],
  ['bea@example.org', 'BE'],
  ['bea.king@example.org', 'BK'],
  ['b@example.org', 'B'],
  ['@ada', '@A'],
  ['', ''],
])('of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
