/**
 * When work of the store runs: at the end of this turn of the event loop, or later. An argument, so that tests run it on a
 * simulated clock. Invariant: `elapsedMs` never goes back, whatever the wall clock does.
 */
export interface Scheduler {
  /** Milliseconds since some instant; for measuring, not for dating. */
  elapsedMs(): number;
  /** Runs `run` when this turn of the event loop is over. Returns what cancels it. */
  soon(run: () => void): () => void;
  after(delayMs: number, run: () => void): () => void;
}

export const eventLoop: Scheduler = {
  elapsedMs: () => performance.now(),
  soon(run) {
    const handle = setImmediate(run);
    return () => clearImmediate(handle);
  },
  after(delayMs, run) {
    const handle = setTimeout(run, delayMs);
    return () => clearTimeout(handle);
  },
};
