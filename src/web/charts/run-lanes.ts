/**
 * Runs as bars in lanes: two that were in flight at once are never in the same one.
 * Invariant: pure; each run has one lane, and lanes are used from the first on.
 */

/** Epoch milliseconds. */
export interface LanedRun {
  readonly startedMs: number;
  readonly endedMs: number;
}

/** The number of its lane for each run. `runs` in any order. */
export function lanesOf(runs: readonly LanedRun[]): readonly number[] {
  const inOrder = runs.map((run, at) => ({ ...run, at })).sort((a, b) => a.startedMs - b.startedMs);
  const freeFromMs: number[] = [];
  const lanes = new Array<number>(runs.length).fill(0);
  for (const { startedMs, endedMs, at } of inOrder) {
    const free = freeFromMs.findIndex((fromMs) => fromMs <= startedMs);
    const lane = free < 0 ? freeFromMs.length : free;
    freeFromMs[lane] = endedMs;
    lanes[at] = lane;
  }
  return lanes;
}
