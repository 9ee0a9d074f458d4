/**
 * A compaction: moves what the runs hold of one partition into the rows of its checks, a slice at a time, and then removes those
 * runs. `fold-driver` decides when one begins, and of which partition.
 *
 * Invariant: reads see the same before and after each slice. The runs are removed in one transaction, after all of them were
 * moved: cut off before that, a compaction begins again and comes to the same.
 */
import { assert } from '../../../lib/errors.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { nPingsOfState } from '../../codec/check.ts';
import { uuidBytes } from '../../codec/uuid.ts';
import { movedBytesMax, movedChecksMax } from '../../disk/limits.ts';
import type { LmdbEnv, Table } from '../../disk/lmdb-env.ts';
import { moveToRows } from '../rows/check-rows.ts';
import { storedFrom } from '../rows/retention.ts';
import {
  type Block,
  blocksOf,
  type FoundPart,
  type RunId,
  readBlock,
  removeRuns,
  runsOf,
} from '../rows/runs.ts';
import { type HistoryTables, readCounters } from '../rows/tables.ts';
import { countedRows, countParts } from '../statistics/count-pings.ts';

const pageBytes = 4096;
const checkBytesMax = 8 * pageBytes;
/** Bytes that the removal of each run writes at most: the pages of its keys, and the list of its free pages. */
const removalBytesMax = 64 * pageBytes;

export class Compaction {
  readonly #env: LmdbEnv;
  readonly #tables: HistoryTables;
  readonly #partition: number;
  readonly #nowMs: number;
  /** Oldest first. */
  readonly #runs: readonly RunCursor[];
  readonly #reader = new ByteReader();

  constructor(env: LmdbEnv, tables: HistoryTables, partition: number, nowMs: number) {
    this.#nowMs = nowMs;
    this.#env = env;
    this.#tables = tables;
    this.#partition = partition;
    this.#runs = runsOf(tables.runs, partition).map((id) => new RunCursor(tables.runs, id));
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  /** One durable transaction, at most `size` times as large as is usual. True when the compaction is done. */
  slice(size = 1): boolean {
    if (this.isEmpty) return true;
    const isLast = this.#runs.every((run) => run.uuid === null);
    this.#env.write(() => {
      if (isLast) removeRuns(this.#tables.runs, this.#partition);
      else this.#moveSome(size);
    });
    return isLast;
  }

  /** The most that the next slice of this size writes. */
  sliceBytesMax(size: number): number {
    return size * (movedChecksMax * checkBytesMax + movedBytesMax) + this.#runs.length * removalBytesMax;
  }

  #moveSome(size: number): void {
    let bytes = 0;
    for (let checks = 0; checks < size * movedChecksMax && bytes < size * movedBytesMax; checks++) {
      const uuid = this.#nextUuid();
      if (!uuid) return;
      const parts: FoundPart[] = [];
      for (const run of this.#runs) if (run.isAt(uuid)) parts.push(run.take());
      bytes += this.#move(uuid, parts);
    }
  }

  #nextUuid(): Buffer | null {
    let lowest: RunCursor | null = null;
    for (const run of this.#runs) if (run.uuid && (!lowest || run.isBefore(lowest))) lowest = run;
    return lowest?.uuid ?? null;
  }

  /** Nothing of a check that was deleted since. */
  #move(uuid: Buffer, parts: readonly FoundPart[]): number {
    const stored = this.#tables.states.get(uuid);
    if (!stored) return 0;
    const reader = this.#reader.open(stored);
    const counters = readCounters(reader);
    const floor = storedFrom(nPingsOfState(reader), counters);
    const counted = this.#count(uuid, parts);
    return counted + moveToRows({ tables: this.#tables, uuid, counters, floor }, parts);
  }

  /** Before the pings are in rows: what is not counted yet counts the rows first. Returns how many bytes it wrote. */
  #count(uuid: Buffer, parts: readonly FoundPart[]): number {
    const statistics = countedRows({ tables: this.#tables, uuid, parts, nowMs: this.#nowMs });
    countParts(statistics, parts);
    return statistics.save();
  }
}

/** Goes over the checks of one run in their order. */
class RunCursor {
  /** The check that is next; null at the end. */
  uuid: Buffer | null = null;
  readonly #table: Table;
  readonly #id: RunId;
  readonly #blocks: Buffer;
  #nextBlock = 0;
  #block: Block | null = null;
  #place = -1;
  /** The first 32 bits of `uuid`: almost all ids differ in them. */
  #firstWord = 0;

  constructor(table: Table, id: RunId) {
    this.#table = table;
    this.#id = id;
    this.#blocks = blocksOf(table, id);
    this.#advance();
  }

  isAt(uuid: Buffer): boolean {
    return this.uuid !== null && this.#firstWord === uuid.readUInt32BE(0) && this.uuid.equals(uuid);
  }

  /** Neither may be at its end. */
  isBefore(other: RunCursor): boolean {
    if (this.#firstWord !== other.#firstWord) return this.#firstWord < other.#firstWord;
    return this.uuid !== null && other.uuid !== null && this.uuid.compare(other.uuid) < 0;
  }

  take(): FoundPart {
    assert(this.#block !== null, 'a run is not read behind its end');
    const part = this.#block.partAt(this.#place);
    this.#advance();
    return part;
  }

  #advance(): void {
    this.#place++;
    if (!this.#block || this.#place === this.#block.count) this.#openNextBlock();
    this.uuid = this.#block?.uuidAt(this.#place) ?? null;
    this.#firstWord = this.uuid?.readUInt32BE(0) ?? 0;
  }

  #openNextBlock(): void {
    const next = this.#nextBlock++;
    this.#place = 0;
    const isThere = next < this.#blocks.length / uuidBytes;
    this.#block = isThere ? readBlock(this.#table, this.#id, this.#blocks, next) : null;
  }
}
