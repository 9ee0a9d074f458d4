/** Every planted bug of `npm run test:mutations` can still be planted: its text is once in its file, and its test exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(join(root, 'test/mutations'));

test('there are forty at least, in every part', () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test.each(names)('%s can be planted', (name) => {
  const mutation = JSON.parse(readFileSync(join(root, 'test/mutations', name), 'utf8'));
  expect(Object.keys(mutation)).toEqual(['bug', 'file', 'find', 'replace', 'test']);
  expect(readFileSync(join(root, mutation.file), 'utf8').split(mutation.find)).toHaveLength(2);
  expect(mutation.replace).not.toBe(mutation.find);
  expect(existsSync(join(root, mutation.test))).toBe(true);
});
