/**
 * Time zone names: what is accepted, under which name it is kept, and that Node knows each.
 */
import { describe, expect, it } from 'vitest';
import { canonicalTimeZone } from '../../src/schedule/schedule.ts';
import { presentTimeZones, retiredTimeZones } from '../../src/schedule/time-zones.ts';

describe('canonicalTimeZone', () => {
  it.each([
    'UTC',
    'Etc/UTC',
    'GMT',
    'Europe/Riga',
    'Asia/Kolkata',
    'Europe/Kyiv',
    'America/Argentina/Ushuaia',
    'America/Montreal',
    'Asia/Istanbul',
    'Europe/Belfast',
    'Etc/UCT',
    'Etc/Greenwich',
  ])('keeps %s', (name) => expect(canonicalTimeZone(name)).toBe(name));

  it.each([
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Katmandu', 'Asia/Kathmandu'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Pacific/Ponape', 'Pacific/Guadalcanal'],
    ['CET', 'Europe/Brussels'],
    ['EST', 'America/Panama'],
    ['PST8PDT', 'America/Los_Angeles'],
    ['Iceland', 'Africa/Abidjan'],
    ['GB', 'Europe/London'],
    ['Zulu', 'Etc/UTC'],
  ])('replaces the retired name %s by %s', (name, present) => expect(canonicalTimeZone(name)).toBe(present));

  it.each([
    '',
    ' ',
    'europe/riga',
    'EUROPE/RIGA',
    'Europe/Riga ',
    'utc',
    '+02:00',
    'Factory',
    'posix/UTC',
    'Europe',
  ])('refuses %j', (name) => expect(canonicalTimeZone(name)).toBe(null));

  it.each(['__proto__', 'constructor', 'toString'])('is not fooled by %s', (name) => {
    expect(canonicalTimeZone(name)).toBe(null);
  });

  it('lists some 480 names that are kept and over 110 that are replaced', () => {
    expect(presentTimeZones().length).toBeGreaterThan(480);
    expect(retiredTimeZones().length).toBeGreaterThan(110);
  });

  it('keeps every canonical name as it is', () => {
    for (const name of [...presentTimeZones(), ...retiredTimeZones()]) {
      const canonical = canonicalTimeZone(name);
      expect(canonical).not.toBe(null);
      expect(canonicalTimeZone(canonical ?? '')).toBe(canonical);
    }
  });

  it('lists only names that Intl knows, and replaces them by names of the same clock', () => {
    const instants = [2000, 2026, 2050].flatMap((year) => [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)]);
    const readings = (tz: string): string[] => {
      const format = new Intl.DateTimeFormat('en-US', {
        timeZone: tz,
        dateStyle: 'short',
        timeStyle: 'short',
      });
      return instants.map((instant) => format.format(instant));
    };
    for (const name of presentTimeZones()) expect(readings(name)).toHaveLength(instants.length);
    for (const name of retiredTimeZones())
      expect(readings(name)).toEqual(readings(canonicalTimeZone(name) ?? ''));
  });

  it('lists every name that Intl offers, itself or its present one', () => {
    const unknown = Intl.supportedValuesOf('timeZone').filter((name) => canonicalTimeZone(name) === null);
    expect(unknown).toEqual([]);
  });
});
