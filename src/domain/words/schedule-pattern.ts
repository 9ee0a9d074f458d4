/**
 * Reads a cron or OnCalendar expression as sets of numbers: the little that is needed to put it in words. Not for computing: when
 * something occurs is the server's to say (`schedule/`), and what it does not take is not met here.
 * Invariant: pure; null for whatever is not understood to the last character.
 */

export interface Pattern {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** Null for every day. */
  readonly days: MonthDays | null;
  /** Null for every day. */
  readonly weekdays: Weekdays | null;
  /** How day of month and day of week combine: cron wants one of them, if neither begins with a star; all else wants both. */
  readonly join: 'both' | 'either';
  /** The expression's own zone, in place of the check's. */
  readonly zone: string;
}

export interface MonthDays {
  readonly numbers: readonly number[];
  readonly last: boolean;
  readonly lastWorkday: boolean;
}

export interface Weekdays {
  /** 1 is Monday, 7 is Sunday. */
  readonly numbers: readonly number[];
  /** The nth of its month; 0 for the last. */
  readonly nth: readonly { readonly weekday: number; readonly n: number }[];
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const minuteField: Field = { min: 0, max: 59 };
const hourField: Field = { min: 0, max: 23 };
const dayField: Field = { min: 1, max: 31 };
const monthNames = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const monthField: Field = { min: 1, max: 12, names: monthNames };
const weekdayField: Field = { min: 0, max: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] };

export function cronPattern(expr: string): Pattern | null {
  const words = expr.trim().toUpperCase().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = words;
  const minutes = numbersOf(minuteField, minute);
  const hours = numbersOf(hourField, hour);
  const months = numbersOf(monthField, month);
  const days = cronDays(day);
  const weekdays = cronWeekdays(weekday);
  if (words.length !== 5 || !minutes || !hours || !months || !days || !weekdays) return null;
  const join = day.startsWith('*') || weekday.startsWith('*') ? 'both' : 'either';
  return unboundDays({ minutes, hours, months, days, weekdays, join, zone: '' });
}

function cronDays(text: string): MonthDays | null {
  const items = text.split(',');
  const plain = items.filter((item) => item !== 'L' && item !== 'LW');
  const numbers = plain.length === 0 ? [] : numbersOf(dayField, plain.join(','));
  return numbers && { numbers, last: items.includes('L'), lastWorkday: items.includes('LW') };
}

function cronWeekdays(text: string): Weekdays | null {
  const plain: string[] = [];
  const nth: { weekday: number; n: number }[] = [];
  for (const item of text.split(',')) {
    const [, day = '', n = '0'] = /^([0-7]|[A-Z]{3})#([1-5])$/.exec(item) ?? /^([0-7])L$/.exec(item) ?? [];
    if (day === '') {
      plain.push(item);
      continue;
    }
    const weekday = numberOf(weekdayField, day);
    if (weekday === null) return null;
    nth.push({ weekday: weekday % 7 || 7, n: Number(n) });
  }
  const numbers = plain.length === 0 ? [] : numbersOf(weekdayField, plain.join(','));
  return numbers && { numbers: sorted(numbers.map((number) => number % 7 || 7)), nth };
}

/** Ascending, each once: `*`, `n`, `a-b`, a name, each with `/step`, in a list. */
function numbersOf(field: Field, text: string, dash = '-'): readonly number[] | null {
  const found: number[] = [];
  for (const item of text.split(',')) {
    const [range = '', stepText, ...more] = item.split('/');
    const step = stepText === undefined ? 1 : (plainNumber(stepText) ?? 0);
    const [from = '', to = from, ...others] =
      range === '*' ? [`${field.min}`, `${field.max}`] : range.split(dash);
    const first = numberOf(field, from);
    const last = numberOf(field, to);
    if (more.length > 0 || others.length > 0 || step < 1 || first === null || last === null || first > last)
      return null;
    // With a step a single number begins a range that runs to the end.
    const end = stepText !== undefined && first === last ? field.max : last;
    for (let number = first; number <= end; number += step) found.push(number);
  }
  return sorted(found);
}

function numberOf({ min, max, names = [] }: Field, text: string): number | null {
  const number = text === '' ? null : (plainNumber(text) ?? names.indexOf(text));
  return number === null || number < min || number > max ? null : number;
}

function plainNumber(text: string): number | null {
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

type Bound = Pattern & { readonly days: MonthDays; readonly weekdays: Weekdays };

/**
 * Leaves out a field of days that any day satisfies. Where day of month and day of week must both match, such a field has no effect;
 * where one of them is enough, every day matches.
 */
function unboundDays(bound: Bound): Pattern {
  const everyDay = bound.days.numbers.length === 31;
  const everyWeekday = bound.weekdays.numbers.length === 7;
  if (bound.join === 'either' && (everyDay || everyWeekday)) return { ...bound, days: null, weekdays: null };
  return {
    ...bound,
    days: everyDay ? null : bound.days,
    weekdays: everyWeekday ? null : bound.weekdays,
  };
}

const shorthands: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*:00',
  hourly: '*-*-* *:00:00',
  daily: '*-*-* 00:00:00',
  weekly: 'Mon *-*-* 00:00:00',
  monthly: '*-*-01 00:00:00',
  yearly: '*-01-01 00:00:00',
  annually: '*-01-01 00:00:00',
  quarterly: '*-01,04,07,10-01 00:00:00',
  semiannually: '*-01,07-01 00:00:00',
};

/** Reads one line of an OnCalendar expression. */
export function calendarPattern(line: string): Pattern | null {
  const words = line.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  const zone = /^(UTC|[A-Za-z]\w+\/[\w/+-]+)$/.test(last) ? last : '';
  if (zone !== '') words.pop();
  const [only = ''] = words;
  const long = words.length === 1 ? shorthands[only.toLowerCase()] : undefined;
  const left = long === undefined ? words : long.split(' ');
  const time = (left.at(-1) ?? '').includes(':') ? left.pop() : '0:0';
  const date = /^[\d*].*[-~]/.test(left.at(-1) ?? '') ? left.pop() : '*-*-*';
  const weekday = left.pop() ?? '*';
  const onTime = calendarTime(time ?? '');
  const onDate = calendarDate(date ?? '');
  const weekdays = calendarWeekdays(weekday);
  if (left.length > 0 || !onTime || !onDate || !weekdays) return null;
  return unboundDays({ ...onTime, ...onDate, weekdays, join: 'both', zone });
}

function calendarTime(text: string): Pick<Pattern, 'hours' | 'minutes'> | null {
  const [hour = '', minute = '', second = '0', ...more] = text.split(':');
  const hours = calendarNumbers(hourField, hour);
  const minutes = calendarNumbers(minuteField, minute);
  if (more.length > 0 || Number(second) !== 0 || second === '' || !hours || !minutes) return null;
  return { hours, minutes };
}

function calendarDate(text: string): { months: readonly number[]; days: MonthDays } | null {
  const [, year = '*', month = '', mark = '', day = ''] =
    /^(?:(\*)-)?([\d*,./]+)([-~])([\d*,./]+)$/.exec(text) ?? [];
  const months = calendarNumbers({ min: 1, max: 12 }, month);
  if (year !== '*' || !months) return null;
  // Counted from the month's end there are many days; the last of them has a name.
  if (mark === '~')
    return /^0?1$/.test(day) ? { months, days: { numbers: [], last: true, lastWorkday: false } } : null;
  const numbers = calendarNumbers(dayField, day);
  return numbers && { months, days: { numbers, last: false, lastWorkday: false } };
}

/** A star is a whole item here; ranges have two dots. */
function calendarNumbers(field: Field, text: string): readonly number[] | null {
  return text !== '*' && text.includes('*') ? null : numbersOf(field, text, '..');
}

const calendarDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function calendarWeekdays(text: string): Weekdays | null {
  if (text === '*') return { numbers: [1, 2, 3, 4, 5, 6, 7], nth: [] };
  const found: number[] = [];
  for (const item of text.toLowerCase().replace(/,$/, '').split(',')) {
    const [from = '', to = from, ...more] = item.split(/\.\.|-/);
    const [first, last] = [from, to].map((name) =>
      calendarDays.findIndex((day) => name === day || name === day.slice(0, 3)),
    );
    if (more.length > 0 || first === undefined || last === undefined || first < 0 || last < first)
      return null;
    for (let day = first; day <= last; day++) found.push(day + 1);
  }
  return { numbers: sorted(found), nth: [] };
}
