/** Slots of schedules, looked for backwards. */
import { expect, test } from 'vitest';
import { type CheckConfig, defaultConfig } from '../../../src/domain/check/check.ts';
import { slotBefore } from '../../../src/domain/check/run-deadlines.ts';
import { day, hour, minute } from '../../../src/lib/units.ts';
import { internSchedule } from '../../../src/schedule/schedule.ts';

function cron(schedule: string, tz: string): CheckConfig {
  return { ...defaultConfig, kind: 'cron', schedule, tz };
}

test.each([
  ['* * * * *', 'UTC', 2 * hour],
  ['*/7 1-3 * * *', 'Europe/Berlin', 3 * day],
  ['30 2 * * *', 'Europe/Berlin', 5 * day],
  ['* * 29 3 *', 'Europe/Berlin', 3 * day],
  ['0 0 1 * *', 'America/New_York', 70 * day],
])(
  'the slot before any instant is the last that stepping forward finds: %s in %s',
  (schedule, tz, longMs) => {
    const config = cron(schedule, tz);
    const times = internSchedule(schedule, tz);
    // Around the night in which the clocks of Berlin are set forward.
    const fromMs = Date.UTC(2026, 2, 28);
    let slot = times.next(fromMs - 400 * day) ?? 0;
    for (let atMs = fromMs; atMs < fromMs + longMs; atMs += longMs / 97) {
      for (
        let after = times.next(slot) ?? atMs;
        after <= atMs && after > slot;
        after = times.next(slot) ?? atMs
      )
        slot = after;
      expect(slotBefore(config, atMs)).toBe(slot);
    }
    expect(slotBefore(config, slot)).toBe(slot);
  },
);

test('a schedule with many slots on one day of the year is searched in few steps', () => {
  const config = cron('* * 1 1 *', 'UTC');
  const began = performance.now();
  for (let n = 0; n < 400; n++)
    expect(slotBefore(config, Date.UTC(2026, 11, 20) + n * minute)).toBe(Date.UTC(2026, 0, 1, 23, 59));
  // Step by step each takes milliseconds: 1,440 slots.
  expect(performance.now() - began).toBeLessThan(1000);
});
