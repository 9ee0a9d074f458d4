/**
 * Formats instants as the API writes them: ISO 8601 with the offset `+00:00` (specification, "Resources").
 * Invariant: whole seconds, cut and not rounded, except in a ping's date, which always has six fraction digits.
 */
import { second } from '../../lib/units.ts';
import { dateTextsMax } from '../limits.ts';

/** `2024-01-02T03:04:05+00:00`. It is joined from cached parts: a list of ten thousand checks has twenty thousand of them. */
export function isoSeconds(atMs: number): string {
  const instant = Math.floor(atMs / second);
  const days = Math.floor(instant / secondsPerDay);
  const rest = instant - days * secondsPerDay;
  const minutes = Math.floor(rest / 60);
  return dateText(days) + minuteTexts[minutes] + secondTexts[rest - minutes * 60];
}

const secondsPerDay = 86_400;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const minuteTexts = Array.from(
  { length: 1440 },
  (_, minute) => `${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:`,
);
const secondTexts = twoDigits.map((digits) => `${digits}+00:00`);

/** Texts of recent dates, by days since 1970: a project's checks have few different ones. */
const dateTexts = new Map<number, string>();

/** `2024-01-02T`. */
function dateText(days: number): string {
  const known = dateTexts.get(days);
  if (known !== undefined) return known;
  if (dateTexts.size >= dateTextsMax) dateTexts.clear();
  const text = new Date(days * secondsPerDay * second).toISOString().slice(0, -13);
  dateTexts.set(days, text);
  return text;
}

/** `2024-01-02T03:04:05.678000+00:00`. */
export function isoMicroseconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 23)}000+00:00`;
}
