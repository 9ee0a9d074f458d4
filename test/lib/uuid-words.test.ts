import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { UuidWords, uuidWordsOf } from '../../src/lib/uuid-words.ts';
import { textOfWords } from '../../src/store/codec/uuid.ts';

test('words and text turn into each other, wherever in a text the UUID lies', () => {
  for (let turn = 0; turn < 200; turn++) {
    const uuid = randomUUID();
    const inside = new UuidWords();
    expect(inside.parse(`/ping/${uuid}/start`, 6)).toBe(true);
    expect(textOfWords(inside)).toBe(uuid);
    const bytes = Buffer.from(`00${uuid.replaceAll('-', '')}`, 'hex');
    expect(textOfWords(new UuidWords().read(bytes, 1))).toBe(uuid);
  }
});

test.each([
  '',
  'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA',
  'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaa',
  'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaaa',
  'aaaaaaaaa-aaa-4aaa-8aaa-aaaaaaaaaaaa',
  'gaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaa\u0161',
  'aaaaaaaa_aaaa-4aaa-8aaa-aaaaaaaaaaaa',
])('%j is none', (text) => {
  expect(uuidWordsOf(text)).toBeNull();
});
