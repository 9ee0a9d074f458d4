/**
 * The crontab line of a check with an interval: valid, and its runs are never further apart than the check expects. And that of one
 * with an OnCalendar expression: none of its times is missing.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSchedule } from '../../src/schedule/schedule.ts';
import { cronOfCalendar, cronOfInterval, isCronInterval } from '../../src/web/snippets/interval-cron.ts';
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
