/**
 * The fields of an OnCalendar line: `*`, or a list of `n`, `a..b`, each with `/n`; names of weekdays.
 * It knows no dates: which part of a line is which field is settled in oncalendar.ts.
 * Invariant: every value returned lies within its field's bounds.
 */
import { digits, NotationError, splitOnce } from './notation.ts';
import { numbersFrom } from './number-set.ts';

export type CalendarField = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

const bounds: Readonly<Record<CalendarField, readonly [number, number]>> = {
  year: [1_970, 2_199],
  month: [1, 12],
  day: [1, 31],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
};

// Counted from the end of the month; alone or with a step only what every month has.
const fromEndMax = 31;
const fromEndSingleMax = 28;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The values of a field, repeats included, or null for `*`. Throws NotationError. */
export function parseCalendarField(field: CalendarField, text: string): readonly number[] | null {
  if (text === '*') return null;
  const [min, max] = bounds[field];
  const read = field === 'year' ? yearOfDigits : digits;
  return text.split(',').flatMap((item) => {
    const range = parseItem(item, read);
    if (range === null || range.first < min || range.last > max) throw invalid(field, text, max);
    const { first, last, step } = range;
    // `n/s` and `n..n/s` run to the end of the field, as in cron.
    return numbersFrom(first, step !== null && first === last ? max : last, step ?? 1);
  });
}

/** Days counted from the end of the month, 1 = the last; steps go towards the end. null for `*`. */
export function parseDaysFromEnd(text: string): readonly number[] | null {
  if (text === '*') return null;
  return text.split(',').flatMap((item) => {
    const range = parseItem(item, digits);
    const max = item.includes('..') ? fromEndMax : fromEndSingleMax;
    if (range === null || range.first < 1 || range.last > max) throw invalid('day', text, max);
    const { first, last, step } = range;
    // `~7/1` are the last seven days.
    const end = step !== null && first === last ? 1 : first;
    const stepDown = step ?? 1;
    return numbersFrom(0, last - end, stepDown).map((n) => last - n);
  });
}

/** Weekdays, 0 = Sunday: full or three-letter names in any case, ranges by `..` or `-` that do not wrap around. */
export function parseWeekdayNames(text: string): readonly number[] {
  const items = (text.endsWith(',') ? text.slice(0, -1) : text).split(',');
  return items.flatMap((item) => {
    const [from, to] = splitOnce(item, '..') ?? splitOnce(item, '-') ?? [item, item];
    const first = weekdayIndex(from);
    const last = weekdayIndex(to);
    if (last < first) throw new NotationError(`invalid weekdays "${item}": a range ends in the same week`);
    return numbersFrom(first, last).map((index) => (index + 1) % 7);
  });
}

interface ItemRange {
  readonly first: number;
  readonly last: number;
  readonly step: number | null;
}

function parseItem(item: string, read: (text: string) => number | null): ItemRange | null {
  const stepped = splitOnce(item, '/');
  const [from, to] = splitOnce(stepped?.[0] ?? item, '..') ?? [stepped?.[0] ?? item, null];
  const first = read(from);
  const last = to === null ? first : read(to);
  const step = stepped === null ? null : digits(stepped[1]);
  if (first === null || last === null || first > last) return null;
  if (stepped !== null && (step === null || step < 1)) return null;
  return { first, last, step };
}

function yearOfDigits(text: string): number | null {
  const year = digits(text);
  if (year === null || year >= 100) return year;
  return year < 70 ? year + 2_000 : year + 1_900;
}

function weekdayIndex(name: string): number {
  const lower = name.toLowerCase();
  const index = weekdays.findIndex((weekday) => lower === weekday || lower === weekday.slice(0, 3));
  if (index < 0) throw new NotationError(`unknown weekday "${name}"`);
  return index;
}

function invalid(field: CalendarField, text: string, max: number): NotationError {
  const min = bounds[field][0];
  return new NotationError(`invalid ${field} "${text}": use ${min}–${max}`);
}
