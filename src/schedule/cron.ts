/**
 * Five-field cron as Debian and Healthchecks read it: validation, and a pattern to search.
 * cron-parser turns single items into values; lists, L, LW, dL, d#n and the day rule are ours, since cron-parser
 * refuses overlapping lists and mixtures, and joins day and weekday by another rule.
 * Invariant: a pattern that leaves this file has at least one time of day and one month.
 */
import { daysInMonth } from './civil-time.ts';
import { readCronItem } from './cron-item.ts';
import { NotationError, wordsOf } from './notation.ts';
import { highestBit, NumberSet } from './number-set.ts';
import type { ClockChangePolicy } from './occurrence.ts';
import { allDays, daysOnWeekday, daysOnWeekdays, type Month, type WallPattern } from './wall-pattern.ts';

/** Cron gives up this many years after the start of a search. */
export const cronYearsMax = 50;

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
  const [minute, hour, day, month, weekday, ...rest] = wordsOf(expr.toUpperCase());
  if (!minute || !hour || !day || !month || !weekday || rest.length > 0) {
    throw new NotationError('a cron expression has five fields');
  }
  const months = itemsOf(month).flatMap((item) => readCronItem('month', item));
  const onDay = parseDays(day, months);
  const onWeekday = parseWeekdays(weekday);
  const both = day.startsWith('*') || weekday.startsWith('*');
  const pattern: WallPattern = {
    yearAtOrAfter: (year) => year,
    months: new NumberSet(months),
    daysOf: both ? (m) => onDay(m) & onWeekday(m) : (m) => onDay(m) | onWeekday(m),
    hours: new NumberSet(itemsOf(hour).flatMap((item) => readCronItem('hour', item))),
    minutes: new NumberSet(itemsOf(minute).flatMap((item) => readCronItem('minute', item))),
    seconds: secondZero,
  };
  const wildcard = minute.startsWith('*') || hour.startsWith('*');
  return { pattern, policy: wildcard ? wildcardTime : fixedTime };
}

function itemsOf(field: string): string[] {
  return field.split(',');
}

function parseDays(field: string, months: readonly number[]): DayRule {
  const days: number[] = [];
  const rules: DayRule[] = [];
  for (const item of itemsOf(field)) {
    // A step after L or LW changes nothing, but it must be a step.
    const last = /^(LW?)(?:\/0*[1-9][0-9]*)?$/.exec(item);
    if (last === null) days.push(...readCronItem('day', item));
    else rules.push(last[1] === 'LW' ? lastWorkday : lastDay);
  }
  const longest = Math.max(...months.map((number) => daysInMonth(leapYear, number)));
  if (rules.length === 0 && days.every((day) => day > 29 && day > longest)) {
    throw new NotationError(`bad day of month "${field}": no chosen month has it`);
  }
  const bits = days.reduce((sum, day) => sum | (1 << (day - 1)), 0);
  return anyOf([...rules, (month) => bits & allDays(month)]);
}

function lastDay(month: Month): number {
  return 1 << (month.days - 1);
}

function lastWorkday(month: Month): number {
  const workdays = daysOnWeekdays(month, [1, 2, 3, 4, 5]);
  return 1 << highestBit(workdays);
}

function parseWeekdays(field: string): DayRule {
  const weekdays: number[] = [];
  const rules: DayRule[] = [];
  for (const item of itemsOf(field)) {
    const last = /^0*([0-7])L$/.exec(item);
    const nth = /^(.+)#0*([1-5])$/.exec(item);
    if (last !== null) rules.push(lastOfWeekday(Number(last[1]) % 7));
    else if (nth !== null) rules.push(nthOfWeekday(singleWeekday(String(nth[1])), Number(nth[2])));
    else weekdays.push(...readCronItem('weekday', item).map((weekday) => weekday % 7));
  }
  return anyOf([...rules, (month) => daysOnWeekdays(month, weekdays)]);
}

/** The weekday before a `#`: a number or a name, neither a range nor a step. */
function singleWeekday(text: string): number {
  if (!/^(?:[0-9]+|[A-Z]{3})$/.test(text)) throw new NotationError(`bad weekday "${text}"`);
  return Number(readCronItem('weekday', text)[0]) % 7;
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
