/** The list of a project while its checks change: it answers, however fast they do. */
import { expect, test } from 'vitest';
import { ProjectList } from '../../../../src/http/web/list/project-list.ts';
import { readListQuery } from '../../../../src/http/web/list/query.ts';
import { ApiEngine } from '../../../support/engine/api-engine.ts';
import { checkOf, projectOf } from '../../../support/store/store-facts.ts';

test('a list is read while checks change without a pause', async () => {
  const { read } = new ApiEngine();
  let readings = 0;
  const list: ProjectList = new ProjectList(
    {
      ...read,
      durably: (from) => {
        // As many as a reading takes: there are always some left.
        for (let n = 0; n < 300; n++) list.noteChanged(checkOf(n).id);
        if (++readings > 100) throw new Error('the list reads on without end');
        return read.durably(from);
      },
    },
    projectOf(1).id,
  );
  const { total } = await list.select(readListQuery(new URLSearchParams()), 1000);
  expect(total).toBe(0);
  await list.summary(1000);
  expect(readings).toBeLessThan(10);
});

test('a rendered row is kept for a moment, for its kind of reader, and not if its check changed meanwhile', () => {
  const list = new ProjectList(new ApiEngine().read, projectOf(1).id);
  const { id } = checkOf(1);
  list.beginRow(id, 'looks', 1000)('row');
  expect(list.keptRow(id, 'looks', 1500)).toBe('row');
  expect(list.keptRow(id, 'pings', 1500)).toBeNull();
  expect(list.keptRow(id, 'looks', 2000)).toBeNull();
  const keep = list.beginRow(id, 'looks', 3000);
  expect(list.keptRow(id, 'looks', 3000)).toBeNull();
  list.noteChanged(id);
  keep('old row');
  expect(list.keptRow(id, 'looks', 3000)).toBeNull();
});
