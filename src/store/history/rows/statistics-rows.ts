/**
 * Adds to the statistics of one check: in a transaction of a fold, of a compaction, or over a table that only a read sees
 * (`overlay-table`). Invariant: what `recent` holds of a day or a group is all that counts of it.
 */
import type { StatusChange } from '../../../domain/check/flip.ts';
import {
  countedUntil,
  dayOf,
  hourOfDay,
  overlapMs,
  type WatchedSpan,
  watchedSpan,
} from '../../../domain/check/status-time.ts';
import {
  addChange,
  addEnd,
  isLateSuccess,
  type MeasuredEnd,
  type RunStatistics,
} from '../../../domain/runs/run-statistics.ts';
import { day, hour } from '../../../lib/units.ts';
import { ByteWriter, wholeBytesMax } from '../../codec/byte-writer.ts';
import { spanBytesMax, writeSpan } from '../../codec/statistics.ts';

import { StatisticsEntries } from './statistics-entries.ts';
import {
  hourDays,
  keysOf,
  lastPeriod,
  longSpanMs,
  placeOfDay,
  readRecent,
  recentVersion,
  type StatisticsTable,
  spanGroupOf,
} from './statistics-layout.ts';

const writer = new ByteWriter(4096);
const hoursWriter = new ByteWriter(4096);

/** `save` before the transaction ends. */
export class StatisticsRows {
  /** The last fold whose run is counted. */
  countedSeq: number;
  #countedMs: number | null;
  /** Whether they have been counted before. */
  readonly isCounted: boolean;
  /** Bytes of rows that were written, but for `recent`. */
  #written = 0;
  readonly #table: StatisticsTable;
  readonly #uuid: Buffer;
  /** Hours before this day are not kept. */
  readonly #firstDay: number;
  #hours: StatisticsEntries;
  #days: StatisticsEntries;
  #isNewDay = false;

  constructor(table: StatisticsTable, uuid: Buffer, nowMs: number) {
    const recent = readRecent(table, uuid);
    const today = dayOf(nowMs);
    this.#table = table;
    this.#uuid = uuid;
    this.#firstDay = Math.max(0, today - hourDays);
    this.isCounted = recent !== null;
    this.countedSeq = recent?.countedSeq ?? 0;
    this.#countedMs = recent?.countedMs ?? null;
    this.#hours = new StatisticsEntries(recent?.dayNumber ?? today, recent?.hours ?? null);
    this.#days = new StatisticsEntries(recent?.group ?? placeOfDay(today).group, recent?.days ?? null);
  }

  /** A success or failure. */
  addEnd(atMs: number, signal: 'success' | 'fail' | 'warn', measured: MeasuredEnd): void {
    const dayNumber = dayOf(atMs);
    addEnd(this.#dayAt(dayNumber), signal, measured);
    if (dayNumber >= this.#firstDay) addEnd(this.#hoursOf(dayNumber).at(hourOfDay(atMs)), signal, measured);
  }

  /**
   * A status change and the time before it. `durationMs`: of the run whose end made it; null for none. What ends in a change from
   * grace was due at the change before: until then time is counted, whichever fold that was in.
   */
  addChange(change: StatusChange, durationMs: number | null): void {
    const isLate = isLateSuccess(change, { dueMs: this.#countedMs, durationMs });
    const span = watchedSpan(change.from, this.#countedMs, change.atMs);
    this.#countedMs = countedUntil(change, this.#countedMs);
    if (span) this.#addSpan(span);
    const dayNumber = dayOf(change.atMs);
    addChange(this.#dayAt(dayNumber), change, isLate);
    if (dayNumber >= this.#firstDay)
      addChange(this.#hoursOf(dayNumber).at(hourOfDay(change.atMs)), change, isLate);
  }

  /** Begins to count a check that was not counted from its creation on: the time before is not known. */
  beginAt(atMs: number): void {
    this.#countedMs ??= Math.floor(atMs);
  }

  #addSpan(span: WatchedSpan): void {
    if (span.untilMs - span.fromMs >= longSpanMs) {
      this.#putSpan(span);
      return;
    }
    for (let dayNumber = dayOf(span.fromMs); dayNumber <= dayOf(span.untilMs - 1); dayNumber++) {
      const startMs = dayNumber * day;
      addTime(this.#dayAt(dayNumber), span, startMs, day);
      if (dayNumber < this.#firstDay) continue;
      const hours = this.#hoursOf(dayNumber);
      const [from, until] = [Math.max(span.fromMs, startMs), Math.min(span.untilMs, startMs + day)];
      for (let index = hourOfDay(from); index <= hourOfDay(until - 1); index++)
        addTime(hours.at(index), span, startMs + index * hour, hour);
    }
  }

  #putSpan(span: WatchedSpan): void {
    const key = keysOf.spans(this.#uuid, spanGroupOf(span.untilMs));
    const stored = this.#table.get(key);
    writer.clear();
    writer.reserve((stored?.length ?? 0) + spanBytesMax);
    if (stored) writer.raw(stored);
    writeSpan(writer, span);
    this.#put(key, writer.view());
  }

  #dayAt(dayNumber: number): RunStatistics {
    const { group, index } = placeOfDay(dayNumber);
    if (group !== this.#days.period) {
      this.#putAway(this.#days, keysOf.days);
      this.#days = this.#takeOut(group, keysOf.days);
    }
    return this.#days.at(index);
  }

  #hoursOf(dayNumber: number): StatisticsEntries {
    if (dayNumber !== this.#hours.period) {
      this.#putAway(this.#hours, keysOf.hours);
      this.#hours = this.#takeOut(dayNumber, keysOf.hours);
      this.#isNewDay = true;
    }
    return this.#hours;
  }

  #putAway(entries: StatisticsEntries, keyOf: (uuid: Buffer, period: number) => Buffer): void {
    if (entries.isEmpty) return;
    writer.clear();
    entries.write(writer);
    this.#put(keyOf(this.#uuid, entries.period), writer.view());
  }

  /** Its own row stays until it is put away again: `recent` comes first. */
  #takeOut(period: number, keyOf: (uuid: Buffer, period: number) => Buffer): StatisticsEntries {
    const row = this.#table.get(keyOf(this.#uuid, period));
    return new StatisticsEntries(period, row && Buffer.from(row));
  }

  #put(key: Buffer, row: Buffer): void {
    this.#table.put(key, row);
    this.#written += key.length + row.length;
  }

  /** Whether nothing has ever been added. */
  get isEmpty(): boolean {
    return this.#days.isEmpty && this.#countedMs === null;
  }

  /** Writes what was added. Returns how many bytes that were. */
  save(): number {
    if (this.#isNewDay) this.#removeOldHours();
    hoursWriter.clear();
    this.#hours.write(hoursWriter);
    writer.clear();
    writer.reserve(11 + 2 * wholeBytesMax + hoursWriter.length);
    writer.u8(recentVersion);
    writer.u48(this.countedSeq);
    writer.whole(this.#countedMs ?? 0);
    writer.u16(this.#hours.period);
    writer.whole(hoursWriter.length);
    writer.raw(hoursWriter.view());
    writer.u16(this.#days.period);
    this.#days.write(writer);
    this.#put(keysOf.recent(this.#uuid), writer.view());
    return this.#written;
  }

  #removeOldHours(): void {
    const old: Buffer[] = [];
    const range = {
      start: keysOf.hours(this.#uuid, Math.max(0, this.#firstDay - 1)),
      end: keysOf.days(this.#uuid, lastPeriod),
    };
    this.#table.scan(range, (key) => {
      old.push(Buffer.from(key));
    });
    for (const key of old) this.#table.remove(key);
  }
}

function addTime(statistics: RunStatistics, span: WatchedSpan, startMs: number, lengthMs: number): void {
  const ms = overlapMs(span, startMs, startMs + lengthMs);
  statistics.watchedMs += ms;
  if (span.isDown) statistics.downMs += ms;
}
