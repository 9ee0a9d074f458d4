/**
 * Rules of retention: pure, for the fold, the reads and the snapshots.
 */

/** The lowest n that is still listed, of a check that has had `nPings` pings. */
export function listedFrom(nPings: number, pingsMax: number): number {
  return Math.max(1, nPings - pingsMax + 1);
}

/** The lowest n that the rows of a check may hold: where a rule may keep failures longer, only the retention drops pings. */
export function storedFrom(
  nPings: number,
  { pingsMax, keepsFailures }: { readonly pingsMax: number; readonly keepsFailures: boolean },
): number {
  return keepsFailures ? 1 : listedFrom(nPings, pingsMax);
}

/**
 * Returns how many of `sizes` (oldest first) must go so that the rest is within the budget. The newest stays even when it alone
 * exceeds it: a job's last output is what its owner looks for.
 */
export function bodiesToDrop(sizes: readonly number[], budgetBytes: number): number {
  let kept = 0;
  for (let index = sizes.length - 1; index >= 0; index--) {
    kept += sizes[index] ?? 0;
    if (kept > budgetBytes && index < sizes.length - 1) return index + 1;
  }
  return 0;
}

/** Status changes before this instant may go: the API shows this month and the two before it (UTC). */
export function changesCutoffMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1);
}
