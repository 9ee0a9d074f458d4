/**
 * Both ends of a job's output: it begins with what ran, and the end of a log is where the error is.
 * Invariant: it holds at most `bytesMax` bytes, however much is written.
 */
import { endsIn, writeEnds } from '../lib/both-ends.ts';

export class OutputTail {
  readonly #bytesMax: number;
  #buffer = Buffer.alloc(0);
  #total = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(part: Buffer): void {
    const needed = Math.min(this.#bytesMax, this.#total + part.length);
    if (needed > this.#buffer.length) {
      const grown = Buffer.alloc(Math.min(this.#bytesMax, Math.max(needed, 2 * this.#buffer.length)));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    writeEnds(this.#buffer, this.#total, part);
    this.#total += part.length;
  }

  /** The output, or both its ends in at most `bytesMax` bytes, cut between two characters; of less than 1 kB only the end. */
  bytes(bytesMax: number = this.#bytesMax): Buffer {
    const limit = Math.min(bytesMax, this.#bytesMax);
    if (this.#total <= limit) return this.#buffer.subarray(0, this.#total);
    const ends = endsIn(this.#buffer, this.#total, limit);
    return Buffer.from(ends.buffer, ends.byteOffset, ends.length);
  }
}
