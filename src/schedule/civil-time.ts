// Calendar arithmetic on "wall" numbers: a local reading written as the epoch milliseconds it would have in UTC.
// It knows no zone and no daylight saving; zone-clock.ts ties readings to instants.
// Invariant: every function is plain Gregorian arithmetic, the same in every zone and on every machine.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The wall number of a date. month 1–12; day 1–31, and beyond the month's end it runs over, as Date.UTC does. */
export function wallOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day);
}

/** The year a wall number lies in. */
export function yearOf(wallMs: number): number {
  return new Date(wallMs).getUTCFullYear();
}

/** Days in a month of the Gregorian calendar; month 1–12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Weekday of a date, 0 = Sunday … 6 = Saturday; month 1–12. */
export function weekdayOf(year: number, month: number, day: number): number {
  // 1970-01-01 was a Thursday.
  const days = Math.floor(wallOf(year, month, day) / DAY_MS) + 4;
  return ((days % 7) + 7) % 7;
}

/** Whether February has 29 days. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
