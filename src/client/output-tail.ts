/**
 * The last bytes of a job's output: the end of a log is where the error is.
 * Invariant: it holds at most twice `bytesMax`, however much is written.
 */
export class OutputTail {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #length = 0;
  #isCut = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= 2 * this.#bytesMax) return;
    const kept = Buffer.concat(this.#parts).subarray(this.#length - this.#bytesMax);
    // A copy: a view would keep all of it in memory.
    this.#parts = [Buffer.from(kept)];
    this.#length = kept.length;
    this.#isCut = true;
  }

  /** At most `bytesMax` bytes, which begin with a whole character. */
  bytes(bytesMax: number = this.#bytesMax): Buffer {
    const whole = Buffer.concat(this.#parts);
    const limit = Math.min(bytesMax, this.#bytesMax);
    if (!this.#isCut && whole.length <= limit) return whole;
    const kept = limit === 0 ? Buffer.alloc(0) : whole.subarray(-limit);
    let start = 0;
    while (start < 3 && isContinuation(kept[start])) start++;
    return kept.subarray(start);
  }
}

/** A byte of UTF-8 that begins no character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
