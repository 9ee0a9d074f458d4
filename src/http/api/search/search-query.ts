/**
 * Validates the query of a search: words, where to look for them, which part, and where to go on.
 * Invariant: pure; each error names its parameter, and a cursor is read as it was written, or refused.
 */
import { searchWords } from '../../../domain/words/search-words.ts';
import { isUuid, uniqueKeySource } from '../../../lib/ids.ts';
import { lastDateMs, NEVER } from '../../../lib/units.ts';
import { instantWords, momentIn } from '../../../spec/instant.ts';
import { outputSearchLimits } from '../../limits.ts';
import { lastOf } from '../call.ts';
import type { SearchCursor } from './output-search.ts';

/** What can be searched: names, slugs, tags and descriptions of checks, and what their jobs printed. */
export const searchedParts = ['checks', 'outputs'] as const;
export type SearchedPart = (typeof searchedParts)[number];

export interface SearchQuery {
  /** Folded, at least one. */
  readonly words: readonly string[];
  /** Null for all that the key may read. */
  readonly parts: ReadonlySet<SearchedPart> | null;
  /** UUID or unique key of the only check to look into; null for all. */
  readonly check: string | null;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly limit: number;
  readonly after: SearchCursor | null;
}

export type ParsedSearch =
  | { readonly ok: true; readonly query: SearchQuery }
  | { readonly ok: false; readonly error: string };

const { textCharsMax, wordsMax, hits, cursorCharsMax } = outputSearchLimits;
const refused = (error: string): ParsedSearch => ({ ok: false, error });

export function parseSearchQuery(query: URLSearchParams): ParsedSearch {
  const text = lastOf(query, 'q') ?? '';
  if (text.length > textCharsMax) return refused(`q has at most ${textCharsMax} characters`);
  const words = searchWords(text, textCharsMax);
  if (words.length === 0) return refused('q is missing: give the words to look for');
  if (words.length > wordsMax) return refused(`q has at most ${wordsMax} words`);
  const parts = partsIn(query.getAll('in'));
  if (parts === 'invalid') return refused(`in is not one of ${searchedParts.join(', ')}`);
  const check = lastOf(query, 'check');
  if (check !== null && !isUuid(check) && !uniqueKeyPattern.test(check))
    return refused('check is not the UUID or unique key of a check');
  const [since, until] = [lastOf(query, 'since'), lastOf(query, 'until')];
  const sinceMs = since === null ? 0 : momentIn(since);
  if (sinceMs === null) return refused(`since must be ${instantWords}`);
  const untilMs = until === null ? NEVER : momentIn(until);
  if (untilMs === null) return refused(`until must be ${instantWords}`);
  if (sinceMs >= untilMs) return refused('since must be before until');
  const limit = limitIn(lastOf(query, 'limit'));
  if (limit === null) return refused(`limit is not a number from 1 to ${hits.max}`);
  const after = cursorIn(lastOf(query, 'after'));
  if (after === 'invalid') return refused('after is not a cursor of a search');
  return { ok: true, query: { words, parts, check, sinceMs, untilMs, limit, after } };
}

const uniqueKeyPattern = new RegExp(`^${uniqueKeySource}$`);

/** One name or several with commas between, any number of times; an empty one is left out. */
function partsIn(values: readonly string[]): ReadonlySet<SearchedPart> | null | 'invalid' {
  const names = values.flatMap((value) => value.split(',')).filter((name) => name !== '');
  const known = searchedParts.filter((part) => names.includes(part));
  if (known.length < new Set(names).size) return 'invalid';
  return names.length === 0 ? null : new Set(known);
}

function limitIn(text: string | null): number | null {
  if (text === null) return hits.default;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= hits.max ? value : null;
}

/** The walk first: a search that has no place yet has only that. */
export function textOfCursor({ place, walk }: SearchCursor): string {
  const words = place === null ? walk : `${walk} ${place.atMs} ${place.n} ${place.id}`;
  return Buffer.from(words).toString('base64url');
}

function cursorIn(cursor: string | null): SearchCursor | null | 'invalid' {
  if (cursor === null) return null;
  if (cursor.length > cursorCharsMax) return 'invalid';
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, walk = '', atMs, n, id] =
    /^([0-9a-f]{8})(?: (\d{1,16}(?:\.\d{1,6})?) (\d{1,15}) ([0-9a-f-]{36}))?$/.exec(text) ?? [];
  if (walk === '') return 'invalid';
  if (Number(atMs) > lastDateMs) return 'invalid';
  const place = id === undefined ? null : { atMs: Number(atMs), n: Number(n), id };
  const read = { place, walk };
  return textOfCursor(read) === cursor ? read : 'invalid';
}
