/**
 * Which records of the tail have the latest state of their check: at start those before them need not be decoded, and leave
 * nothing behind for the collector. Found by the first word of the UUID.
 * Invariant: where two checks share that word, all their records count as the latest: none is passed over.
 */
import { BatchCursor } from '../codec/batch-cursor.ts';
import { recordTypes } from '../codec/records.ts';
import type { NumberedBatch } from './batch-log.ts';

interface Latest {
  bytes: Buffer;
  start: number;
}

export class LatestStates {
  readonly #byWord = new Map<number, Latest>();
  readonly #shared = new Set<number>();

  constructor(tail: readonly NumberedBatch[]) {
    const cursor = new BatchCursor();
    for (const { bytes } of tail) {
      cursor.open(bytes);
      while (cursor.next()) if (cursor.type <= recordTypes.check) this.#note(cursor);
    }
  }

  /** Whether the record, a ping's, a state's or a check's, is to be decoded. */
  has(cursor: BatchCursor): boolean {
    const word = cursor.checkWord();
    const latest = this.#byWord.get(word);
    if (latest === undefined || this.#shared.has(word)) return true;
    return latest.bytes === cursor.bytes && latest.start === cursor.start;
  }

  #note(cursor: BatchCursor): void {
    const { bytes, start } = cursor;
    const word = cursor.checkWord();
    const known = this.#byWord.get(word);
    if (known === undefined) {
      this.#byWord.set(word, { bytes, start });
      return;
    }
    if (known.bytes.compare(bytes, start, start + 16, known.start, known.start + 16) !== 0)
      this.#shared.add(word);
    known.bytes = bytes;
    known.start = start;
  }
}
