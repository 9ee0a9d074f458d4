/** Each reason for which a browser cannot be alerted has words of its own, and says what to do. */
import { expect, test } from 'vitest';
import {
  type BrowserFacts,
  permissionWords,
  serviceWords,
  unsupportedWords,
  workerWords,
} from '../../../src/web/push/push-words.ts';

const firefox: BrowserFacts = {
  isSecure: true,
  hasPush: true,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  touchPoints: 0,
};
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';

test.each<[string, Partial<BrowserFacts>, RegExp]>([
  ['can be alerted', {}, /^$/],
  ['came without HTTPS', { isSecure: false, hasPush: false }, /begins with https:\/\//],
  ['is an iPhone in a tab', { hasPush: false, userAgent: iPhone, touchPoints: 5 }, /Add to Home Screen/],
  ['is an iPad that names itself a Mac', { hasPush: false, userAgent: mac, touchPoints: 5 }, /Home Screen/],
  ['is an iPhone with Knell on the Home Screen', { userAgent: iPhone, touchPoints: 5 }, /^$/],
  ['is an old Safari on a Mac', { hasPush: false, userAgent: mac }, /has no push notifications/],
  ['has none', { hasPush: false }, /private windows/],
])('a browser that %s', (_, facts, words) => {
  expect(unsupportedWords({ ...firefox, ...facts })).toMatch(words);
});

test('a permission that was not given', () => {
  expect(permissionWords('granted')).toBe('');
  expect(permissionWords('default')).toContain('choose Allow');
  expect(permissionWords('denied')).toContain('in its settings for this site');
});

test('what the browser says itself is kept', () => {
  expect(workerWords('SecurityError')).toMatch(/certificate.*: SecurityError$/);
  expect(serviceWords('push service error')).toMatch(/Brave.*: push service error$/);
});
