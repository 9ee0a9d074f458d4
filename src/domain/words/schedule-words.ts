/**
 * Cron and OnCalendar expressions in words: `every 15 minutes from 09:00 to 17:59, Monday to Friday`.
 * Invariant: pure, and right before it is eloquent: what cannot be said shortly and rightly is empty, and the expression
 * is shown itself.
 */
import { daysListedMax, timesListedMax, timesPreferred } from '../limits.ts';
import {
  calendarPattern,
  cronPattern,
  type MonthDays,
  type Pattern,
  type Weekdays,
} from './schedule-pattern.ts';

export interface ScheduleWords {
  /** Empty where there are none. */
  readonly words: string;
  /** The expression's own zone; empty if it uses the check's. */
  readonly zone: string;
}

/** Puts a time of the day into words: `02:15` or, for a reader of such a clock, `2:15 AM`. */
export type ClockWords = (hour: number, minute: number) => string;

const unsaid: ScheduleWords = { words: '', zone: '' };

export function wordsOfCron(expr: string, clock: ClockWords = of24Hours): ScheduleWords {
  const pattern = cronPattern(expr);
  return pattern ? { words: wordsOf(pattern, clock), zone: '' } : unsaid;
}

/** Several lines are said one after the other, where they go by one zone. */
export function wordsOfCalendar(expr: string, clock: ClockWords = of24Hours): ScheduleWords {
  const patterns = expr.trim().split('\n').map(calendarPattern);
  const [first] = patterns;
  const said = patterns.map((pattern) =>
    pattern && pattern.zone === first?.zone ? wordsOf(pattern, clock) : '',
  );
  return said.includes('') ? unsaid : { words: said.join('; also '), zone: first?.zone ?? '' };
}

function wordsOf(pattern: Pattern, clock: ClockWords): string {
  const time = timeWords(pattern, clock);
  const days = dayWords(pattern);
  if (time === null || days === null) return '';
  const months = monthWords(pattern, days);
  if (time.flows) return [time.words, days.words, months].filter((part) => part !== '').join(', ');
  // Behind two kinds of days the time would seem to belong to the second alone.
  const words =
    days.kind === 'either' ? `${time.words} ${days.words}` : `${days.words || 'daily'} ${time.words}`;
  return months === '' ? words : `${words}, ${months}`;
}

interface TimeWords {
  readonly words: string;
  /** Again and again, rather than at a few times of the day. */
  readonly flows: boolean;
}

function timeWords({ minutes, hours }: Pattern, clock: ClockWords): TimeWords | null {
  const count = minutes.length * hours.length;
  if (count <= timesPreferred) return times(minutes, hours, clock);
  const flow = flowWords(minutes, hours, clock);
  if (flow !== '') return { words: flow, flows: true };
  return count <= timesListedMax ? times(minutes, hours, clock) : null;
}

function times(minutes: readonly number[], hours: readonly number[], clock: ClockWords): TimeWords {
  const all = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)));
  return { words: `at ${listed(all)}`, flows: false };
}

function of24Hours(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}${past(minute)}`;
}

function past(minute: number): string {
  return `:${String(minute).padStart(2, '0')}`;
}

function flowWords(minutes: readonly number[], hours: readonly number[], clock: ClockWords): string {
  const [minute = 0] = minutes;
  const step = stepOf(minutes);
  if (minutes.length === 1) return hourlyWords(minute, hours, clock);
  const goesRound = step > 0 && 60 % step === 0 && minutes.length === 60 / step;
  if (hours.length === 24) return roundTheClock(minutes, step, goesRound);
  const spans = runsOf(hours);
  if (spans.length > 3) return '';
  const ends = goesRound && minute > 0 ? [minute, minutes.at(-1) ?? 0] : [0, 59];
  const windows = listed(
    spans.map(([from, to]) => `from ${clock(from, ends[0] ?? 0)} to ${clock(to, ends[1] ?? 59)}`),
  );
  if (goesRound) return `${every(step, 'minute')} ${windows}`;
  if (minutes.length <= 4) return `hourly at ${listed(minutes.map(past))} ${windows}`;
  return step === 0 ? '' : `${stepsWithin(minutes, step)} ${windows}`;
}

function stepsWithin(minutes: readonly number[], step: number): string {
  return `${every(step, 'minute')} from ${past(minutes[0] ?? 0)} to ${past(minutes.at(-1) ?? 0)} of every hour`;
}

/** Every hour of the day has these minutes. */
function roundTheClock(minutes: readonly number[], step: number, goesRound: boolean): string {
  const [first = 0] = minutes;
  if (goesRound && (first === 0 || minutes.length > 2))
    return `${every(step, 'minute')}${first === 0 ? '' : `, beginning at ${past(first)}`}`;
  if (minutes.length <= 4) return `hourly at ${listed(minutes.map(past))}`;
  return step === 0 ? '' : stepsWithin(minutes, step);
}

/** Once in each of these hours, of which there are many. */
function hourlyWords(minute: number, hours: readonly number[], clock: ClockWords): string {
  if (hours.length === 24) return `hourly at ${past(minute)}`;
  const [first = 0] = hours;
  const step = stepOf(hours);
  if (step > 0) {
    const from = `${every(step, 'hour')} from ${clock(first, minute)}`;
    // If it goes on at midnight as before, it has no end.
    const goesRound = 24 % step === 0 && hours.length === 24 / step;
    return goesRound ? from : `${from} to ${clock(hours.at(-1) ?? 0, minute)}`;
  }
  const spans = runsOf(hours);
  if (spans.length > 3 || spans.some(([from, to]) => to - from < 2)) return '';
  return `every hour ${listed(spans.map(([from, to]) => `from ${clock(from, minute)} to ${clock(to, minute)}`))}`;
}

function every(step: number, unit: string): string {
  return step === 1 ? `every ${unit}` : `every ${step} ${unit}s`;
}

/** The distance from each to the next, where it is always the same; else 0. */
function stepOf(numbers: readonly number[]): number {
  const [first = 0, second = first] = numbers;
  const step = second - first;
  return numbers.every((number, index) => number === first + index * step) ? step : 0;
}

/** Numbers that follow each other, as first and last. */
function runsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

interface DayWords {
  readonly kind: 'every' | 'days' | 'weekdays' | 'either' | 'date';
  readonly words: string;
}

/** Null for what cannot be said. */
function dayWords({ days, weekdays, join, months }: Pattern): DayWords | null {
  if (!days && !weekdays) return { kind: 'every', words: '' };
  const date = weekdays ? '' : dateWords(days, months);
  if (date !== '') return { kind: 'date', words: date };
  const onDays = days ? monthDayWords(days) : '';
  const onWeekdays = weekdays ? weekdayWords(weekdays) : '';
  if (onDays === null || onWeekdays === null) return null;
  if (!weekdays) return { kind: 'days', words: onDays };
  if (!days) return { kind: 'weekdays', words: onWeekdays };
  if (join === 'either')
    return { kind: 'either', words: `${onDays} and also ${alsoOn(weekdays, onWeekdays)}` };
  if (weekdays.nth.length > 0) return null;
  const nth = nthOfMonth(days, weekdays);
  if (nth !== '') return { kind: 'days', words: nth };
  return { kind: 'days', words: `${onDays} if it is a ${listed(weekdays.numbers.map(nameOfDay), 'or')}` };
}

/** `on January 1 and July 1`: one day of a few months. */
function dateWords(days: MonthDays | null, months: readonly number[]): string {
  const [day = 0, ...more] = days?.numbers ?? [];
  const having = months.filter((month) => (longest[month] ?? 0) >= day);
  if (!days || day === 0 || more.length > 0 || days.last || days.lastWorkday || having.length > 4) return '';
  return having.length === 0 ? '' : `on ${listed(having.map((month) => `${nameOfMonth(month)} ${day}`))}`;
}

/** `on the first Monday of the month`, of one weekday in a whole week of the month; empty for others. */
function nthOfMonth(days: MonthDays | null, { numbers: [weekday = 0, ...more] }: Weekdays): string {
  const { numbers: [first = 0, ...others] = [], last, lastWorkday } = days ?? {};
  const isWeek = others.length === 6 && others.at(-1) === first + 6 && first % 7 === 1;
  if (!isWeek || last || lastWorkday || more.length > 0) return '';
  return `on the ${nthNames[(first + 6) / 7]} ${nameOfDay(weekday)} of the month`;
}

/** Days of each month, of February in a leap year. */
const longest = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function monthDayWords({ numbers, last, lastWorkday }: MonthDays): string | null {
  const ends = [last ? 'the last day' : '', lastWorkday ? 'the last weekday (Monday to Friday)' : ''].filter(
    (end) => end !== '',
  );
  if (ends.length === 0 && stepOf(numbers) === 2 && numbers.length >= 15)
    return `on ${numbers[0] === 1 ? 'odd' : 'even'} days of the month`;
  const runs = runsOf(numbers).flatMap(([from, to]) =>
    to - from < 2 ? numbers.filter((day) => day >= from && day <= to).map(String) : [`${from} to ${to}`],
  );
  if (runs.length > daysListedMax) return null;
  const named = runs.length === 0 ? [] : [`${numbers.length === 1 ? 'day' : 'days'} ${listed(runs)}`];
  return `on ${listed([...named, ...ends], 'and')} of the month`;
}

const weekdayNames = ['', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const nthNames = ['last', 'first', 'second', 'third', 'fourth', 'fifth'];

function nameOfDay(weekday: number): string {
  return weekdayNames[weekday] ?? '';
}

function weekdayWords({ numbers, nth }: Weekdays): string | null {
  if (nth.length > 0) {
    if (numbers.length > 0) return null;
    return `on ${listed(nth.map(({ weekday, n }) => `the ${nthNames[n]} ${nameOfDay(weekday)}`))} of the month`;
  }
  const runs = runsOf(numbers);
  if (runs.every(([from, to]) => to - from < 2)) return listed(numbers.map((day) => `${nameOfDay(day)}s`));
  return listed(
    runs.flatMap(([from, to]) => {
      if (to - from < 2) return numbers.filter((day) => day >= from && day <= to).map(nameOfDay);
      return [`${nameOfDay(from)} to ${nameOfDay(to)}`];
    }),
  );
}

function alsoOn({ nth, numbers }: Weekdays, words: string): string {
  return nth.length > 0 ? words : `every ${listed(numbers.map(nameOfDay))}`;
}

const monthNames = [
  ...['', 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

function nameOfMonth(month: number): string {
  return monthNames[month] ?? '';
}

function monthWords({ months }: Pattern, { kind }: DayWords): string {
  if (months.length === 12 || kind === 'date') return '';
  const runs = runsOf(months);
  const [first = [0, 0] as const] = runs;
  if (runs.length === 1 && first[1] - first[0] >= 2)
    return `from ${nameOfMonth(first[0])} to ${nameOfMonth(first[1])}`;
  return `in ${listed(months.map(nameOfMonth))}`;
}

/** `a, b and c`. */
function listed(parts: readonly string[], word = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
