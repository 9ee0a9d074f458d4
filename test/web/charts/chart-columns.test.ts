/** Where the columns of a chart are. Pure, without a browser. */
import { expect, test } from 'vitest';
import type { StatisticsBucket } from '../../../src/domain/views/page-view.ts';
import { chartDataOf } from '../../../src/web/charts/chart-columns.ts';

const minute = 60_000;

function bucketOf(fromMs: number): StatisticsBucket {
  const none = { late: 0, failed: 0, missed: 0, outages: 0, downMs: 0, watchedMs: 1, durations: null };
  return { fromMs, untilMs: fromMs + 60 * minute, succeeded: 3, ...none };
}

test.each([
  ['the first hour of a check: none is yet to come', [bucketOf(0)], 22, [22]],
  ['its second hour', [bucketOf(0), bucketOf(60 * minute)], 95, [30, 90]],
  ['an hour that is over', [bucketOf(0)], 95, [30]],
])('%s', (_, buckets, now, places) => {
  const { columns } = chartDataOf({
    ...{ range: '24h', nowMs: now * minute, watchedSinceMs: 0, runs: null, buckets, tz: 'UTC' },
    ...{ uptimes: [], months: [], total: bucketOf(0) },
  });
  expect(columns.map(({ atMs }) => atMs / minute)).toEqual(places);
});
