/** Schedules in words: the words by a table, what they are made of against the schedules themselves. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { calendarPattern, cronPattern, type Pattern } from '../../../src/domain/words/schedule-pattern.ts';
import { wordsOfCalendar, wordsOfCron } from '../../../src/domain/words/schedule-words.ts';
import { parseSchedule } from '../../../src/schedule/schedule.ts';
import { scheduleWords } from '../../../src/web/core/words.ts';

test('times are on the clock of the reader, where one is given', () => {
  const clock = (hour: number, minute: number): string => `${hour}h${minute}`;
  expect(wordsOfCron('30 3 * * *', clock).words).toBe('daily at 3h30');
  expect(wordsOfCron('*/15 9-17 * * *', clock).words).toBe('every 15 minutes from 9h0 to 17h59');
  expect(wordsOfCron('30 9-17 * * *', clock).words).toBe('every hour from 9h30 to 17h30');
  expect(wordsOfCron('0 */2 * * *', clock).words).toBe('every 2 hours from 0h0');
  expect(wordsOfCalendar('Mon *-*-* 18:00', clock).words).toBe('Mondays at 18h0');
  expect(wordsOfCron('5,35 * * * *', clock).words).toBe('hourly at :05 and :35');
});

test.each([
  ['* * * * *', 'every minute'],
  ['*/1 * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['5/15 * * * *', 'every 15 minutes, beginning at :05'],
  ['*/7 * * * *', 'every 7 minutes from :00 to :56 of every hour'],
  ['0-20/5 * * * *', 'every 5 minutes from :00 to :20 of every hour'],
  ['5-10 * * * *', 'every minute from :05 to :10 of every hour'],
  ['0 * * * *', 'hourly at :00'],
  ['5,35 * * * *', 'hourly at :05 and :35'],
  ['*/15 9-17 * * 1-5', 'every 15 minutes from 09:00 to 17:59, Monday to Friday'],
  ['5/15 9-17 * * 1-5', 'every 15 minutes from 09:05 to 17:50, Monday to Friday'],
  ['* 9-17 * * *', 'every minute from 09:00 to 17:59'],
  [
    '*/10 8-11,13-17 * * MON-FRI',
    'every 10 minutes from 08:00 to 11:59 and from 13:00 to 17:59, Monday to Friday',
  ],
  ['30 9-17 * * *', 'every hour from 09:30 to 17:30'],
  ['0 8-11,13-17 * * *', 'every hour from 08:00 to 11:00 and from 13:00 to 17:00'],
  ['0 */2 * * *', 'every 2 hours from 00:00'],
  ['30 1/6 * * *', 'every 6 hours from 01:30'],
  ['0 8-18/2 * * 6,0', 'every 2 hours from 08:00 to 18:00, Saturdays and Sundays'],
  [
    '*/7 9-17 * * mon-fri',
    'every 7 minutes from :00 to :56 of every hour from 09:00 to 17:59, Monday to Friday',
  ],
  ['5,20 9-17 * * *', 'hourly at :05 and :20 from 09:00 to 17:59'],
  ['30 3 * * *', 'daily at 03:30'],
  ['0 9,12,18 * * *', 'daily at 09:00, 12:00 and 18:00'],
  ['0 1,2,4,8,16 * * *', 'daily at 01:00, 02:00, 04:00, 08:00 and 16:00'],
  ['*/20 9 * * *', 'daily at 09:00, 09:20 and 09:40'],
  ['*/10 9 * * *', 'every 10 minutes from 09:00 to 09:59'],
  ['0 9 * * 1', 'Mondays at 09:00'],
  ['0 9 * * sun', 'Sundays at 09:00'],
  ['0 9 * * 7', 'Sundays at 09:00'],
  ['0 9 * * 1,3,5', 'Mondays, Wednesdays and Fridays at 09:00'],
  ['0 9 * * 1-3,5', 'Monday to Wednesday and Friday at 09:00'],
  ['0 9 * * 5-7', 'Friday to Sunday at 09:00'],
  ['0 9 * * 0-6', 'daily at 09:00'],
  ['0 9 * * MON#2', 'on the second Monday of the month at 09:00'],
  ['0 9 * * 5L', 'on the last Friday of the month at 09:00'],
  ['0 0 1 * *', 'on day 1 of the month at 00:00'],
  ['0 0 1,15 * *', 'on days 1 and 15 of the month at 00:00'],
  ['0 0 1-7 * *', 'on days 1 to 7 of the month at 00:00'],
  ['0 0 */2 * *', 'on odd days of the month at 00:00'],
  ['0 0 2/2 * *', 'on even days of the month at 00:00'],
  ['0 0 L * *', 'on the last day of the month at 00:00'],
  ['0 0 15,L * *', 'on day 15 and the last day of the month at 00:00'],
  ['0 0 LW * *', 'on the last weekday (Monday to Friday) of the month at 00:00'],
  ['0 0 1 1 *', 'on January 1 at 00:00'],
  ['0 0 1 1,7 *', 'on January 1 and July 1 at 00:00'],
  ['0 0 31 4,5 *', 'on May 31 at 00:00'],
  ['0 0 29 2 *', 'on February 29 at 00:00'],
  ['0 0 1 3-10 *', 'on day 1 of the month at 00:00, from March to October'],
  ['0 0 * 12 *', 'daily at 00:00, in December'],
  ['*/5 * * 1,7 1', 'every 5 minutes, Mondays, in January and July'],
  // Both are given and neither begins with a star: either will do.
  ['0 9 1 * 1', 'at 09:00 on day 1 of the month and also every Monday'],
  ['0 9 1-7 * 1,2', 'at 09:00 on days 1 to 7 of the month and also every Monday and Tuesday'],
  ['0 9 13 * FRI#2', 'at 09:00 on day 13 of the month and also on the second Friday of the month'],
  ['0 9 1-31 * 1', 'daily at 09:00'],
  ['*/30 * 1 * 1', 'every 30 minutes, on day 1 of the month and also every Monday'],
  // One begins with a star: both must hold.
  ['0 9 */2 * 1', 'on odd days of the month if it is a Monday at 09:00'],
  ['0 9 1 * */2', 'on day 1 of the month if it is a Tuesday, Thursday, Saturday or Sunday at 09:00'],
  ['0 9 */1 * 1', 'Mondays at 09:00'],
  // Not to be said shortly, or not understood.
  ['1,2,4,8,16 * * * *', ''],
  ['*/10 */2 * * *', ''],
  ['0 1,2,4,8,9,11,16 * * *', ''],
  ['0 0 1,3,5,8,10,12,14,17,19 * *', ''],
  ['0 0 * * 1,MON#2', ''],
  ['0 0 */2 * MON#2', ''],
  ['0 0 L/2 * *', ''],
  ['61 3 * * *', ''],
  ['@daily', ''],
  ['a b c d e', ''],
  ['0 0 30-1 * *', ''],
  ['', ''],
])('cron %j is %j', (expr, words) => {
  expect(wordsOfCron(expr).words).toBe(words);
});

test.each([
  ['daily', 'daily at 00:00', ''],
  ['hourly', 'hourly at :00', ''],
  ['minutely', 'every minute', ''],
  ['weekly', 'Mondays at 00:00', ''],
  ['quarterly', 'on January 1, April 1, July 1 and October 1 at 00:00', ''],
  ['Mon..Fri 9:00', 'Monday to Friday at 09:00', ''],
  ['mon,wed 9:00', 'Mondays and Wednesdays at 09:00', ''],
  ['Sat,Sun 9:00 Europe/Riga', 'Saturdays and Sundays at 09:00', 'Europe/Riga'],
  ['Mon..Fri *-*-* 9..17:0/15', 'every 15 minutes from 09:00 to 17:59, Monday to Friday', ''],
  ['*:0/5', 'every 5 minutes', ''],
  ['*-*-1,15 4:30:00', 'on days 1 and 15 of the month at 04:30', ''],
  ['*-*~1 23:00', 'on the last day of the month at 23:00', ''],
  ['Fri *-*-13 9:00', 'on day 13 of the month if it is a Friday at 09:00', ''],
  ['Mon *-*-1..7 9:00', 'on the first Monday of the month at 09:00', ''],
  ['Tue *-*-22..28 9:00', 'on the fourth Tuesday of the month at 09:00', ''],
  ['Mon *-*-2..8 9:00', 'on days 2 to 8 of the month if it is a Monday at 09:00', ''],
  ['*-12-24 18:00', 'on December 24 at 18:00', ''],
  ['12-24 18:00', 'on December 24 at 18:00', ''],
  ['9:00\nSat 12:00', 'daily at 09:00; also Saturdays at 12:00', ''],
  ['9:00 UTC\n12:00 Europe/Riga', '', ''],
  ['9:00 UTC\n12:00', '', ''],
  ['9:00:30', '', ''],
  ['2026-01-01 9:00', '', ''],
  ['*-*~7/1 9:00', '', ''],
  ['*:*:0/10', '', ''],
  ['nonsense', '', ''],
  ['', '', ''],
])('OnCalendar %j is %j', (expr, words, zone) => {
  expect(wordsOfCalendar(expr)).toEqual({ words, zone });
});

test('a period is said in its two largest units', () => {
  const said = (timeoutS: number) => scheduleWords({ kind: 'simple', timeoutS, schedule: '', tz: 'UTC' });
  expect([86_400, 6300, 120].map(said)).toEqual(['every day', 'every 1 hour 45 minutes', 'every 2 minutes']);
});

test('what has no words is shown itself, with the zone that it goes by', () => {
  const check = { timeoutS: 0, tz: 'Europe/Riga' };
  const said = (kind: 'cron' | 'oncalendar', schedule: string) => scheduleWords({ ...check, kind, schedule });
  expect(said('cron', '*/10 */2 * * *')).toBe('*/10 */2 * * * (Europe/Riga)');
  // The reader's clock has 12 hours or 24.
  expect(said('cron', '0 9 * * 1-5')).toMatch(/^Monday to Friday at (?:09:00|9:00\sAM) \(Europe\/Riga\)$/);
  expect(said('oncalendar', '9:00:30\n10:00')).toBe('9:00:30, 10:00 (Europe/Riga)');
  expect(said('oncalendar', '9:00 UTC')).toMatch(/^daily at (?:09:00|9:00\sAM) \(UTC\)$/);
});

const minute = 60_000;
const day = 24 * 60 * minute;
const horizonMs = 30 * 366 * day;

/** The next times of a pattern in UTC, found by looking at every day. */
function timesOf(pattern: Pattern, fromMs: number, count: number): readonly number[] {
  const found: number[] = [];
  const begin = Math.floor(fromMs / day) * day;
  for (let atMs = begin; found.length < count && atMs < begin + horizonMs; atMs += day) {
    if (!isOn(pattern, new Date(atMs))) continue;
    for (const hour of pattern.hours)
      for (const past of pattern.minutes) found.push(atMs + (hour * 60 + past) * minute);
    while ((found[0] ?? Number.POSITIVE_INFINITY) <= fromMs) found.shift();
  }
  return found.slice(0, count);
}

function isOn({ months, days, weekdays, join }: Pattern, date: Date): boolean {
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const number = date.getUTCDate();
  const weekday = date.getUTCDay() || 7;
  const lengthWeekday = ((weekday + length - number - 1) % 7) + 1;
  const lastWorkday = length - Math.max(0, lengthWeekday - 5);
  const onDay =
    !days ||
    days.numbers.includes(number) ||
    (days.last && number === length) ||
    (days.lastWorkday && number === lastWorkday);
  const onWeekday =
    !weekdays ||
    weekdays.numbers.includes(weekday) ||
    weekdays.nth.some(
      (one) =>
        one.weekday === weekday && (one.n === 0 ? number + 7 > length : Math.ceil(number / 7) === one.n),
    );
  return days && weekdays && join === 'either' ? onDay || onWeekday : onDay && onWeekday;
}

function expectSame(expr: string, pattern: Pattern): void {
  const parsed = parseSchedule(expr, 'UTC');
  if (!parsed.ok) return;
  for (const fromMs of [Date.UTC(2026, 0, 31, 9, 7), Date.UTC(2027, 1, 13), Date.UTC(2023, 11, 30, 23, 59)]) {
    const wanted: number[] = [];
    for (
      let at = parsed.schedule.next(fromMs);
      at !== null && wanted.length < 6;
      at = parsed.schedule.next(at)
    )
      wanted.push(at);
    const within = wanted.filter((atMs) => atMs < fromMs + horizonMs - day);
    expect(timesOf(pattern, fromMs, 6).slice(0, within.length), expr).toEqual(within);
  }
}

interface Vector {
  readonly expr: string;
}

const vectorsOf = (name: string): readonly Vector[] =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8')).cases;

describe('what is put in words is what the schedule does', () => {
  test('for every cron expression of the vectors', () => {
    const said = vectorsOf('cron').flatMap(({ expr }) => {
      const pattern = cronPattern(expr);
      if (!pattern) return [];
      expectSame(expr, pattern);
      return [expr];
    });
    expect(said.length).toBeGreaterThan(100);
  });

  test('for every OnCalendar expression of the vectors', () => {
    const said = vectorsOf('oncalendar').flatMap(({ expr }) => {
      const pattern = expr.includes('\n') ? null : calendarPattern(expr);
      if (pattern?.zone !== '') return [];
      expectSame(expr, pattern);
      return [expr];
    });
    expect(said.length).toBeGreaterThan(30);
  });

  test('for a thousand random expressions', () => {
    let seed = 7;
    const pick = (...items: readonly string[]): string => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return items[Math.floor((seed / 2 ** 31) * items.length)] ?? '';
    };
    for (let round = 0; round < 1000; round++) {
      const minutes = pick('*', '*/15', '0', '5,35', '7/20', '10-40/10', '59');
      const hours = pick('*', '*/3', '9-17', '0', '8,12', '22/1', '5-5/6');
      const days = pick('*', '*/2', '1', '1-7', '15,L', 'LW', '31', '10/9', '1-31', '*,3');
      const months = pick('*', '*', 'FEB', '3-10', '1,7', '*/4');
      const weekdays = pick('*', '1-5', '0', '7', '5-7', '*/2', 'MON#2', '5L', 'SUN,3', '1/2', '0-6', '*/7');
      const expr = [minutes, hours, days, months, weekdays].join(' ');
      const pattern = cronPattern(expr);
      expect(pattern, expr).not.toBeNull();
      if (pattern) expectSame(expr, pattern);
    }
  });
});
