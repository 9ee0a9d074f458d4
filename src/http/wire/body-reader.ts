/**
 * Keeps request bodies while they are received and until they are answered: the beginning of each, of a ping's its end, too, and of all together no more
 * than a budget.
 * Invariant: bytes that were taken from the budget are given back exactly once, whatever becomes of the request.
 */

import { endsIn, writeEnds } from '../../lib/both-ends.ts';

const noBytes = new Uint8Array(0);

/** Memory for the bodies in flight of all HTTP listeners together. */
export class BodyBudget {
  readonly #bytesMax: number;
  #used = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get used(): number {
    return this.#used;
  }

  take(bytes: number): boolean {
    if (this.#used + bytes > this.#bytesMax) return false;
    this.#used += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}

/**
 * Gathers a body up to a limit; a longer one is reported as cut. It uses one buffer that doubles: a list of pieces
 * would cost a hundred times the length of a body that comes byte by byte.
 */
export class BodyReader {
  readonly #budget: BodyBudget;
  readonly #bytesMax: number;
  readonly #keepsEnd: boolean;
  #buffer: Uint8Array = noBytes;
  /** Bytes of the whole body, whether they were kept or not. */
  #total = 0;
  #isOpen = true;
  /** Whether the budget was used up, so that the request cannot be taken now. */
  overBudget = false;

  /** `keepsEnd`: of a longer body both ends are kept (`both-ends`), and not its first `bytesMax` bytes. */
  constructor(budget: BodyBudget, bytesMax: number, keepsEnd = false) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
    this.#keepsEnd = keepsEnd;
  }

  /** Whether the body was longer than its limit. */
  get cut(): boolean {
    return this.#total > this.#bytesMax;
  }

  /**
   * Copies what is kept of `chunk`. The memory of `chunk` belongs to the library, and is invalid after the call.
   */
  take(chunk: Uint8Array): void {
    const before = this.#total;
    this.#total += chunk.length;
    if (!this.#isOpen) return;
    if (!this.#grow(Math.min(this.#total, this.#bytesMax))) {
      this.overBudget = true;
      this.release();
      return;
    }
    if (this.#keepsEnd) writeEnds(this.#buffer, before, chunk);
    else if (before < this.#bytesMax) this.#buffer.set(chunk.subarray(0, this.#bytesMax - before), before);
  }

  /** Returns the body in memory of its own length. */
  body(): Uint8Array {
    if (!this.#isOpen) return noBytes;
    if (this.cut && this.#keepsEnd) return endsIn(this.#buffer, this.#total, this.#bytesMax);
    return this.#total >= this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#total);
  }

  /** Frees the memory, once the request is answered or its connection is gone. Later chunks are dropped. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#budget.giveBack(this.#buffer.length);
    this.#buffer = noBytes;
  }

  #grow(bytes: number): boolean {
    const capacity = this.#buffer.length;
    if (bytes <= capacity) return true;
    const grown = Math.min(Math.max(bytes, 2 * capacity), this.#bytesMax);
    if (!this.#budget.take(grown - capacity)) return false;
    const buffer = new Uint8Array(grown);
    buffer.set(this.#buffer);
    this.#buffer = buffer;
    return true;
  }
}
