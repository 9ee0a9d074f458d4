/**
 * Writes an instant as the clock of a zone shows it. It computes no occurrences.
 * Invariant: a fixed width up to the year 9999.
 */
import { minute } from '../lib/units.ts';
import { zoneClock } from './zone-clock.ts';

/** Local ISO 8601 time in whole seconds, with the offset of the zone: 2026-03-29T04:00:00+03:00. */
export function zonedTime(instantMs: number, tz: string): string {
  const { offsetMs } = zoneClock(tz).spanAt(instantMs);
  const minutes = Math.round(Math.abs(offsetMs) / minute);
  const offset = `${offsetMs < 0 ? '-' : '+'}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`;
  return `${new Date(instantMs + offsetMs).toISOString().slice(0, 19)}${offset}`;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
