/**
 * The values of the five cron fields, read by cron-parser once every item is known to be valid. Items are `*`, `n` and
 * `a-b`, each with `/n`; L, LW, dL and d#n are not read here (`cron`). Nothing else may import cron-parser.
 * Invariant: cron-parser sees only what both it and Healthchecks accept, written so that they agree on its values.
 */
import { CronExpressionParser } from 'cron-parser';
import { digits, NotationError, splitOnce } from './notation.ts';

const cronFields = ['minute', 'hour', 'day', 'month', 'weekday'] as const;
export type CronField = (typeof cronFields)[number];

/** Upper-case items by field. A field without any names no value. */
export type CronItems = Readonly<Record<CronField, readonly string[]>>;
/** Values by field, repeats allowed; weekdays are 0..7, 0 and 7 for Sunday. */
export type CronValues = Readonly<Record<CronField, readonly number[]>>;

interface FieldShape {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
  /** Label in an error: the field's name, and what it takes. */
  readonly label: string;
  readonly takes: string;
}

const months = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const shapes: Readonly<Record<CronField, FieldShape>> = {
  minute: { min: 0, max: 59, names: [], label: 'minute', takes: '0–59' },
  hour: { min: 0, max: 23, names: [], label: 'hour', takes: '0–23' },
  day: { min: 1, max: 31, names: [], label: 'day of month', takes: '1–31 or L' },
  month: { min: 1, max: 12, names: months, label: 'month', takes: '1–12 or JAN–DEC' },
  weekday: { min: 0, max: 7, names: weekdays, label: 'weekday', takes: '0–7 or SUN–SAT' },
};

/** Throws NotationError for the first item that is not valid. One parse of cron-parser as a rule, some 50 µs. */
export function readCronFields(items: CronItems): CronValues {
  const normal = eachField((field) => items[field].map((item) => normalItem(field, item)));
  const values = tryParse((field) => normal[field].join(',') || '*') ?? readByItem(normal);
  return eachField((field) => (items[field].length === 0 ? [] : values[field]));
}

/** The number that one item is or names. Throws NotationError for anything else. */
export function readCronNumber(field: CronField, item: string): number {
  const value = numberOf(shapes[field], item);
  if (value === null) throw invalid(field, item);
  return value;
}

function tryParse(textOf: (field: CronField) => string): CronValues | null {
  try {
    return parse(textOf);
  } catch {
    // Every item is valid, so it is the combination. What else it may be throws again, an item at a time.
    return null;
  }
}

/**
 * An item of each list at a time: cron-parser refuses a list in which a value comes twice. And months apart from days: it
 * refuses days that no chosen month has, which is for `cron` to judge.
 */
function readByItem(items: CronItems): CronValues {
  const length = Math.max(...cronFields.map((field) => items[field].length));
  const layers = Array.from({ length }, (_, at) => {
    const item = (field: CronField): string => items[field][at] ?? items[field][0] ?? '*';
    const { month } = parse((field) => (field === 'month' ? item(field) : '*'));
    return { ...parse((field) => (field === 'month' ? '*' : item(field))), month };
  });
  return eachField((field) => layers.flatMap((layer) => layer[field]));
}

function parse(textOf: (field: CronField) => string): CronValues {
  // The date and the zone keep cron-parser from asking the clock and the environment.
  const options = { currentDate: 0, tz: 'UTC' };
  const { fields } = CronExpressionParser.parse(cronFields.map(textOf).join(' '), options);
  const { minute, hour, dayOfMonth, month, dayOfWeek } = fields;
  const read = { minute, hour, day: dayOfMonth, month, weekday: dayOfWeek };
  return eachField((field) => numbersIn(read[field].values));
}

/** cron-parser has letters among the values, for the items that are not read here. */
function numbersIn(values: readonly (number | string)[]): readonly number[] {
  return values.filter((value) => typeof value === 'number');
}

function eachField<Value>(of: (field: CronField) => Value): Readonly<Record<CronField, Value>> {
  const [minute, hour, day, month] = [of('minute'), of('hour'), of('day'), of('month')];
  return { minute, hour, day, month, weekday: of('weekday') };
}

/** The item as `n`, `a-b` or `a-b/n` in plain numbers. */
function normalItem(field: CronField, item: string): string {
  const shape = shapes[field];
  const stepped = splitOnce(item, '/');
  const range = rangeOf(shape, stepped === null ? item : stepped[0]);
  if (range === null) throw invalid(field, item);
  const [first, last] = range;
  if (stepped === null) return first === last ? `${first}` : `${first}-${last}`;
  const step = digits(stepped[1]);
  if (step === null || step < 1) throw invalid(field, item);
  // `a/n` and `a-a/n` run to the end of the field. No field is wider than 60, so neither is a step.
  const end = first === last ? shape.max : last;
  return `${first}-${end}/${Math.min(step, 60)}`;
}

function rangeOf(shape: FieldShape, text: string): readonly [number, number] | null {
  if (text === '*') return [shape.min, shape.max];
  const dashed = splitOnce(text, '-');
  const first = numberOf(shape, dashed === null ? text : dashed[0]);
  const last = dashed === null ? first : numberOf(shape, dashed[1]);
  return first === null || last === null || first > last ? null : [first, last];
}

function numberOf(shape: FieldShape, text: string): number | null {
  const value = text === '' ? -1 : (digits(text) ?? shape.names.indexOf(text));
  return value < shape.min || value > shape.max ? null : value;
}

function invalid(field: CronField, item: string): NotationError {
  const { label, takes } = shapes[field];
  return new NotationError(`invalid ${label} "${item}": use ${takes}`);
}
