/**
 * A row of hours or days while it is added to. Invariant: what is not added to stays the bytes that it was.
 */
import { emptyStatistics, type RunStatistics } from '../../../domain/runs/run-statistics.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter, wholeBytesMax } from '../../codec/byte-writer.ts';
import { addStored, writeStatistics } from '../../codec/statistics.ts';

const entryWriter = new ByteWriter(1024);
const reader = new ByteReader();

export class StatisticsEntries {
  readonly period: number;
  readonly #row: Buffer;
  /** Maps a place in the day or group to the entry that is added to. */
  readonly #open = new Map<number, RunStatistics>();

  constructor(period: number, row: Buffer | null) {
    this.period = period;
    this.#row = row ?? noRow;
  }

  at(index: number): RunStatistics {
    const known = this.#open.get(index);
    if (known) return known;
    const statistics = emptyStatistics();
    this.#open.set(index, statistics);
    reader.open(this.#row);
    while (reader.left > 0) {
      const found = reader.u8();
      const size = reader.whole();
      if (found > index) break;
      const start = reader.skip(size);
      if (found !== index) continue;
      addStored(statistics, reader.window(start, start + size), 'all');
      break;
    }
    return statistics;
  }

  get isEmpty(): boolean {
    return this.#row.length === 0 && this.#open.size === 0;
  }

  /** Appends the row. */
  write(writer: ByteWriter): void {
    reader.open(this.#row);
    const added = [...this.#open.keys()].sort((one, other) => one - other);
    let from = 0;
    for (const index of added) {
      // Entries before it are copied in one piece; its own old entry is left out.
      const [start, end] = this.#bounds(index);
      appendBytes(writer, this.#row, from, start);
      from = end;
      appendEntry(writer, index, this.at(index));
    }
    appendBytes(writer, this.#row, from, this.#row.length);
  }

  /** Bounds of the stored entry; the place for it, if there is none. Must be called with ascending indexes. */
  #bounds(index: number): readonly [start: number, end: number] {
    while (reader.left > 0) {
      const start = reader.at;
      const found = reader.u8();
      const size = reader.whole();
      if (found > index) {
        reader.at = start;
        return [start, start];
      }
      reader.skip(size);
      if (found === index) return [start, reader.at];
    }
    return [reader.end, reader.end];
  }
}

const noRow: Buffer = Buffer.alloc(0);

function appendBytes(writer: ByteWriter, bytes: Buffer, start: number, end: number): void {
  if (end <= start) return;
  writer.reserve(end - start);
  writer.raw(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
}

function appendEntry(writer: ByteWriter, index: number, statistics: RunStatistics): void {
  entryWriter.clear();
  writeStatistics(entryWriter, statistics);
  writer.reserve(1 + wholeBytesMax + entryWriter.length);
  writer.u8(index);
  writer.whole(entryWriter.length);
  writer.raw(entryWriter.view());
}
