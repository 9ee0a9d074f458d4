/** What daylight saving does to an occurrence, in both policies, and on the days beside it. */
import { describe, expect, test } from 'vitest';
import { clockChangeOf, parseSchedule, zonedTime } from '../../src/schedule/schedule.ts';

/** The occurrences after `from`, each as its local time and what the clock does to it. */
function occurrences(expr: string, tz: string, from: string, count: number): readonly unknown[] {
  const parsed = parseSchedule(expr, tz);
  if (!parsed.ok) throw new Error(parsed.error);
  const found: unknown[] = [];
  let beforeMs = Date.parse(from);
  while (found.length < count) {
    const atMs = parsed.schedule.next(beforeMs);
    if (atMs === null) break;
    const change = clockChangeOf(parsed.schedule, beforeMs, atMs);
    found.push([zonedTime(atMs, tz), change?.kind ?? null, change?.words ?? '']);
    beforeMs = atMs;
  }
  return found;
}

describe('clocks that are set forward', () => {
  test('a fixed time that is skipped is expected after the gap', () => {
    expect(occurrences('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3)).toEqual([
      ['2026-03-28T02:30:00+01:00', null, ''],
      [
        '2026-03-29T03:00:00+02:00',
        'skipped',
        'The clock skips 02:30 on 2026-03-29, as it is set forward: this is expected at 03:00 instead.',
      ],
      ['2026-03-30T02:30:00+02:00', null, ''],
    ]);
  });

  test('OnCalendar leaves it out', () => {
    expect(occurrences('Sun 02:30', 'Europe/Berlin', '2026-03-22T12:00:00Z', 2)).toEqual([
      [
        '2026-04-05T02:30:00+02:00',
        'skipped',
        'The clock skips 02:30 on 2026-03-29, as it is set forward: nothing is expected then, this is the next time.',
      ],
      ['2026-04-12T02:30:00+02:00', null, ''],
    ]);
  });

  test('a line of OnCalendar goes by its own zone', () => {
    expect(occurrences('*-*-* 02:30 Europe/Berlin', 'UTC', '2026-03-28T12:00:00Z', 1)).toMatchObject([
      ['2026-03-30T00:30:00+00:00', 'skipped', expect.any(String)],
    ]);
  });
});

describe('clocks that are set back', () => {
  test('a fixed time that comes twice counts once', () => {
    expect(occurrences('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      [
        '2026-10-25T02:30:00+02:00',
        'repeated',
        'The clock shows 02:30 twice that day, as it is set back: the first time counts.',
      ],
      ['2026-10-26T02:30:00+01:00', null, ''],
    ]);
  });

  test('a wildcard counts both times', () => {
    const words = 'The clock shows 02:30 twice that day, as it is set back: both times count, this is the';
    expect(occurrences('30 * * * *', 'Europe/Berlin', '2026-10-24T23:00:00Z', 4)).toEqual([
      ['2026-10-25T01:30:00+02:00', null, ''],
      ['2026-10-25T02:30:00+02:00', 'repeated', `${words} first.`],
      ['2026-10-25T02:30:00+01:00', 'repeated', `${words} second.`],
      ['2026-10-25T03:30:00+01:00', null, ''],
    ]);
  });

  test('New York is set back at another hour', () => {
    expect(occurrences('15 1 1 11 *', 'America/New_York', '2026-10-30T00:00:00Z', 1)).toMatchObject([
      ['2026-11-01T01:15:00-04:00', 'repeated', expect.any(String)],
    ]);
  });
});

test('no other day of the year is affected, and none in UTC', () => {
  const year = occurrences('30 2 * * *', 'Europe/Berlin', '2026-01-01T00:00:00Z', 365) as [string, unknown][];
  expect(year.filter(([, kind]) => kind !== null).map(([at]) => at.slice(0, 10))).toEqual([
    '2026-03-29',
    '2026-10-25',
  ]);
  const utc = occurrences('30 2 * * *', 'UTC', '2026-01-01T00:00:00Z', 365) as [string, unknown][];
  expect(utc.filter(([, kind]) => kind !== null)).toEqual([]);
});
