/**
 * Runs as bars in rows: two that were in flight at once are never in the same one.
 * Invariant: pure; each run has one row, and rows are used from the first on.
 */

/** Epoch milliseconds. */
export interface DrawnRun {
  readonly startedMs: number;
  readonly endedMs: number;
}

/** The number of its row for each run. `runs` in any order. */
export function barRowsOf(runs: readonly DrawnRun[]): readonly number[] {
  const inOrder = runs.map((run, at) => ({ ...run, at })).sort((a, b) => a.startedMs - b.startedMs);
  const freeFromMs: number[] = [];
  const rows = new Array<number>(runs.length).fill(0);
  for (const { startedMs, endedMs, at } of inOrder) {
    const free = freeFromMs.findIndex((fromMs) => fromMs <= startedMs);
    const row = free < 0 ? freeFromMs.length : free;
    freeFromMs[row] = endedMs;
    rows[at] = row;
  }
  return rows;
}
