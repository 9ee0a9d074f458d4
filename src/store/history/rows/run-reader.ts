/**
 * Finds what the runs hold of a check. Not for writing them (`runs`).
 * Invariant: a reader sees the runs that a partition had when it came to it: it is not kept over a compaction.
 *
 * `RunReader` is for many checks in the order of their ids: it reads each block once. `partsOfOne` is for a single check: two
 * reads a run, 3 to 4 µs, and none of it kept.
 */
import { uuidBytes } from '../../codec/uuid.ts';
import type { Table } from '../../disk/lmdb-env.ts';
import {
  Block,
  blocksOf,
  type FoundPart,
  partitionOf,
  partitions,
  type RunId,
  readBlock,
  runsOf,
  viewBlock,
} from './runs.ts';

export class RunReader {
  readonly #table: Table;
  #partition = -1;
  #runs: readonly Run[] = [];

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the part of each run that is about the check, oldest first. */
  partsOf(uuid: Buffer): readonly FoundPart[] {
    const partition = partitionOf(uuid);
    if (partition !== this.#partition) {
      this.#runs = runsOf(this.#table, partition).map((id) => new Run(this.#table, id));
      this.#partition = partition;
    }
    const parts: FoundPart[] = [];
    for (const run of this.#runs) {
      const part = run.partOf(uuid);
      if (part) parts.push(part);
    }
    return parts;
  }
}

/** The same for one check. */
export function partsOfOne(table: Table, uuid: Buffer): readonly FoundPart[] {
  const parts: FoundPart[] = [];
  for (const run of runsOf(table, partitionOf(uuid))) {
    const blocks = blocksOf(table, run);
    const place = placeOf(blocks, uuid);
    const part = place < 0 ? null : new Block(viewBlock(table, run, blocks, place), run.seq).find(uuid);
    if (part) parts.push(copyOf(part));
  }
  return parts;
}

/**
 * Visits the parts of one check, newest first, while `visit` does not return false. Each is a view that the next read overwrites:
 * a check that prints much has megabytes of them, of which mostly the newest are wanted.
 */
export function visitPartsOfOne(table: Table, uuid: Buffer, visit: (part: FoundPart) => unknown): void {
  for (const run of runsOf(table, partitionOf(uuid)).toReversed()) {
    const blocks = blocksOf(table, run);
    const place = placeOf(blocks, uuid);
    const part = place < 0 ? null : new Block(viewBlock(table, run, blocks, place), run.seq).find(uuid);
    if (part && visit(part) === false) return;
  }
}

function copyOf({ seq, pings, durations, isCounted, bodies }: FoundPart): FoundPart {
  return {
    seq,
    pings: Buffer.from(pings),
    durations: Buffer.from(durations),
    isCounted,
    bodies: bodies.map(({ n, bytes }) => ({ n, bytes: Buffer.from(bytes) })),
  };
}

/** Throws a KnellError `store-broken` for a block that is missing or damaged. */
export function readEveryRun(table: Table): void {
  for (let partition = 0; partition < partitions; partition++) {
    for (const run of runsOf(table, partition)) {
      const blocks = blocksOf(table, run);
      for (let at = 0; at < blocks.length / uuidBytes; at++) {
        const block = readBlock(table, run, blocks, at);
        for (let place = 0; place < block.count; place++) block.partAt(place);
      }
    }
  }
}

class Run {
  readonly #table: Table;
  readonly #id: RunId;
  readonly #blocks: Buffer;
  /** Which of the blocks is open; -1: none. */
  #place = -1;
  #block: Block | null = null;

  constructor(table: Table, id: RunId) {
    this.#table = table;
    this.#id = id;
    this.#blocks = blocksOf(table, id);
  }

  partOf(uuid: Buffer): FoundPart | null {
    const place = placeOf(this.#blocks, uuid);
    if (place < 0) return null;
    if (place !== this.#place || !this.#block) {
      this.#block = readBlock(this.#table, this.#id, this.#blocks, place);
      this.#place = place;
    }
    return this.#block.find(uuid);
  }
}

/** Returns the place of the last block that begins at `uuid` or before; -1: none does. */
function placeOf(blocks: Buffer, uuid: Buffer): number {
  let low = 0;
  let high = blocks.length / uuidBytes;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = middle * uuidBytes;
    if (blocks.compare(uuid, 0, uuidBytes, at, at + uuidBytes) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
