/** UUIDs as bytes, and the memory that records borrow for them. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuidWordsOf } from '../../../src/lib/uuid-words.ts';
import {
  bytesOfUuid,
  bytesOfUuids,
  lendUuid,
  returnUuids,
  textOfWords,
  uuidText,
} from '../../../src/store/codec/uuid.ts';

const hexOf = (uuid: string): string => uuid.replaceAll('-', '');

test('text and bytes turn into each other', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(bytesOfUuid(one).toString('hex')).toBe(hexOf(one));
      const both = bytesOfUuids([one, other]);
      expect([uuidText(both), uuidText(both, 16)]).toEqual([one, other]);
      const words = uuidWordsOf(one);
      expect(words && textOfWords(words)).toBe(one);
    }),
  );
});

test('what is lent keeps apart until it is returned, and is used again then', () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 100 }), (uuids) => {
      returnUuids();
      const lent = uuids.map(lendUuid);
      expect(lent.map((bytes) => bytes.toString('hex'))).toEqual(uuids.map(hexOf));
      returnUuids();
      expect(lendUuid(uuids.at(-1) ?? '')).toBe(lent[0]);
    }),
  );
});

test.each(['', '0', 'no-uuid', `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(13)}`])('refuses %j', (text) => {
  expect(() => lendUuid(text)).toThrow('not a UUID');
});
