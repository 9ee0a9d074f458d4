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
  result: 'Result',
} as const;
export type Sort = keyof typeof sorts;

export const groupings = { none: 'None', tag: 'First tag', status: 'Status', schedule: 'Schedule' } as const;
export type Grouping = keyof typeof groupings;

export interface ListQuery {
  readonly text: string;
  readonly statuses: readonly ShownStatus[];
  readonly tags: readonly string[];
  /** Only checks without an integration. */
  readonly notifiesNobody: boolean;
  readonly sort: Sort;
  readonly isReversed: boolean;
  readonly group: Grouping;
  /** Name of the number that is a column; empty for none. */
  readonly result: string;
  /** Whether the address has that name, rather than this browser. */
  readonly isNamed: boolean;
}

const keyIn = <Name extends string>(
  names: Readonly<Record<Name, string>>,
  value: string | null,
): Name | null => (Object.keys(names) as Name[]).find((name) => name === value) ?? null;

/** What the browser keeps. `column`: the number that it shows as a column; `order`: as `orderOf` has it. */
interface Kept {
  readonly column?: string;
  readonly order?: string;
}

/** What the address says comes before what the browser keeps. */
export function listQueryOf(search: string, { column = '', order = '' }: Kept = {}): ListQuery {
  const query = new URLSearchParams(search);
  const ordered = saysOrder(search) ? query : new URLSearchParams(order);
  const asked = query.getAll('status');
  const result = query.get('result') ?? column;
  const sort = keyIn(sorts, ordered.get('sort')) ?? 'status';
  return {
    text: query.get('q') ?? '',
    statuses: shownStatuses.filter((status) => asked.includes(status)),
    tags: query.getAll('tag'),
    notifiesNobody: query.get('notifies') === 'nobody',
    sort: sort === 'result' && result === '' ? 'status' : sort,
    isReversed: ordered.get('order') === 'desc',
    group: keyIn(groupings, ordered.get('group')) ?? 'none',
    result,
    isNamed: query.has('result'),
  };
}

/** Returns the query without its question mark; empty for the list as it comes. */
export function searchOf({
  text,
  statuses,
  tags,
  notifiesNobody,
  sort,
  isReversed,
  group,
  result,
  isNamed,
}: ListQuery): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  for (const status of statuses) query.append('status', status);
  for (const tag of tags) query.append('tag', tag);
  if (notifiesNobody) query.set('notifies', 'nobody');
  if (sort !== 'status') query.set('sort', sort);
  if (result !== '' && (isNamed || sort === 'result')) query.set('result', result);
  if (isReversed) query.set('order', 'desc');
  if (group !== 'none') query.set('group', group);
  return query.toString();
}

/** Returns how the query sorts and groups, as a query; empty for the usual order. */
export function orderOf({ sort, isReversed, group }: ListQuery): string {
  return searchOf({ ...listQueryOf(''), sort, isReversed, group });
}

/** Whether an address says how the list is sorted or grouped. */
export function saysOrder(search: string): boolean {
  const query = new URLSearchParams(search);
  return ['sort', 'order', 'group'].some((name) => query.has(name));
}

/** Returns which checks the query finds, as a query: without their order. Empty for all of them. */
export function filterOf(query: ListQuery): string {
  return searchOf({ ...query, sort: 'status', isReversed: false, group: 'none', result: '' });
}

export function isFiltered({ text, statuses, tags, notifiesNobody }: ListQuery): boolean {
  return notifiesNobody || text !== '' || statuses.length > 0 || tags.length > 0;
}

/** Returns the items with `item` if it was not among them, and without it if it was. */
export function toggled<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.includes(item) ? items.filter((one) => one !== item) : [...items, item];
}
