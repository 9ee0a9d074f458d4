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
  /** Runs `run` once, `delayMs` from now at the earliest; 0 or less: once the event loop has looked for input. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, run) {
    // A timer of 0 ms may run again and again in one turn of the event loop, if what it runs takes a millisecond.
    if (delayMs <= 0) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
