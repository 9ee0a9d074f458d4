/** The checks that jobs would have: slugs, grace times, and what differs from checks that there are. */
import { expect, test } from 'vitest';
import { jobsOfCrontab } from '../../../src/domain/discover/crontab-jobs.ts';
import { graceOf, randomSleepS } from '../../../src/domain/discover/delays.ts';
import { driftOf, type KnownCheck } from '../../../src/domain/discover/drift.ts';
import { checkOf, type Proposal, proposalsOf } from '../../../src/domain/discover/proposals.ts';
import { folderRunBy, jobsOfFolder } from '../../../src/domain/discover/script-folder.ts';

const settings = { program: '/usr/bin/knell', url: null, key: null };

function proposals(text: string, prefix = '', tz = 'UTC'): readonly Proposal[] {
  const { jobs } = jobsOfCrontab({
    file: '/t',
    text,
    user: 'ada',
    tz,
    isSystemd: false,
    hasUsers: false,
  });
  return proposalsOf(jobs, { prefix, host: 'web1', settings });
}

test('a slug is given once, those that are pinged already first', () => {
  const text = '0 1 * * * /a/site\n0 2 * * * /b/site\n0 3 * * * knell run --check site -- /c/site\n';
  expect(proposals(text).map(({ slug }) => slug)).toEqual(['site-2', 'site-3', 'site']);
  expect(proposals(text, 'web1-').map(({ slug }) => slug)).toEqual(['web1-site', 'web1-site-2', 'site']);
});

test('lines that ping one check are one proposal, and a UUID is its id', () => {
  const uuid = '0b0b0b0b-1111-4222-8333-444444444444';
  const text = `0 1 * * * curl https://k.example.org/ping/${uuid}\n0 2 * * * curl https://k.example.org/ping/${uuid}/fail\n`;
  const [only, ...more] = proposals(text);
  expect(more).toEqual([]);
  expect(only && checkOf(only)).toMatchObject({ id: uuid, schedule: '0 1 * * *', integrations: '*' });
  expect(only && 'slug' in checkOf(only)).toBe(false);
});

test.each([
  ['db-backup', '0 3 * * *', 0, 7200, 'it copies data'],
  ['site', '0 3 * * *', 0, 900, 'as of most jobs'],
  ['site', '*/10 * * * *', 0, 300, 'half of its period'],
  ['db-backup', '*/5 * * * *', 0, 180, 'half of its period'],
  ['certbot', '0 */12 * * *', 43_200, 3600 + 43_200, 'it waits for others, and its start may be put off'],
  ['site', '* * * * *', 0, 60, 'half of its period'],
  ['site', '0 3 1 1 *', 40_000_000, 31_536_000, 'as of most jobs, and its start may be put off'],
])('the grace time of %s at %s, put off by %i s', (name, schedule, delayS, graceS, why) => {
  expect(graceOf(name, `/opt/${name}`, { schedule, tz: 'UTC' }, delayS)).toEqual({ graceS, why });
});

test('a job that first sleeps for a random time is known', () => {
  expect(randomSleepS("perl -e 'sleep int(rand(43200))' && certbot renew")).toBe(43_200);
  expect(randomSleepS('sleep $((RANDOM \\% 600)); job')).toBe(600);
  expect(randomSleepS('sleep 5; job')).toBe(0);
});

test('the folder that a line runs is found', () => {
  expect(folderRunBy('cd / && run-parts --report /etc/cron.hourly')).toBe('/etc/cron.hourly');
  expect(folderRunBy('test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }')).toBe(
    '/etc/cron.daily',
  );
  expect(folderRunBy('/usr/bin/run-parts /etc/cron.daily/')).toBe('/etc/cron.daily');
  expect(folderRunBy('echo run-parts')).toBeNull();
});

test('of a folder of scripts those are jobs that run-parts runs', () => {
  const [runBy] = jobsOfCrontab({
    file: '/etc/crontab',
    text: '25 6 * * * root cd / && run-parts /etc/cron.daily',
    hasUsers: true,
    user: 'root',
    tz: 'UTC',
    isSystemd: true,
  }).jobs;
  if (!runBy) throw new Error('the line is a job');
  const text = '#!/bin/sh\ntrue\n';
  const found = jobsOfFolder(
    '/etc/cron.daily',
    [
      { name: 'tidy', text, isExecutable: true },
      { name: 'tool', text: null, isExecutable: true },
      { name: 'python', text: '#!/usr/bin/python3\n', isExecutable: true },
      { name: 'tidy.sh', text, isExecutable: true },
      { name: 'notes', text, isExecutable: false },
      { name: 'left', text: '#!/bin/sh\n[ -d /run/systemd/system ] && exit 0\n', isExecutable: true },
      { name: '.placeholder', text, isExecutable: false },
    ],
    { runBy, isSystemd: true },
  );
  expect(found.jobs.map(({ name, times }) => [name, times])).toEqual(
    ['tidy', 'tool', 'python'].map((name) => [name, { schedule: '25 6 * * *', tz: 'UTC' }]),
  );
  const address = { ...settings, url: 'https://k.example.org', key: 'abc' };
  expect(found.jobs.map((job) => job.wrap('x', address))).toEqual([
    {
      file: '/etc/cron.daily/tidy',
      line: 1,
      added:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: of a shell.
        '[ "${KNELL_CHECK-}" = x ] || exec env KNELL_CHECK=x KNELL_PING_URL=https://k.example.org KNELL_PING_KEY=abc /usr/bin/knell run --check x -- "$0" "$@"',
    },
    'It is no script of a shell: call it by knell run in one',
    'It is no script of a shell: call it by knell run in one',
  ]);
  expect(found.leftOut.map(({ file, reason }) => [file, reason])).toEqual([
    ['/etc/cron.daily/tidy.sh', 'Its name has more than letters, digits, - and _: it is never run'],
    ['/etc/cron.daily/notes', 'It is not executable: run-parts leaves it out'],
    ['/etc/cron.daily/left', 'Does nothing where systemd runs, as here: there a timer does it'],
  ]);
});

test('drift compares times in one form, and leaves alone what other machines have', () => {
  const check = (slug: string, more: Partial<KnownCheck> = {}): KnownCheck => ({
    id: '',
    slug,
    name: slug,
    tags: 'crontab web1',
    times: { schedule: '0  1 * * *', tz: 'Europe/Kiev' },
    ...more,
  });
  const found = proposals('0 1 * * * knell run --check job -- /a/job\n', '', 'Europe/Kyiv');
  expect(driftOf(found, [check('job')], 'web1')).toEqual([]);
  expect(driftOf(found, [check('job', { times: { timeoutS: 60 } })], 'web1')).toMatchObject([
    { kind: 'other schedule', job: '0 1 * * * Europe/Kyiv', check: 'every 60 s' },
  ]);
  expect(
    driftOf(found, [check('job'), check('gone'), check('other', { tags: 'web2' })], 'web1'),
  ).toMatchObject([{ kind: 'check without a job', slug: 'gone' }]);
  expect(driftOf(found, [check('gone')], '')).toMatchObject([{ kind: 'job without a check', slug: 'job' }]);
});
