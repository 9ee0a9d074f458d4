/**
 * The three rules for clock changes against brute force: every real minute around the changes of odd zones.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSchedule, type Schedule } from '../../src/schedule/schedule.ts';
import { isLong } from '../support/long.ts';
import { localReading } from './local-reading.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MARGIN = 36 * HOUR;

/** Zones with the year whose changes are looked at. */
const ZONES: readonly (readonly [string, number])[] = [
  ['Australia/Lord_Howe', 2026],
  ['Antarctica/Troll', 2026],
  ['Africa/Cairo', 2026],
  ['America/Havana', 2026],
  ['America/Santiago', 2026],
  ['America/St_Johns', 2026],
  ['Atlantic/Azores', 2026],
  ['Asia/Kathmandu', 1985],
  ['Pacific/Apia', 2011],
  ['Pacific/Chatham', 2027],
  ['Africa/Casablanca', 2026],
];

interface Minute {
  readonly instant: number;
  readonly reading: number;
}

type Window = readonly Minute[];

function windowsOf(tz: string, year: number): Window[] {
  const windows: Window[] = [];
  const offsetAt = (at: number): number => localReading(tz, at) - at;
  for (let at = Date.UTC(year, 0); at < Date.UTC(year + 1, 0); at += 6 * HOUR) {
    if (offsetAt(at) === offsetAt(at + 6 * HOUR)) continue;
    const start = at - MARGIN;
    const minutes = Array.from({ length: (2 * MARGIN) / MINUTE }, (_, index) => start + index * MINUTE);
    windows.push(minutes.map((instant) => ({ instant, reading: localReading(tz, instant) })));
  }
  return windows;
}

interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

function everyFrom(first: number, last: number, step: number): Set<number> {
  const values = new Set<number>();
  for (let value = first; value <= last; value += step) values.add(value);
  return values;
}

function cronField(max: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min: 0, max });
  return fc.oneof(
    fc.constant({ text: '*', values: everyFrom(0, max, 1) }),
    fc.integer({ min: 2, max: 30 }).map((step) => ({ text: `*/${step}`, values: everyFrom(0, max, step) })),
    fc
      .array(value, { minLength: 1, maxLength: 5 })
      .map((list) => ({ text: list.join(), values: new Set(list) })),
    fc.tuple(value, value, fc.integer({ min: 1, max: 9 })).map(([a, b, step]) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      return {
        text: `${first}-${last}/${step}`,
        values: everyFrom(first, first === last ? max : last, step),
      };
    }),
  );
}

function calendarField(max: number): fc.Arbitrary<Field> {
  const toCalendar = (field: Field): Field => ({ ...field, text: field.text.replace('-', '..') });
  return cronField(max)
    .filter(({ text }) => !text.startsWith('*/'))
    .map(toCalendar);
}

interface Rule {
  readonly matches: (reading: number) => boolean;
  readonly repeated: 'first' | 'both';
  readonly skipped: 'after-gap' | 'never';
}

function bruteForce(window: Window, rule: Rule): number[] {
  const found: number[] = [];
  let highest = (window[0]?.reading ?? 0) - MINUTE;
  for (const { instant, reading } of window) {
    const firstPass = reading > highest;
    const gap = rule.skipped === 'after-gap' && firstPass ? minutesBetween(highest, reading) : [];
    const inPass = firstPass || rule.repeated === 'both';
    if ((inPass && rule.matches(reading)) || gap.some(rule.matches)) found.push(instant);
    highest = Math.max(highest, reading);
  }
  return found;
}

function minutesBetween(after: number, before: number): number[] {
  const minutes: number[] = [];
  for (let at = after + MINUTE; at < before; at += MINUTE) minutes.push(at);
  return minutes;
}

function timeMatcher(
  hour: Field,
  minute: Field,
  weekdays: ReadonlySet<number>,
): (reading: number) => boolean {
  return (reading) => {
    const at = new Date(reading);
    const ofTime = hour.values.has(at.getUTCHours()) && minute.values.has(at.getUTCMinutes());
    return ofTime && weekdays.has(at.getUTCDay());
  };
}

function expectSame(schedule: Schedule, window: Window, expected: readonly number[], from: number): void {
  const end = (window.at(-1)?.instant ?? 0) + MINUTE;
  const ahead = expected.filter((instant) => instant > from);
  let at = from;
  for (const instant of ahead.slice(0, 50)) {
    const next = schedule.next(at);
    expect(next).toBe(instant);
    at = instant;
  }
  if (ahead.length <= 50) expect(schedule.next(at) ?? end).toBeGreaterThanOrEqual(end);
}

function parse(expr: string, tz: string): Schedule {
  const parsed = parseSchedule(expr, tz);
  if (!parsed.ok) throw new Error(`${expr}: ${parsed.error}`);
  return parsed.schedule;
}

describe.each(ZONES)('around the clock changes of %s in %i', (tz, year) => {
  const windows = windowsOf(tz, year);
  const moment = fc.record({
    window: fc.constantFrom(...windows),
    fraction: fc.double({ min: 0, max: 0.9, noNaN: true }),
  });
  const fromOf = (window: Window, fraction: number): number => {
    const start = window[0]?.instant ?? 0;
    return start + Math.floor((window.length * MINUTE * fraction) / 1_000) * 1_000;
  };
  const weekdays = fc.constantFrom('*', '1-5', '0,3,6').map((text) => ({
    text,
    values:
      { '*': everyFrom(0, 6, 1), '1-5': everyFrom(1, 5, 1), '0,3,6': new Set([0, 3, 6]) }[text] ?? new Set(),
  }));

  it('cron runs as brute force over real minutes says', () => {
    fc.assert(
      fc.property(
        cronField(59),
        cronField(23),
        weekdays,
        moment,
        (minute, hour, days, { window, fraction }) => {
          const wildcard = minute.text.startsWith('*') || hour.text.startsWith('*');
          const expected = bruteForce(window, {
            matches: timeMatcher(hour, minute, days.values),
            repeated: wildcard ? 'both' : 'first',
            skipped: wildcard ? 'never' : 'after-gap',
          });
          const schedule = parse(`${minute.text} ${hour.text} * * ${days.text}`, tz);
          expectSame(schedule, window, expected, fromOf(window, fraction));
        },
      ),
      { numRuns: isLong ? 300 : 60 },
    );
  });

  it('OnCalendar occurs as brute force over real minutes says', () => {
    fc.assert(
      fc.property(calendarField(59), calendarField(23), moment, (minute, hour, { window, fraction }) => {
        const matches = timeMatcher(hour, minute, everyFrom(0, 6, 1));
        const expected = bruteForce(window, { matches, repeated: 'first', skipped: 'never' });
        expectSame(parse(`${hour.text}:${minute.text}`, tz), window, expected, fromOf(window, fraction));
      }),
      { numRuns: isLong ? 300 : 60 },
    );
  });
});
