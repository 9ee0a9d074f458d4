/** What a request may say of a maintenance window: each form of times, what an edit keeps, and every refusal. */
import { describe, expect, test } from 'vitest';
import { activeAt } from '../../src/domain/alerting/calendar.ts';
import { maintenanceSettings } from '../../src/domain/configuration/maintenance-settings.ts';
import { day, hour, minute } from '../../src/lib/units.ts';
import { type MaintenanceContent, readMaintenance } from '../../src/spec/maintenance-spec.ts';

const nowMs = Date.UTC(2026, 4, 4, 12);
const uuid = '00000000-0000-4000-8000-000000000001';
const iso = (ms: number): string => new Date(ms).toISOString();

function read(json: object, before: MaintenanceContent | null = null): MaintenanceContent {
  const given = readMaintenance({ ...json }, before, nowMs);
  if (!given.ok) throw new Error(given.error);
  return given.content;
}

test('takes once, a duration from now on, a schedule, dates and a file', () => {
  expect(read({ from: iso(nowMs + hour), until: (nowMs + 2 * hour) / 1000 })).toEqual({
    ...{ name: 'Maintenance', checks: [], tags: [], integrations: [], countsAsDowntime: false },
    ...{ fromMs: nowMs + hour, untilMs: nowMs + 2 * hour },
    ...{ schedule: '', tz: 'UTC', durationS: 0, dates: [], except: [] },
  });
  expect(read({ duration: '90m' })).toMatchObject({ fromMs: nowMs, untilMs: nowMs + 90 * minute });
  const weekly = { schedule: '0 2 * * 0', tz: 'Europe/Kiev', duration: 7200 };
  expect(read(weekly)).toMatchObject({ ...{ fromMs: 0, untilMs: 0 }, tz: 'Europe/Kyiv', durationS: 7200 });
  const dates = [3, 1, 2].map((hours) => ({
    from: iso(nowMs + hours * hour),
    until: iso(nowMs + (hours + 1) * hour),
  }));
  expect(read({ dates }).dates).toEqual([{ fromMs: nowMs + hour, untilMs: nowMs + 4 * hour }]);
  const ics = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20260505\nEND:VEVENT\nEND:VCALENDAR';
  expect(read({ ics, tz: 'Europe/Riga' }).dates).toEqual([
    { fromMs: Date.UTC(2026, 4, 4, 21), untilMs: Date.UTC(2026, 4, 5, 21) },
  ]);
});

test('takes a scope as lists, and tags as a check has them', () => {
  const scope = { checks: [uuid, uuid], tags: ' db  prod db' };
  expect(read({ ...scope, duration: 60 })).toMatchObject({ checks: [uuid], tags: ['db', 'prod'] });
});

test('an edit keeps what it leaves out, and null takes it away', () => {
  const before = read({
    name: 'Sundays',
    tags: ['db'],
    schedule: '0 2 * * 0',
    duration: '2h',
    tz: 'Europe/Riga',
  });
  expect(read({ name: 'Nights' }, before)).toEqual({ ...before, name: 'Nights' });
  expect(read({ duration: '3h' }, before)).toEqual({ ...before, durationS: 10_800 });
  const once = read({ schedule: null, from: iso(nowMs), until: iso(nowMs + hour) }, before);
  expect(once).toMatchObject({ schedule: '', durationS: 0, fromMs: nowMs, tags: ['db'] });
  expect(read({ until: iso(nowMs + 3 * hour) }, once).fromMs).toBe(nowMs);
  expect(() => read({ until: null }, once)).toThrow('give from and until, a schedule');
});

test('one that was ended before its time is on again when its times are set anew, and not when its name is', () => {
  const cut = { fromMs: nowMs - minute, untilMs: nowMs + hour };
  const before = { ...read({ schedule: '0 11 * * *', duration: '2h' }), except: [cut] };
  expect(activeAt(read({ name: 'other' }, before), nowMs)).toBeNull();
  const again = read({ duration: '3h' }, before);
  expect(activeAt(again, nowMs)).toEqual({ fromMs: nowMs, untilMs: nowMs + 2 * hour });
  expect(activeAt(again, nowMs - 1)).toBeNull();
});

test('of too many dates those that are over are left out', () => {
  const dates = Array.from({ length: 505 }, (_, at) => {
    const fromMs = nowMs + (at - 10) * day;
    return { from: iso(fromMs), until: iso(fromMs + hour) };
  });
  expect(read({ dates }).dates).toHaveLength(495);
});

test('read from its normal form, a window is the same again', () => {
  for (const json of [
    { from: iso(nowMs + 1), until: iso(nowMs + hour) },
    { schedule: '0 2 * * 0', tz: 'Europe/Riga', duration: '90m', counts_as_downtime: true },
    { dates: [{ from: iso(nowMs), until: iso(nowMs + minute) }], tags: ['a', 'b'], name: 'x' },
    { schedule: '*-*-* 02:00', duration: 60, until: iso(nowMs + day), dates: [] },
  ]) {
    const content = read(json);
    expect(read({ ...maintenanceSettings(content) })).toEqual(content);
    expect(read({ ...maintenanceSettings(content) }, read({ duration: '7d', name: 'other' }))).toEqual(
      content,
    );
  }
});

describe('refuses', () => {
  const later = iso(nowMs + hour);
  test.each([
    [{}, 'give from and until, a schedule with a duration, dates or ics'],
    [{ from: later }, 'from needs an until, or a duration'],
    [{ from: later, until: later }, 'until is not after from'],
    [{ until: iso(nowMs - 1) }, 'until is not after from'],
    [{ until: iso(nowMs + 367 * day) }, 'until is more than a year after from'],
    [{ until: '2026-05-05 01:00' }, 'until is not a time: give epoch seconds, or ISO 8601 with an offset'],
    [{ schedule: '0 2 * * *' }, 'a schedule needs a duration'],
    [{ schedule: '* * *', duration: 60 }, 'schedule is not a valid cron or OnCalendar expression'],
    [{ schedule: '0 * * * *', duration: '1h' }, 'between its times (1 hour): it would never end'],
    [{ schedule: '0 2 * * 1-5', duration: '4d' }, 'between its times (3 days): it would never end'],
    [{ duration: '59s' }, 'duration is too small: at least 1m'],
    [{ duration: '8d' }, 'duration is too large: at most 7d'],
    [{ duration: 90.5 }, 'duration is no whole number of seconds'],
    [{ duration: 'soon' }, 'duration is no whole number of seconds'],
    [{ duration: 60, tz: 'Riga' }, 'tz is not a valid timezone'],
    [{ dates: [{ from: later }] }, 'dates is not a time'],
    [{ dates: [{ from: later, until: later }] }, 'an item of dates has no until after its from'],
    [{ dates: 'today' }, 'dates is not an array'],
    [{ ics: 'x' }, 'ics has a line that is none of a calendar'],
    [{ ics: 'BEGIN:VCALENDAR\nEND:VCALENDAR' }, 'ics has no events'],
    [{ ics: 'x', dates: [] }, 'give either dates or ics'],
    [{ duration: 60, name: ' ' }, 'name is empty'],
    [{ duration: 60, name: 'n'.repeat(101) }, 'name is too long'],
    [{ duration: 60, name: 'a\nb' }, 'name has control characters'],
    [{ duration: 60, checks: ['nightly'] }, 'checks has "nightly", which is no UUID'],
    [{ duration: 60, tags: ['a b'] }, 'an item of tags has blanks or is too long'],
    [{ duration: 60, tags: [7] }, 'tags is not an array of strings'],
    [{ duration: 60, counts_as_downtime: 'no' }, 'counts_as_downtime is not a boolean'],
  ])('%j', (json, error) => {
    expect(() => read(json)).toThrow(error);
  });
});
