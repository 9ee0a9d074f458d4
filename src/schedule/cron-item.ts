/**
 * One item of a cron list: `*`, `n`, `a-b`, each with `/n`, read by cron-parser after our own validation.
 * It does not know lists nor L, LW, dL, d#n (cron.ts). Nothing else may import cron-parser.
 * Invariant: cron-parser sees only what both it and Healthchecks take, written so that they agree on its values.
 */
import { CronExpressionParser } from 'cron-parser';
import { digits, NotationError, splitOnce } from './notation.ts';

export type CronField = 'minute' | 'hour' | 'day' | 'month' | 'weekday';

interface FieldShape {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
  /** A whole expression with the item in the field's place. */
  readonly expression: (item: string) => string;
}

const months = ['', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const shapes: Readonly<Record<CronField, FieldShape>> = {
  minute: { min: 0, max: 59, names: [], expression: (item) => `${item} 0 1 1 *` },
  hour: { min: 0, max: 23, names: [], expression: (item) => `0 ${item} 1 1 *` },
  day: { min: 1, max: 31, names: [], expression: (item) => `0 0 ${item} 1 *` },
  month: { min: 1, max: 12, names: months, expression: (item) => `0 0 1 ${item} *` },
  weekday: { min: 0, max: 7, names: weekdays, expression: (item) => `0 0 1 1 ${item}` },
};

// cron-parser takes 25 µs an item, and people write the same few: with the memory a start-up with 20,000 checks is
// not held up. Dropped whole when full, since clients may send any number of items.
const memoryMax = 2_000;
const memory = new Map<string, readonly number[]>();

/** The values of one upper-case item, weekdays 0..7 with 7 for Sunday. Throws NotationError when it is not valid. */
export function readCronItem(field: CronField, item: string): readonly number[] {
  const key = `${field} ${item}`;
  const known = memory.get(key);
  if (known !== undefined) return known;
  const values = parseItem(field, item);
  if (memory.size >= memoryMax) memory.clear();
  memory.set(key, values);
  return values;
}

function parseItem(field: CronField, item: string): readonly number[] {
  const shape = shapes[field];
  const normal = normalItem(shape, item);
  if (normal === null) throw new NotationError(`bad ${field} "${item}"`);
  // The date and the zone keep cron-parser from asking the clock and the environment.
  const parsed = CronExpressionParser.parse(shape.expression(normal), { currentDate: 0, tz: 'UTC' });
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parsed.fields;
  const read = { minute, hour, day: dayOfMonth, month, weekday: dayOfWeek }[field];
  return read.values.filter((value) => typeof value === 'number');
}

/** The item as `n`, `a-b` or `a-b/n` in plain numbers, or null when it is not valid. */
function normalItem(shape: FieldShape, item: string): string | null {
  const stepped = splitOnce(item, '/');
  const range = rangeOf(shape, stepped === null ? item : stepped[0]);
  if (range === null) return null;
  const [first, last] = range;
  if (stepped === null) return first === last ? `${first}` : `${first}-${last}`;
  const step = digits(stepped[1]);
  if (step === null || step < 1) return null;
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
