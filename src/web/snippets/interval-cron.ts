/** This file says in cron's way when a job runs that a check expects in an interval, or by an OnCalendar expression. Pure. */
import { calendarPattern, type Pattern } from '../../domain/words/schedule-pattern.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Equal steps that cron can say, longest first. At 2:15 the jobs of others are rare. */
const steps: readonly (readonly [seconds: number, cron: string])[] = [
  [28 * day, '15 2 1 * *'],
  [7 * day, '15 2 * * 1'],
  [day, '15 2 * * *'],
  ...[12, 8, 6, 4, 3, 2].map((hours) => [hours * hour, `0 */${hours} * * *`] as const),
  [hour, '0 * * * *'],
  ...[30, 20, 15, 12, 10, 6, 5, 4, 3, 2].map(
    (minutes) => [minutes * minute, `*/${minutes} * * * *`] as const,
  ),
];

/**
 * Returns an expression as frequent as the check expects, or the next more frequent one if cron cannot say that: then no ping is
 * missing.
 */
export function cronOfInterval(seconds: number): string {
  return steps.find(([length]) => length <= seconds)?.[1] ?? '* * * * *';
}

/** Whether that expression is the interval: one of four weeks to 31 days is a month. */
export function isCronInterval(seconds: number): boolean {
  if (seconds === minute) return true;
  return steps.some(([length]) => length === seconds) || (seconds > 28 * day && seconds <= 31 * day);
}

/**
 * Returns a cron expression that has all times of an OnCalendar one, and more where cron cannot say it exactly, such as a day of the
 * month that has to be a certain weekday; null for what has seconds, years or several time zones. `zone`: that of the expression,
 * else empty.
 */
export function cronOfCalendar(expr: string): { readonly cron: string; readonly zone: string } | null {
  const patterns: Pattern[] = [];
  for (const line of expr.trim().split('\n')) {
    const pattern = calendarPattern(line);
    if (!pattern || (patterns[0] && patterns[0].zone !== pattern.zone)) return null;
    patterns.push(pattern);
  }
  const every = (numbersOf: (pattern: Pattern) => readonly number[]): readonly number[] =>
    [...new Set(patterns.flatMap(numbersOf))].sort((a, b) => a - b);
  const days = patterns.map(daysOf);
  const fields = [
    cronField(
      every(({ minutes }) => minutes),
      0,
      59,
    ),
    cronField(
      every(({ hours }) => hours),
      0,
      23,
    ),
    days.every(({ day }) => day !== '*') ? [...new Set(days.map(({ day }) => day))].join(',') : '*',
    cronField(
      every(({ months }) => months),
      1,
      12,
    ),
    days.every(({ weekday }) => weekday !== '*')
      ? [...new Set(days.map(({ weekday }) => weekday))].join(',')
      : '*',
  ];
  return { cron: fields.join(' '), zone: patterns[0]?.zone ?? '' };
}

/** Cron takes a day that fits one of both fields, and knows no last day of a month: then every day is one. */
function daysOf({ days, weekdays }: Pattern): { readonly day: string; readonly weekday: string } {
  if (days === null && weekdays !== null) return { day: '*', weekday: cronField(weekdays.numbers, 1, 7) };
  if (days === null || weekdays !== null || days.last) return { day: '*', weekday: '*' };
  return { day: cronField(days.numbers, 1, 31), weekday: '*' };
}

/** Ascending numbers as a star, a step, a range or a list. */
function cronField(numbers: readonly number[], min: number, max: number): string {
  const [first = min, second = first] = numbers;
  const last = numbers.at(-1) ?? first;
  const step = second - first;
  const isEven = step > 0 && numbers.every((number, at) => number === first + at * step);
  if (isEven && first === min && last + step > max) return step === 1 ? '*' : `*/${step}`;
  return isEven && step === 1 && numbers.length > 2 ? `${first}-${last}` : numbers.join(',');
}
