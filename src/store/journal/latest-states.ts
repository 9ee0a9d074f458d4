/**
 * Which records of the tail have the latest state of their check: at start those before them need not be decoded, and leave
 * nothing behind for the collector.
 * Invariant: records are numbered from 0 on, those of all kinds, in the order of the tail.
 */
import { UuidIndex } from '../../lib/uuid-index.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { BatchCursor } from './batch-cursor.ts';
import type { NumberedBatch } from './batch-log.ts';
import { recordTypes } from './records.ts';

export class LatestStates {
  /** Numbers of records. */
  readonly #byId = new UuidIndex();

  constructor(tail: readonly NumberedBatch[]) {
    const cursor = new BatchCursor();
    const id = new UuidWords();
    let number = 0;
    for (const { bytes } of tail) {
      cursor.open(bytes);
      for (; cursor.next(); number++)
        if (cursor.type <= recordTypes.check) this.#byId.set(id.read(bytes, cursor.start), number);
    }
  }

  /** Whether no later record than this one has a state of the check `id`. */
  has(number: number, id: UuidWords): boolean {
    return this.#byId.get(id) === number;
  }
}
