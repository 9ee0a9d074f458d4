/**
 * Time as an argument: what gives the time and what runs a callback later. The one file that reads the real clock; tests
 * pass a simulated one.
 * Invariant: code that waits or dates something uses the clock that it was given.
 */
export interface Clock {
  /** Wall time, epoch milliseconds. May jump either way. */
  nowMs(): number;
  /** Milliseconds since some instant; never jumps, and does not count the time for which the machine was suspended. */
  elapsedMs(): number;
  /** Runs `run` once, `delayMs` from now at the earliest. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
