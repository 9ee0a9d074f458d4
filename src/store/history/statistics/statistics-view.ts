/**
 * The statistics of one check summed up over stretches of time. `read-statistics` adds what is still in runs and in the
 * tail.
 *
 * Invariant: for one turn only, since it reads rows as they are asked for. An hour counts where its middle is, and so does a day of
 * which the hours are not kept any more; time in long spans counts exactly.
 */

import { dayOf, overlapMs, type WatchedSpan } from '../../../domain/check/status-time.ts';
import { emptyStatistics, type RunStatistics } from '../../../domain/runs/run-statistics.ts';
import { day, hour } from '../../../lib/units.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { addStored, readSpan } from '../../codec/statistics.ts';
import {
  eachEntry,
  hourDays,
  keysOf,
  placeOfDay,
  type RecentRow,
  type StatisticsTable,
  spanGroupOf,
} from '../rows/statistics-layout.ts';

export interface ViewedCheck {
  readonly table: Pick<StatisticsTable, 'get'>;
  readonly uuid: Buffer;
  readonly recent: RecentRow | null;
  /** The span from the last status change until now. */
  readonly openSpan: WatchedSpan | null;
  readonly nowMs: number;
}

/** The values that are added up: all, or only time and outages. */
type Scope = 'all' | 'time';

/** Entries, by their place in the row. */
type EntryRow = readonly (Buffer | undefined)[];

const reader = new ByteReader();

export class StatisticsView {
  readonly #check: ViewedCheck;
  readonly #groups = new Map<number, EntryRow>();

  constructor(check: ViewedCheck) {
    this.#check = check;
  }

  /** Between each of the `edges` (ascending) and the next. */
  between(edges: readonly number[], scope: Scope): readonly RunStatistics[] {
    const [fromMs = 0, untilMs = 0] = [edges[0], edges.at(-1)];
    const sums = edges.slice(1).map(emptyStatistics);
    for (let number = dayOf(fromMs); number <= dayOf(untilMs - 1); number++)
      this.#addDay(number, sums, edges, scope);
    for (const span of this.#spans(fromMs)) addSpan(span, sums, edges);
    return sums;
  }

  #addDay(number: number, sums: readonly RunStatistics[], edges: readonly number[], scope: Scope): void {
    const { group, index } = placeOfDay(number);
    const entry = this.#group(group)[index];
    if (!entry) return;
    const startMs = number * day;
    const place = placeOf(edges, startMs);
    const isWhole = place >= 0 && startMs + day <= (edges[place + 1] ?? 0);
    const hours = isWhole ? null : this.#hoursOf(number);
    if (hours) addHours(hours, startMs, sums, { edges, scope });
    else addTo(sums[isWhole ? place : placeOf(edges, startMs + day / 2)], entry, scope);
  }

  /** Null where they are not kept any more, or never were: the clock may have been set. */
  #hoursOf(number: number): Buffer | null {
    const { table, uuid, recent, nowMs } = this.#check;
    if (number <= dayOf(nowMs) - hourDays) return null;
    const row = recent?.dayNumber === number ? recent.hours : table.get(keysOf.hours(uuid, number));
    return row && row.length > 0 ? Buffer.from(row) : null;
  }

  #group(group: number): EntryRow {
    const known = this.#groups.get(group);
    if (known) return known;
    const { table, uuid, recent } = this.#check;
    const row = recent?.group === group ? recent.days : table.get(keysOf.days(uuid, group));
    const entries: (Buffer | undefined)[] = [];
    if (row)
      eachEntry(Buffer.from(row), (index, entry) => {
        entries[index] = entry;
      });
    this.#groups.set(group, entries);
    return entries;
  }

  /** Spans that end after `fromMs`, and possibly others. */
  #spans(fromMs: number): readonly WatchedSpan[] {
    const { table, uuid, openSpan, recent, nowMs } = this.#check;
    const found = openSpan ? [openSpan] : [];
    const last = spanGroupOf(Math.max(nowMs, recent?.countedMs ?? 0));
    for (let group = spanGroupOf(fromMs); group <= last; group++) {
      const row = table.get(keysOf.spans(uuid, group));
      if (!row) continue;
      reader.open(row);
      while (reader.left > 0) found.push(readSpan(reader));
    }
    return found;
  }
}

function addHours(
  row: Buffer,
  startMs: number,
  sums: readonly RunStatistics[],
  { edges, scope }: { readonly edges: readonly number[]; readonly scope: Scope },
): void {
  eachEntry(row, (index, entry) => {
    addTo(sums[placeOf(edges, startMs + index * hour + hour / 2)], entry, scope);
  });
}

function addTo(sum: RunStatistics | undefined, entry: Buffer, scope: Scope): void {
  if (sum) addStored(sum, reader.open(entry), scope);
}

function addSpan(span: WatchedSpan, sums: readonly RunStatistics[], edges: readonly number[]): void {
  for (const [place, sum] of sums.entries()) {
    const ms = overlapMs(span, edges[place] ?? 0, edges[place + 1] ?? 0);
    sum.watchedMs += ms;
    if (span.isDown) sum.downMs += ms;
  }
}

/** Between which of the edges an instant is; -1 and beyond the last one: outside. */
function placeOf(edges: readonly number[], atMs: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
