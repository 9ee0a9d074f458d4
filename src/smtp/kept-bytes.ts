/**
 * Keeps mails while they come in: of each its beginning, of all together no more than a budget.
 * Invariant: bytes that were taken from the budget are given back exactly once, whatever becomes of the mail.
 */

const noBytes = new Uint8Array(0);

/** Memory for mails in flight, all together. */
export class MailBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/**
 * Gathers one mail up to a limit; what comes after it is counted and dropped. In one buffer that doubles, since a mail
 * that comes byte by byte would cost a hundred times its length as a list of its pieces.
 */
export class KeptBytes {
  readonly #budget: MailBudget;
  readonly #bytesMax: number;
  #buffer: Uint8Array = noBytes;
  #kept = 0;
  #isOpen = true;
  /** Bytes of the whole message, kept or not. */
  total = 0;
  /** The budget was used up: the mail cannot be taken now. */
  overBudget = false;

  constructor(budget: MailBudget, bytesMax: number) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
  }

  get cut(): boolean {
    return this.total > this.#kept;
  }

  add(chunk: Uint8Array): void {
    this.total += chunk.length;
    const wanted = Math.min(chunk.length, this.#bytesMax - this.#kept);
    if (wanted === 0 || this.overBudget || !this.#isOpen) return;
    const piece = wanted === chunk.length ? chunk : chunk.subarray(0, wanted);
    if (!this.#hold(piece)) this.overBudget = true;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#kept);
  }

  /** The mail is done with, one way or the other. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#budget.giveBack(this.#buffer.length);
    this.#buffer = noBytes;
    this.#kept = 0;
  }

  #hold(piece: Uint8Array): boolean {
    const needed = this.#kept + piece.length;
    if (needed > this.#buffer.length) {
      const size = Math.min(this.#bytesMax, Math.max(needed, 2 * this.#buffer.length));
      if (!this.#budget.take(size - this.#buffer.length)) return false;
      // Nearly every mail is one piece: that one is kept as it came, uncopied.
      this.#buffer = this.#kept === 0 ? piece : grown(this.bytes(), size);
    }
    if (this.#kept > 0) this.#buffer.set(piece, this.#kept);
    this.#kept = needed;
    return true;
  }
}

function grown(bytes: Uint8Array, size: number): Uint8Array {
  const buffer = Buffer.allocUnsafeSlow(size);
  buffer.set(bytes);
  return buffer;
}
