/** How times are shown: as the member has chosen, else as the browser does. It is module-wide, since a document has one member. */
import type { Preferences } from '../../domain/accounts/preferences.ts';

let timeZone = '';
let clock: Preferences['clock'] = 'auto';

export function setTimeStyle(chosen: Pick<Preferences, 'timeZone' | 'clock'>): void {
  timeZone = chosen.timeZone;
  clock = chosen.clock;
}

/** Options of a time, to be spread into those of a formatter. */
export function timeOptions(): Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'hourCycle'> {
  return {
    ...(timeZone === '' ? {} : { timeZone }),
    ...(clock === 'auto' ? {} : { hourCycle: clock === '12' ? 'h12' : 'h23' }),
  };
}

/** Options of a date, where the hours do not matter. */
export function zoneOption(): Pick<Intl.DateTimeFormatOptions, 'timeZone'> {
  return timeZone === '' ? {} : { timeZone };
}

/** Name of the member's zone, or else of the browser's. */
export function zoneName(): string {
  return timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** By their options: the browser takes a millisecond to make one, and a list has times in each of its rows. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** What follows the last digit, such as ` PM`: alone on the next line it says nothing. */
const endSpaces = /\s(?=\D*$)/g;

/** On a clock of 12 hours an hour of one digit has no zero before it: `2:15 PM`, where one of 24 has `02:15`. */
function formatterWith(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const made = new Intl.DateTimeFormat(undefined, options);
  const { hourCycle } = made.resolvedOptions();
  const isOf12 = hourCycle === 'h11' || hourCycle === 'h12';
  if (!isOf12 || options.hour !== '2-digit') return made;
  return new Intl.DateTimeFormat(undefined, { ...options, hour: 'numeric' });
}

/** Returns the instant in the way of the reader's language, with what follows its digits in the same line as they. */
export function formatted(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const known = formatters.get(key) ?? formatterWith(options);
  formatters.set(key, known);
  const text = known.format(atMs).replace(endSpaces, '\u00a0');
  return hasOwnComma(atMs, options) ? text.replace(dayComma, '') : text;
}

const dayComma = /(?<=^\p{L}+),/u;

/** Whether the language has a comma behind the day of the week only where there is a year: the same list has both. */
function hasOwnComma(atMs: number, { year, ...options }: Intl.DateTimeFormatOptions): boolean {
  return year !== undefined && options.weekday !== undefined && !dayComma.test(formatted(atMs, options));
}

/** Returns the name that a zone has today: `Europe/Kiev` is `Europe/Kyiv`. A zone that the browser does not know keeps its name. */
function presentName(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

/** Names that were looked up: a list has few zones, and a look-up takes long. */
const presentNames = new Map<string, string>();

/** Whether times in that zone read as the reader's own do. */
export function isReadersZone(zone: string): boolean {
  const [asked, own] = [zone, zoneName()].map((name) => {
    const known = presentNames.get(name) ?? presentName(name);
    presentNames.set(name, known);
    return known;
  });
  return asked === own;
}

/** ` (UTC)` behind a time in that zone; empty where it is the reader's own, in which all others are. */
export function zoneSuffix(zone: string): string {
  return isReadersZone(zone) ? '' : ` (${zone})`;
}

/** The reading of the clock where the member is; months count from 0. */
export type WallTime = readonly [year: number, month: number, day: number, hour: number, minute: number];

/** The formatter is kept, since making one takes longer than all else. */
let formatter: { readonly zone: string; readonly of: Intl.DateTimeFormat } | null = null;

function formatterOf(zone: string): Intl.DateTimeFormat {
  if (formatter?.zone !== zone) {
    const options = {
      ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
      ...({ second: 'numeric', hourCycle: 'h23', timeZone: zone } as const),
    };
    formatter = { zone, of: new Intl.DateTimeFormat('en-US', options) };
  }
  return formatter.of;
}

export function wallTime(atMs: number): WallTime {
  const date = new Date(atMs);
  if (timeZone === '')
    return [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes()];
  const [month = 1, day = 1, year = 1970, hour = 0, minute = 0] = numbersAt(atMs);
  return [year, month - 1, day, hour, minute];
}

function numbersAt(atMs: number): readonly number[] {
  return formatterOf(timeZone).format(atMs).match(/\d+/g)?.map(Number) ?? [];
}

/** Returns year, month (from 0) and day where the member is. */
export function dateParts(atMs: number): readonly [year: number, month: number, day: number] {
  const [year, month, day] = wallTime(atMs);
  return [year, month, day];
}

/**
 * Returns the instant at which the clock of the member shows that. Where the clock is set forward over it, the instant is within
 * the hour. A day or an hour may be beyond its end.
 */
export function instantOf(year: number, month: number, day: number, hour = 0, minute = 0): number {
  if (timeZone === '') return new Date(year, month, day, hour, minute).getTime();
  const wall = Date.UTC(year, month, day, hour, minute);
  const near = wall - offsetAt(wall);
  return wall - offsetAt(near);
}

function offsetAt(atMs: number): number {
  const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = numbersAt(atMs);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** Reads a field for date and time, `2026-11-23T09:30`; NaN if it is empty. */
export function instantIn(text: string): number {
  const [year = Number.NaN, month = 1, day = 1, hour = 0, minute = 0] =
    text === '' ? [] : text.split(/\D/).map(Number);
  return Number.isNaN(year) ? year : instantOf(year, month - 1, day, hour, minute);
}

/** The text of such a field. */
export function localText(atMs: number): string {
  const [year, month, day, hour, minute] = wallTime(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month + 1)}-${two(day)}T${two(hour)}:${two(minute)}`;
}
