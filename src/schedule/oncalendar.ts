/**
 * systemd's OnCalendar notation as Healthchecks reads it: `[weekdays] [date] [time] [zone]`, one or more lines.
 * It parses lines to patterns; the least of the lines is chosen in schedule.ts.
 * Invariant: a pattern that leaves this file has at least one time of day, one month and one year.
 */
import { NotationError, type PatternInZone, splitOnce, wordsOf } from './notation.ts';
import { NumberSet, numbersFrom } from './number-set.ts';
import type { ClockChangePolicy } from './occurrence.ts';
import {
  type CalendarField,
  parseCalendarField,
  parseDaysFromEnd,
  parseWeekdayNames,
} from './oncalendar-field.ts';
import { canonicalTimeZone } from './time-zones.ts';
import { allDays, daysOnWeekdays, type Month, type WallPattern } from './wall-pattern.ts';

/** Skipped readings are dropped, repeated ones occur in the first pass only. */
export const calendarPolicy: ClockChangePolicy = { skipped: 'never', repeated: 'first' };

/** No occurrence lies after this local year. */
export const calendarYearMax = 2_199;
const calendarYearMin = 1_970;

const shorthands: ReadonlyMap<string, string> = new Map([
  ['minutely', '*-*-* *:*:00'],
  ['hourly', '*-*-* *:00:00'],
  ['daily', '*-*-* 00:00:00'],
  ['weekly', 'Mon *-*-* 00:00:00'],
  ['monthly', '*-*-01 00:00:00'],
  ['yearly', '*-01-01 00:00:00'],
  ['annually', '*-01-01 00:00:00'],
  ['quarterly', '*-01,04,07,10-01 00:00:00'],
  ['semiannually', '*-01,07-01 00:00:00'],
]);

type DatePattern = Pick<WallPattern, 'yearAtOrAfter' | 'months' | 'daysOf'>;
type TimePattern = Pick<WallPattern, 'hours' | 'minutes' | 'seconds'>;

const everyYear: (year: number) => number | null = (year) =>
  year > calendarYearMax ? null : Math.max(year, calendarYearMin);

/** Parses one line. Throws NotationError when it is not valid; whether it ever occurs is for the caller to try. */
export function parseCalendarLine(line: string): PatternInZone {
  const words = wordsOf(line);
  const tz = zoneOf(words.at(-1) ?? '');
  if (tz !== null) words.pop();
  else if (zoneLike.test(words.at(-1) ?? ''))
    throw new NotationError(`it ends in an unknown time zone: "${words.at(-1)}"`);
  const [only] = words;
  const shorthand = only !== undefined && words.length === 1 ? shorthands.get(only.toLowerCase()) : undefined;
  return { pattern: parseWords(shorthand === undefined ? words : wordsOf(shorthand)), tz };
}

/** A step has a digit after the slash. */
const zoneLike = /^[a-z_]+\/[a-z]/i;

function zoneOf(word: string): string | null {
  return /^[0-9*]/.test(word) ? null : canonicalTimeZone(word);
}

/** Takes the words from the right: a time has a colon, a date a dash or tilde after no letter, what is left are days. */
function parseWords(words: readonly string[]): WallPattern {
  const left = [...words];
  if (left.length === 0 || left.length > 3)
    throw new NotationError('expected [weekdays] [date] [time] [zone]');
  const time = takeLast(left, isTime);
  const date = takeLast(left, isDate);
  const weekdays = left.pop();
  if (left.length > 0 || clockless.test(weekdays ?? ''))
    throw new NotationError(unknownWords([...left, weekdays ?? '']));
  const onDate = parseDate(date ?? '*-*-*');
  const { daysOf } = onDate;
  const timeOfDay = parseTime(time ?? '0:0');
  if (weekdays === undefined) return { ...onDate, ...timeOfDay };
  const days = parseWeekdayNames(weekdays);
  return { ...onDate, ...timeOfDay, daysOf: (month) => daysOf(month) & daysOnWeekdays(month, days) };
}

/** An hour as people write it. */
const clockless = /^\d{1,2}([ap]m)?$/i;

/** What is wrong with words of which only one can be the weekdays: one that is nothing, or their order. */
function unknownWords(words: readonly string[]): string {
  const unknown = words.find((word) => !isWeekdays(word) && !isTime(word) && !isDate(word));
  if (unknown !== undefined)
    return `unknown word "${unknown}"${clockless.test(unknown) ? ': a time is written as 15:00' : ''}`;
  return words.every(isWeekdays)
    ? `weekdays are one word: "${words.join(',')}"`
    : 'expected [weekdays] [date] [time] [zone], in this order';
}

const isTime = (word: string): boolean => word.includes(':');
const isDate = (word: string): boolean => /[-~]/.test(word) && !/^[a-z]/i.test(word);

function isWeekdays(word: string): boolean {
  try {
    return parseWeekdayNames(word).length > 0;
  } catch {
    return false;
  }
}

function takeLast(words: string[], fits: (word: string) => boolean): string | undefined {
  const last = words.at(-1);
  return last !== undefined && fits(last) ? words.pop() : undefined;
}

function parseDate(text: string): DatePattern {
  const fromEnd = splitOnce(text, '~');
  const [yearMonth, day] = fromEnd ?? splitLast(text, '-');
  const parts = yearMonth.split('-');
  if (parts.length > 2) throw new NotationError(`invalid date "${text}"`);
  const [month = '', year = '*'] = parts.reverse();
  return {
    yearAtOrAfter: parseYears(year),
    months: numbersOf('month', month),
    daysOf: fromEnd === null ? daysFromStart(day) : daysFromEnd(day),
  };
}

function splitLast(text: string, separator: string): readonly [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

function parseYears(text: string): (year: number) => number | null {
  const values = parseCalendarField('year', text);
  if (values === null) return everyYear;
  const years = [...new Set(values)].sort((a, b) => a - b);
  return (from) => years.find((year) => year >= from) ?? null;
}

function daysFromStart(text: string): (month: Month) => number {
  const days = parseCalendarField('day', text);
  if (days === null) return allDays;
  const bits = days.reduce((sum, day) => sum | (1 << (day - 1)), 0);
  return (month) => bits & allDays(month);
}

function daysFromEnd(text: string): (month: Month) => number {
  const days = parseDaysFromEnd(text);
  if (days === null) return allDays;
  return (month) => days.reduce((sum, n) => (n > month.days ? sum : sum | (1 << (month.days - n))), 0);
}

function parseTime(text: string): TimePattern {
  const [hour = '', minute = '', second = '0', ...rest] = text.split(':');
  if (rest.length > 0) throw new NotationError(`invalid time "${text}"`);
  return {
    hours: numbersOf('hour', hour),
    minutes: numbersOf('minute', minute),
    seconds: numbersOf('second', second),
  };
}

// `*` is one shared set: most expressions have several.
const every: Readonly<Record<'month' | 'hour' | 'minute' | 'second', NumberSet>> = {
  month: new NumberSet(numbersFrom(1, 12)),
  hour: new NumberSet(numbersFrom(0, 23)),
  minute: new NumberSet(numbersFrom(0, 59)),
  second: new NumberSet(numbersFrom(0, 59)),
};

function numbersOf(field: keyof typeof every & CalendarField, text: string): NumberSet {
  const values = parseCalendarField(field, text);
  return values === null ? every[field] : new NumberSet(values);
}
