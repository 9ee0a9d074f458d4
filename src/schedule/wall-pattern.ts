/**
 * The search both notations share: the next local reading that matches a pattern of fields.
 * It knows no zone: readings that a clock skips or repeats are sorted out in occurrence.ts.
 * Invariant: the cost is bounded by the months searched, never by days, minutes or seconds.
 */
import { day as dayMs, hour as hourMs, minute as minuteMs, second as secondMs } from '../lib/units.ts';
import { dateOf, daysInMonth, wallOf, weekdayOf } from './civil-time.ts';
import { lowestBit, type NumberSet } from './number-set.ts';

/** One month of the calendar, as much of it as choosing days needs. firstWeekday: of the 1st, 0 = Sunday. */
export interface Month {
  readonly year: number;
  readonly month: number;
  readonly days: number;
  readonly firstWeekday: number;
}

/** The local readings that match: all five of month, day, hour, minute, second, and the year. */
export interface WallPattern {
  /** The first matching year ≥ year, or null when none is left. */
  yearAtOrAfter(year: number): number | null;
  readonly months: NumberSet;
  /** The matching days as bits: bit d-1 for day d; bits past the month's end must be 0. */
  daysOf(month: Month): number;
  readonly hours: NumberSet;
  readonly minutes: NumberSet;
  readonly seconds: NumberSet;
}

/**
 * The first matching reading ≥ fromWallMs (a wall number, any milliseconds), or null when there is none up to the
 * end of yearLast.
 */
export function nextWall(pattern: WallPattern, fromWallMs: number, yearLast: number): number | null {
  const from = Math.ceil(fromWallMs / secondMs) * secondMs;
  const dayStart = Math.floor(from / dayMs) * dayMs;
  const { year, month, day } = dateOf(dayStart);
  if (year <= yearLast && matchesDay(pattern, year, month, day)) {
    const time = nextTimeOfDay(pattern, from - dayStart);
    if (time !== null) return dayStart + time;
  }
  const nextDay = nextMatchingDay(pattern, dayStart + dayMs, yearLast);
  // Every pattern has at least one time of day, so a matching day has an occurrence.
  return nextDay === null ? null : nextDay + firstTimeOfDay(pattern);
}

function matchesDay(pattern: WallPattern, year: number, month: number, day: number): boolean {
  if (pattern.yearAtOrAfter(year) !== year || !pattern.months.has(month)) return false;
  return (pattern.daysOf(monthOf(year, month)) & (1 << (day - 1))) !== 0;
}

/** The first matching time of day ≥ fromMs (ms since midnight, whole seconds), or null. */
function nextTimeOfDay(pattern: WallPattern, fromMs: number): number | null {
  const hour = Math.floor(fromMs / hourMs);
  const minute = Math.floor((fromMs % hourMs) / minuteMs);
  const second = (fromMs % minuteMs) / secondMs;
  const { hours, minutes, seconds } = pattern;
  if (hours.has(hour)) {
    const sameMinute = minutes.has(minute) ? seconds.atOrAfter(second) : -1;
    if (sameMinute >= 0) return timeMs(hour, minute, sameMinute);
    const laterMinute = minutes.atOrAfter(minute + 1);
    if (laterMinute >= 0) return timeMs(hour, laterMinute, seconds.first);
  }
  const laterHour = hours.atOrAfter(hour + 1);
  return laterHour < 0 ? null : timeMs(laterHour, minutes.first, seconds.first);
}

function firstTimeOfDay(pattern: WallPattern): number {
  return timeMs(pattern.hours.first, pattern.minutes.first, pattern.seconds.first);
}

function timeMs(hour: number, minute: number, second: number): number {
  return hour * hourMs + minute * minuteMs + second * secondMs;
}

/** Midnight of the first matching day ≥ dayStartMs, or null when there is none up to the end of yearLast. */
function nextMatchingDay(pattern: WallPattern, dayStartMs: number, yearLast: number): number | null {
  const start = dateOf(dayStartMs);
  let month = start.month;
  let earlierDays = (1 << (start.day - 1)) - 1;
  let year = pattern.yearAtOrAfter(start.year);
  if (year !== start.year) {
    month = 1;
    earlierDays = 0;
  }
  while (year !== null && year <= yearLast) {
    const chosen = pattern.months.atOrAfter(month);
    if (chosen < 0) {
      year = pattern.yearAtOrAfter(year + 1);
      month = 1;
      earlierDays = 0;
      continue;
    }
    if (chosen !== month) earlierDays = 0;
    const days = pattern.daysOf(monthOf(year, chosen)) & ~earlierDays;
    if (days !== 0) return wallOf(year, chosen, lowestBit(days) + 1);
    month = chosen + 1;
    earlierDays = 0;
  }
  return null;
}

function monthOf(year: number, month: number): Month {
  return { year, month, days: daysInMonth(year, month), firstWeekday: weekdayOf(year, month, 1) };
}

/** The bits of all days of a month. */
export function allDays(month: Month): number {
  return 2 ** month.days - 1;
}

/** The bits of the days that fall on a weekday, 0 = Sunday. */
export function daysOnWeekday(month: Month, weekday: number): number {
  const first = (weekday - month.firstWeekday + 7) % 7;
  // Bits 0, 7, 14, 21, 28: every seventh day, moved to the first one.
  return (0x10204081 << first) & allDays(month);
}

/** The bits of the days that fall on any of several weekdays, 0 = Sunday. */
export function daysOnWeekdays(month: Month, weekdays: readonly number[]): number {
  let days = 0;
  for (const weekday of weekdays) days |= daysOnWeekday(month, weekday);
  return days;
}
