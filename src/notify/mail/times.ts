/**
 * Instants and spans as an alert mail writes them: short, by the 24-hour clock of the recipient's zone.
 * Invariant: pure; in a zone that this machine does not know, times are in UTC and say so.
 */
import { shortSpan } from '../../domain/words/span-words.ts';
import { zonedParts } from '../../domain/words/zoned-parts.ts';
import { second } from '../../lib/units.ts';

/** An instant as it is written in `zone`. */
interface Written {
  /** `Wed 18 Nov 2026`. */
  readonly date: string;
  /** `02:17:14`. */
  readonly time: string;
}

function written(atMs: number, zone: string): Written {
  const {
    weekday,
    day: dayOfMonth,
    month,
    year,
    hour: h,
    minute: m,
    second: s,
    suffix,
  } = zonedParts(atMs, zone);
  return { date: `${weekday} ${dayOfMonth} ${month} ${year}`, time: `${h}:${m}:${s}${suffix}` };
}

/** `Wed 18 Nov 2026`. */
export function dayText(atMs: number, zone: string): string {
  return written(atMs, zone).date;
}

/** `Wed 18 Nov 2026, 02:17:14`. */
export function fullTime(atMs: number, zone: string): string {
  const { date, time } = written(atMs, zone);
  return `${date}, ${time}`;
}

/** `02:17:14` of the same day as `nowMs`, else with its date; the year only when it is another one. */
export function shortTime(atMs: number, nowMs: number, zone: string): string {
  const { date, time } = written(atMs, zone);
  const now = written(nowMs, zone);
  if (date === now.date) return time;
  const year = now.date.slice(-5);
  return `${date.endsWith(year) ? date.slice(0, -5) : date}, ${time}`;
}

/** `2 min 14 s ago`, `in 5 min`, `just now`. */
export function relativeText(atMs: number, nowMs: number): string {
  const apart = Math.abs(nowMs - atMs);
  if (apart < second) return 'just now';
  return atMs > nowMs ? `in ${shortSpan(apart)}` : `${shortSpan(apart)} ago`;
}
