/**
 * Selects the entries of a query, and puts them in order. Pure except for the turns of the event loop that it leaves to others:
 * a hundred thousand entries take some 200 ms in all.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ShownStatus, shownStatuses } from '../../../domain/check/shown-status.ts';
import type { StatusCounts } from '../../../domain/views/page-view.ts';
import { hasWords } from '../../../domain/words/search-words.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { filteredPerTurn, listRowsMax } from '../../limits.ts';
import { type Compare, firstInTurns, sortedInTurns } from '../../wire/sorted-in-turns.ts';
import type { ListEntry } from './entry.ts';
import type { ListPart, ListQuery, ListSort } from './query.ts';

export interface ListGroupPart {
  readonly name: string;
  readonly from: number;
  readonly size: number;
  readonly counts: Readonly<Record<ShownStatus, number>>;
  readonly neverPinged: number;
}

export interface Selection {
  readonly total: number;
  /** As many of the first as one answer has. */
  readonly first: readonly ListEntry[];
  /** All of them: a page shows the first, and most readers look no further, so they are sorted when somebody asks. */
  all(): Promise<readonly ListEntry[]>;
  /** Groups; empty without grouping. */
  readonly groups: readonly ListGroupPart[];
  /** Occurrences of each tag among the entries that all filters but the status select. */
  readonly tags: ReadonlyMap<string, number>;
  /** Of the entries that all filters but the status select. */
  readonly counts: StatusCounts;
}

/** `figureOf`: what the order by uptime (0 to 1), by a result, or by a last run that the entry does not have goes by; null for none. */
export async function select(
  given: Iterable<ListEntry>,
  query: ListQuery,
  figureOf: (id: CheckId) => number | null = () => null,
): Promise<Selection> {
  const chosen: ListEntry[] = [];
  const tags = new Map<string, number>();
  const isWanted = ({ status, isRunningToo }: ListEntry): boolean =>
    query.statuses.length === 0 ||
    query.statuses.includes(status) ||
    (isRunningToo && query.statuses.includes('running'));
  const counts = new Counting();
  const worst = new Map<string, number>();
  let seen = 0;
  for (const entry of given) {
    if (++seen % filteredPerTurn === 0) await nextTurn();
    if (!matches(entry, query)) continue;
    counts.add(entry);
    for (const tag of entry.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    if (!isWanted(entry)) continue;
    chosen.push(entry);
    if (query.group === 'none') continue;
    const name = groupName(entry, query.group);
    worst.set(name, Math.min(worst.get(name) ?? Number.POSITIVE_INFINITY, rankOf(entry)));
  }
  const compare = comparing(query, figureOf, worst);
  let sorted: Promise<readonly ListEntry[]> | null = null;
  const all = (): Promise<readonly ListEntry[]> => {
    sorted ??= sortedInTurns(chosen, compare);
    return sorted;
  };
  if (seen >= filteredPerTurn) await nextTurn();
  const isGrouped = query.group !== 'none';
  const first = isGrouped
    ? (await all()).slice(0, listRowsMax)
    : await firstInTurns(chosen, compare, listRowsMax);
  const groups = isGrouped ? groupsOf(await all(), query) : [];
  return { total: chosen.length, first, all, tags, groups, counts };
}

/** The entries from `from` on, at most `count`. */
export async function partOf(
  { total, first, all }: Selection,
  { from, count }: ListPart,
): Promise<readonly ListEntry[]> {
  const isFirst = from + count <= first.length || first.length === total;
  return (isFirst ? first : await all()).slice(from, from + count);
}

function matches(entry: ListEntry, { words, tags, notifiesNobody }: ListQuery): boolean {
  if (notifiesNobody && entry.channels.length > 0) return false;
  return isFound(entry, words) && tags.every((tag) => entry.tags.includes(tag));
}

/** `words` are in lower case. */
export function isFound({ id, text }: ListEntry, words: readonly string[]): boolean {
  return hasWords(text, words, id);
}

const ranks = new Map(shownStatuses.map((status, rank) => [status, rank]));
const rankOf = ({ status }: ListEntry): number => ranks.get(status) ?? 0;

const byName: Compare<ListEntry> = (a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
/** `job 2` comes before `job 10`. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts by severity: the worst status first, and in it what somebody has to look at. */
export const byStatus: Compare<ListEntry> = (a, b) =>
  rankOf(a) - rankOf(b) || Number(a.isHandled) - Number(b.isHandled) || a.urgency - b.urgency || byName(a, b);

type FigureOf = (id: CheckId) => number | null;

/** What an order goes by; null for none. */
type KeyOf = (entry: ListEntry) => number | null;

/** Returns what an order goes by, the least first. That of the last runs begins with the newest. */
function keyOf(sort: Exclude<ListSort, 'status' | 'name'>, figureOf: FigureOf): KeyOf {
  const orNull = (ms: number, none: number): number | null => (ms === none ? null : ms);
  switch (sort) {
    case 'next':
      return ({ nextMs }) => orNull(nextMs, NEVER);
    case 'last':
      return ({ id, lastMs, isLastForgotten }) => {
        const ms = orNull(isLastForgotten ? (figureOf(id) ?? 0) : lastMs, 0);
        return ms === null ? null : -ms;
      };
    case 'uptime':
    case 'result':
      return ({ id }) => figureOf(id);
  }
}

/** Sorts by numbers, the least or the most first. What has none is last in both directions: who sorts looks for numbers. */
function byKey(keyOf: KeyOf, isReversed: boolean): Compare<ListEntry> {
  return (a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    if (one === other) return byName(a, b);
    return one < other === isReversed ? 1 : -1;
  };
}

/**
 * Groups keep their own order, in whichever direction the checks within them are sorted; by status, those come first that have the
 * worst of it. `worst`: of each group, by its name.
 */
function comparing(
  { sort, isReversed, group }: ListQuery,
  figureOf: FigureOf,
  worst: ReadonlyMap<string, number>,
): Compare<ListEntry> {
  const turned = turnedBy(sort, isReversed, figureOf);
  if (group === 'none') return turned;
  if (group === 'status') return (a, b) => rankOf(a) - rankOf(b) || turned(a, b);
  const rankOfGroup = (name: string): number => (sort === 'status' && !isReversed && worst.get(name)) || 0;
  return (a, b) => {
    const [one, other] = [groupName(a, group), groupName(b, group)];
    return rankOfGroup(one) - rankOfGroup(other) || compareNames(one, other) || turned(a, b);
  };
}

function turnedBy(sort: ListSort, isReversed: boolean, figureOf: FigureOf): Compare<ListEntry> {
  if (sort !== 'status' && sort !== 'name') return byKey(keyOf(sort, figureOf), isReversed);
  const within = sort === 'name' ? byName : byStatus;
  return isReversed ? (a, b) => within(b, a) : within;
}

/** Checks without a group come last. */
function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? 1 : -1;
  return collator.compare(a, b) || (a < b ? -1 : 1);
}

function groupName(entry: ListEntry, group: ListQuery['group']): string {
  if (group === 'status') return entry.status;
  return (group === 'tag' ? entry.tags[0] : entry.schedule) ?? '';
}

interface Group extends ListGroupPart {
  size: number;
  neverPinged: number;
  readonly counts: Record<ShownStatus, number>;
}

function groupsOf(entries: readonly ListEntry[], { group }: ListQuery): readonly ListGroupPart[] {
  const groups: Group[] = [];
  for (const [at, entry] of entries.entries()) {
    const name = groupName(entry, group);
    let last = groups.at(-1);
    if (last?.name !== name) {
      last = { name, from: at, size: 0, counts: noCounts(), neverPinged: 0 };
      groups.push(last);
    }
    last.size++;
    last.counts[entry.status]++;
    if (entry.isNeverPinged) last.neverPinged++;
  }
  return groups;
}

class Counting implements StatusCounts {
  all = 0;
  readonly counts = noCounts();
  warned = 0;
  runningToo = 0;
  neverPinged = 0;
  downSinceMs: number | null = null;
  lateUntilMs: number | null = null;

  add({ status, isWarned, isRunningToo, isNeverPinged, noteMs }: ListEntry): void {
    this.all++;
    this.counts[status]++;
    if (isWarned) this.warned++;
    if (isRunningToo) this.runningToo++;
    if (isNeverPinged) this.neverPinged++;
    if (status === 'down') this.downSinceMs = Math.min(this.downSinceMs ?? NEVER, noteMs);
    if (status === 'late') this.lateUntilMs = Math.min(this.lateUntilMs ?? NEVER, noteMs);
  }
}

export function noCounts(): Record<ShownStatus, number> {
  return { down: 0, late: 0, running: 0, up: 0, paused: 0, new: 0 };
}
