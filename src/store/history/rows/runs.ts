/**
 * Runs: what one fold wrote of many checks, side by side and in the order of their ids. A ping then costs its own bytes, where a
 * page of its check would cost 4 kB; a compaction moves the pings of several folds into the check's rows at once.
 * `run-reader` finds a check in them; `compaction` moves them on.
 *
 * The ids are cut into partitions, and after each fold one of them is compacted: no partition has more runs than there are
 * partitions, and every fold has the same work to do. Every row is found by its key: a seek with a cursor costs ten times as
 * much as a read.
 *
 *     partition                    last batch of each fold that has a run here (6), oldest first
 *     partition, fold              uuid of the first check of each block
 *     partition, fold, first uuid  block: parts, one for each check; index: uuid, start of its part (4); number of checks (4)
 *     part                         length of the pings (4) plus 2^31 if durations follow and 2^30 if they are counted; pings; length of
 *                                  the durations (4), durations (codec/statistics); bodies: n (6), length (4), bytes
 *
 * Invariant: blocks of a run do not overlap, and lie in the order of the checks in them.
 */
import { ByteReader, damaged } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { uuidBytes } from '../../codec/uuid.ts';
import type { Table } from '../../disk/lmdb-env.ts';

/** A body with the number of its ping. */
export interface NumberedBody {
  readonly n: number;
  readonly bytes: Buffer;
}

/** The records that one fold wrote about one check. */
export interface RunPart {
  /** One after the other (codec/ping). */
  readonly pings: Buffer;
  /** Durations of the runs that the pings ended, one per ping (codec/statistics), up to the last that ended one. */
  readonly durations: Buffer;
  /** Whether the fold has counted them into the check's statistics; otherwise the compaction does. */
  readonly isCounted: boolean;
  readonly bodies: readonly NumberedBody[];
}

/** A part with the last batch of its fold. */
export interface FoundPart extends RunPart {
  readonly seq: number;
}

/** How many bits of an id's first byte choose the partition. */
const partitionBits = 4;
export const partitions = 2 ** partitionBits;

/** Bytes that fit behind LMDB's head into two pages, unless one part is larger: a read of one check copies all of a block. */
const blockBytesMax = 2 * 4096 - 16;

const seqBytes = 6;
const indexEntryBytes = uuidBytes + 4;
const countBytes = 4;

export function partitionOf(uuid: Buffer): number {
  return (uuid[0] ?? 0) >> (8 - partitionBits);
}

/** The lowest id of a partition; of the one behind the last, above all ids. */
export function firstUuidOf(partition: number): Buffer {
  if (partition >= partitions) return Buffer.alloc(uuidBytes + 1, 255);
  const uuid = Buffer.alloc(uuidBytes);
  uuid[0] = partition << (8 - partitionBits);
  return uuid;
}

function runKey(partition: number, seq: number): Buffer {
  const key = Buffer.allocUnsafe(1 + seqBytes);
  key[0] = partition;
  key.writeUIntBE(seq, 1, seqBytes);
  return key;
}

/** The block at `place` of those that `blocksOf` gave. A view that the next read overwrites. */
export function viewBlock(runs: Table, { partition, seq }: RunId, blocks: Buffer, place: number): Buffer {
  const first = blocks.subarray(place * uuidBytes, (place + 1) * uuidBytes);
  const block = runs.get(Buffer.concat([runKey(partition, seq), first]));
  if (!block) throw damaged('a block of a run is missing');
  return block;
}

/** Reads a block into memory of its own. */
export function readBlock(runs: Table, run: RunId, blocks: Buffer, place: number): Block {
  return new Block(Buffer.from(viewBlock(runs, run, blocks, place)), run.seq);
}

export interface RunId {
  readonly partition: number;
  /** The last batch of its fold. */
  readonly seq: number;
}

/** Oldest first. */
export function runsOf(runs: Table, partition: number): readonly RunId[] {
  const list = runs.get(Buffer.of(partition));
  const found: RunId[] = [];
  for (let at = 0; list && at < list.length; at += seqBytes)
    found.push({ partition, seq: list.readUIntBE(at, seqBytes) });
  return found;
}

/** The first check of each block of a run, one uuid after the other. */
export function blocksOf(runs: Table, { partition, seq }: RunId): Buffer {
  return Buffer.from(runs.get(runKey(partition, seq)) ?? []);
}

/** Inside a transaction. All that the partition has. */
export function removeRuns(runs: Table, partition: number): void {
  for (const run of runsOf(runs, partition)) {
    const key = runKey(partition, run.seq);
    const blocks = blocksOf(runs, run);
    for (let at = 0; at < blocks.length; at += uuidBytes)
      runs.remove(Buffer.concat([key, blocks.subarray(at, at + uuidBytes)]));
    runs.remove(key);
  }
  runs.remove(Buffer.of(partition));
}

/** Writes one run: checks in the order of their ids. `flush` before the transaction ends. */
export class RunWriter {
  readonly #table: Table;
  readonly #seq: number;
  readonly #parts = new ByteWriter(2 * blockBytesMax);
  #uuids: Buffer[] = [];
  #starts: number[] = [];

  constructor(table: Table, seq: number) {
    this.#table = table;
    this.#seq = seq;
  }

  add(uuid: Buffer, part: RunPart): void {
    const first = this.#uuids[0];
    if (first && partitionOf(first) !== partitionOf(uuid)) this.flush();
    const indexBytes = (this.#uuids.length + 1) * indexEntryBytes + countBytes;
    if (this.#parts.length + partBytes(part) + indexBytes > blockBytesMax) this.flush();
    this.#uuids.push(uuid);
    this.#starts.push(this.#parts.length);
    writePart(this.#parts, part);
  }

  flush(): void {
    const first = this.#uuids[0];
    if (!first) return;
    const parts = this.#parts;
    parts.reserve(this.#uuids.length * indexEntryBytes + countBytes);
    for (const [at, uuid] of this.#uuids.entries()) {
      parts.raw(uuid);
      parts.u32(this.#starts[at] ?? 0);
    }
    parts.u32(this.#uuids.length);
    this.#putBlock(first, parts.view());
    this.#uuids = [];
    this.#starts = [];
    parts.clear();
  }

  #putBlock(first: Buffer, block: Buffer): void {
    const partition = partitionOf(first);
    const key = runKey(partition, this.#seq);
    const blocks = blocksOf(this.#table, { partition, seq: this.#seq });
    if (blocks.length === 0) {
      const others = this.#table.get(Buffer.of(partition)) ?? Buffer.alloc(0);
      this.#table.put(Buffer.of(partition), Buffer.concat([others, key.subarray(1)]));
    }
    this.#table.put(key, Buffer.concat([blocks, first]));
    this.#table.put(Buffer.concat([key, first]), block);
  }
}

function partBytes({ pings, durations, bodies }: RunPart): number {
  let size = 8 + pings.length + durations.length;
  for (const { bytes } of bodies) size += 10 + bytes.length;
  return size;
}

/** Flag in the length of the pings; the bits below it are the length. */
const hasDurations = 2 ** 31;
const hasBeenCounted = 2 ** 30;

function writePart(writer: ByteWriter, { pings, durations, isCounted, bodies }: RunPart): void {
  const flags = (durations.length > 0 ? hasDurations : 0) + (isCounted ? hasBeenCounted : 0);
  writer.reserve(8 + pings.length + durations.length);
  writer.u32(pings.length + flags);
  writer.raw(pings);
  if (durations.length > 0) {
    writer.u32(durations.length);
    writer.raw(durations);
  }
  for (const { n, bytes } of bodies) {
    writer.reserve(10 + bytes.length);
    writer.u48(n);
    writer.u32(bytes.length);
    writer.raw(bytes);
  }
}

/** Reads a block; its parts are views of `bytes`. */
export class Block {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #seq: number;
  readonly #indexAt: number;

  /** `seq`: of its run. */
  constructor(bytes: Buffer, seq: number) {
    this.#bytes = bytes;
    this.#seq = seq;
    this.count = bytes.length < countBytes ? 0 : bytes.readUInt32LE(bytes.length - countBytes);
    this.#indexAt = bytes.length - countBytes - this.count * indexEntryBytes;
    if (this.count === 0 || this.#indexAt < 0) throw damaged('a block of a run has no whole index');
  }

  /** The id of the check at `place` of the index, from 0 to below `count`. */
  uuidAt(place: number): Buffer {
    const at = this.#indexAt + place * indexEntryBytes;
    return this.#bytes.subarray(at, at + uuidBytes);
  }

  partAt(place: number): FoundPart {
    const bytes = this.#bytes;
    const start = this.#startAt(place) + 4;
    const end = place + 1 < this.count ? this.#startAt(place + 1) : this.#indexAt;
    if (start > end || end > this.#indexAt) throw damaged('a part of a run lies outside its block');
    const head = bytes.readUInt32LE(start - 4);
    const pingsEnd = start + (head % hasBeenCounted);
    const durationsStart = pingsEnd + (head >= hasDurations ? 4 : 0);
    if (durationsStart > end) throw damaged('a part of a run ends too early');
    const durationsEnd = durationsStart + (durationsStart > pingsEnd ? bytes.readUInt32LE(pingsEnd) : 0);
    if (durationsEnd > end) throw damaged('a part of a run ends too early');
    return {
      seq: this.#seq,
      pings: bytes.subarray(start, pingsEnd),
      durations: durationsEnd === pingsEnd ? noDurations : bytes.subarray(durationsStart, durationsEnd),
      isCounted: head % hasDurations >= hasBeenCounted,
      bodies: durationsEnd === end ? noBodies : readBodies(bytes.subarray(durationsEnd, end)),
    };
  }

  find(uuid: Buffer): FoundPart | null {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = this.#compare(middle, uuid);
      if (order === 0) return this.partAt(middle);
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  #compare(place: number, uuid: Buffer): number {
    const at = this.#indexAt + place * indexEntryBytes;
    return this.#bytes.compare(uuid, 0, uuidBytes, at, at + uuidBytes);
  }

  #startAt(place: number): number {
    return this.#bytes.readUInt32LE(this.#indexAt + place * indexEntryBytes + uuidBytes);
  }
}

const noBodies: readonly NumberedBody[] = [];
export const noDurations: Buffer = Buffer.alloc(0);

function readBodies(bytes: Buffer): readonly NumberedBody[] {
  const reader = new ByteReader(bytes);
  const bodies: NumberedBody[] = [];
  while (reader.left > 0) {
    const n = reader.u48();
    bodies.push({ n, bytes: reader.raw(reader.u32()) });
  }
  return bodies;
}
