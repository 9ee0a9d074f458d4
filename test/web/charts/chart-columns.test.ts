/** Where the columns of a chart are. Pure, without a browser. */
import { expect, test } from 'vitest';
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
  const { columns } = chartDataOf(statistics, created * minute);
  expect(columns.map(({ atMs }) => atMs / minute)).toEqual(places);
});
