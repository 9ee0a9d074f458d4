/**
 * Keeps mails while they come in: both ends of each mail, and no more than a budget of all mails together.
 * Invariant: bytes that were taken from the budget are given back exactly once, whatever becomes of the mail.
 */

import { endsIn, writeEnds } from '../lib/both-ends.ts';

const noBytes = new Uint8Array(0);

/** The memory that all mails in flight share. */
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
 * Gathers one mail up to a limit; of a longer one both ends are kept, and the line between them counts what is left out. The bytes are in one buffer that doubles: as a list
 * of pieces, a mail that comes byte by byte would take a hundred times its length.
 */
export class KeptBytes {
  readonly #budget: MailBudget;
  readonly #bytesMax: number;
  #buffer: Uint8Array = noBytes;
  #kept = 0;
  #isOpen = true;
  /** Bytes of the whole message, whether they were kept or not. */
  total = 0;
  /** Whether the budget was used up: then the mail cannot be taken now. */
  overBudget = false;

  constructor(budget: MailBudget, bytesMax: number) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
  }

  get cut(): boolean {
    return this.total > this.#kept;
  }

  add(chunk: Uint8Array): void {
    const before = this.total;
    this.total += chunk.length;
    if (chunk.length === 0 || this.overBudget || !this.#isOpen) return;
    const wanted = Math.min(chunk.length, this.#bytesMax - this.#kept);
    const piece = wanted === chunk.length ? chunk : chunk.subarray(0, wanted);
    if (wanted > 0 && !this.#hold(piece)) this.overBudget = true;
    else if (wanted < chunk.length) writeEnds(this.#buffer, before + wanted, chunk.subarray(wanted));
  }

  bytes(): Uint8Array {
    return this.cut && this.#kept === this.#bytesMax
      ? endsIn(this.#buffer, this.total, this.#bytesMax)
      : this.#buffer.subarray(0, this.#kept);
  }

  /** Gives the bytes back to the budget, once the mail was answered or its connection has gone. */
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
      // Nearly every mail comes as one piece, which is kept without a copy.
      this.#buffer = this.#kept === 0 ? piece : grown(this.#buffer.subarray(0, this.#kept), size);
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
