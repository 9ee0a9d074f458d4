/**
 * Shared schedules answer as parsed ones do, whatever they remember.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { internSchedule, parseSchedule, StoredScheduleError } from '../../src/schedule/schedule.ts';

const SCHEDULES: readonly (readonly [string, string])[] = [
  ['*/10 * * * *', 'Australia/Lord_Howe'],
  ['30 3 * * *', 'Europe/Riga'],
  ['0 0 29 2 1', 'UTC'],
  ['*:0/30', 'America/Havana'],
  ['2026..2027-3~1 12:00', 'Africa/Cairo'],
  ['2026-5-5\n*-*-1 12:00 UTC', 'America/New_York'],
];

describe('internSchedule', () => {
  it('gives one schedule for one expression and zone', () => {
    expect(internSchedule('5 * * * *', 'UTC')).toBe(internSchedule('5 * * * *', 'UTC'));
    expect(internSchedule('5 * * * *', 'UTC')).not.toBe(internSchedule('5 * * * *', 'Europe/Riga'));
  });

  it.each(SCHEDULES)(
    'answers %j in %s as the parsed schedule does, in any order of questions',
    (expr, tz) => {
      const parsed = parseSchedule(expr, tz);
      if (!parsed.ok) throw new Error(parsed.error);
      const interned = internSchedule(expr, tz);
      const start = Date.UTC(2026, 2, 28);
      const near = fc.integer({ min: 0, max: 3 * 86_400_000 }).map((ms) => start + ms);
      const far = fc.integer({ min: 0, max: Date.UTC(2_210, 0) });
      const minute = near.map((ms) => ms - (ms % 600_000));
      fc.assert(
        fc.property(fc.array(fc.oneof(near, far, minute), { maxLength: 30 }), (questions) => {
          for (const from of questions) expect(interned.next(from)).toBe(parsed.schedule.next(from));
        }),
      );
    },
  );

  it('throws a coded error for what was never accepted', () => {
    expect(() => internSchedule('nonsense', 'UTC')).toThrow(StoredScheduleError);
    expect(() => internSchedule('daily', 'Nowhere')).toThrow(
      expect.objectContaining({ code: 'stored-schedule-invalid' }),
    );
  });
});
