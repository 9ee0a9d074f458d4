/**
 * Calendar arithmetic agrees with Date, and the clocks of zones with Intl.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day as dayMs } from '../../src/lib/units.ts';
import { dateOf, daysInMonth, wallOf, weekdayOf } from '../../src/schedule/civil-time.ts';
import { presentTimeZones } from '../../src/schedule/time-zones.ts';
import { zoneClock } from '../../src/schedule/zone-clock.ts';
import { localReading } from './local-reading.ts';

const YEAR_1 = -62_135_596_800_000;
const YEAR_9999 = Date.UTC(9_999, 11, 31);

describe('civil time', () => {
  it('splits and joins dates as Date does', () => {
    fc.assert(
      fc.property(fc.integer({ min: YEAR_1, max: YEAR_9999 }), (ms) => {
        const date = new Date(ms);
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
        expect(dateOf(ms)).toEqual({ year, month, day });
        expect(wallOf(year, month, day)).toBe(Math.floor(ms / dayMs) * dayMs);
        expect(weekdayOf(year, month, day)).toBe(date.getUTCDay());
      }),
    );
  });

  it.each([2000, 2023, 2024, 2100])('knows the months of %i', (year) => {
    for (let month = 1; month <= 12; month += 1) {
      expect(daysInMonth(year, month)).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
    }
  });
});

describe('the clock of a zone', () => {
  it('shows what Intl shows, in any zone and year, also where years stand for others', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...presentTimeZones()),
        fc.integer({ min: 0, max: Date.UTC(2_400, 0) }),
        (tz, ms) => {
          const instant = Math.floor(ms / 1_000) * 1_000;
          expect(instant + zoneClock(tz).spanAt(instant).offsetMs).toBe(localReading(tz, instant));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'America/New_York',
    'Europe/Riga',
    'Australia/Lord_Howe',
    'America/Santiago',
    'Africa/Cairo',
    'Asia/Gaza',
  ])('changes at the very instants Intl does: %s from 2085 to 2110', (tz) => {
    const clock = zoneClock(tz);
    let changes = 0;
    for (let at = Date.UTC(2_085, 0); at < Date.UTC(2_110, 0); at = clock.spanAt(at).endMs) {
      const { startMs, offsetMs } = clock.spanAt(at);
      const before = clock.spanAt(startMs - 1).offsetMs;
      if (before === offsetMs) continue;
      changes += 1;
      expect(localReading(tz, startMs) - startMs).toBe(offsetMs);
      expect(localReading(tz, startMs - 1_000) - startMs + 1_000).toBe(before);
    }
    expect(changes).toBeGreaterThanOrEqual(48);
  });

  it('sees the pair of changes that is closest: Recife in October 2000', () => {
    const clock = zoneClock('America/Recife');
    const offsets = [7, 9, 14, 16].map((day) => clock.spanAt(Date.UTC(2_000, 9, day)).offsetMs / 3_600_000);
    expect(offsets).toEqual([-3, -2, -2, -3]);
  });

  it('sees Samoa skip a day at the end of 2011', () => {
    const span = zoneClock('Pacific/Apia').spanAt(Date.UTC(2_011, 11, 30, 12));
    expect([span.startMs, span.offsetMs]).toEqual([Date.UTC(2_011, 11, 30, 10), 14 * 3_600_000]);
  });
});

describe('a zone that Node does not know', () => {
  it('is refused with a reason rather than with a stack trace', () => {
    expect(() => zoneClock('Mars/Olympus')).toThrow('the zone data of this Node has no "Mars/Olympus"');
  });
});
