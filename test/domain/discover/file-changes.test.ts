/** Changes of files: their text, and the diff that shows them. */
import { expect, test } from 'vitest';
import { changeOf } from '../../../src/domain/discover/file-changes.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

test('lines are replaced and added, with three lines around them', () => {
  const change = changeOf('/f', lines(20), [
    { file: '/f', line: 5, replaced: 'five' },
    { file: '/f', line: 15, added: 'a\nb' },
  ]);
  expect(change?.after).toBe(lines(20).replace('line 5\n', 'five\n').replace('line 15\n', 'line 15\na\nb\n'));
  expect(change?.diff).toBe(
    '--- /f\n+++ /f\n@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n line 6\n line 7\n line 8\n' +
      '@@ -13,6 +13,8 @@\n line 13\n line 14\n line 15\n+a\n+b\n line 16\n line 17\n line 18\n',
  );
});

test('a line before the first, and a file without an end of its last line', () => {
  const change = changeOf('/f', 'a\nb', [{ file: '/f', line: 0, added: 'x' }]);
  expect(change).toMatchObject({
    after: 'x\na\nb',
    diff: '--- /f\n+++ /f\n@@ -1,2 +1,3 @@\n+x\n a\n b\n\\ No newline at end of file\n',
  });
  expect(changeOf('/f', 'a', [{ file: '/f', line: 1, replaced: 'b' }])).toMatchObject({
    after: 'b\n',
    diff: '--- /f\n+++ /f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n',
  });
});

test('a new file, and what changes nothing', () => {
  expect(changeOf('/f', null, [{ file: '/f', text: 'a\nb\n' }])).toEqual({
    file: '/f',
    before: null,
    after: 'a\nb\n',
    diff: '--- /dev/null\n+++ /f\n@@ -0,0 +1,2 @@\n+a\n+b\n',
  });
  expect(changeOf('/f', 'a\n', [{ file: '/f', text: 'a\n' }])).toBeNull();
  expect(changeOf('/f', 'a\n', [{ file: '/f', line: 1, replaced: 'a' }])).toBeNull();
  expect(changeOf('/f', 'a\n', [])).toBeNull();
});
