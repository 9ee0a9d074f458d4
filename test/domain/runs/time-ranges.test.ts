import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketEdges,
  chartRanges,
  monthEdges,
  type TimeRange,
  uptimeRange,
  watchedSince,
} from '../../../src/domain/runs/time-ranges.ts';
import { day, hour } from '../../../src/lib/units.ts';
import { isLong } from '../../support/long.ts';

const nowMs = Date.UTC(2026, 10, 22, 19, 20);
const shown = (edges: readonly number[], tz: string) =>
  edges.map((edge) =>
    new Intl.DateTimeFormat('sv', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' }).format(edge),
  );

test('a range ends with the hour in flight', () => {
  expect(uptimeRange('24h', nowMs)).toEqual({
    fromMs: Date.UTC(2026, 10, 21, 20),
    untilMs: Date.UTC(2026, 10, 22, 20),
  });
});

describe('the buckets of a chart', () => {
  test.each(chartRanges)('of %s hold now, ascend, and go back far enough', (range) => {
    for (const tz of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
      const edges = bucketEdges(range, tz, nowMs);
      expect([...edges].sort((a, b) => a - b)).toEqual(edges);
      expect(new Set(edges).size).toBe(edges.length);
      expect(edges.at(-2)).toBeLessThanOrEqual(nowMs);
      expect(edges.at(-1)).toBeGreaterThan(nowMs);
      expect((edges[0] ?? 0) - uptimeRange(range, nowMs).fromMs).toBeLessThan(day);
    }
  });

  test.each([
    ['30d', 120],
    ['90d', 90],
    ['365d', 365],
  ] as const)(
    'of %s are %i in every zone at every time of the day, and the last one has now in it',
    (range, buckets) => {
      const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
      const anyNowMs = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
      fc.assert(
        fc.property(zone, anyNowMs, (tz, atMs) => {
          const edges = bucketEdges(range, tz, atMs);
          expect(edges).toHaveLength(buckets + 1);
          expect(edges.at(-2)).toBeLessThanOrEqual(atMs);
          expect(edges.at(-1)).toBeGreaterThan(atMs);
        }),
        { numRuns: isLong ? 3000 : 300 },
      );
    },
  );

  test.each([
    ['Europe/Berlin', 'late in the evening, behind the end of summer time', Date.UTC(2026, 10, 27, 22, 57)],
    ['Europe/Berlin', 'behind its beginning', Date.UTC(2026, 3, 1, 21, 59)],
    ['Asia/Kolkata', 'a quarter of an hour before midnight', Date.UTC(2026, 10, 22, 18, 15)],
    ['Africa/Cairo', 'on the day without its first hour', Date.UTC(2026, 3, 24, 0, 30)],
    ['America/Havana', 'in the hour after midnight that comes twice', Date.UTC(2026, 10, 1, 5, 30)],
    ['America/Santiago', 'in the hour before midnight that comes twice', Date.UTC(2026, 3, 5, 3, 30)],
  ])('of 90 days in %s %s are 90', (tz, _when, atMs) => {
    const edges = bucketEdges('90d', tz, atMs);
    expect(edges).toHaveLength(91);
    expect(edges.at(-2)).toBeLessThanOrEqual(atMs);
    expect(edges.at(-1)).toBeGreaterThanOrEqual(uptimeRange('90d', atMs).untilMs);
  });

  test('are hours for a day and a week', () => {
    expect(bucketEdges('24h', 'UTC', nowMs)).toHaveLength(25);
    expect(bucketEdges('7d', 'UTC', nowMs)).toHaveLength(7 * 24 + 1);
  });

  test('begin at midnight of the zone, also where its clock has changed', () => {
    const tz = 'America/New_York';
    const edges = bucketEdges('90d', tz, nowMs);
    for (const text of shown(edges, tz)) expect(text.slice(-5)).toBe('00:00');
    // The clock was set back on 1 November.
    expect(edges.map((edge, index) => edge - (edges[index - 1] ?? edge))).toContain(25 * hour);
  });

  test('of 30 days are a quarter of a day by the clock', () => {
    const times = new Set(
      shown(bucketEdges('30d', 'Europe/Riga', nowMs), 'Europe/Riga').map((one) => one.slice(-5)),
    );
    expect([...times].sort()).toEqual(['00:00', '06:00', '12:00', '18:00']);
  });
});

test('months are those of the zone, over the turn of a year', () => {
  const edges = monthEdges(12, 'Asia/Tokyo', Date.UTC(2026, 0, 31, 16));
  expect(shown(edges, 'Asia/Tokyo').slice(-3)).toEqual([
    '2026-01-01 00:00',
    '2026-02-01 00:00',
    '2026-03-01 00:00',
  ]);
  expect(edges).toHaveLength(13);
  expect(shown(edges, 'Asia/Tokyo')[0]).toBe('2025-03-01 00:00');
});

describe('since when a check is watched', () => {
  const range = uptimeRange('30d', nowMs);
  /** Of a check that is watched from then on. */
  const from = (sinceMs: number) => (ranges: readonly TimeRange[]) =>
    ranges.map(({ fromMs, untilMs }) => {
      const watchedMs = Math.max(0, Math.min(untilMs, nowMs) - Math.max(fromMs, sinceMs));
      return { downMs: 0, outages: 0, watchedMs };
    });
  const since = (sinceMs: number, createdAtMs = 0) =>
    watchedSince(from(sinceMs), { range, createdAtMs, nowMs });

  test('is exact, whenever that was in the range and whenever it was created before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: range.fromMs + hour + 1, max: nowMs - 1 }),
        fc.nat(),
        (sinceMs, before) => {
          expect(since(sinceMs)).toBe(sinceMs);
          expect(since(sinceMs, sinceMs - (before % (40 * day)))).toBe(sinceMs);
        },
      ),
    );
  });

  test('is not said where it is since the beginning of the range, nor of what was never watched', () => {
    expect(since(range.fromMs - day)).toBeNull();
    expect(since(range.fromMs + hour)).toBeNull();
    expect(since(nowMs + day)).toBeNull();
  });
});
