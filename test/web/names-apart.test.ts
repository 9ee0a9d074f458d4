/** Names of checks in a list to choose from: pure, without a browser. */
import { expect, test } from 'vitest';
import { namesApart } from '../../src/web/rows/names-apart.ts';

const named = (id: string, name: string, slug = '') => ({ id: `${id}0000000-1`, name, slug });

test.each([
  ['differ: as they are', [named('a', 'Backup', 'backup'), named('b', 'Restore')], ['Backup', 'Restore']],
  [
    'are the same: with their slugs',
    [named('a', 'Backup', 'db'), named('b', 'backup', 'files')],
    ['Backup (db)', 'backup (files)'],
  ],
  [
    'have no slug, or the same: with their ids',
    [named('a', 'Backup'), named('b', 'Backup', 'db'), named('c', 'Backup', 'db')],
    ['Backup (a0000000)', 'Backup (b0000000)', 'Backup (c0000000)'],
  ],
  ['are missing', [named('a', ''), named('b', '', 'b')], ['Unnamed check', 'b']],
])('that %s', (_, rows, names) => {
  expect(rows.map(namesApart(rows))).toEqual(names);
});
