/** The dates of iCalendar files, as calendars and agencies write them, and what is refused. */
import { describe, expect, test } from 'vitest';
import { datesOfIcs } from '../../src/spec/ics.ts';

const calendar = (...events: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.map((event) => `BEGIN:VEVENT\n${event}\nEND:VEVENT`),
    'END:VCALENDAR',
  ]
    .join('\n')
    .replaceAll('\n', '\r\n');

/** `2026-01-01T00:00/2026-01-02T00:00`, in UTC. */
function read(text: string, tz = 'Europe/Riga'): readonly string[] | string {
  const found = datesOfIcs(text, tz);
  const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  return found.ok ? found.dates.map(({ fromMs, untilMs }) => `${iso(fromMs)}/${iso(untilMs)}`) : found.error;
}

describe('reads', () => {
  test.each([
    ['a whole day', 'DTSTART;VALUE=DATE:20260101', '2025-12-31T22:00/2026-01-01T22:00'],
    [
      'days until before one',
      'DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227',
      '2026-12-23T22:00/2026-12-26T22:00',
    ],
    [
      'a day on which the clock is set forward',
      'DTSTART;VALUE=DATE:20260329',
      '2026-03-28T22:00/2026-03-29T21:00',
    ],
    [
      'a day of two by its duration',
      'DTSTART;VALUE=DATE:20260329\nDURATION:P2D',
      '2026-03-28T22:00/2026-03-30T21:00',
    ],
    ['UTC', 'DTSTART:20260504T220000Z\nDTEND:20260505T013000Z', '2026-05-04T22:00/2026-05-05T01:30'],
    [
      'a zone',
      'DTSTART;TZID=America/New_York:20260504T220000\nDURATION:PT1H30M',
      '2026-05-05T02:00/2026-05-05T03:30',
    ],
    [
      'a retired zone',
      'DTSTART;TZID="Europe/Kiev":20260504T220000\nDURATION:PT1H',
      '2026-05-04T19:00/2026-05-04T20:00',
    ],
    [
      'a zone behind a name',
      'DTSTART;TZID=/example.org/2026/Europe/Riga:20260504T220000\nDURATION:P1W',
      '2026-05-04T19:00/2026-05-11T19:00',
    ],
    ['no zone', 'DTSTART:20260504T220000\nDTEND:20260504T230000', '2026-05-04T19:00/2026-05-04T20:00'],
    [
      'a time that is skipped',
      'DTSTART:20260329T033000\nDTEND:20260329T050000',
      '2026-03-29T01:00/2026-03-29T02:00',
    ],
    [
      'a time that comes twice',
      'DTSTART:20261025T033000\nDTEND:20261025T050000',
      '2026-10-25T00:30/2026-10-25T03:00',
    ],
  ])('%s', (_what, event, span) => {
    expect(read(calendar(event))).toEqual([span]);
  });

  test('every event, folded lines, and none of alarms, zones and what is cancelled', () => {
    const text = calendar(
      'SUMMARY:A name that goes\n  on\nDTSTART;VALUE=DATE:20260\n 101\nBEGIN:VALARM\nDTSTART:20200101T000000Z\nTRIGGER:-PT15M\nEND:VALARM',
      'DTSTART;VALUE=DATE:20260102\nSTATUS:CANCELLED',
      'SUMMARY:takes no time\nDTSTART:20260103T000000Z',
      'DTSTART;VALUE=DATE:20260104',
    ).replace(
      'VERSION:2.0',
      'VERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Riga\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nRRULE:FREQ=YEARLY\r\nEND:STANDARD\r\nEND:VTIMEZONE',
    );
    expect(read(text, 'UTC')).toEqual([
      '2026-01-01T00:00/2026-01-02T00:00',
      '2026-01-04T00:00/2026-01-05T00:00',
    ]);
  });
});

describe('refuses', () => {
  test.each([
    [
      'an event that repeats',
      calendar('SUMMARY:Weekly\nDTSTART:20260101T000000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY'),
      'has an event that repeats (RRULE), "Weekly": give it as a schedule with a duration',
    ],
    [
      'a zone that is none',
      calendar('SUMMARY:X\nDTSTART;TZID=W. Europe Standard Time:20260101T000000'),
      'has the time zone "W. Europe Standard Time", which is no IANA name, in "X"',
    ],
    [
      'a day that there is not',
      calendar('SUMMARY:X\nDTSTART;VALUE=DATE:20260230'),
      'has a time that there is not, "20260230", in "X"',
    ],
    [
      'a duration that is none',
      calendar('SUMMARY:X\nDTSTART:20260101T000000Z\nDURATION:1h'),
      'has a duration that is none, "1h", in "X"',
    ],
    ['an event without a beginning', calendar('SUMMARY:X'), 'has an event without DTSTART, "X"'],
    ['what is cut off', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101T000000Z', 'ends before END:VEVENT'],
    ['what is no calendar', '<html>', 'has a line that is none of a calendar: "<html>"'],
    ['another one', 'BEGIN:VCARD\nEND:VCARD', 'does not begin with BEGIN:VCALENDAR'],
  ])('%s', (_what, text, error) => {
    expect(read(text)).toContain(error);
  });
});
