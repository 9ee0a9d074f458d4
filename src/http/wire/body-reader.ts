/**
 * Keeps request bodies while they are received and until they are answered: the beginning of each, and of all together no more
 * than a budget.
 * Invariant: bytes that were taken from the budget are given back exactly once, whatever becomes of the request.
 */

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
 * Gathers a body up to a limit; the rest is dropped, and reported as dropped. It uses one buffer that doubles: a list of pieces
 * would cost a hundred times the length of a body that comes byte by byte.
 */
export class BodyReader {
  readonly #budget: BodyBudget;
  readonly #bytesMax: number;
  #buffer: Uint8Array = noBytes;
  #kept = 0;
  #isOpen = true;
  cut = false;
  /** Whether the budget was used up, so that the request cannot be taken now. */
  overBudget = false;

  constructor(budget: BodyBudget, bytesMax: number) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
  }

  /**
   * Copies the part of `chunk` that still fits. The memory of `chunk` belongs to the library, and is invalid after the call.
   */
  take(chunk: Uint8Array): void {
    const left = this.#bytesMax - this.#kept;
    if (chunk.length > left) this.cut = true;
    const wanted = Math.min(left, chunk.length);
    if (wanted === 0 || !this.#isOpen) return;
    if (!this.#grow(this.#kept + wanted)) {
      this.overBudget = true;
      this.release();
      return;
    }
    this.#buffer.set(wanted === chunk.length ? chunk : chunk.subarray(0, wanted), this.#kept);
    this.#kept += wanted;
  }

  /** Returns the body in memory of its own length. */
  body(): Uint8Array {
    return this.#kept === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#kept);
  }

  /** Frees the memory, once the request is answered or its connection is gone. Later chunks are dropped. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#budget.giveBack(this.#buffer.length);
    this.#buffer = noBytes;
    this.#kept = 0;
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
