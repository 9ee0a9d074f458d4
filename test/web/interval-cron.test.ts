/** The crontab line of a check with an interval: valid, and its runs are never further apart than the check expects. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSchedule } from '../../src/schedule/schedule.ts';
import { cronOfInterval } from '../../src/web/snippets/interval-cron.ts';

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
