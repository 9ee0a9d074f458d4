/**
 * Outages out of status changes: from the change that took a check down to the one that ended it. Pure.
 * Invariant: those of several checks, joined, never overlap.
 */
import type { StatusChange } from './flip.ts';

export interface Outage {
  readonly fromMs: number;
  /** Null while it goes on. */
  readonly untilMs: number | null;
  /** It had not ended then: maintenance began, and what was down in it is left out. */
  readonly isCut?: boolean;
}

/**
 * Returns the outages of one check. `changes`: oldest first; `isDown`: now. An outage whose beginning is not among the changes
 * begins at `sinceMs`, or is left out if that is null.
 */
export function outagesOf(
  changes: readonly StatusChange[],
  { isDown, sinceMs }: { readonly isDown: boolean; readonly sinceMs: number | null },
): readonly Outage[] {
  const found: Outage[] = [];
  let fromMs: number | null = null;
  for (const { from, to, atMs } of changes) {
    if (from === 'down' && to !== 'down') {
      const beganMs = fromMs ?? sinceMs;
      if (beganMs !== null) found.push({ fromMs: beganMs, untilMs: atMs });
      fromMs = null;
    } else if (to === 'down') fromMs = atMs;
  }
  const beganMs = fromMs ?? sinceMs;
  if (isDown && beganMs !== null) found.push({ fromMs: beganMs, untilMs: null });
  return found;
}

/** Joins the outages of checks that people see as one: it is down while any of them is. Oldest first. */
export function joinedOutages(outages: readonly Outage[]): readonly Outage[] {
  const joined: Outage[] = [];
  for (const next of [...outages].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (!last || (last.untilMs !== null && next.fromMs > last.untilMs)) {
      joined.push(next);
      continue;
    }
    const later = endMs(next) > endMs(last) ? next : last;
    joined[joined.length - 1] = { ...later, fromMs: last.fromMs };
  }
  return joined;
}

function endMs({ untilMs }: Outage): number {
  return untilMs ?? Number.POSITIVE_INFINITY;
}
