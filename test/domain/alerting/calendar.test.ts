/** The calendar: once, by schedules, on dates; what overlaps or adjoins is one; days on which the clock is changed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activeAt,
  type Calendar,
  isOver,
  mergedSpans,
  nextAfter,
  type TimeSpan,
} from '../../../src/domain/alerting/calendar.ts';
import { day, hour, minute } from '../../../src/lib/units.ts';

const never: Calendar = {
  ...{ fromMs: 0, untilMs: 0, schedule: '', tz: 'UTC', durationS: 0, dates: [], except: [] },
};
const at = (text: string): number => Date.parse(`${text}Z`);
const span = (from: string, until: string): TimeSpan => ({ fromMs: at(from), untilMs: at(until) });
const calendar = (facts: Partial<Calendar>): Calendar => ({ ...never, ...facts });
const scheduled = (schedule: string, tz: string, durationMs: number): Calendar =>
  calendar({ schedule, tz, durationS: durationMs / 1000 });

test('once: on from its first instant until before its last', () => {
  const once = calendar(span('2026-05-04T22:00', '2026-05-05T01:00'));
  expect(activeAt(once, at('2026-05-04T22:00') - 1)).toBeNull();
  expect(activeAt(once, at('2026-05-04T22:00'))).toEqual(span('2026-05-04T22:00', '2026-05-05T01:00'));
  expect(activeAt(once, at('2026-05-05T01:00') - 1)).not.toBeNull();
  expect(activeAt(once, at('2026-05-05T01:00'))).toBeNull();
  expect(nextAfter(once, at('2026-05-04T00:00'))).toEqual(span('2026-05-04T22:00', '2026-05-05T01:00'));
  expect(nextAfter(once, at('2026-05-04T22:00'))).toBeNull();
  expect([at('2026-05-04T23:00'), at('2026-05-05T01:00')].map((ms) => isOver(once, ms))).toEqual([
    false,
    true,
  ]);
});

test('by cron and by OnCalendar, in a time zone', () => {
  for (const schedule of ['0 2 * * 0', 'Sun *-*-* 02:00']) {
    const weekly = scheduled(schedule, 'Europe/Riga', 2 * hour);
    const sunday = span('2026-05-09T23:00', '2026-05-10T01:00');
    expect(activeAt(weekly, at('2026-05-09T22:59'))).toBeNull();
    expect(activeAt(weekly, at('2026-05-10T00:30'))).toEqual(sunday);
    expect(nextAfter(weekly, at('2026-05-04T00:00'))).toEqual(sunday);
    expect(nextAfter(weekly, at('2026-05-10T00:30'))).toEqual(span('2026-05-16T23:00', '2026-05-17T01:00'));
  }
});

test('what overlaps or adjoins is one, whichever notation says it', () => {
  const night = calendar({
    ...span('2026-05-05T03:00', '2026-05-05T05:00'),
    ...{ schedule: '0 2 * * *', tz: 'UTC', durationS: 3600 },
    dates: [span('2026-05-05T04:30', '2026-05-05T06:00'), span('2026-05-05T06:01', '2026-05-05T07:00')],
  });
  const whole = span('2026-05-05T02:00', '2026-05-05T06:00');
  for (const time of ['02:00', '02:59', '03:00', '05:30']) {
    expect(activeAt(night, at(`2026-05-05T${time}`)), time).toEqual(whole);
  }
  expect(activeAt(night, at('2026-05-05T06:00'))).toBeNull();
  expect(nextAfter(night, at('2026-05-05T03:30'))).toEqual(span('2026-05-05T06:01', '2026-05-05T07:00'));
});

test('a schedule that is on again before it is over is on without a break', () => {
  const halves = scheduled('0,30 9-11 * * *', 'UTC', 45 * minute);
  expect(activeAt(halves, at('2026-05-05T10:10'))).toEqual(span('2026-05-05T09:00', '2026-05-05T12:15'));
  const always = scheduled('* * * * *', 'UTC', 7 * day);
  const found = activeAt(always, at('2026-05-05T10:10'));
  // It never ends: of that a beginning is followed, in a bounded time.
  expect(found?.untilMs).toBeGreaterThan(at('2026-06-05T00:00'));
  expect(nextAfter(always, at('2026-05-05T10:10'))).toBeNull();
  expect(isOver(always, at('2026-05-05T10:10'))).toBe(false);
});

test('what was ended before its time is off until then, and on again later', () => {
  const nightly = {
    ...scheduled('0 2 * * *', 'UTC', 2 * hour),
    except: [span('2026-05-05T02:30', '2026-05-05T04:00')],
  };
  expect(activeAt(nightly, at('2026-05-05T02:10'))).toEqual(span('2026-05-05T02:00', '2026-05-05T02:30'));
  expect(activeAt(nightly, at('2026-05-05T02:30'))).toBeNull();
  expect(activeAt(nightly, at('2026-05-05T03:59'))).toBeNull();
  expect(nextAfter(nightly, at('2026-05-05T02:10'))).toEqual(span('2026-05-06T02:00', '2026-05-06T04:00'));
  const middle = calendar({
    dates: [span('2026-05-05T00:00', '2026-05-06T00:00')],
    except: [span('2026-05-05T08:00', '2026-05-05T09:00')],
  });
  expect(nextAfter(middle, at('2026-05-05T01:00'))).toEqual(span('2026-05-05T09:00', '2026-05-06T00:00'));
});

describe('when the clock is changed', () => {
  // Riga: forward on 29 March 2026 at 03:00, back on 25 October at 04:00.
  test('a time that is skipped begins after the gap by cron, and not at all by OnCalendar', () => {
    const byCron = scheduled('30 3 * * *', 'Europe/Riga', hour);
    expect(nextAfter(byCron, at('2026-03-28T12:00'))).toEqual(span('2026-03-29T01:00', '2026-03-29T02:00'));
    const byCalendar = scheduled('*-*-* 03:30', 'Europe/Riga', hour);
    expect(nextAfter(byCalendar, at('2026-03-28T12:00'))).toEqual(
      span('2026-03-30T00:30', '2026-03-30T01:30'),
    );
    expect(activeAt(byCalendar, at('2026-03-29T01:30'))).toBeNull();
  });

  test('a time that comes twice begins once by a cron of fixed time, and twice by others', () => {
    const fixed = scheduled('30 3 * * *', 'Europe/Riga', 20 * minute);
    expect(activeAt(fixed, at('2026-10-25T00:35'))).toEqual(span('2026-10-25T00:30', '2026-10-25T00:50'));
    expect(activeAt(fixed, at('2026-10-25T01:35'))).toBeNull();
    const hourly = scheduled('30 * * * *', 'Europe/Riga', 20 * minute);
    expect(activeAt(hourly, at('2026-10-25T01:35'))).toEqual(span('2026-10-25T01:30', '2026-10-25T01:50'));
  });

  test('a duration is elapsed time', () => {
    const night = scheduled('0 2 * * *', 'Europe/Riga', 3 * hour);
    // 02:00 to 06:00, and to 04:00, on the wall.
    expect(nextAfter(night, at('2026-03-28T12:00'))).toEqual(span('2026-03-29T00:00', '2026-03-29T03:00'));
    expect(nextAfter(night, at('2026-10-24T12:00'))).toEqual(span('2026-10-24T23:00', '2026-10-25T02:00'));
  });
});

const beginMs = at('2026-03-20T00:00');
const anySpan = fc
  .tuple(fc.nat(20 * 24), fc.integer({ min: 1, max: 48 }))
  .map(([from, length]) => ({ fromMs: beginMs + from * hour, untilMs: beginMs + (from + length) * hour }));
/** With the most hours after which each is off again: of one that is never off only a beginning is followed. */
const schedules = [
  ...([
    ['', 1],
    ['0 2 * * *', 22],
    ['30 3 * * 0', 40],
  ] as const),
  ...([
    ['Mon,Thu *-*-* 22:00', 40],
    ['0 */6 * * *', 5],
  ] as const),
];
const anyCalendar: fc.Arbitrary<Calendar> = fc
  .record({
    ...{ fromMs: fc.constant(0), untilMs: fc.constant(0) },
    schedule: fc.constantFrom(...schedules),
    tz: fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York'),
    hours: fc.nat(39),
    dates: fc.array(anySpan, { maxLength: 4 }).map(mergedSpans),
    except: fc.array(anySpan, { maxLength: 2 }).map(mergedSpans),
  })
  .map(({ schedule: [schedule, hoursMax], hours, ...rest }) => ({
    ...{ ...rest, schedule },
    durationS: (1 + (hours % hoursMax)) * 3600,
  }));

test('says the same of a moment in whatever order it is asked, and of each minute what a model says', () => {
  fc.assert(
    fc.property(anyCalendar, fc.array(fc.nat(20 * 48), { minLength: 5, maxLength: 40 }), (any, halfHours) => {
      const occurrences = occurrencesOf(any);
      for (const halfHour of halfHours) {
        const ms = beginMs + (halfHour * hour) / 2;
        const found = activeAt(any, ms);
        expect(found).toEqual(activeAt({ ...any }, ms));
        expect(found !== null).toBe(isOnByModel(any, occurrences, ms));
        if (found === null) continue;
        expect(isOnByModel(any, occurrences, found.untilMs - 1)).toBe(true);
        expect(isOnByModel(any, occurrences, found.untilMs)).toBe(false);
        expect(isOnByModel(any, occurrences, found.fromMs - 1)).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});

/** Each on its own, as single nights of a calendar: an occurrence is where one that takes a minute begins. */
function occurrencesOf({ schedule, tz }: Calendar): readonly number[] {
  const found: number[] = [];
  const single = scheduled(schedule, tz, minute);
  if (schedule === '') return found;
  for (
    let next = nextAfter(single, beginMs - 30 * day);
    next !== null && next.fromMs < beginMs + 90 * day;
    next = nextAfter(single, next.fromMs)
  )
    found.push(next.fromMs);
  return found;
}

function isOnByModel(any: Calendar, occurrences: readonly number[], ms: number): boolean {
  const isIn = ({ fromMs, untilMs }: TimeSpan): boolean => fromMs <= ms && ms < untilMs;
  if (any.except.some(isIn)) return false;
  return (
    any.dates.some(isIn) ||
    occurrences.some((fromMs) => isIn({ fromMs, untilMs: fromMs + any.durationS * 1000 }))
  );
}
