import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashedHandles, noHandle, severalHandles } from '../../../src/engine/registry/hashed-handles.ts';

/** Some alike in all bits, some in the first, some in the last. */
const hash = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 20 }).map((number) => (number << 27) | 0),
  fc.integer(),
);
const step = fc.record({ hash, handle: fc.integer({ min: 0, max: 50 }) });

test('agrees with a map, whatever is added and removed, gathered first or not', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.boolean(), (steps, gathers) => {
      const handles = new HashedHandles();
      if (gathers) handles.gather();
      const model = new Map<string, { hash: number; handle: number }>();
      for (const one of steps) {
        const key = `${one.hash} ${one.handle}`;
        if (model.has(key)) handles.remove(one.hash, one.handle);
        else handles.add(one.hash, one.handle);
        if (!model.delete(key)) model.set(key, one);
      }
      for (const { hash: wanted } of steps) {
        const meant = [...model.values()].filter((one) => one.hash === wanted);
        const expected = meant.length > 1 ? severalHandles : (meant[0]?.handle ?? noHandle);
        expect(handles.find(wanted, () => true)).toBe(expected);
        expect(handles.find(wanted, (handle) => handle === meant[0]?.handle)).toBe(
          meant[0]?.handle ?? noHandle,
        );
      }
    }),
  );
});

test('parts that are full are split, and every entry is found and removed where it has come to', () => {
  const handles = new HashedHandles();
  const hashOf = (handle: number): number => Math.imul(handle, 0x9e3779b1);
  for (let handle = 0; handle < 200_000; handle++) handles.add(hashOf(handle), handle);
  for (let handle = 0; handle < 200_000; handle++)
    if (handles.find(hashOf(handle), () => true) !== handle) throw new Error(`${handle}`);
  for (let handle = 0; handle < 200_000; handle += 3) handles.remove(hashOf(handle), handle);
  for (let handle = 0; handle < 200_000; handle++) {
    const expected = handle % 3 === 0 ? noHandle : handle;
    if (handles.find(hashOf(handle), () => true) !== expected) throw new Error(`${handle}`);
  }
});

test('what is gathered is found and removed, and more is added to it', () => {
  const handles = new HashedHandles();
  const hashOf = (handle: number): number => Math.imul(handle, 0x9e3779b1);
  handles.gather();
  for (let handle = 0; handle < 100_000; handle++) handles.add(hashOf(handle), handle);
  handles.settle();
  for (let handle = 100_000; handle < 120_000; handle++) handles.add(hashOf(handle), handle);
  for (let handle = 0; handle < 120_000; handle += 3) handles.remove(hashOf(handle), handle);
  for (let handle = 0; handle < 120_000; handle++) {
    const expected = handle % 3 === 0 ? noHandle : handle;
    if (handles.find(hashOf(handle), () => true) !== expected) throw new Error(`${handle}`);
  }
});

test('where entries are, nothing is gathered that would replace them', () => {
  const handles = new HashedHandles();
  handles.add(7, 1);
  handles.gather();
  handles.add(8, 2);
  expect([handles.find(7, () => true), handles.find(8, () => true)]).toEqual([1, 2]);
});

test('equal hashes, which no split parts, are taken all the same', () => {
  const handles = new HashedHandles();
  for (let handle = 0; handle < 20_000; handle++) handles.add(7, handle);
  expect(handles.find(7, (handle) => handle === 19_999)).toBe(19_999);
  expect(handles.find(7, () => true)).toBe(severalHandles);
});
