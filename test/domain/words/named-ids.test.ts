/** The parts of a value that has UUIDs: which values have any, and those that the audit log has cut. */
import { expect, test } from 'vitest';
import { idParts } from '../../../src/domain/words/named-ids.ts';

const [a, b] = ['8f7a3a4e-0000-4000-8000-000000000001', '8f7a3a4e-0000-4000-8000-000000000002'];

const shown = (field: string, value: string) =>
  idParts(field, value)?.map(({ text, isId }) => (isId ? `id ${text}` : text)) ?? null;

test('what a check depends on is in parts: UUIDs, slugs and tags', () => {
  expect(shown('depends_on', `${a}  db-1 tag:core ${b}`)).toEqual([`id ${a}`, 'db-1', 'tag:core', `id ${b}`]);
  expect(shown('depends_on', 'db-1')).toEqual(['db-1']);
  expect(shown('depends_on', '')).toBeNull();
});

test('a value that is nothing but UUIDs is in parts, and a text is not', () => {
  expect(shown('value', `${a},${b}`)).toEqual([`id ${a}`, `id ${b}`]);
  expect(shown('desc', `see ${a}`)).toBeNull();
  expect(shown('name', '')).toBeNull();
});

test('a UUID that was cut is not shown as half of one', () => {
  expect(shown('depends_on', `${a} ${b.slice(0, 20)}…`)).toEqual([`id ${a}`, '…']);
  expect(shown('depends_on', `${a} ${b}…`)).toEqual([`id ${a}`, `id ${b}`, '…']);
  expect(shown('depends_on', `${a} db-1…`)).toEqual([`id ${a}`, 'db-1…']);
});
