/**
 * Time as an argument: what gives the time and what runs a callback later. Tests pass a simulated one. Not the real one
 * (`engine/clock`). Invariant: code that waits or dates something uses the clock that it was given.
 */
export interface Clock {
  /** Wall time, epoch milliseconds. May jump either way. */
  nowMs(): number;
  /** Runs `run` once, `delayMs` from now at the earliest. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}
