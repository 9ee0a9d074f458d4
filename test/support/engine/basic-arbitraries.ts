/** Values that many facts are made of, at random. */
import fc from 'fast-check';
import { statuses } from '../../../src/domain/check/check.ts';
import { causes, type StatusChange } from '../../../src/domain/check/flip.ts';

export const uuid = fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7] });
/** Well-formed, of every length class: UTF-8 has no bytes for half a surrogate pair. */
export const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 60, maxLength: 140 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
export const instant = fc.double({ min: 0, max: 8.64e15, noNaN: true });

export const change: fc.Arbitrary<StatusChange> = fc.record({
  atMs: instant,
  from: fc.constantFrom(...statuses),
  to: fc.constantFrom(...statuses),
  cause: fc.constantFrom(...causes),
});
