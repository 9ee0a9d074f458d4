/**
 * The stretches of time for which the page shows statistics: the ranges of its charts and their buckets, whole months, ranges for
 * an uptime. Statistics are kept by the hour, so every range ends with the hour that is in flight.
 * Invariant: edges ascend, and none is after the end of that hour but the last.
 */

import { day, hour } from '../../lib/units.ts';
import { dateOf, wallOf } from '../../schedule/civil-time.ts';
import { zoneClock } from '../../schedule/schedule.ts';
import type { Uptime } from './run-statistics.ts';

export const chartRanges = ['24h', '7d', '30d', '90d', '365d'] as const;
export type ChartRange = (typeof chartRanges)[number];

export function isChartRange(text: string): text is ChartRange {
  return (chartRanges as readonly string[]).includes(text);
}

const lengthMs: Readonly<Record<ChartRange, number>> = {
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
  '365d': 365 * day,
};

/** Hours of the zone's clock in a bucket of a chart; buckets of an hour are the same everywhere. */
const bucketHours: Readonly<Record<ChartRange, number>> = {
  '24h': 1,
  '7d': 1,
  '30d': 6,
  '90d': 24,
  '365d': 24,
};

/** The range of an uptime; `untilMs` exclusive. */
export function uptimeRange(range: ChartRange, nowMs: number): TimeRange {
  const untilMs = endOfHour(nowMs);
  return { fromMs: untilMs - lengthMs[range], untilMs };
}

/** Exclusive end, epoch milliseconds. */
export interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A check whose first watched instant in a range is looked for. `createdAtMs`: nothing is before it. */
export interface WatchAsk {
  readonly range: TimeRange;
  readonly createdAtMs: number;
  readonly nowMs: number;
}

/**
 * Returns since when a check has been watched in a range (epoch milliseconds); null if that is since its beginning, but for an hour,
 * or not at all. Exact, but where the check was paused on its first day: then by that much too late.
 */
export function watchedSince(
  uptimesOf: (ranges: readonly TimeRange[]) => readonly Uptime[],
  asked: WatchAsk,
): number | null {
  const days = watchedDays(asked);
  return firstWatched(days, uptimesOf(days), asked);
}

/** The days of which `firstWatched` has to know the uptime. Statistics are kept by hours and days of UTC: each is one read. */
export function watchedDays({ range, createdAtMs, nowMs }: WatchAsk): readonly TimeRange[] {
  const endMs = Math.min(range.untilMs, nowMs);
  const days: TimeRange[] = [];
  for (
    let startMs = Math.floor(Math.max(range.fromMs, createdAtMs) / day) * day;
    startMs < endMs;
    startMs += day
  )
    days.push({ fromMs: Math.max(startMs, range.fromMs), untilMs: startMs + day });
  return days;
}

/** As `watchedSince`, for those who have read the days with something else. */
export function firstWatched(
  days: readonly TimeRange[],
  uptimes: readonly Uptime[],
  { range, createdAtMs, nowMs }: WatchAsk,
): number | null {
  const at = uptimes.findIndex(({ watchedMs }) => watchedMs > 0);
  const first = days[at];
  if (!first) return null;
  const endMs = Math.min(first.untilMs, range.untilMs, nowMs);
  const sinceMs = Math.max(range.fromMs, createdAtMs, endMs - (uptimes[at]?.watchedMs ?? 0));
  return sinceMs > range.fromMs + hour ? sinceMs : null;
}

export function endOfHour(nowMs: number): number {
  return (Math.floor(nowMs / hour) + 1) * hour;
}

/**
 * Between each of them and the next is one bucket of the chart, by the clock of a listed time zone; the last one has in it
 * the hour that is in flight, also where midnight is within that hour. They are counted back from it: from an instant so many
 * times 24 hours ago, a day is missed once the clock was set back since.
 */
export function bucketEdges(range: ChartRange, tz: string, nowMs: number): readonly number[] {
  const bucketMs = bucketHours[range] * hour;
  const buckets = lengthMs[range] / bucketMs;
  if (bucketMs === hour) {
    const { fromMs } = uptimeRange(range, nowMs);
    return Array.from({ length: buckets + 1 }, (_, index) => fromMs + index * hour);
  }
  const nowWall = nowMs + zoneClock(tz).spanAt(nowMs).offsetMs;
  const lastWall = (Math.floor(nowWall / bucketMs) + 1) * bucketMs;
  const walls = Array.from({ length: buckets + 1 }, (_, index) => lastWall - (buckets - index) * bucketMs);
  const edges = walls.map((wall) => instantOf(wall, tz));
  return ascending([...edges.slice(0, -1), Math.max(edges.at(-1) ?? 0, endOfHour(nowMs))]);
}

/** The beginnings of the last `count` months of the zone, oldest first, and of the next one. */
export function monthEdges(count: number, tz: string, nowMs: number): readonly number[] {
  const { year, month } = dateOf(nowMs + zoneClock(tz).spanAt(nowMs).offsetMs);
  return Array.from({ length: count + 1 }, (_, index) => {
    const months = year * 12 + month - 1 + index + 1 - count;
    return instantOf(wallOf(Math.floor(months / 12), (months % 12) + 1, 1), tz);
  });
}

/** When the clock of the zone shows that; where it is set forward over it, within the hour. */
export function instantOf(wall: number, tz: string): number {
  const clock = zoneClock(tz);
  const nearMs = wall - clock.spanAt(wall).offsetMs;
  return wall - clock.spanAt(nearMs).offsetMs;
}

/** Drops repeated edges: if a zone skips a whole day, as Samoa did in 2011, two readings come to one instant. */
function ascending(edges: readonly number[]): readonly number[] {
  return edges.filter((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0));
}
