import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noHandle, severalHandles } from '../../../src/engine/registry/hashed-handles.ts';
import { SlugIndex, slugHash, slugHashOfBytes } from '../../../src/engine/registry/slug-index.ts';

/** Few, so that some are of several checks. */
const slug = fc.constantFrom('', 'a', 'b', 'backup', 'backup-1', 'backup-2', 'x'.repeat(100));
const step = fc.record({ slug, handle: fc.integer({ min: 0, max: 40 }) });

test('agrees with a map, whatever is added, changed and removed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slugs = new Map<number, string>();
      const index = new SlugIndex({ slugIs: (handle, wanted) => slugs.get(handle) === wanted });
      for (const { slug: next, handle } of steps) {
        const before = slugs.get(handle);
        if (before !== undefined) index.remove(before, handle);
        if (before === next) slugs.delete(handle);
        else {
          slugs.set(handle, next);
          index.add(next, handle);
        }
      }
      for (const { slug: wanted } of steps) expect(index.find(wanted)).toBe(expected(slugs, wanted));
    }),
  );
});

function expected(slugs: ReadonlyMap<number, string>, wanted: string): number {
  const handles = [...slugs].filter(([, slug]) => slug === wanted && slug !== '').map(([handle]) => handle);
  if (handles.length > 1) return severalHandles;
  return handles[0] ?? noHandle;
}

test('finds each of a hundred thousand', () => {
  const slugOf = (handle: number): string => `job-${handle}`;
  const index = new SlugIndex({ slugIs: (handle, wanted) => slugOf(handle) === wanted });
  for (let handle = 0; handle < 100_000; handle++) index.add(slugOf(handle), handle);
  for (let handle = 0; handle < 100_000; handle += 2) index.remove(slugOf(handle), handle);
  for (let handle = 0; handle < 100_000; handle++) {
    const found = handle % 2 === 0 ? noHandle : handle;
    if (index.find(slugOf(handle)) !== found) throw new Error(slugOf(handle));
  }
});

test('a slug has one hash, as text and as stored bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (any) => {
      const bytes = Buffer.from(`x${any}y`);
      expect(slugHashOfBytes(bytes, 1, bytes.length - 1)).toBe(slugHash(any));
    }),
  );
});

test('a slug that is not there is removed without harm', () => {
  const index = new SlugIndex({ slugIs: (_handle, wanted) => wanted === 'a' });
  index.add('a', 1);
  index.remove('b', 1);
  index.remove('a', 2);
  expect(index.find('a')).toBe(1);
});
