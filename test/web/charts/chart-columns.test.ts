/** Where the columns of a chart are. Pure, without a browser. */
import { expect, test } from 'vitest';
import type { Run } from '../../../src/domain/runs/latest-runs.ts';
import type { CheckStatistics, StatisticsBucket } from '../../../src/domain/views/page-view.ts';
import { chartDataOf } from '../../../src/web/charts/chart-columns.ts';

const minute = 60_000;

function bucketOf(fromMs: number): StatisticsBucket {
  const none = { late: 0, failed: 0, missed: 0, outages: 0, downMs: 0, watchedMs: 1, durations: null };
  return { fromMs, untilMs: fromMs + 60 * minute, succeeded: 3, ...none };
}

test.each([
  ['the first hour of a check: none is before it or yet to come', [bucketOf(0)], 10, 22, [16]],
  ['its second hour', [bucketOf(0), bucketOf(60 * minute)], 10, 95, [35, 77.5]],
  ['an hour that is over', [bucketOf(0)], 0, 95, [30]],
])('%s', (_, buckets, created, now, places) => {
  const statistics: CheckStatistics = {
    ...{ range: '24h', nowMs: now * minute, watchedSinceMs: 0, runs: null, buckets, tz: 'UTC' },
    ...{ uptimes: [], months: [], total: bucketOf(0) },
  };
  const shown = { fromMs: created * minute, untilMs: now * minute };
  const { columns } = chartDataOf(statistics, created * minute, shown);
  expect(columns.map(({ atMs }) => atMs / minute)).toEqual(places);
});

const at = (seconds: number): Run => ({
  ...{
    atMs: seconds * 1000,
    startedMs: null,
    durationMs: null,
    outcome: 'succeeded',
    exitStatus: null,
    n: 1,
  },
  results: [],
});

test.each([
  [
    'of 16 minutes',
    16 * minute,
    [at(60), at(65), at(300), at(780)],
    [
      [90, 2],
      [330, 1],
      [810, 1],
    ],
  ],
  ['of a second after three runs at its beginning', minute, [at(1), at(1.2), at(1.4)], [[2.5, 3]]],
] as const)('an axis %s has columns where its runs were', (_, untilMs, runs, wanted) => {
  const statistics: CheckStatistics = {
    ...{ range: '24h', nowMs: untilMs, watchedSinceMs: 0, runs, buckets: [bucketOf(0)], tz: 'UTC' },
    ...{ uptimes: [], months: [], total: bucketOf(0) },
  };
  const { of, columns } = chartDataOf(statistics, 0, { fromMs: 0, untilMs });
  expect(of).toBe('counts');
  expect(columns.map(({ atMs, value }) => [atMs / 1000, value])).toEqual(wanted);
});
