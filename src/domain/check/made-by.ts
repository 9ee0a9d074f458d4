/**
 * Which ping made a status change: pings are counted in whole milliseconds, and several may have come in the same one.
 * Invariant: pure. `pingsUntil` has no ping that came behind the one that made the change.
 */
import type { Cause, StatusChange } from './flip.ts';
import type { Ping, Signal } from './ping.ts';

/** The signals of pings that make a change with that cause; none for what no ping makes. */
const madeBy: Readonly<Partial<Record<Cause, readonly Signal[]>>> = {
  success: ['success'],
  fail: ['fail'],
  start: ['start'],
  overlap: ['start'],
  warn: ['warn', 'start'],
};

/**
 * Returns those of `pings`, which are the newest first, that a change can be about: from the one that made it, or the last before it
 * where no ping did.
 */
export function pingsUntil(
  pings: readonly Ping[],
  { atMs, cause }: Pick<StatusChange, 'atMs' | 'cause'>,
): readonly Ping[] {
  const until = pings.filter((ping) => ping.atMs <= atMs);
  const made = madeBy[cause] ?? [];
  const first = until.findLastIndex((ping) => ping.atMs === atMs && made.includes(ping.signal));
  return first > 0 ? until.slice(first) : until;
}
