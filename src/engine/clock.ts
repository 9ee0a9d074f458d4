/**
 * Time as an argument: what tells the hour and what wakes one up. Tests hand in a simulated one.
 */
export interface Clock {
  /** Wall time, epoch milliseconds. May jump either way. */
  nowMs(): number;
  /** Runs `run` once, `delayMs` from now at the earliest. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
