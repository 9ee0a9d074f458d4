import { expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { CheckStatistics, StatisticsBucket } from '../../../src/domain/views/page-view.ts';
import { withoutWaits } from '../../../src/web/charts/timeline.ts';

const minute = 60_000;

function waitOf(dueMs: number, untilMs: number): readonly StatusChange[] {
  return [
    { atMs: untilMs, from: 'grace', to: 'up', cause: 'success' },
    { atMs: dueMs, from: 'up', to: 'grace', cause: 'timeout' },
  ];
}

function bucketOf(fromMs: number, untilMs: number, late: number): StatisticsBucket {
  const none = { failed: 0, missed: 0, outages: 0, downMs: 0, watchedMs: 1, durations: null };
  return { fromMs, untilMs, succeeded: 1, late, ...none };
}

const runOf = (atMs: number, outcome: 'succeeded' | 'late') => ({
  ...{ atMs, outcome, startedMs: null, durationMs: null, exitStatus: null, n: 1, results: [] },
});

test('the band shows no wait for a run that was in time, however long it took', () => {
  const outage: readonly StatusChange[] = [{ atMs: 500 * minute, from: 'up', to: 'down', cause: 'fail' }];
  const [short, long, late] = [
    waitOf(0, 7_000),
    waitOf(100 * minute, 140 * minute),
    waitOf(200 * minute, 240 * minute),
  ];
  const changes = [...outage, ...late, ...long, ...short];
  const runs: CheckStatistics['runs'] = [
    runOf(7_000, 'succeeded'),
    runOf(140 * minute, 'succeeded'),
    runOf(240 * minute, 'late'),
  ];
  expect(withoutWaits(changes, { runs, buckets: [] })).toEqual([...outage, ...late]);
});

test('where its runs are not known, the statistics say whether any was late', () => {
  const [inTime, short, unsure] = [
    waitOf(0, 40 * minute),
    waitOf(60 * minute, 60 * minute + 7_000),
    waitOf(70 * minute, 110 * minute),
  ];
  const changes = [...unsure, ...short, ...inTime];
  const buckets = [bucketOf(0, 60 * minute, 0), bucketOf(60 * minute, 120 * minute, 1)];
  expect(withoutWaits(changes, { runs: null, buckets })).toEqual(unsure);
});
