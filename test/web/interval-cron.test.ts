/**
 * The crontab line of a check with an interval: valid, and its runs are never further apart than the check expects. And that of one
 * with an OnCalendar expression: its times, and no other.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSchedule } from '../../src/schedule/schedule.ts';
import {
  cronOfCalendar,
  cronOfInterval,
  isAnyCron,
  isCronInterval,
} from '../../src/web/snippets/interval-cron.ts';
import { snippets } from '../../src/web/snippets/snippets.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [minute, '* * * * *'],
  [5 * minute, '*/5 * * * *'],
  [80 * minute, '0 * * * *'],
  [6 * hour, '0 */6 * * *'],
  [day, '15 2 * * *'],
  [25 * hour, '15 2 * * *'],
  [7 * day, '15 2 * * 1'],
  [365 * day, '15 2 1 * *'],
])('of %i seconds it is %s', (seconds, cron) => {
  expect(cronOfInterval(seconds)).toBe(cron);
});

test.each([
  [minute, true],
  [6 * hour, true],
  [7 * day, true],
  [31 * day, true],
  [80 * minute, false],
  [25 * hour, false],
  [365 * day, false],
])('of %i seconds it is the interval itself: %s', (seconds, isExact) => {
  expect(isCronInterval(seconds)).toBe(isExact);
});

test('a line of a crontab has no time that would be taken for that of the job, where cron cannot say it', () => {
  const options = { url: 'https://x/ping/1', baseUrl: 'https://x', mail: null, tz: 'UTC' };
  const target = { by: 'uuid', uuid: '1' } as const;
  for (const name of ['crontab', 'knell run']) {
    const textOf = snippets.find((one) => one.name === name)?.textOf;
    const given = { ...options, target, cron: '15 2 * * *' };
    expect(textOf?.({ ...given, isCronExact: true })).toMatch(/^15 2 \* \* \* {2}\S/);
    const lines = textOf?.({ ...given, isCronExact: false })?.split('\n') ?? [];
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^# Cron cannot say this schedule/);
    expect(lines[1]).not.toContain('15 2');
  }
});

test('its runs are never further apart than a ping is expected, but by the days of a month', () => {
  const seconds = fc.integer({ min: minute, max: 365 * day });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 0, max: 4 * 365 * day }), (expectedS, atS) => {
      const parsed = parseSchedule(cronOfInterval(expectedS), 'UTC');
      if (!parsed.ok) throw new Error(parsed.error);
      const first = parsed.schedule.next(Date.UTC(2026, 0) + atS * 1000) ?? 0;
      const second = parsed.schedule.next(first) ?? 0;
      const slackMs = expectedS >= 28 * day ? 3 * day * 1000 : 0;
      expect(second - first).toBeLessThanOrEqual(expectedS * 1000 + slackMs);
    }),
  );
});

test.each([
  ['Mon..Fri 18:00', '0 18 * * 1-5', ''],
  ['daily', '0 0 * * *', ''],
  ['*:0/15', '*/15 * * * *', ''],
  ['Sat,Sun 9..17:30', '30 9-17 * * 6,7', ''],
  ['*-*-01,15 02:15:00 Europe/Riga', '15 2 1,15 * *', 'Europe/Riga'],
  ['quarterly', '0 0 1 */3 *', ''],
  ['08:00\n20:00', '0 8,20 * * *', ''],
  ['Mon..Fri 03:00\nSat,Sun 03:00', '0 3 * * *', ''],
  ['Mon..Wed *-03,09-* 03:00\nFri *-03,09-* 03:00', '0 3 * 3,9 1,2,3,5', ''],
])('of %j it is %s', (expr, cron, zone) => {
  expect(cronOfCalendar(expr)).toEqual({ cron, zone });
  const [calendar, same] = [parseSchedule(expr, 'UTC'), parseSchedule(cron, zone || 'UTC')];
  if (!calendar.ok || !same.ok) throw new Error('not taken');
  let atMs = Date.UTC(2026, 0);
  for (let n = 0; n < 50; n++) {
    const nextMs = calendar.schedule.next(atMs);
    expect(same.schedule.next(atMs)).toBe(nextMs);
    atMs = nextMs ?? Number.NaN;
  }
});

test.each([
  '*:*:30',
  '2031-01-01 04:00',
  '08:00 Europe/Riga\n09:00',
  // A job with the times of such a line would run when no ping is expected.
  'Sat *-*-1..7 18:00',
  'Mon..Fri 03:00\nSat 9:00',
  '*-*~01 04:00',
])('of %j there is none', (expr) => {
  expect(cronOfCalendar(expr)).toBeNull();
});

test('what cron says for several lines are their times, and no other', () => {
  const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
  const line = fc
    .tuple(some(['Mon', 'Wed', 'Sat']), some(['*', '01', '15']), some(['3', '9', '20']), fc.boolean())
    .map(([weekdays, days, hours, isDaily]) =>
      [
        isDaily ? '' : weekdays.join(','),
        `*-*-${days.includes('*') ? '*' : days.join(',')}`,
        `${hours.join(',')}:05`,
      ]
        .join(' ')
        .trim(),
    );
  let said = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const found = cronOfCalendar(lines.join('\n'));
      if (!found) return;
      said++;
      const [calendar, same] = [parseSchedule(lines.join('\n'), 'UTC'), parseSchedule(found.cron, 'UTC')];
      if (!calendar.ok || !same.ok) throw new Error('not taken');
      let atMs: number | null = Date.UTC(2026, 0);
      for (let n = 0; n < 20 && atMs !== null; n++) {
        const nextMs: number | null = calendar.schedule.next(atMs);
        expect(same.schedule.next(atMs)).toBe(nextMs);
        atMs = nextMs;
      }
    }),
  );
  expect(said).toBeGreaterThan(20);
});

test.each([
  ['0 3 * * *', true],
  ['*/5 8-18 1,15 JAN-MAR MON', true],
  ['0 3 L * *', false],
  ['0 3 * * 5L', false],
  ['0 3 * * 1#2', false],
  ['0 3 LW * *', false],
])('the cron of any machine takes %s: %s', (expr, isTaken) => {
  expect(isAnyCron(expr)).toBe(isTaken);
});
