/** Crontabs as they are on real machines: those of Debian and its packages, and those of users. */

import { describe, expect, it, test } from 'vitest';
import { crontabSteps, parseCrontab } from '../../../src/domain/crontab/crontab.ts';
import { crontabJobsMax, linesLeftOutMax } from '../../../src/domain/limits.ts';

const riga = { tz: 'Europe/Riga' };

/** `schedule user name`, a line each. */
function jobsOf(text: string, options: Partial<Parameters<typeof parseCrontab>[1]> = {}): readonly string[] {
  const { jobs } = parseCrontab(text, { ...riga, ...options });
  return jobs.map(({ schedule, user, name }) => `${schedule} | ${user} | ${name}`);
}
const reasonsOf = (text: string): readonly (readonly [number, string])[] =>
  parseCrontab(text, riga).leftOut.map(({ line, reason }) => [line, reason]);

const etcCrontab = `# /etc/crontab: system-wide crontab
# Unlike any other crontab you don't have to run the \`crontab'
# command to install the new version when you edit this file
# and files in /etc/cron.d. These files also have username fields,
# that none of the other crontabs do.

SHELL=/bin/sh
# You can also override PATH, but by default, newer versions inherit it from the environment
#PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin

# Example of job definition:
# .---------------- minute (0 - 59)
# |  .------------- hour (0 - 23)
# |  |  .---------- day of month (1 - 31)
# |  |  |  .------- month (1 - 12) OR jan,feb,mar,apr ...
# |  |  |  |  .---- day of week (0 - 6) (Sunday=0 or 7) OR sun,mon,tue,wed,thu,fri,sat
# |  |  |  |  |
# *  *  *  *  * user-name command to be executed
17 *\t* * *\troot\tcd / && run-parts --report /etc/cron.hourly
25 6\t* * *\troot\ttest -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }
47 6\t* * 7\troot\ttest -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.weekly; }
52 6\t1 * *\troot\ttest -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.monthly; }
#
`;

/** `/etc/cron.d` of packages: file, lines, what each is called. */
const packages: readonly (readonly [file: string, lines: string, jobs: readonly string[]])[] = [
  [
    'sysstat',
    `# The first element of the path is a directory where the debian-sa1
# script is located
PATH=/usr/lib/sysstat:/usr/sbin:/usr/sbin:/usr/bin:/sbin:/bin

# Activity reports every 10 minutes everyday
5-55/10 * * * * root command -v debian-sa1 > /dev/null && debian-sa1 1 1

# Additional run at 23:59 to rotate the statistics file
59 23 * * * root command -v debian-sa1 > /dev/null && debian-sa1 60 2`,
    ['5-55/10 * * * * | root | debian-sa1', '59 23 * * * | root | debian-sa1'],
  ],
  [
    'php',
    `09,39 *     * * *     root   [ -x /usr/lib/php/sessionclean ] && if [ ! -d /run/systemd/system ]; then /usr/lib/php/sessionclean; fi`,
    ['09,39 * * * * | root | sessionclean'],
  ],
  [
    'mdadm',
    String.raw`57 0 * * 0 root if [ -x /usr/share/mdadm/checkarray ] && [ $(date +\%d) -le 7 ]; then /usr/share/mdadm/checkarray --cron --all --idle --quiet; fi`,
    ['57 0 * * 0 | root | checkarray'],
  ],
  [
    'certbot',
    String.raw`SHELL=/bin/sh
PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin

0 */12 * * * root test -x /usr/bin/certbot -a \! -d /run/systemd/system && perl -e 'sleep int(rand(43200))' && certbot -q renew --no-random-sleep-on-renew`,
    ['0 */12 * * * | root | certbot'],
  ],
  [
    'e2scrub_all',
    `30 3 * * 0 root test -e /run/systemd/system || SERVICE_MODE=1 /usr/lib/x86_64-linux-gnu/e2fsprogs/e2scrub_all_cron
10 3 * * * root test -e /run/systemd/system || SERVICE_MODE=1 /sbin/e2scrub_all -A -r`,
    ['30 3 * * 0 | root | e2scrub_all_cron', '10 3 * * * | root | e2scrub_all'],
  ],
  [
    'zfsutils-linux',
    String.raw`PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin

# TRIM the first Sunday of every month.
24 0 1-7 * * root if [ $(date +\%w) -eq 0 ] && [ -x /usr/lib/zfs-linux/trim ]; then /usr/lib/zfs-linux/trim; fi`,
    ['24 0 1-7 * * | root | trim'],
  ],
  [
    'logcheck',
    `PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin
MAILTO=root

@reboot         logcheck    if [ -x /usr/sbin/logcheck ]; then nice -n10 /usr/sbin/logcheck -R; fi
2 * * * *       logcheck    if [ -x /usr/sbin/logcheck ]; then nice -n10 /usr/sbin/logcheck; fi`,
    ['2 * * * * | logcheck | logcheck'],
  ],
  [
    'munin-node',
    `MAILTO=root

# If the APT plugin is enabled, update packages databases approx. once
*/5 * * * *     root if [ -x /etc/munin/plugins/apt_all ]; then /etc/munin/plugins/apt_all update 7200 12 >/dev/null; elif [ -x /etc/munin/plugins/apt ]; then /etc/munin/plugins/apt update 7200 12 >/dev/null; fi`,
    ['*/5 * * * * | root | apt update'],
  ],
  [
    'anacron',
    `SHELL=/bin/sh

30 7-23 * * *   root\t[ -x /etc/init.d/anacron ] && if [ ! -d /run/systemd/system ]; then /usr/sbin/invoke-rc.d anacron start >/dev/null; fi`,
    ['30 7-23 * * * | root | invoke-rc.d'],
  ],
  [
    'nextcloud',
    '*/5 * * * * www-data php -f /var/www/nextcloud/cron.php',
    ['*/5 * * * * | www-data | nextcloud cron'],
  ],
  [
    'mailman',
    `0 8 * * * list [ -x /usr/lib/mailman/cron/checkdbs ] && /usr/lib/mailman/cron/checkdbs
27 3 * * * root [ -x /usr/lib/mailman/cron/nightly_gzip ] && /usr/lib/mailman/cron/nightly_gzip`,
    ['0 8 * * * | list | checkdbs', '27 3 * * * | root | nightly_gzip'],
  ],
];

describe('the crontab of a machine', () => {
  test('/etc/crontab', () => {
    expect(jobsOf(etcCrontab)).toEqual([
      '17 * * * * | root | cron.hourly',
      '25 6 * * * | root | cron.daily',
      '47 6 * * 7 | root | cron.weekly',
      '52 6 1 * * | root | cron.monthly',
    ]);
    const { hasUsers, leftOut, jobs } = parseCrontab(etcCrontab, riga);
    expect({ hasUsers, leftOut }).toEqual({ hasUsers: true, leftOut: [] });
    expect(jobs.map(({ line, slug }) => [line, slug])).toEqual([
      [19, 'cron-hourly'],
      [20, 'cron-daily'],
      [21, 'cron-weekly'],
      [22, 'cron-monthly'],
    ]);
  });

  test.each(packages)('of %s', (_, lines, jobs) => {
    expect(jobsOf(lines)).toEqual(jobs);
  });
});

describe('the crontab of a user', () => {
  const commands: readonly (readonly [command: string, name: string])[] = [
    ['/usr/local/bin/backup.sh', 'backup'],
    ['/home/ada/bin/backup --all > /dev/null 2>&1', 'backup'],
    ['cd /srv/app && ./bin/report.py --daily', 'report'],
    ['/usr/bin/python3 /srv/app/manage.py clearsessions', 'manage clearsessions'],
    ['/srv/venv/bin/python -m app.tasks.sync', 'app'],
    ['cd /var/www/shop && php artisan schedule:run >> /dev/null 2>&1', 'artisan schedule:run'],
    ["bash -lc 'cd /srv/app && bundle exec rake reports:send'", 'rake reports:send'],
    [String.raw`pg_dump shop | gzip > /backup/shop-$(date +\%F).sql.gz`, 'pg_dump'],
    ['flock -n /tmp/sync.lock rsync -a /srv/ backup:/srv/', 'rsync'],
    ["flock -w 10 /tmp/sync.lock -c '/opt/sync-all.sh now'", 'sync-all'],
    ['sudo -u postgres nice -n 19 ionice -c3 timeout -k 5 30m /opt/bin/vacuum.pl', 'vacuum'],
    ['su - postgres -c "pg_dumpall -f /backup/all.sql"', 'pg_dumpall'],
    ['/opt/etl/run.sh || mail -s "ETL failed" ops@example.org', 'etl run'],
    ['/opt/check.sh || /opt/notify-failure.sh', 'check'],
    ['/opt/a.sh; /opt/b.sh', 'b'],
    ['/opt/job.rb && curl -fsS https://hc-ping.com/3f0e8a4e-0000-4000-8000-000000000000', 'job'],
    ['/opt/pull.js; curl -fsS -m 10 http://localhost:8000/ping/KEY/pull/$?', 'pull'],
    ['knell run --check pull -- /opt/pull.js', 'pull'],
    ['knell-run.mjs --check backup -- /usr/local/bin/backup', 'backup'],
    ['wget -q -O - https://user:secret@shop.example.org/cron.php?key=secret', 'wget shop.example.org'],
    ['docker exec -t app php bin/console cache:clear', 'docker exec'],
    ['FOO=bar BAR="a b" /opt/with-env.sh', 'with-env'],
    ['java -Xmx1g -jar /opt/import.jar', 'import'],
    ['"/opt/my jobs/nightly export.sh" --all', 'nightly export'],
    ['(cd /x; ./y.sh) &', 'y'],
    ['echo hello', 'echo'],
    ['/opt/letter.sh%Dear all,%%hello', 'letter'],
    ["node -e 'console.log(1)'", 'node'],
    ['run-parts /etc/cron.d/nightly/', 'nightly'],
    ['$HOME/bin/tidy-up.zsh', 'tidy-up.zsh'],
  ];

  test.each(commands)('%s is called %s', (command, name) => {
    expect(jobsOf(`5 4 * * sun ${command}`)).toEqual([`5 4 * * sun |  | ${name}`]);
  });

  it('has a user column only where there is reason to think so', () => {
    expect(jobsOf('0 3 * * * backup --all')).toEqual(['0 3 * * * |  | backup']);
    expect(jobsOf('0 3 * * * php /srv/a.php\n0 4 * * * php /srv/b.php')).toEqual([
      '0 3 * * * |  | a',
      '0 4 * * * |  | b',
    ]);
    expect(jobsOf('0 3 * * * grace /opt/a.sh\n0 4 * * * root /opt/b.sh')).toEqual([
      '0 3 * * * | grace | a',
      '0 4 * * * | root | b',
    ]);
    // One line that could be of both kinds makes no column of all the others.
    expect(jobsOf('0 3 * * * /opt/a.sh --full\n17 * * * * root /opt/b.sh')).toEqual([
      '0 3 * * * |  | a',
      '17 * * * * |  | b',
    ]);
    expect(jobsOf('17 * * * * root /opt/b.sh\n0 3 * * * "$HOME/a b" --full')[0]).toBe('17 * * * * |  | b');
    expect(jobsOf('0 3 * * * grace /opt/a.sh', { hasUsers: true })).toEqual(['0 3 * * * | grace | a']);
    expect(jobsOf('0 4 * * * root /opt/b.sh', { hasUsers: false })).toEqual(['0 4 * * * |  | b']);
  });

  it('has nicknames of times, and blanks and tabs anywhere', () => {
    const text =
      '@yearly a\r\n@annually b\n\t@monthly\tc \n@weekly d\n@daily e\n@midnight f\n@hourly g\n  0\t0 1 1  *\th';
    expect(jobsOf(text)).toEqual([
      ...['0 0 1 1 * |  | a', '0 0 1 1 * |  | b', '0 0 1 * * |  | c', '0 0 * * 0 |  | d'],
      ...['0 0 * * * |  | e', '0 0 * * * |  | f', '0 * * * * |  | g', '0 0 1 1 * |  | h'],
    ]);
  });

  it('has variables, of which CRON_TZ is the time zone of what follows', () => {
    const text = `0 1 * * * one
CRON_TZ=America/New_York
0 2 * * * two
MAILTO = "ops@example.org"
 CRON_TZ = "UTC"
0 3 * * * A=b three
TZ=Asia/Tokyo
CRON_TZ=Mars/Olympus
0 4 * * * four`;
    const { jobs } = parseCrontab(text, riga);
    expect(jobs.map(({ name, tz }) => [name, tz])).toEqual([
      ['one', 'Europe/Riga'],
      ['two', 'America/New_York'],
      ['three', 'UTC'],
      ['four', 'UTC'],
    ]);
    expect(reasonsOf(text)).toEqual([
      [7, 'TZ is the time zone of the commands: cron goes by that of its machine'],
      [8, 'Unknown time zone "Mars/Olympus"'],
    ]);
  });

  it('says of each line that is no job why', () => {
    const text = `@reboot /opt/start.sh
@often /opt/a.sh
61 * * * * /opt/b.sh
0 3 * * /opt/c.sh
0 3 * * *
nonsense
0 0 31 2 * /opt/d.sh
0 3 * * *   %only input
0 3 * * * ${'x'.repeat(1000)}`;
    expect(jobsOf(text)).toEqual([]);
    expect(reasonsOf(text)).toEqual([
      [1, 'Runs at boot, not at a time'],
      [2, 'Unknown time @often'],
      [3, 'Invalid minute "61": use 0–59'],
      [4, '4 fields before the command; cron has 5: minute, hour, day of month, month, weekday'],
      [5, 'It has no command'],
      [6, '0 fields before the command; cron has 5: minute, hour, day of month, month, weekday'],
      [7, 'Invalid day of month "31": no chosen month has it'],
      [8, 'It has no command'],
      [9, 'A command of cron has less than 1000 characters'],
    ]);
  });

  it('gets slugs that nothing else has', () => {
    const text = '0 1 * * * /a/backup.sh\n0 2 * * * /b/backup.sh\n0 3 * * * /b/Ü-Test.sh\n0 4 * * * /日本';
    const { jobs } = parseCrontab(text, { ...riga, isTaken: (slug) => slug === 'backup' });
    expect(jobs.map(({ slug }) => slug)).toEqual(['backup-2', 'backup-3', 'u-test', 'job']);
  });

  it('is cut where it is too long, and takes any text', () => {
    const many = '0 1 * * * /opt/a.sh\n'.repeat(crontabJobsMax + 1);
    expect(jobsOf(many)).toHaveLength(crontabJobsMax);
    expect(reasonsOf(many)).toEqual([
      [crontabJobsMax + 1, `From here on nothing is read: more than ${crontabJobsMax} jobs`],
    ]);
    expect(reasonsOf('x\n'.repeat(1000))).toHaveLength(linesLeftOutMax);
    for (const end of ['\\', '"', "'", '`', '$(', '>', '|', '&&', '(', '%', '#', '"$(', '\u0000', '2>'])
      expect(jobsOf(`* * * * * x ${end}`)).toEqual(['* * * * * |  | x']);
    for (const only of ['=', '@', '#', '\u2028', '*', '* * * * * (', `* * * * * ${'sudo '.repeat(199)}`])
      expect(() => parseCrontab(only, riga)).not.toThrow();
  });

  it('is read in small steps, however it is made', () => {
    const taken = new Set(Array.from({ length: 10_000 }, (_, n) => (n === 0 ? 'a' : `a-${n + 1}`)));
    const made: Readonly<Record<string, string>> = {
      variables: 'A=\n'.repeat(10_000),
      'the same job': '* * * * * a\n'.repeat(crontabJobsMax),
      blanks: `* * * * * ${' '.repeat(29_000)}a`,
      quotes: `* * * * * ${`"\\'`.repeat(40)}\n`.repeat(crontabJobsMax),
    };
    for (const [name, text] of Object.entries(made)) {
      let steps = 0;
      let longestMs = 0;
      const reading = crontabSteps(text, { ...riga, isTaken: (slug) => taken.has(slug) });
      for (let isDone: boolean | undefined = false; !isDone; steps++) {
        const beganMs = performance.now();
        isDone = reading.next().done;
        longestMs = Math.max(longestMs, performance.now() - beganMs);
      }
      expect(steps, name).toBeGreaterThanOrEqual(text.split('\n').length);
      // The blanks alone took two seconds once. A busy machine may take a processor away for a while.
      expect(longestMs, name).toBeLessThan(500);
    }
  });
});

test('a line that seems to have a user among those that have none is called by its command', () => {
  const { hasUsers, jobs } = parseCrontab('0 3 * * * /opt/x.sh\n30 4 1 * 1 root /usr/sbin/logrotate', {
    tz: 'UTC',
  });
  expect(hasUsers).toBe(false);
  expect(jobs.map(({ name }) => name)).toEqual(['x', 'logrotate']);
});
