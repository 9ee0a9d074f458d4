import { expect, test } from 'vitest';
import { blockedAddressIn, blockedWords } from '../../../src/domain/deliveries/blocked-words.ts';

test.each(['127.0.0.1', 'fd00::1'])('the words about %s name it', (address) => {
  expect(blockedAddressIn(blockedWords(address, true))).toBe(address);
});

test('what to do keeps what is allowed already', () => {
  expect(blockedWords('10.1.2.3', true)).toBe(
    '10.1.2.3 is private and blocked by default; add it to KNELL_WEBHOOK_ALLOW',
  );
});

test.each(['', 'status 500', blockedWords('nas.example.org', false)])('%j names no address', (text) => {
  expect(blockedAddressIn(text)).toBe('');
});
