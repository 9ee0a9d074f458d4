/**
 * The query of the list: which checks, in which order, which part. It is part of the page's address, so that a filter can be
 * sent to somebody. Unknown values are ignored: an old link shows more than was wanted, never an error.
 */
import { type ShownStatus, shownStatuses } from '../../../domain/check/shown-status.ts';
import { isResultName } from '../../../domain/results/given-results.ts';
import { searchWords } from '../../../domain/words/search-words.ts';
import { filterTagsMax, listRowsMax, searchCharsMax } from '../../limits.ts';

export const listSorts = ['status', 'name', 'next', 'last', 'uptime', 'result'] as const;
export type ListSort = (typeof listSorts)[number];

export const listGroupings = ['none', 'tag', 'status', 'schedule'] as const;
export type ListGrouping = (typeof listGroupings)[number];

export interface ListQuery {
  /** The status is one of these; empty means all. */
  readonly statuses: readonly ShownStatus[];
  /** The check has all of these. */
  readonly tags: readonly string[];
  /** Words, folded, all of which occur. */
  readonly words: readonly string[];
  /** Only checks without an integration. */
  readonly notifiesNobody: boolean;
  readonly sort: ListSort;
  readonly isReversed: boolean;
  /** Name of the number to sort by; empty for every other order. */
  readonly result: string;
  readonly group: ListGrouping;
}

export interface ListPart {
  readonly from: number;
  readonly count: number;
}

export function readListQuery(query: URLSearchParams): ListQuery {
  const one = <Name extends string>(name: string, known: readonly Name[]): Name | null =>
    known.find((each) => each === query.get(name)) ?? null;
  const asked = new Set(query.getAll('status'));
  const name = query.get('result') ?? '';
  const wanted = one('sort', listSorts) ?? 'status';
  const result = wanted === 'result' && isResultName(name) ? name : '';
  return {
    statuses: shownStatuses.filter((status) => asked.has(status)),
    tags: [...new Set(query.getAll('tag').filter((tag) => tag !== ''))].slice(0, filterTagsMax),
    words: searchWords(query.get('q') ?? '', searchCharsMax),
    notifiesNobody: query.get('notifies') === 'nobody',
    sort: wanted === 'result' && result === '' ? 'status' : wanted,
    isReversed: query.get('order') === 'desc',
    result,
    group: one('group', listGroupings) ?? 'none',
  };
}

/** Whether it selects by anything but the status. */
export function isNarrowed({ tags, words, notifiesNobody }: Omit<ListQuery, 'statuses'>): boolean {
  return notifiesNobody || tags.length + words.length > 0;
}

export function readListPart(query: URLSearchParams): ListPart {
  const number = (name: string, most: number): number => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isInteger(value) && value >= 0 ? Math.min(value, most) : 0;
  };
  return { from: number('from', Number.MAX_SAFE_INTEGER), count: number('count', listRowsMax) || 60 };
}
