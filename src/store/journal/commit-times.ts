/**
 * The median time of recent commits. Holds no clock. Invariant: says 0 until there are enough commits to judge by.
 */
const samples = 15;

export class CommitTimes {
  /** Milliseconds. */
  medianMs = 0;
  readonly #recent: number[] = [];
  #next = 0;

  add(tookMs: number): void {
    this.#recent[this.#next] = tookMs;
    this.#next = (this.#next + 1) % samples;
    if (this.#recent.length < samples) return;
    this.medianMs = [...this.#recent].sort((a, b) => a - b)[samples >> 1] ?? 0;
  }
}
