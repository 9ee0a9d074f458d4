/** Which checks a search finds where all of them are there, in which order: pure, without a browser. */
import { expect, test } from 'vitest';
import type { CheckRow } from '../../src/domain/views/page-view.ts';
import { filtered } from '../../src/web/rows/filter.ts';

const row = (name: string, id: string, tags = ''): CheckRow => ({ name, id, tags, slug: '' }) as CheckRow;

test('what a name has comes before what an id has by chance', () => {
  const rows = [row('job 17', 'a2999b'), row('job 2999', '01'), row('other', '02', 'job 2999')];
  const found = (text: string) => filtered(rows, text).map(({ id }) => id);
  expect(found('job 2999')).toEqual(['01', 'a2999b', '02']);
  expect(found('2999 JOB')).toEqual(['01', 'a2999b', '02']);
  expect(found('')).toEqual(['a2999b', '01', '02']);
  expect(found('none')).toEqual([]);
});
