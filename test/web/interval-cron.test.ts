/**
 * The crontab line of a check with an interval: valid, and its runs are never further apart than the check expects. And that of one
 * with an OnCalendar expression: none of its times is missing.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSchedule } from '../../src/schedule/schedule.ts';
import { cronOfCalendar, cronOfInterval } from '../../src/web/snippets/interval-cron.ts';

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
  ['Mon *-*-01..07 04:00', '0 4 * * *', ''],
])('of %j it is %s', (expr, cron, zone) => {
  expect(cronOfCalendar(expr)).toEqual({ cron, zone });
  const [calendar, same] = [parseSchedule(expr, 'UTC'), parseSchedule(cron, zone || 'UTC')];
  if (!calendar.ok || !same.ok) throw new Error('not taken');
  let atMs = Date.UTC(2026, 0);
  for (let n = 0; n < 50; n++) {
    atMs = calendar.schedule.next(atMs) ?? Number.NaN;
    expect(same.schedule.next(atMs - 1000)).toBe(atMs);
  }
});

test.each(['*:*:30', '2031-01-01 04:00', '08:00 Europe/Riga\n09:00'])('of %j there is none', (expr) => {
  expect(cronOfCalendar(expr)).toBeNull();
});
