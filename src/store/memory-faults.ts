/**
 * Faults of a memory store's disk, for tests: it can be full, and it can be slow to answer.
 * Invariant: nothing happens by itself; every commit succeeds, fails or waits as the test said.
 */
export class MemoryFaults {
  #failing = 0;
  #isHeld = false;
  #listener: () => void = () => {};

  /** The next `count` commits fail for want of space. */
  fail(count: number): void {
    this.#failing = count;
  }

  /** There is space again; the store notices at once, as the real one does within a second. */
  heal(): void {
    this.#failing = 0;
    this.#listener();
  }

  /** Commits wait until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#listener();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  get isFailing(): boolean {
    return this.#failing > 0;
  }

  /** For the store: whether this commit fails. */
  takeFailure(): boolean {
    if (this.#failing === 0) return false;
    this.#failing--;
    return true;
  }

  /** For the store: what to call when a fault ends. */
  listen(listener: () => void): void {
    this.#listener = listener;
  }
}
