/**
 * The parameters `limit` and `after` of lists that are read page by page: a page is what follows the last item of the one before,
 * however many come or go meanwhile. Without either a list is whole, as Healthchecks has it.
 * Invariant: pure; a cursor is read as it was written, or refused.
 */
import { pagedListed } from '../limits.ts';
import { lastOf } from './call.ts';

export interface Page {
  readonly limit: number;
  /** What the cursor names: an instant or a number; null for the first page. */
  readonly after: number | null;
}

type ParsedPage =
  /** Null: the whole list. */
  { readonly ok: true; readonly page: Page | null } | { readonly ok: false; readonly error: string };

export function parsePage(query: URLSearchParams): ParsedPage {
  const [limit, after] = [lastOf(query, 'limit'), lastOf(query, 'after')];
  if (limit === null && after === null) return { ok: true, page: null };
  const size = limit === null ? pagedListed.default : /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (size < 1 || size > pagedListed.max)
    return { ok: false, error: `limit is not a number from 1 to ${pagedListed.max}` };
  const place = after === null || after === '' ? null : placeOf(after);
  if (Number.isNaN(place)) return { ok: false, error: 'after is not a cursor of this list' };
  return { ok: true, page: { limit: size, after: place } };
}

export function cursorOfPlace(place: number): string {
  return Buffer.from(String(place)).toString('base64url');
}

/** Characters of the longest cursor: that of an instant with all its digits. */
const cursorChars = 32;

/** NaN for what is no cursor. */
function placeOf(cursor: string): number {
  if (cursor.length > cursorChars) return Number.NaN;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const place = /^\d{1,16}(?:\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
  return cursorOfPlace(place) === cursor ? place : Number.NaN;
}

/** The header that says where the next page of a list is that has no place for it: RFC 8288, section 3. */
export function nextLink(
  url: string,
  query: URLSearchParams,
  next: string,
): readonly [name: string, value: string] {
  const following = new URLSearchParams(query);
  following.set('after', next);
  return ['Link', `<${url}?${following}>; rel="next"`];
}

/**
 * One page of `items`, which are those behind the cursor, and the cursor of the next one. Those of one place are on one page, which is
 * shorter for it.
 */
export function cutPage<Item>(
  items: readonly Item[],
  { limit }: Page,
  placeOfItem: (item: Item) => number,
): { readonly shown: readonly Item[]; readonly next: string | null } {
  const following = items[limit];
  if (following === undefined) return { shown: items, next: null };
  let end = limit;
  while (end > 0 && placeOfItem(items[end - 1] ?? following) === placeOfItem(following)) end--;
  const shown = items.slice(0, end === 0 ? limit : end);
  const last = shown.at(-1) ?? following;
  return { shown, next: cursorOfPlace(placeOfItem(last)) };
}
