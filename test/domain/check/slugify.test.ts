import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugify } from '../../../src/domain/check/slugify.ts';
import { parseSpec } from '../../../src/spec/check-spec.ts';

describe('a slug from a name', () => {
  it.each([
    ['My Backup', 'my-backup'],
    ['  spaces  around  ', 'spaces-around'],
    ['a -- b', 'a-b'],
    ['--_a_b_--', 'a_b'],
    ['Crème brûlée', 'creme-brulee'],
    ['Größe', 'groe'],
    ['ﬁle №5', 'file-no5'],
    ['İstanbul', 'istanbul'],
    ['日本', ''],
    ['db.example.com: backup!', 'dbexamplecom-backup'],
    ['tab\tand\nline', 'tab-and-line'],
    ['', ''],
  ])('turns %j into %j', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });

  it('is always a valid slug', () => {
    const valid = (name: string): boolean => parseSpec({ slug: slugify(name) }).ok;
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 100 }), valid));
    expect(valid('㋿㏂㍱㎯'.repeat(25))).toBe(true);
  });
});
