/**
 * Layout of a check's statistics in rows: their keys and contents. `statistics-rows` adds to them, `read-statistics` reads
 * them, and `domain/runs/run-statistics` defines what is counted.
 *
 * They lie in the table of the pings, behind those of their check: the compaction that moves a check's pings writes that page
 * anyway, and in a table of their own every ping would dirty one more. For the same reason the hours of one day and the days of
 * one group, those that were counted last, are together in one row, `recent`.
 *
 *     uuid, 255, 0, 0               recent: version (1), counted run (6), counted until (whole; 0: never), day (2), bytes of its hours
 *                                   (whole), hours, group (2), days
 *     uuid, 255, 1, 65535 - day     hours of another day; entries
 *     uuid, 255, 2, 65535 - group   days of another group, which is 32 of them; entries
 *     uuid, 255, 3, group           spans of `longSpanMs` and more by their end, in groups of 512 days; one after the other
 *     entry                         which of its row (1), length (whole), what is counted (codec/statistics)
 *
 * Invariants: all of a check's statistics are in the row of their hour or day, but for spans, which are in theirs, and for what runs
 * after `counted run` hold. A day or group that is in `recent` is there; a row of its own is from before. A check without `recent` has not been counted (`recount`).
 */

import { dayOf } from '../../../domain/check/status-time.ts';
import { emptyStatistics } from '../../../domain/runs/run-statistics.ts';
import { day } from '../../../lib/units.ts';
import { ByteReader, damaged } from '../../codec/byte-reader.ts';
import { addStored, readSpan } from '../../codec/statistics.ts';
import type { Table } from '../../disk/lmdb-env.ts';
import { statisticsKey } from './tables.ts';

export const statisticsKinds = { recent: 0, hours: 1, days: 2, spans: 3 } as const;

export const recentVersion = 1;
export const lastPeriod = 65_535;
const groupBits = 5;
const spanGroupBits = 9;

/** Hours are kept for so many days: those of the last 90, wherever midnight is, and one that is in flight. */
export const hourDays = 92;

/**
 * From this length on, time of one status is kept as one span, not by its hours and days: a check that was up for a year would
 * write 92 rows of hours when it goes down.
 */
export const longSpanMs = 2 * day;

/** Place of a day among the rows of days: its group, and its index in it. */
export const placeOfDay = (dayNumber: number) => ({
  group: dayNumber >> groupBits,
  index: dayNumber & (2 ** groupBits - 1),
});

export const spanGroupOf = (atMs: number): number => dayOf(atMs) >> spanGroupBits;

export const keysOf = {
  recent: (uuid: Uint8Array) => statisticsKey(uuid, statisticsKinds.recent, 0),
  /** Newest first, so that those that go are at the end. */
  hours: (uuid: Uint8Array, dayNumber: number) =>
    statisticsKey(uuid, statisticsKinds.hours, lastPeriod - dayNumber),
  days: (uuid: Uint8Array, group: number) => statisticsKey(uuid, statisticsKinds.days, lastPeriod - group),
  spans: (uuid: Uint8Array, group: number) => statisticsKey(uuid, statisticsKinds.spans, group),
};

/** The content of `recent`. Its parts are views of the row. */
export interface RecentRow {
  /** The last fold whose run is counted. */
  readonly countedSeq: number;
  /** Until when the time before status changes is counted; null before the first. */
  readonly countedMs: number | null;
  readonly dayNumber: number;
  readonly hours: Buffer;
  readonly group: number;
  readonly days: Buffer;
}

/** The table of the pings, or what lies over it. */
export type StatisticsTable = Pick<Table, 'get' | 'put' | 'remove' | 'scan'>;

const rowReader = new ByteReader();

/** Null for a check that has not been counted. */
export function readRecent(table: Pick<Table, 'get'>, uuid: Uint8Array): RecentRow | null {
  const row = table.get(keysOf.recent(uuid));
  return row && parseRecent(Buffer.from(row));
}

export function parseRecent(row: Buffer): RecentRow {
  const reader = rowReader.open(row);
  if (reader.u8() !== recentVersion) throw damaged('statistics of an unknown version');
  const countedSeq = reader.u48();
  const counted = reader.whole();
  const dayNumber = reader.u16();
  const hours = reader.raw(reader.whole());
  const group = reader.u16();
  return {
    countedSeq,
    countedMs: counted === 0 ? null : counted,
    dayNumber,
    hours,
    group,
    days: reader.raw(reader.left),
  };
}

/** Reads a row of a kind to its last byte. Throws a KnellError `store-broken` where it is damaged. */
export function decodeStatisticsRow(kind: number, row: Buffer): void {
  if (kind === statisticsKinds.recent) {
    const { hours, days } = parseRecent(row);
    decodeEntries(hours);
    decodeEntries(days);
  } else if (kind === statisticsKinds.hours || kind === statisticsKinds.days) decodeEntries(row);
  else if (kind === statisticsKinds.spans) {
    const reader = new ByteReader(row);
    while (reader.left > 0) readSpan(reader);
  } else throw damaged('a row of statistics of an unknown kind');
}

function decodeEntries(row: Buffer): void {
  eachEntry(row, (_index, entry) => {
    const reader = new ByteReader(entry);
    addStored(emptyStatistics(), reader, 'all');
    if (reader.left > 0) throw damaged('statistics are longer than what they hold');
  });
}

/** Calls `visit` with the place and the bytes of each entry of a row of hours or days. */
export function eachEntry(row: Buffer, visit: (index: number, entry: Buffer) => void): void {
  const reader = new ByteReader(row);
  while (reader.left > 0) {
    const index = reader.u8();
    visit(index, reader.raw(reader.whole()));
  }
}
