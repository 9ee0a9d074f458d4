/**
 * Which ping made a status change: pings are counted in whole milliseconds, and several may have come in the same one.
 * Invariant: pure. `pingsUntil` has no ping that came behind the one that made the change.
 */
import type { Cause, StatusChange } from './flip.ts';
import type { Ping } from './ping.ts';

/** Whether a ping makes changes with that cause. No ping makes those of other causes. A start that overlaps nothing warns of nothing. */
const makes: Readonly<Partial<Record<Cause, (ping: Ping) => boolean>>> = {
  success: ({ signal }) => signal === 'success',
  fail: ({ signal }) => signal === 'fail',
  start: ({ signal }) => signal === 'start',
  overlap: isOverlap,
  warn: (ping) => ping.signal === 'warn' || isOverlap(ping),
};

function isOverlap({ signal, note }: Ping): boolean {
  return signal === 'start' && note === 'overlap';
}

/**
 * Returns those of `pings`, which are the newest first, that a change can be about: from the one that made it, or the last before it
 * where no ping did.
 */
export function pingsUntil(
  pings: readonly Ping[],
  { atMs, cause }: Pick<StatusChange, 'atMs' | 'cause'>,
): readonly Ping[] {
  const until = pings.filter((ping) => ping.atMs <= atMs);
  const first = until.findLastIndex((ping) => ping.atMs === atMs && makes[cause]?.(ping));
  return first > 0 ? until.slice(first) : until;
}
