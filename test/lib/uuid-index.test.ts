import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UuidIndex } from '../../src/lib/uuid-index.ts';
import { words } from '../support/words.ts';

/** Few of them, and alike: parts, runs and gaps of the table all come about. */
const uuid = fc
  .tuple(fc.constantFrom('00', '01', 'ff'), fc.integer({ min: 0, max: 60 }), fc.boolean())
  .map(([first, number, end]) => {
    const digits = number.toString(16).padStart(12, '0');
    return end
      ? `${first}000000-0000-4000-8000-${digits}`
      : `${first}${digits.slice(6)}-0000-4000-8000-000000000000`;
  });

test('agrees with a map, whatever is set, replaced and deleted', () => {
  const step = fc.record({ uuid, handle: fc.integer({ min: 0, max: 1e6 }), deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const index = new UuidIndex();
      const map = new Map<string, number>();
      for (const { uuid: key, handle, deletes } of steps) {
        if (deletes) {
          index.delete(words(key));
          map.delete(key);
        } else {
          index.set(words(key), handle);
          map.set(key, handle);
        }
      }
      expect(index.size).toBe(map.size);
      for (const { uuid: key } of steps) expect(index.get(words(key))).toBe(map.get(key) ?? -1);
    }),
  );
});

test('holds a hundred thousand random ones', () => {
  const index = new UuidIndex();
  const all = Array.from({ length: 100_000 }, () => randomUUID());
  for (const [handle, key] of all.entries()) index.set(words(key), handle);
  for (const [handle, key] of all.entries()) if (index.get(words(key)) !== handle) throw new Error(key);
  for (const key of all.slice(0, 50_000)) index.delete(words(key));
  expect(index.size).toBe(50_000);
  expect(all.filter((key) => index.get(words(key)) === -1)).toEqual(all.slice(0, 50_000));
});

test('what was reserved for takes as many, and more', () => {
  const index = new UuidIndex();
  index.reserve(3000);
  const uuids = Array.from({ length: 5000 }, () => randomUUID());
  for (const [handle, one] of uuids.entries()) index.set(words(one), handle);
  expect(uuids.map((one) => index.get(words(one)))).toEqual(uuids.map((_, handle) => handle));
  expect(index.size).toBe(5000);
});
