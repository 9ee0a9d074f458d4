/**
 * Time as an argument: what tells the hour and what wakes one up. Tests hand in a simulated one. Not the real one
 * (`engine/clock`). Invariant: whoever waits or dates anything does it by the clock it was given.
 */
export interface Clock {
  /** Wall time, epoch milliseconds. May jump either way. */
  nowMs(): number;
  /** Runs `run` once, `delayMs` from now at the earliest. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}
