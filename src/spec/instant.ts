/** Reads an instant out of JSON or of a query. Invariant: pure; what does not say its offset from UTC is none, since it would be ambiguous. */
import { beginsWithDate } from '../lib/calendar-date.ts';
import { second } from '../lib/units.ts';

/** The offset is required: without it the instant would be ambiguous. */
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

export const instantWords = 'epoch seconds, or ISO 8601 with an offset such as 2030-05-04T09:00:00Z';

/** Epoch milliseconds of epoch seconds, or of ISO 8601 with an offset; null for anything else. */
export function instantIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value * second : null;
  if (typeof value !== 'string' || !isoInstant.test(value) || !beginsWithDate(value)) return null;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : atMs;
}

/** The same of a parameter of a query, whose value is always text; epoch seconds may have a fraction. */
export function momentIn(value: string): number | null {
  // A plus that was not escaped came as a space.
  const text = value.trim().replace(' ', '+');
  return /^\d{1,11}(?:\.\d{1,6})?$/.test(text) ? Number(text) * second : instantIn(text);
}
