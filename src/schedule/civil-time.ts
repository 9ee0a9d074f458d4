/**
 * Calendar arithmetic on "wall" numbers: a local reading written as the epoch milliseconds it would have in UTC.
 * It knows no zone and no daylight saving; zone-clock.ts ties readings to instants.
 * Invariant: every function is plain Gregorian arithmetic, the same in every zone and on every machine.
 */
import { day as dayMs } from '../lib/units.ts';

/** month 1–12, day 1–31. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

// Days and months are counted from a first of March: the leap day then ends its year, and months have a regular
// length. A Date object would do the same; these calls are the inner loop of every search and Date costs ten times more.
const daysInEra = 146_097;
const daysToEpoch = 719_468;

/** Midnight of a date as a wall number. month 1–12, day 1–31, any year. */
export function wallOf(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * daysInEra + dayOfEra - daysToEpoch) * dayMs;
}

/** The date a wall number lies on. */
export function dateOf(wallMs: number): CivilDate {
  const days = Math.floor(wallMs / dayMs) + daysToEpoch;
  const era = Math.floor(days / daysInEra);
  const dayOfEra = days - era * daysInEra;
  // The days of whole years so far, leap days taken out: every 1,460, all but every 36,524, the last of 146,096.
  const leapFree =
    dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor(leapFree / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Days in a month of the Gregorian calendar; month 1–12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Weekday of a date, 0 = Sunday … 6 = Saturday; month 1–12. */
export function weekdayOf(year: number, month: number, day: number): number {
  // 1970-01-01 was a Thursday.
  const days = wallOf(year, month, day) / dayMs + 4;
  return ((days % 7) + 7) % 7;
}

/** Whether February has 29 days. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
