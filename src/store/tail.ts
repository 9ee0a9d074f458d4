/**
 * The journal batches that the history does not hold yet, in memory as the bytes they were written as: cheap for the garbage
 * collector, read by stepping over records. Not for appending (`journal`).
 * Invariant: batches are in the order of their numbers, and every one of them is durable.
 */
import type { StatusChange } from '../domain/flip.ts';
import type { Ping } from '../domain/ping.ts';
import { BatchCursor, wordsOf } from './batch-cursor.ts';
import { readChange, readPing, skipPing } from './ping-codec.ts';
import { recordTypes } from './records.ts';

export interface TailBatch {
  readonly seq: number;
  readonly bytes: Buffer;
  readonly records: number;
}

/** What the tail says of one check; `deleted` when it ends with the check's deletion. */
export interface TailOf<Item> {
  readonly deleted: boolean;
  /** Oldest first. */
  readonly items: readonly Item[];
}

export class Tail {
  bytes = 0;
  records = 0;
  readonly #batches: TailBatch[] = [];
  readonly #cursor = new BatchCursor();
  readonly #open: () => Buffer | null;

  /** `open` gives the bytes of a batch that was acknowledged but has no number yet (`relaxed`). */
  constructor(open: () => Buffer | null) {
    this.#open = open;
  }

  get batches(): readonly TailBatch[] {
    return this.#batches;
  }

  push(batch: TailBatch): void {
    this.#batches.push(batch);
    this.bytes += batch.bytes.length;
    this.records += batch.records;
  }

  /** Forgets the batches up to `seq`: the history has them. */
  dropUntil(seq: number): void {
    let count = 0;
    for (const batch of this.#batches) {
      if (batch.seq > seq) break;
      this.bytes -= batch.bytes.length;
      this.records -= batch.records;
      count++;
    }
    this.#batches.splice(0, count);
  }

  /** The pings of a check in batches above `seq`. */
  pings(uuid: Buffer, seq: number): TailOf<Ping> {
    return this.#collect(uuid, seq, (cursor, items: Ping[]) => {
      if (cursor.type === recordTypes.ping) items.push(readPing(cursor.pastChanges(), 0));
    });
  }

  changes(uuid: Buffer, seq: number): TailOf<StatusChange> {
    return this.#collect(uuid, seq, (cursor, items: StatusChange[]) => {
      const reader = cursor.toChanges();
      for (let left = reader.u8(); left > 0; left--) items.push(readChange(reader));
    });
  }

  /** The body of ping `n`, if the ping is here. */
  body(uuid: Buffer, seq: number, n: number): TailOf<Buffer> {
    return this.#collect(uuid, seq, (cursor, items: Buffer[]) => {
      if (cursor.type !== recordTypes.ping) return;
      const reader = cursor.pastChanges();
      if (skipPing(reader) === n) items.push(Buffer.from(reader.raw(reader.left)));
    });
  }

  #collect<Item>(
    uuid: Buffer,
    seq: number,
    visit: (cursor: BatchCursor, items: Item[]) => void,
  ): TailOf<Item> {
    const words = wordsOf(uuid);
    const items: Item[] = [];
    let deleted = false;
    for (const bytes of this.#bytesAbove(seq)) {
      const cursor = this.#cursor.open(bytes);
      while (cursor.nextOf(words)) {
        if (cursor.type === recordTypes['check-deleted']) {
          deleted = true;
          items.length = 0;
        } else visit(cursor, items);
      }
    }
    return { deleted, items };
  }

  *#bytesAbove(seq: number): Generator<Buffer> {
    for (const batch of this.#batches) {
      if (batch.seq > seq) yield batch.bytes;
    }
    const open = this.#open();
    if (open) yield open;
  }
}
