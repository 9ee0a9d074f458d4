/**
 * Five-field cron as Debian and Healthchecks read it: validation, and a pattern to search.
 * cron-parser reads the fields; L, LW, dL, d#n and the day rule are ours: cron-parser refuses mixtures of these with
 * other items, and joins day and weekday by another rule.
 * Invariant: a pattern that leaves this file has at least one time of day and one month.
 */
import { daysInMonth } from './civil-time.ts';
import { type CronValues, readCronFields, readCronNumber } from './cron-fields.ts';
import { NotationError, wordsOf } from './notation.ts';
import { highestBit, NumberSet } from './number-set.ts';
import type { ClockChangePolicy } from './occurrence.ts';
import { allDays, daysOnWeekday, daysOnWeekdays, type Month, type WallPattern } from './wall-pattern.ts';

export const cronFieldCount = 5;

export function fieldCountWords(count: number): string {
  return `${count} ${count === 1 ? 'field' : 'fields'}; cron has ${cronFieldCount}: minute, hour, day of month, month, weekday`;
}

export interface CronRule {
  readonly pattern: WallPattern;
  readonly policy: ClockChangePolicy;
}

// Debian cron's rule: jobs at fixed times neither miss a day nor run twice on one; the others follow the clock.
const fixedTime: ClockChangePolicy = { skipped: 'after-gap', repeated: 'first' };
const wildcardTime: ClockChangePolicy = { skipped: 'never', repeated: 'both' };

const secondZero = new NumberSet([0]);
// Any: a day that February has in some years is a day it has.
const leapYear = 2_000;

type DayRule = (month: Month) => number;

/**
 * Parses five cron fields, any case. Throws NotationError when one is not valid or names a day that no chosen
 * month has; whether the whole ever occurs is for the caller to try.
 */
export function parseCron(expr: string): CronRule {
  const words = wordsOf(expr.toUpperCase());
  const [minute, hour, day, month, weekday, ...rest] = words;
  if (!minute || !hour || !day || !month || !weekday || rest.length > 0)
    throw new NotationError(fieldCountWords(words.length));
  const days = splitItems(day, specialDay);
  const weekdays = splitItems(weekday, specialWeekday);
  const values = readCronFields({
    minute: minute.split(','),
    hour: hour.split(','),
    day: days.plain,
    month: month.split(','),
    weekday: weekdays.plain,
  });
  if (days.rules.length === 0) assertSomeMonthHas(values, day);
  const dayBits = values.day.reduce((sum, number) => sum | (1 << (number - 1)), 0);
  const weekdayNumbers = values.weekday.map((number) => number % 7);
  const onDay = anyOf([...days.rules, (m) => dayBits & allDays(m)]);
  const onWeekday = anyOf([...weekdays.rules, (m) => daysOnWeekdays(m, weekdayNumbers)]);
  const both = day.startsWith('*') || weekday.startsWith('*');
  const pattern: WallPattern = {
    yearAtOrAfter: (year) => year,
    months: new NumberSet(values.month),
    daysOf: both ? (m) => onDay(m) & onWeekday(m) : (m) => onDay(m) | onWeekday(m),
    hours: new NumberSet(values.hour),
    minutes: new NumberSet(values.minute),
    seconds: secondZero,
  };
  const wildcard = minute.startsWith('*') || hour.startsWith('*');
  return { pattern, policy: wildcard ? wildcardTime : fixedTime };
}

interface SplitItems {
  readonly plain: readonly string[];
  readonly rules: readonly DayRule[];
}

/** The items of a list that `ruleOf` knows, as rules, and the others. */
function splitItems(field: string, ruleOf: (item: string) => DayRule | null): SplitItems {
  const plain: string[] = [];
  const rules: DayRule[] = [];
  for (const item of field.split(',')) {
    const rule = ruleOf(item);
    if (rule === null) plain.push(item);
    else rules.push(rule);
  }
  return { plain, rules };
}

function assertSomeMonthHas({ day, month }: CronValues, field: string): void {
  const longest = Math.max(...month.map((number) => daysInMonth(leapYear, number)));
  if (day.every((number) => number > 29 && number > longest)) {
    throw new NotationError(`invalid day of month "${field}": no chosen month has it`);
  }
}

/** `L` and `LW`. A step after them changes nothing, but it must be a step. */
function specialDay(item: string): DayRule | null {
  const last = /^(LW?)(?:\/0*[1-9][0-9]*)?$/.exec(item);
  if (last === null) return null;
  return last[1] === 'LW' ? lastWorkday : lastDay;
}

function lastDay(month: Month): number {
  return 1 << (month.days - 1);
}

function lastWorkday(month: Month): number {
  const workdays = daysOnWeekdays(month, [1, 2, 3, 4, 5]);
  return 1 << highestBit(workdays);
}

/** `dL` and `d#n`; in the latter `d` is a number or a name, neither a range nor a step. */
function specialWeekday(item: string): DayRule | null {
  const last = /^0*([0-7])L$/.exec(item);
  if (last !== null) return lastOfWeekday(Number(last[1]) % 7);
  const nth = /^(.+)#0*([1-5])$/.exec(item);
  return nth === null ? null : nthOfWeekday(readCronNumber('weekday', String(nth[1])) % 7, Number(nth[2]));
}

function nthOfWeekday(weekday: number, nth: number): DayRule {
  const week = 0b1111111 << ((nth - 1) * 7);
  return (month) => daysOnWeekday(month, weekday) & week;
}

function lastOfWeekday(weekday: number): DayRule {
  return (month) => 1 << highestBit(daysOnWeekday(month, weekday));
}

function anyOf(rules: readonly DayRule[]): DayRule {
  const [only] = rules;
  if (only !== undefined && rules.length === 1) return only;
  return (month) => rules.reduce((days, rule) => days | rule(month), 0);
}
