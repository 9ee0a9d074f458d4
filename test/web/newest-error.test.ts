/** Why an integration fails: the reason of the newest attempt, whichever notification it was of. */
import { expect, test } from 'vitest';
import { newestError } from '../../src/web/form/channel-trouble.ts';

const blocked = { triedMs: 1000, error: '127.0.0.1 was blocked; it is allowed now' };
const refused = { triedMs: 2000, error: 'refused the connection' };
const untried = { triedMs: null, error: '' };
const givenUp = [{ error: 'too old' }];

test('the newest attempt says why an integration fails', () => {
  expect(newestError({ deliveries: [blocked, refused, untried], givenUp })).toBe(refused.error);
  expect(newestError({ deliveries: [untried, refused, blocked], givenUp })).toBe(refused.error);
  expect(newestError({ deliveries: [{ ...blocked, triedMs: null }], givenUp })).toBe(blocked.error);
});

test('what was given up says so where nothing else failed', () => {
  expect(newestError({ deliveries: [], givenUp })).toBe('too old');
  expect(newestError({ deliveries: [untried], givenUp })).toBe('too old');
  expect(newestError({ deliveries: [untried], givenUp: [] })).toBe('');
});
