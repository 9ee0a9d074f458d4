/** Pages of a list: where one ends and the next begins. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPage, nextLink, parsePage } from '../../../src/http/api/list-cursor.ts';

const asked = (text: string) => {
  const parsed = parsePage(new URLSearchParams(text));
  if (!parsed.ok || parsed.page === null) throw new Error(`no page: ${text}`);
  return parsed.page;
};

/** All items, newest first, as a client reads them. */
function readByPages(items: readonly number[], limit: number): readonly number[] {
  const read: number[] = [];
  let query = `limit=${limit}`;
  for (let pages = 0; pages <= items.length; pages++) {
    const page = asked(query);
    const behind = items.filter((item) => page.after === null || item < page.after);
    const { shown, next } = cutPage(behind, page, (item) => item);
    read.push(...shown);
    if (next === null) return read;
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThanOrEqual(limit);
    query = `limit=${limit}&after=${next}`;
  }
  throw new Error('the pages have no end');
}

test('pages have each item once, also where some are of one instant', () => {
  const fewOfOneInstant = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 2 })));
  fc.assert(
    fc.property(fewOfOneInstant, fc.integer({ min: 2, max: 20 }), (instants, limit) => {
      const counts = new Map(instants);
      const items = [...counts].flatMap(([at, count]) => Array(count).fill(at)).sort((a, b) => b - a);
      expect(readByPages(items, limit)).toEqual(items);
    }),
  );
});

test('a page of one instant is cut all the same', () => {
  expect(cutPage([7, 7, 7, 3], asked('limit=2'), (item) => item).shown).toEqual([7, 7]);
});

test('the header names the next page with all that was given', () => {
  const query = new URLSearchParams('start=5&limit=2&after=old');
  expect(nextLink('https://knell.example.org/api/v3/x/', query, 'Mw')).toEqual([
    'Link',
    '<https://knell.example.org/api/v3/x/?start=5&limit=2&after=Mw>; rel="next"',
  ]);
});
