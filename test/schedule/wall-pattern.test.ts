/**
 * The search over days against brute force over the days of forty years.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../src/schedule/schedule.ts';

const DAY = 86_400_000;

interface DayItem {
  readonly text: string;
  readonly matches: (date: Date) => boolean;
}

function lastDayOf(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function lastWorkdayOf(date: Date): number {
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
  while (last.getUTCDay() === 0 || last.getUTCDay() === 6) last.setUTCDate(last.getUTCDate() - 1);
  return last.getUTCDate();
}

const dayItem: fc.Arbitrary<DayItem> = fc.oneof(
  fc
    .integer({ min: 1, max: 28 })
    .map((n) => ({ text: `${n}`, matches: (date: Date) => date.getUTCDate() === n })),
  fc.constant({ text: 'L', matches: (date: Date) => date.getUTCDate() === lastDayOf(date) }),
  fc.constant({ text: 'LW', matches: (date: Date) => date.getUTCDate() === lastWorkdayOf(date) }),
);

const weekdayItem: fc.Arbitrary<DayItem> = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 6 }))
  .map(([weekday, kind]) => {
    const onDay = (date: Date): boolean => date.getUTCDay() === weekday % 7;
    if (kind === 0) return { text: `${weekday}`, matches: onDay };
    if (kind === 6)
      return { text: `${weekday}L`, matches: (d) => onDay(d) && d.getUTCDate() > lastDayOf(d) - 7 };
    return { text: `${weekday}#${kind}`, matches: (d) => onDay(d) && Math.ceil(d.getUTCDate() / 7) === kind };
  });

function listOf(item: fc.Arbitrary<DayItem>): fc.Arbitrary<DayItem> {
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
    text: items.map(({ text }) => text).join(),
    matches: (date) => items.some(({ matches }) => matches(date)),
  }));
}

function firstDay(from: number, matches: (date: Date) => boolean): number | null {
  for (let at = from + DAY; at < from + 40 * 365 * DAY; at += DAY) if (matches(new Date(at))) return at;
  return null;
}

const from = fc.integer({ min: 0, max: 20_000 }).map((days) => Date.UTC(2000, 0) + days * DAY);

describe('the search for days', () => {
  it('finds what brute force finds for cron: either field, or both when one begins with a star', () => {
    const month = fc.constantFrom('*', '2', '4,6', '12');
    fc.assert(
      fc.property(
        listOf(dayItem),
        listOf(weekdayItem),
        month,
        fc.boolean(),
        from,
        (day, weekday, months, both, at) => {
          const field = both ? `*/1,${day.text}` : day.text;
          const inMonth = (d: Date): boolean =>
            months === '*' || months.split(',').includes(`${d.getUTCMonth() + 1}`);
          const onDay = (d: Date): boolean =>
            both ? weekday.matches(d) : day.matches(d) || weekday.matches(d);
          const parsed = parseSchedule(`0 0 ${field} ${months} ${weekday.text}`, 'UTC');
          if (!parsed.ok) throw new Error(parsed.error);
          expect(parsed.schedule.next(at)).toBe(firstDay(at, (d) => inMonth(d) && onDay(d)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds what brute force finds for OnCalendar days counted from the end, on chosen weekdays', () => {
    const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 28 }),
        fc.subarray(names, { minLength: 1 }),
        from,
        (n, chosen, at) => {
          const parsed = parseSchedule(`${chosen.join()} *-*~${n}`, 'UTC');
          if (!parsed.ok) throw new Error(parsed.error);
          const matches = (d: Date): boolean =>
            d.getUTCDate() === lastDayOf(d) - n + 1 && chosen.includes(names[d.getUTCDay()] ?? '');
          expect(parsed.schedule.next(at)).toBe(firstDay(at, matches));
        },
      ),
      { numRuns: 300 },
    );
  });
});
