/**
 * Reads the dates out of an iCalendar file (RFC 5545): the events in it, such as public holidays. Not here: what becomes of them
 * (`maintenance-spec`). A reader of our own, since it is a page, and a package would read zones by other rules than schedules are read.
 * Invariant: pure; what it cannot read as what it means is refused in a sentence, never guessed: above all, events that repeat.
 */
import type { TimeSpan } from '../domain/alerting/calendar.ts';
import { day, hour, minute, second } from '../lib/units.ts';
import { canonicalTimeZone, zoneClock } from '../schedule/schedule.ts';

type IcsDates =
  | { readonly ok: true; readonly dates: readonly TimeSpan[] }
  | { readonly ok: false; readonly error: string };

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

class IcsError extends Error {}

/** `tz`: of times without a zone, and of whole days. Events that are cancelled, or take no time, are left out. */
export function datesOfIcs(text: string, tz: string): IcsDates {
  try {
    const properties = unfolded(text).map(propertyOf);
    if (properties[0]?.name !== 'BEGIN' || properties[0].value.toUpperCase() !== 'VCALENDAR')
      throw new IcsError('does not begin with BEGIN:VCALENDAR');
    return { ok: true, dates: eventsIn(properties).flatMap((event) => datesOf(event, tz)) };
  } catch (error) {
    if (!(error instanceof IcsError)) throw error;
    return { ok: false, error: error.message };
  }
}

/** A line that begins with a blank goes on with the one before it. */
function unfolded(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
}

/** Values in quotes may have colons and semicolons. */
function propertyOf(line: string): Property {
  const [, head, value] = /^((?:"[^"]*"|[^":])+):(.*)$/.exec(line) ?? [];
  if (head === undefined || value === undefined)
    throw new IcsError(`has a line that is none of a calendar: ${shown(line)}`);
  const [name = '', ...parameters] = head.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  return {
    name: name.toUpperCase(),
    parameters: new Map(
      parameters.map((one) => {
        const [key = '', ...rest] = one.split('=');
        return [key.toUpperCase(), rest.join('=').replace(/^"(.*)"$/, '$1')];
      }),
    ),
    value: value.trim(),
  };
}

type Event = ReadonlyMap<string, Property>;

/** The properties of each event by name, without those of what is inside of it, such as its alarms. */
function eventsIn(properties: readonly Property[]): readonly Event[] {
  const events: Map<string, Property>[] = [];
  const open: string[] = [];
  for (const property of properties) {
    const value = property.value.toUpperCase();
    if (property.name === 'BEGIN') {
      open.push(value);
      if (value === 'VEVENT') events.push(new Map());
    } else if (property.name === 'END') {
      if (open.pop() !== value) throw new IcsError(`has an end without its beginning: END:${shown(value)}`);
    } else if (open.at(-1) === 'VEVENT') events.at(-1)?.set(property.name, property);
  }
  if (open.length > 0) throw new IcsError(`ends before END:${open.at(-1) ?? ''}`);
  return events;
}

function datesOf(event: Event, tz: string): readonly TimeSpan[] {
  const called = shown(event.get('SUMMARY')?.value ?? 'without a name');
  const repeating = ['RRULE', 'RDATE', 'EXRULE'].find((name) => event.has(name));
  if (repeating)
    throw new IcsError(
      `has an event that repeats (${repeating}), ${called}: give it as a schedule with a duration, or export its single events`,
    );
  if (event.get('STATUS')?.value.toUpperCase() === 'CANCELLED') return [];
  const start = event.get('DTSTART');
  if (!start) throw new IcsError(`has an event without DTSTART, ${called}`);
  const fromMs = instantOf(start, tz, called);
  const untilMs = endOf(event, fromMs, { tz, called });
  return untilMs > fromMs ? [{ fromMs, untilMs }] : [];
}

/** A whole day ends when the next one begins, by the clock of the zone: it has 23 or 25 hours when that is changed. */
function endOf(event: Event, fromMs: number, { tz, called }: { tz: string; called: string }): number {
  const [start, end, duration] = ['DTSTART', 'DTEND', 'DURATION'].map((name) => event.get(name));
  if (end) return instantOf(end, tz, called);
  const isDay = start !== undefined && dayPattern.test(start.value);
  const length = duration ? lengthOf(duration.value, called) : { days: isDay ? 1 : 0, ms: 0 };
  if (!isDay || start === undefined) return fromMs + length.days * day + length.ms;
  return atWall(wallOf(start.value, called) + length.days * day + length.ms, tz);
}

const dayPattern = /^\d{8}$/;
const timePattern = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/i;

function instantOf({ value, parameters }: Property, tz: string, called: string): number {
  const wall = wallOf(value, called);
  if (value.toUpperCase().endsWith('Z')) return wall;
  const named = parameters.get('TZID');
  return atWall(wall, named === undefined || dayPattern.test(value) ? tz : zoneOf(named, called));
}

/** Epoch milliseconds as if it were in UTC. */
function wallOf(value: string, called: string): number {
  const [, year, month, date, hours = '00', minutes = '00', seconds = '00'] = timePattern.exec(value) ?? [];
  const text = `${year}-${month}-${date}T${hours}:${minutes}:${seconds}Z`;
  const wall = year === undefined ? Number.NaN : Date.parse(text);
  // `Date` takes the 30th of February for the 2nd of March.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== text.slice(0, 10))
    throw new IcsError(`has a time that there is not, ${shown(value)}, in ${called}`);
  return wall;
}

/** Some programs write a name of their own before it: `/example.org/20260101/Europe/Riga`. */
function zoneOf(named: string, called: string): string {
  const [last = '', before = ''] = named.split('/').reverse();
  const zone = canonicalTimeZone(named) ?? canonicalTimeZone(`${before}/${last}`);
  if (zone === null)
    throw new IcsError(`has the time zone ${shown(named)}, which is no IANA name, in ${called}`);
  return zone;
}

/** What the clock skips is the first instant after the gap, what it shows twice the first time: as of a schedule at a fixed time. */
function atWall(wall: number, tz: string): number {
  const clock = zoneClock(tz);
  let span = clock.spanAt(wall - 15 * hour);
  while (wall - span.offsetMs >= span.endMs) span = clock.spanAt(span.endMs);
  return Math.max(wall - span.offsetMs, span.startMs);
}

function lengthOf(value: string, called: string): { readonly days: number; readonly ms: number } {
  const match =
    /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/i.exec(value);
  if (!match) throw new IcsError(`has a duration that is none, ${shown(value)}, in ${called}`);
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  return { days: 7 * weeks + days, ms: hours * hour + minutes * minute + seconds * second };
}

/** At most so much of what a file says, on one line. */
function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
