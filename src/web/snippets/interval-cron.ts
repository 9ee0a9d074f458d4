/** This file says in cron's way when a job runs that a check expects in an interval, or by an OnCalendar expression. Pure. */
import { calendarPattern, cronPattern, type Pattern } from '../../domain/words/schedule-pattern.ts';

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
 * Returns the cron expression that has the times of an OnCalendar one, no other and none less; null where one line of cron cannot say
 * that: seconds, years, several time zones, a day of the month that has to be a certain weekday, or lines that differ in more than one
 * field. `zone`: that of the expression, else empty.
 */
export function cronOfCalendar(expr: string): { readonly cron: string; readonly zone: string } | null {
  const lines: (readonly string[])[] = [];
  const sets: Sets[] = [];
  let zone: string | null = null;
  for (const line of expr.trim().split('\n')) {
    const pattern = calendarPattern(line);
    const own = pattern && setsOf(pattern);
    if (!own || (zone ?? pattern.zone) !== pattern.zone) return null;
    zone = pattern.zone;
    sets.push(own);
    lines.push(fieldsOf(own));
  }
  const differing = limits.flatMap((_, at) =>
    new Set(lines.map((fields) => fields[at])).size > 1 ? [at] : [],
  );
  // The times of lines that differ in hours and weekdays are not all pairs of both.
  if (differing.length > 1) return null;
  const together = limits.map((_, at) =>
    [...new Set(sets.flatMap((one) => one[at] ?? []))].sort((a, b) => a - b),
  );
  return { cron: fieldsOf(together).join(' '), zone: zone ?? '' };
}

/** The numbers of each field of a crontab's line, in its order. */
type Sets = readonly (readonly number[])[];

const limits = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [1, 7],
] as const;
const [, , [firstDay, lastDay], , [firstWeekday, lastWeekday]] = limits;

/** Cron takes a day that fits one of both fields, and most crons know no last day of a month: null for what needs either. */
function setsOf({ minutes, hours, days, months, weekdays }: Pattern): Sets | null {
  if ((days && weekdays) || days?.last || days?.lastWorkday || weekdays?.nth.length) return null;
  return [
    minutes,
    hours,
    days?.numbers ?? range(firstDay, lastDay),
    months,
    weekdays?.numbers ?? range(firstWeekday, lastWeekday),
  ];
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function fieldsOf(sets: Sets): readonly string[] {
  return limits.map(([min, max], at) => cronField(sets[at] ?? [], min, max));
}

/** Whether the cron of any machine takes the expression as it is: the last day of a month and the nth weekday are Knell's. */
export function isAnyCron(expr: string): boolean {
  const pattern = cronPattern(expr);
  return (
    pattern !== null && !pattern.days?.last && !pattern.days?.lastWorkday && !pattern.weekdays?.nth.length
  );
}

/** Ascending numbers as a star, a step, a range or a list. */
function cronField(numbers: readonly number[], min: number, max: number): string {
  const [first = min, second = first] = numbers;
  const last = numbers.at(-1) ?? first;
  const step = second - first;
  const isEven = step > 0 && numbers.every((number, at) => number === first + at * step);
  if (isEven && first === min && last + step > max) {
    if (step === 1) return '*';
    // Cron begins the steps of weekdays with Sunday.
    if (max !== lastWeekday) return `*/${step}`;
  }
  return isEven && step === 1 && numbers.length > 2 ? `${first}-${last}` : numbers.join(',');
}
