/** The tables of the manual's page about schedules: each expression in them occurs when they say. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseSchedule } from '../../src/schedule/schedule.ts';

const page = readFileSync(fileURLToPath(new URL('../../src/docs/schedules.md', import.meta.url)), 'utf8');
/** A Monday. */
const fromMs = Date.UTC(2026, 0, 5);

/** The next two times after Monday, 5 January 2026, 00:00 UTC, worked out by hand with a calendar. */
const expected: Readonly<Record<string, readonly [string, string]>> = {
  '* * * * *': ['01-05 00:01', '01-05 00:02'],
  '*/5 * * * *': ['01-05 00:05', '01-05 00:10'],
  '7 * * * *': ['01-05 00:07', '01-05 01:07'],
  '0 */6 * * *': ['01-05 06:00', '01-05 12:00'],
  '30 2 * * *': ['01-05 02:30', '01-06 02:30'],
  '0 9-17 * * 1-5': ['01-05 09:00', '01-05 10:00'],
  '0 3 * * SUN': ['01-11 03:00', '01-18 03:00'],
  '15 4 1 * *': ['02-01 04:15', '03-01 04:15'],
  '0 0 1 */3 *': ['04-01 00:00', '07-01 00:00'],
  '0 23 L * *': ['01-31 23:00', '02-28 23:00'],
  '0 18 LW * *': ['01-30 18:00', '02-27 18:00'],
  '0 8 * * 1#1': ['01-05 08:00', '02-02 08:00'],
  '0 20 * * 5L': ['01-30 20:00', '02-27 20:00'],
  '0 12 13 * 5': ['01-09 12:00', '01-13 12:00'],
  '*:0/5': ['01-05 00:05', '01-05 00:10'],
  '*:30': ['01-05 00:30', '01-05 01:30'],
  '*-*-* 2:30': ['01-05 02:30', '01-06 02:30'],
  'Mon..Fri 9:00': ['01-05 09:00', '01-06 09:00'],
  'Mon..Fri 9..17:00': ['01-05 09:00', '01-05 10:00'],
  'Sun 3:00 Europe/Riga': ['01-11 01:00', '01-18 01:00'],
  '*-*-1 4:15': ['02-01 04:15', '03-01 04:15'],
  '*-*~1 23:00': ['01-31 23:00', '02-28 23:00'],
  'Mon *-*-1..7 8:00': ['01-05 08:00', '02-02 08:00'],
  'Fri *-*~7/1 20:00': ['01-30 20:00', '02-27 20:00'],
  '*-1,4,7,10-1 0:00': ['04-01 00:00', '07-01 00:00'],
  '*-*-* *:*:0/30': ['01-05 00:00:30', '01-05 00:01'],
  daily: ['01-06 00:00', '01-07 00:00'],
  weekly: ['01-12 00:00', '01-19 00:00'],
  monthly: ['02-01 00:00', '03-01 00:00'],
  quarterly: ['04-01 00:00', '07-01 00:00'],
  yearly: ['2027-01-01 00:00', '2028-01-01 00:00'],
};

/** `01-05 00:01`, of 2026 and of whole minutes. */
function shown(ms: number | null): string {
  const iso = ms === null ? '' : new Date(ms).toISOString();
  return iso
    .replace('T', ' ')
    .replace(/(?::00)?\.000Z$/, '')
    .replace(/^2026-/, '');
}

const sections = new Map(page.split(/^## /m).map((part) => [part.split('\n')[0], part]));

function expressionsIn(section: string): readonly string[] {
  const [, table = ''] =
    /\| expression \| when \|\n.*\n([\s\S]*?)\n\n/.exec(`${sections.get(section)}\n\n`) ?? [];
  return table.split('\n').map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? '');
}

test.each([
  ['Cron', 'cron'],
  ['OnCalendar', 'oncalendar'],
])('every expression of the section %s is one, and occurs when it says', (section, kind) => {
  const all = expressionsIn(section);
  expect(all.length).toBeGreaterThan(10);
  for (const expression of all) {
    const parsed = parseSchedule(expression, 'UTC');
    if (!parsed.ok) throw new Error(`${expression}: ${parsed.error}`);
    expect(parsed.schedule.kind, expression).toBe(kind);
    const one = parsed.schedule.next(fromMs);
    expect([shown(one), shown(parsed.schedule.next(one ?? 0))], expression).toEqual(expected[expression]);
  }
});

test.each(['@daily', '0 0 0 * * *', '0 0 ? * *', '0 0 15W * *', 'H 0 * * *'])('%s is none', (expression) => {
  expect(parseSchedule(expression, 'UTC').ok).toBe(false);
});
