/**
 * What the list shows, as the page's address says it. One can send it to somebody, keep it as a bookmark, and go back to it.
 * Pure.
 */
import { type ShownStatus, shownStatuses } from '../../domain/check/shown-status.ts';

export const sorts = {
  status: 'Status',
  name: 'Name',
  next: 'Next run',
  last: 'Last run',
  uptime: 'Uptime',
} as const;
export type Sort = keyof typeof sorts;

export const groupings = { none: 'None', tag: 'Tag', status: 'Status', schedule: 'Schedule' } as const;
export type Grouping = keyof typeof groupings;

export interface ListQuery {
  readonly text: string;
  readonly statuses: readonly ShownStatus[];
  readonly tags: readonly string[];
  readonly sort: Sort;
  readonly isReversed: boolean;
  readonly group: Grouping;
}

const keyIn = <Name extends string>(
  names: Readonly<Record<Name, string>>,
  value: string | null,
): Name | null => (Object.keys(names) as Name[]).find((name) => name === value) ?? null;

export function listQueryOf(search: string): ListQuery {
  const query = new URLSearchParams(search);
  const asked = query.getAll('status');
  return {
    text: query.get('q') ?? '',
    statuses: shownStatuses.filter((status) => asked.includes(status)),
    tags: query.getAll('tag'),
    sort: keyIn(sorts, query.get('sort')) ?? 'status',
    isReversed: query.get('order') === 'desc',
    group: keyIn(groupings, query.get('group')) ?? 'none',
  };
}

/** Returns the query without its question mark; empty for the list as it comes. */
export function searchOf({ text, statuses, tags, sort, isReversed, group }: ListQuery): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  for (const status of statuses) query.append('status', status);
  for (const tag of tags) query.append('tag', tag);
  if (sort !== 'status') query.set('sort', sort);
  if (isReversed) query.set('order', 'desc');
  if (group !== 'none') query.set('group', group);
  return query.toString();
}

export function isFiltered({ text, statuses, tags }: ListQuery): boolean {
  return text !== '' || statuses.length > 0 || tags.length > 0;
}

/** Returns the items with `item` if it was not among them, and without it if it was. */
export function toggled<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.includes(item) ? items.filter((one) => one !== item) : [...items, item];
}
