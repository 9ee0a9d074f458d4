/**
 * The time between status changes: when a check was watched, and when it was down. Hours and days are those of UTC, by their
 * numbers since 1970.
 *
 * Invariant: every instant counts once. A change that is dated before an earlier one, because the clock was set back, has no
 * time before it, and what follows begins where the latest ended.
 */
import { day, hour } from '../../lib/units.ts';
import type { Status } from './check.ts';
import type { StatusChange } from './flip.ts';

/** Time in which a check was watched, from and until whole milliseconds. */
export interface WatchedSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly isDown: boolean;
}

/** New and paused checks are not watched. */
export function isWatched(status: Status): boolean {
  return status !== 'new' && status !== 'paused';
}

/** The time in `status` from `fromMs` on; null for none. */
export function watchedSpan(status: Status, fromMs: number | null, untilMs: number): WatchedSpan | null {
  const until = Math.floor(untilMs);
  if (fromMs === null || until <= fromMs || !isWatched(status)) return null;
  return { fromMs, untilMs: until, isDown: status === 'down' };
}

/** Until when time is counted once `change` is; `countedMs`: until when it was before, null for never. */
export function countedUntil(change: StatusChange, countedMs: number | null): number {
  return Math.max(countedMs ?? 0, Math.floor(change.atMs));
}

/** The last day that has a number; what is dated later, or before 1970, counts on the last or the first. */
const lastDay = 2 ** 16 - 1;

export function dayOf(atMs: number): number {
  return Math.min(lastDay, Math.max(0, Math.floor(atMs / day)));
}

/** 0..23 */
export function hourOfDay(atMs: number): number {
  return Math.floor((((atMs % day) + day) % day) / hour);
}

/** The part of the span within [fromMs, untilMs), in milliseconds. */
export function overlapMs(span: WatchedSpan, fromMs: number, untilMs: number): number {
  return Math.max(0, Math.min(span.untilMs, untilMs) - Math.max(span.fromMs, fromMs));
}
