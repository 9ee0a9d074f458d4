/** Lines of crontabs as jobs: what each becomes when it is wrapped, and that the wrapped one is the same job. */
import { describe, expect, test } from 'vitest';
import { jobsOfAnacrontab } from '../../../src/domain/discover/anacrontab.ts';
import { jobsOfCrontab } from '../../../src/domain/discover/crontab-jobs.ts';
import type { Discovery, FoundJob, PingSettings } from '../../../src/domain/discover/found-job.ts';

const settings: PingSettings = { program: '/usr/bin/knell', url: null, key: null };

function jobs(text: string, hasUsers = false, isSystemd = false): Discovery {
  return jobsOfCrontab({ file: '/t', text, hasUsers, user: 'ada', tz: 'Europe/Riga', isSystemd });
}

/** The line that it becomes, or the reason why it becomes none. */
function wrapped(job: FoundJob | undefined, slug = 'x'): string {
  const edit = job?.wrap(slug, settings);
  return typeof edit === 'object' && 'replaced' in edit ? edit.replaced : String(edit);
}

const run = '/usr/bin/knell run --check x --';

describe('a line that is wrapped', () => {
  test.each([
    ['0 3 * * * /opt/job --all', `0 3 * * * ${run} /opt/job --all`],
    ['  @daily\t/opt/job', `  @daily\t${run} /opt/job`],
    ['0 3 * * * /opt/job > /tmp/log 2>&1', `0 3 * * * ${run} /opt/job > /tmp/log 2>&1`],
    [
      "0 3 * * * find /tmp -name '*.tmp' -exec rm {} \\;",
      `0 3 * * * ${run} find /tmp -name '*.tmp' -exec rm {} \\;`,
    ],
    ['0 3 * * * cd /srv && ./job', `0 3 * * * ${run} /bin/sh -c 'cd /srv && ./job'`],
    ['0 3 * * * A=1 ./job', `0 3 * * * ${run} /bin/sh -c 'A=1 ./job'`],
    ['0 3 * * * job $HOME', `0 3 * * * ${run} /bin/sh -c 'job $HOME'`],
    ['0 3 * * * job "$(date)"', `0 3 * * * ${run} /bin/sh -c 'job "$(date)"'`],
    ["0 3 * * * echo 'a b' | job", `0 3 * * * ${run} /bin/sh -c 'echo '\\''a b'\\'' | job'`],
    ['0 3 * * * job --on \\%d%in%put', `0 3 * * * ${run} job --on \\%d%in%put`],
    ['0 3 * * * exec job', `0 3 * * * ${run} /bin/sh -c 'exec job'`],
    ['0 3 * * * job # nightly', `0 3 * * * ${run} /bin/sh -c 'job # nightly'`],
  ])('%s', (line, expected) => {
    const [job] = jobs(line).jobs;
    expect(wrapped(job)).toBe(expected);
    const [again] = jobs(expected).jobs;
    expect(again).toMatchObject({
      name: job?.name,
      command: job?.command,
      delayS: job?.delayS,
      times: job?.times,
      pinged: { slug: 'x' },
    });
  });

  test('goes to the shell that the crontab names', () => {
    const [job] = jobs('SHELL=/bin/bash\n0 3 * * * a && b').jobs;
    expect(wrapped(job)).toBe(`0 3 * * * ${run} /bin/bash -c 'a && b'`);
  });

  test('goes to the server that the crontab names, also where that is given with a slash', () => {
    const [job] = jobs('KNELL_PING_URL=https://k.example/\n0 3 * * * a').jobs;
    const at = (url: string) => job?.wrap('x', { ...settings, url, key: 'k' });
    expect(at('https://k.example')).toMatchObject({ replaced: `0 3 * * * ${run} a` });
    expect(at('https://other.example')).toMatch(/another server without its KNELL_PING_KEY/);
  });

  test('keeps its user', () => {
    const [job] = jobs('0 3 * * *  www-data\t/opt/job', true).jobs;
    expect(job?.user).toBe('www-data');
    expect(wrapped(job)).toBe(`0 3 * * *  www-data\t${run} /opt/job`);
  });
});

test.each([
  ['0 3 * * * /opt/job &', 'The job runs in the background: let the program itself ping'],
  ['0 3 * * * /opt/job & # nightly', 'The job runs in the background: let the program itself ping'],
  ['0 3 * * * /opt/job \\', 'The command does not end there'],
  [
    `0 3 * * * /opt/job ${'x'.repeat(980)}`,
    'Cron reads 999 characters of a command: call knell run in a script',
  ],
  ['0 3 * * * /opt/job\r', 'The file has carriage returns, which cron takes for part of the command'],
])('what stays as it is has a reason: %j', (line, reason) => {
  expect(wrapped(jobs(`${line}\n`).jobs[0])).toBe(reason);
});

test.each([
  ['knell run --check nightly -- /opt/job', { slug: 'nightly' }],
  ['/usr/bin/knell-run.mjs --quiet --check=nightly -- /opt/job', { slug: 'nightly' }],
  ['/opt/job && knell ping nightly', { slug: 'nightly' }],
  [
    '/opt/job; curl -fsS https://knell.example.org/ping/fqOOd6-F4MMNuCEnzTU01w/nightly/$?',
    { slug: 'nightly' },
  ],
  [
    'curl https://knell.example.org/ping/0B0b0b0b-1111-4222-8333-444444444444/start; /opt/job',
    { id: '0b0b0b0b-1111-4222-8333-444444444444' },
  ],
  ['/opt/knell-backup --check nightly', null],
  ['curl https://example.org/shopping/cart', null],
])('what pings already is recognized: %s', (command, pinged) => {
  expect(jobs(`0 3 * * * ${command}`).jobs[0]?.pinged).toEqual(pinged);
});

test('MAILTO, CRON_TZ and @reboot are known, and what leaves its work to systemd', () => {
  const text =
    'MAILTO="ops@x"\nCRON_TZ=Asia/Tokyo\n@reboot /opt/warm\n0 3 * * * test -d /run/systemd/system || /opt/a\n1 3 * * * /opt/b';
  const found = jobs(text, false, true);
  expect(found.jobs).toMatchObject([{ name: 'b', mailto: 'ops@x', times: { tz: 'Asia/Tokyo' } }]);
  expect(found.leftOut.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'Runs at boot, not at a time'],
    [4, 'Does nothing where systemd runs, as here: there a timer does it'],
  ]);
  expect(jobs(text).jobs.map(({ name }) => name)).toEqual(['a', 'b']);
});

describe('an anacrontab', () => {
  test('has periods of days, with a grace time for when the machine is off', () => {
    const text = 'RANDOM_DELAY=45\n7\t10\tweekly.backup\t/opt/backup --all\n@monthly 15 scan cd / && scan\n';
    const { jobs: found } = jobsOfAnacrontab('/etc/anacrontab', text);
    expect(found).toMatchObject([
      { name: 'weekly.backup', line: 2, times: { timeoutS: 7 * 86_400 }, delayS: 86_400 + 55 * 60 },
      { name: 'scan', line: 3, times: { timeoutS: 31 * 86_400 }, delayS: 86_400 + 60 * 60 },
    ]);
    expect(wrapped(found[0])).toBe(`7\t10\tweekly.backup\t${run} /opt/backup --all`);
    expect(wrapped(found[1])).toBe(`@monthly 15 scan ${run} /bin/sh -c 'cd / && scan'`);
  });

  test('says why a line is no job', () => {
    const { leftOut } = jobsOfAnacrontab('/etc/anacrontab', '1 5 short\n0 5 zero x\n@hourly 5 h x\n');
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      'A line of anacron has a period, a delay, a name and a command',
      'Its period is none of anacron: 0',
      'Its period is none of anacron: @hourly',
    ]);
  });
});
