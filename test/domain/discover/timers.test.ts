/** Timers of systemd as jobs. Those of Debian's packages are in `cli/discover/discover`. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { FoundJob, LeftOut } from '../../../src/domain/discover/found-job.ts';
import { jobOfTimer, type TimerUnit } from '../../../src/domain/discover/timers.ts';
import { spanS, unitSettings } from '../../../src/domain/discover/unit-file.ts';

function job(
  timer: string,
  service = 'ExecStart=/opt/job',
  more: Partial<TimerUnit> = {},
): FoundJob | LeftOut {
  const settings = unitSettings([`[Service]\n${service}`]);
  const unit: TimerUnit = {
    unit: 'job.timer',
    file: '/etc/systemd/system/job.timer',
    settings: unitSettings([`[Timer]\n${timer}`]),
    service: { unit: 'job.service', settings },
    isEnabled: true,
    dropIn: null,
    ...more,
  };
  return jobOfTimer(unit, 'Europe/Riga');
}

test.each([
  ['OnCalendar=daily', { schedule: 'daily', tz: 'Europe/Riga' }, 60],
  ['OnCalendar=Mon 3:00\nOnCalendar=Thu 4:00', { schedule: 'Mon 3:00\nThu 4:00', tz: 'Europe/Riga' }, 60],
  ['OnCalendar=daily\nOnCalendar=\nOnCalendar=weekly', { schedule: 'weekly', tz: 'Europe/Riga' }, 60],
  [
    'OnCalendar=daily\nRandomizedDelaySec=1h 30min\nAccuracySec=1us',
    { schedule: 'daily', tz: 'Europe/Riga' },
    5400,
  ],
  ['OnBootSec=5min\nOnUnitActiveSec=2h', { timeoutS: 7200 }, 60],
  ['OnUnitInactiveSec=1d\nAccuracySec=1h', { timeoutS: 86_400 }, 3600],
])('%j', (timer, times, delayS) => {
  expect(job(timer)).toMatchObject({ name: 'job', times, delayS, user: 'root', command: '/opt/job' });
});

test.each([
  ['OnBootSec=15min', {}, 'Runs once after a start, not again and again'],
  ['OnUnitActiveSec=5s', {}, 'Its period is shorter than a minute, or longer than a year'],
  ['OnUnitActiveSec=soon', {}, '"soon" is no span of time'],
  ['OnCalendar=never', {}, /^OnCalendar is not understood: /],
  ['OnCalendar=daily', { isEnabled: false }, 'Not enabled: nothing starts it'],
  ['OnCalendar=daily', { unit: 'job@.timer' }, 'A template: what is started of it is another unit'],
  ['OnCalendar=daily', { service: null }, 'Its service job.service is missing'],
])('%j %j has no check: %s', (timer, more, reason) => {
  expect(job(timer, '', more)).toEqual(
    expect.objectContaining({ reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) }),
  );
});

describe('a service', () => {
  const settings = { program: '/usr/bin/knell', url: null, key: null };
  const wrapped = (service: string): unknown => {
    const found = job('OnCalendar=daily', service);
    return 'wrap' in found ? found.wrap('nightly', settings) : null;
  };

  test('gets a drop-in', () => {
    expect(wrapped('ExecStart=/opt/job\nUser=backup')).toEqual({
      file: '/etc/systemd/system/job.service.d/knell.conf',
      text: expect.stringMatching(
        /^# .*\n\[Service\]\nEnvironmentFile=-\/etc\/knell\/ping\.env\nExecStartPre=\+-\/usr\/bin\/knell ping nightly start\nExecStopPost=\+-\/bin\/sh -c '.*'\n$/,
      ),
    });
  });

  test.each([
    ['success', '0', 'ping nightly 0 --data success, status 0'],
    ['exit-code', '3', 'ping nightly fail --data exit-code, status 3'],
    ['timeout', 'TERM', 'ping nightly fail --data timeout, status TERM'],
    // The result of a condition that is not met, at which nothing was run.
    ['exec-condition', '', 'ping nightly log --data exec-condition'],
  ])('pings how it ended: %s', (result, status, expected) => {
    const found = job('OnCalendar=daily') as FoundJob;
    const { text } = found.wrap('nightly', { ...settings, program: '/bin/echo' }) as {
      readonly text: string;
    };
    const [, command = ''] = /^ExecStopPost=\+-\/bin\/sh -c '(.*)'$/m.exec(text) ?? [];
    const env = { SERVICE_RESULT: result, EXIT_STATUS: status };
    // Systemd makes one of two.
    const said = execFileSync('/bin/sh', ['-c', command.replaceAll('$$', () => '$')], {
      env,
      encoding: 'utf8',
    });
    expect(said.trim()).toBe(expected);
  });

  test('without a network gets none', () => {
    expect(wrapped('PrivateNetwork=yes')).toContain('PrivateNetwork');
    expect(wrapped('IPAddressDeny=any')).toContain('IPAddressDeny');
  });

  test('pings already with its drop-in, or by itself', () => {
    const dropIn = '[Service]\nExecStartPre=+-/usr/bin/knell ping nightly start\n';
    expect(job('OnCalendar=daily', 'ExecStart=/opt/job', { dropIn })).toMatchObject({
      pinged: { slug: 'nightly' },
    });
    expect(job('OnCalendar=daily', 'ExecStart=/usr/bin/knell run --check own -- /opt/job')).toMatchObject({
      pinged: { slug: 'own' },
    });
  });
});

test('a unit file has comments, lines that go on, and several values', () => {
  const settings = unitSettings([
    '# a\n[Service]\n; b\nExecStart=/bin/a \\\n  --b\n',
    '[Service]\nExecStart=\nExecStart=/bin/c\n',
  ]);
  expect(settings.get('Service.ExecStart')).toEqual(['/bin/c']);
  expect(unitSettings(['[Service]\nExecStart=/bin/a \\\n  --b\nNice=1']).get('Service.ExecStart')).toEqual([
    '/bin/a --b',
  ]);
});

test.each([
  ['12h', 43_200],
  ['43200', 43_200],
  ['1h 30min', 5400],
  ['2weeks', 1_209_600],
  ['500ms', 0.5],
  ['1month', 2_629_800],
  ['', null],
  ['1 fortnight', null],
  ['x', null],
])('%j is %s seconds', (text, seconds) => {
  expect(spanS(text)).toBe(seconds);
});
