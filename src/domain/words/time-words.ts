/**
 * Times and spans in the words of a message: short, English, in the recipient's time zone.
 * Invariant: pure; each names its zone, or how far that is from UTC, since a message is read wherever its readers are.
 */
import { day, hour, minute, second } from '../../lib/units.ts';
import { longSpan } from './span-words.ts';
import { type ZonedParts, zonedParts } from './zoned-parts.ts';

/** `5 minutes ago`, `1 day 1 hour ago`, `in 2 hours`: nobody needs the seconds of an hour, nor the minutes of a day. */
export function relativeText(atMs: number, nowMs: number): string {
  const ms = Math.abs(nowMs - atMs);
  if (ms < 2 * second) return 'just now';
  const unit = ms < minute ? second : ms < day ? minute : hour;
  const span = longSpan(Math.floor(ms / unit) * unit);
  return atMs > nowMs ? `in ${span}` : `${span} ago`;
}

export interface Reader {
  readonly nowMs: number;
  /** IANA name. */
  readonly timeZone: string;
  /** The zone is called by that name, as in mails; else by how far it is from UTC. */
  readonly isZoneNamed?: boolean;
}

/** Beyond it a date without its year is ambiguous. */
const sameYearMs = 180 * day;

/** `Sat 15 Jun 14:30 UTC+3`; with the year when that is not obvious. */
export function dateText(atMs: number, reader: Reader): string {
  const { nowMs, timeZone } = reader;
  const parts = zonedParts(atMs, timeZone);
  const years = Math.abs(nowMs - atMs) > sameYearMs ? ` ${parts.year}` : '';
  return `${parts.weekday} ${parts.day} ${parts.month}${years} ${clockTime(parts, reader)}`;
}

/** Only the time of day, when it is clear which day is meant; else as `dateText`. */
export function timeText(atMs: number, reader: Reader): string {
  return Math.abs(reader.nowMs - atMs) < day
    ? clockTime(zonedParts(atMs, reader.timeZone), reader)
    : dateText(atMs, reader);
}

/** Of what is to come: `14:30 UTC+3` of the same day, `tomorrow 09:00 UTC+3`, else as `dateText`. */
export function untilText(atMs: number, reader: Reader): string {
  const parts = zonedParts(atMs, reader.timeZone);
  const isOn = (dayMs: number): boolean => {
    const { day: d, month, year } = zonedParts(dayMs, reader.timeZone);
    return d === parts.day && month === parts.month && year === parts.year;
  };
  if (isOn(reader.nowMs)) return clockTime(parts, reader);
  return isOn(reader.nowMs + day) ? `tomorrow ${clockTime(parts, reader)}` : dateText(atMs, reader);
}

/** `Sat 15 Jun 14:30 UTC+3 (1 hour ago)`. */
export function whenText(atMs: number, reader: Reader): string {
  return `${dateText(atMs, reader)} (${relativeText(atMs, reader.nowMs)})`;
}

/** A zone that this machine does not know is shown in UTC. */
function clockTime(
  { hour: h, minute: m, offset, suffix }: ZonedParts,
  { timeZone, isZoneNamed }: Reader,
): string {
  const isNamed = isZoneNamed === true && suffix === '' && timeZone !== 'UTC';
  return `${h}:${m} ${isNamed ? `(${timeZone})` : offset}`;
}
