/** Which period a report is about, by the clock of a zone: months of different lengths, days on which the clock is set. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  latestDue,
  nextDue,
  presentPeriod,
  type ShownPeriod,
  shownPeriod,
} from '../../../src/domain/accounts/report-period.ts';
import { hour } from '../../../src/lib/units.ts';

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const at = (text: string): number => Date.parse(`${text}:00Z`);

describe('the present period', () => {
  test.each([
    ['daily', 'UTC', '2026-11-18T07:00', '2026-11-18T00:00', '2026-11-19T00:00'],
    ['weekly', 'UTC', '2026-11-18T07:00', '2026-11-16T00:00', '2026-11-23T00:00'],
    ['weekly', 'UTC', '2026-11-22T23:59', '2026-11-16T00:00', '2026-11-23T00:00'],
    ['monthly', 'UTC', '2026-12-31T23:00', '2026-12-01T00:00', '2027-01-01T00:00'],
    // Its clock is 12 hours ahead: there it is the next day already, a Monday, the first.
    ['daily', 'Pacific/Auckland', '2026-05-31T13:00', '2026-05-31T12:00', '2026-06-01T12:00'],
    ['weekly', 'Pacific/Auckland', '2026-05-31T13:00', '2026-05-31T12:00', '2026-06-07T12:00'],
    ['monthly', 'Pacific/Auckland', '2026-05-31T13:00', '2026-05-31T12:00', '2026-06-30T12:00'],
    // 25 hours, and 23.
    ['daily', 'Europe/Berlin', '2026-10-25T10:00', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['daily', 'Europe/Berlin', '2026-03-29T10:00', '2026-03-28T23:00', '2026-03-29T22:00'],
  ] as const)('%s in %s at %s is from %s until %s', (frequency, zone, now, from, until) => {
    const { fromMs, untilMs } = presentPeriod(frequency, zone, at(now));
    expect([iso(fromMs), iso(untilMs)]).toEqual([from, until]);
  });
});

describe('a report', () => {
  test('is due at 08:00 after its period, and the one before until then', () => {
    const before = latestDue('weekly', 'Europe/Berlin', at('2026-11-23T06:59'));
    expect(iso(before.untilMs)).toBe('2026-11-15T23:00');
    const due = latestDue('weekly', 'Europe/Berlin', at('2026-11-23T07:00'));
    expect(iso(due.untilMs)).toBe('2026-11-22T23:00');
    expect(iso(due.dueMs)).toBe('2026-11-23T07:00');
    expect(iso(nextDue('weekly', 'Europe/Berlin', at('2026-11-23T06:59')).dueMs)).toBe('2026-11-23T07:00');
    expect(iso(nextDue('weekly', 'Europe/Berlin', at('2026-11-23T07:00')).dueMs)).toBe('2026-11-30T07:00');
  });

  test('is of one of periods that follow each other without a gap', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Apia',
    );
    const frequency = fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const);
    const instant = fc.integer({ min: at('2012-01-01T00:00'), max: at('2040-01-01T00:00') });
    fc.assert(
      fc.property(frequency, zone, instant, (often, tz, nowMs) => {
        const present = presentPeriod(often, tz, nowMs);
        expect(present.fromMs).toBeLessThanOrEqual(nowMs);
        expect(present.untilMs).toBeGreaterThan(nowMs);
        expect(presentPeriod(often, tz, present.untilMs).fromMs).toBe(present.untilMs);
        const last = latestDue(often, tz, nowMs);
        const next = nextDue(often, tz, nowMs);
        expect(last.dueMs).toBeLessThanOrEqual(nowMs);
        expect(next.dueMs).toBeGreaterThan(nowMs);
        expect(next.fromMs).toBe(last.untilMs);
        expect(last.dueMs - last.untilMs).toBeGreaterThanOrEqual(7 * hour);
      }),
    );
  });
});

test('the page shows the last days up to this hour, and the last month as a whole', () => {
  const nowMs = Date.UTC(2026, 2, 10, 12, 30);
  const shown = (which: ShownPeriod) => {
    const { fromMs, untilMs } = shownPeriod(which, 'Europe/Berlin', nowMs);
    return [fromMs, untilMs].map((ms) => new Date(ms).toISOString().slice(0, 16));
  };
  expect(shown('7d')).toEqual(['2026-03-03T13:00', '2026-03-10T13:00']);
  expect(shown('30d')).toEqual(['2026-02-08T13:00', '2026-03-10T13:00']);
  expect(shown('last-month')).toEqual(['2026-01-31T23:00', '2026-02-28T23:00']);
  expect(shown('daily')).toEqual(['2026-03-09T23:00', '2026-03-10T23:00']);
});
