/** Who depends on whom, by slug, UUID and tag. */
import { describe, expect, test } from 'vitest';
import { Dependencies, dependencyNames } from '../../../src/engine/registry/dependencies.ts';

const db = { id: 'u-1', slug: 'db', tags: ['core'], isDown: true };

describe('the checks that depend on one', () => {
  test('are those that name its slug, its UUID or one of its tags, each once', () => {
    const dependencies = new Dependencies();
    dependencies.set(1, ['db', 'tag:core']);
    dependencies.set(2, ['u-1']);
    dependencies.set(3, ['other']);
    expect([...dependencies.dependentsOf(db)].sort()).toEqual([1, 2]);
    dependencies.delete(1);
    expect([...dependencies.dependentsOf(db)]).toEqual([2]);
    dependencies.set(2, []);
    dependencies.delete(3);
    expect(dependencies.isEmpty).toBe(true);
  });
});

describe('the checks of a tag that are down', () => {
  test('are known once somebody names the tag, and as they change', () => {
    const dependencies = new Dependencies();
    dependencies.noteNamed(7, db);
    expect(dependencies.hasTags).toBe(false);
    expect(dependencies.set(1, ['tag:core'])).toBe(true);
    expect(dependencies.set(2, ['tag:core'])).toBe(false);
    dependencies.noteNamed(7, db);
    expect([...dependencies.downOf('tag:core')]).toEqual([7]);
    dependencies.noteNamed(7, { ...db, tags: [] });
    expect([...dependencies.downOf('tag:core')]).toEqual([]);
    dependencies.noteNamed(7, db);
    dependencies.noteNamed(7, { ...db, isDown: false });
    expect([...dependencies.downOf('tag:core')]).toEqual([]);
    dependencies.noteNamed(7, db);
    dependencies.forgetNamed(7);
    expect([...dependencies.downOf('tag:core')]).toEqual([]);
  });
});

test('a name that is there twice counts once', () => {
  expect(dependencyNames(' db  db tag:core ')).toEqual(['db', 'tag:core']);
});
