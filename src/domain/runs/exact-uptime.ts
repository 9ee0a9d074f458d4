/**
 * The uptime of a check in a time that begins within an hour, from its status changes: kept sums are of whole hours.
 * Invariant: pure; with the kept sums it differs by nothing but where it begins and ends.
 */
import type { Status } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import { countedUntil, overlapMs, watchedSpan } from '../check/status-time.ts';
import { type Uptime, uptimeOf } from './run-statistics.ts';
import type { TimeRange } from './time-ranges.ts';

/** `changes`: all in the range, newest first. `status`: at the end of the range. */
export function exactUptime(
  changes: readonly StatusChange[],
  status: Status,
  { fromMs, untilMs }: TimeRange,
): Uptime {
  const sum = { downMs: 0, watchedMs: 0, outages: 0 };
  let countedMs = fromMs;
  const add = (current: Status, endMs: number): void => {
    const span = watchedSpan(current, countedMs, endMs);
    const ms = span ? overlapMs(span, fromMs, untilMs) : 0;
    sum.watchedMs += ms;
    if (span?.isDown) sum.downMs += ms;
  };
  for (const change of changes.toReversed()) {
    add(change.from, change.atMs);
    countedMs = countedUntil(change, countedMs);
    if (change.to === 'down') sum.outages++;
  }
  add(changes[0]?.to ?? status, untilMs);
  return uptimeOf(sum);
}
