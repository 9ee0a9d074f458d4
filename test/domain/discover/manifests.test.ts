/** Jobs in manifests of Kubernetes, GitHub Actions and GitLab. */
import { expect, test } from 'vitest';
import { jobsOfManifests } from '../../../src/domain/discover/manifests.ts';
import { manifestJobsMax } from '../../../src/domain/limits.ts';

function cronJob(schedule: string, more: object = {}, name = 'job'): object {
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec: { schedule, ...more } };
}

const timesOf = (document: unknown): unknown => {
  const found = jobsOfManifests('f.yaml', [document]);
  return found?.jobs[0]?.times ?? found?.leftOut[0]?.reason;
};

test.each([
  [cronJob('0 3 * * *'), { schedule: '0 3 * * *', tz: 'UTC' }],
  [cronJob('0  3 * * 1', { timeZone: 'Europe/Kiev' }), { schedule: '0 3 * * 1', tz: 'Europe/Kyiv' }],
  [cronJob('CRON_TZ=Asia/Tokyo 0 3 * * *'), { schedule: '0 3 * * *', tz: 'Asia/Tokyo' }],
  [cronJob('@hourly'), { schedule: '0 * * * *', tz: 'UTC' }],
  [cronJob('@every 1h30m'), { timeoutS: 5400 }],
  [cronJob('@every 5s'), '"5s" is shorter than a minute, or longer than a year'],
  [cronJob('@reboot'), expect.stringContaining('"@reboot" is no time of cron')],
  [cronJob('0 3 * * *', { timeZone: 'Mars' }), 'Unknown time zone "Mars"'],
  [cronJob('0 3 * * *', { suspend: true }), 'Suspended: it is not run'],
  [cronJob(''), expect.stringContaining('is no time of cron')],
])('%j', (document, expected) => {
  expect(timesOf(document)).toEqual(expected);
});

test('objects of other kinds beside them are passed over, and a list has all of them', () => {
  const items = [
    cronJob('0 3 * * *', {}, 'a'),
    { kind: 'Pod' },
    cronJob('0 4 * * *', { startingDeadlineSeconds: 600 }, 'b'),
  ];
  const found = jobsOfManifests('-', [
    { apiVersion: 'v1', kind: 'Service' },
    { apiVersion: 'v1', kind: 'List', items },
  ]);
  expect(found?.jobs.map(({ plainSlug, delayS }) => [plainSlug, delayS])).toEqual([
    ['a', 0],
    ['b', 600],
  ]);
});

test('a workflow has a job for each of its times', () => {
  const schedule = [{ cron: '0 2 * * *' }, { cron: '0 2 * * 8' }];
  const found = jobsOfManifests('.github/workflows/ci.yml', [{ on: { schedule, push: {} }, jobs: {} }]);
  expect(found?.jobs.map(({ name, times }) => [name, times])).toEqual([
    ['ci', { schedule: '0 2 * * *', tz: 'UTC' }],
  ]);
  expect(found?.leftOut).toHaveLength(1);
  expect(jobsOfManifests('ci.yml', [{ on: { push: {} }, jobs: {} }])).toEqual({
    jobs: [],
    leftOut: [{ file: 'ci.yml', line: 0, text: '', reason: 'Has no schedule: something else starts it' }],
  });
});

test('the schedules of a project at GitLab have zones, and some are not active', () => {
  const found = jobsOfManifests('s.json', [
    [
      {
        id: 1,
        description: 'Nightly build',
        ref: 'main',
        cron: '0 1 * * *',
        cron_timezone: 'Europe/Riga',
        active: true,
      },
      { id: 2, description: 'Old', ref: 'main', cron: '0 1 * * *', cron_timezone: 'UTC', active: false },
    ],
  ]);
  expect(found?.jobs).toMatchObject([
    { plainSlug: 'nightly-build', times: { schedule: '0 1 * * *', tz: 'Europe/Riga' } },
  ]);
  expect(found?.leftOut).toMatchObject([{ text: 'Old', reason: 'Not active: it is not run' }]);
});

test.each([[null], ['text'], [[]], [{ projects: [] }], [[1, 2]]])('%j is none of these', (document) => {
  expect(jobsOfManifests('x', [document])).toBeNull();
});

test('what a file has too many of is left out with the reason, each by its name', () => {
  const items = Array.from({ length: manifestJobsMax + 2 }, (_, n) => cronJob('0 3 * * *', {}, `job-${n}`));
  const found = jobsOfManifests('f.json', [{ apiVersion: 'v1', kind: 'List', items }]);
  expect(found?.jobs).toHaveLength(manifestJobsMax);
  expect(found?.leftOut.map(({ text, reason }) => [text, reason])).toEqual([
    ['job-5000', 'The file has more than 5000 jobs: split it'],
    ['job-5001', 'The file has more than 5000 jobs: split it'],
  ]);
});

test.each([
  ['Pacific Time (US & Canada)', 'America/Los_Angeles'],
  ['Riga', 'Europe/Riga'],
  ['Buenos Aires', 'America/Argentina/Buenos_Aires'],
  ['Mars', null],
])('the zone %s of GitLab is %s', (cron_timezone, tz) => {
  const found = jobsOfManifests('s.json', [[{ id: 1, ref: 'main', cron: '0 1 * * *', cron_timezone }]]);
  expect(found?.jobs.map(({ times }) => 'tz' in times && times.tz)).toEqual(tz === null ? [] : [tz]);
  expect(found?.leftOut.map(({ reason }) => reason)).toEqual(
    tz === null ? [`Unknown time zone "${cron_timezone}"`] : [],
  );
});
