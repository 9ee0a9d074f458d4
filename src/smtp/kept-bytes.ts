/**
 * What is kept of mails while they come in: of each its beginning, of all together no more than a budget.
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

/** Gathers one mail up to a limit; what comes after it is counted and dropped. */
export class KeptBytes {
  readonly #budget: MailBudget;
  readonly #bytesMax: number;
  #parts: Uint8Array[] = [];
  #kept = 0;
  #isOpen = true;
  /** Of the whole message, kept or not. */
  total = 0;
  /** The budget was used up: the mail cannot be taken now. */
  noRoom = false;

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
    if (wanted === 0 || this.noRoom || !this.#isOpen) return;
    if (!this.#budget.take(wanted)) {
      this.noRoom = true;
      return;
    }
    this.#parts.push(wanted === chunk.length ? chunk : chunk.subarray(0, wanted));
    this.#kept += wanted;
  }

  bytes(): Uint8Array {
    const [only, another] = this.#parts;
    if (another === undefined) return only ?? noBytes;
    return Buffer.concat(this.#parts, this.#kept);
  }

  /** The mail is done with, one way or the other. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#budget.giveBack(this.#kept);
    this.#parts = [];
  }
}
