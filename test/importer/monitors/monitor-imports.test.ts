/**
 * `knell import` of other programs' monitors, with the built command and a real server. The files of `vendor/` are made up
 * after the formats that the vendors document; none is an export of a real account.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { CheckCommands } from '../../support/process/check-commands.ts';
import { runProcess } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const vendor = (name: string) => fileURLToPath(new URL(`./vendor/${name}`, import.meta.url));

/** The file with another address of its status page: no two projects have the same. */
const withPage = (name: string, slug: string): string => {
  const file = join(tempDir(), name);
  writeFileSync(file, readFileSync(vendor(name), 'utf8').replace('"slug": "backups"', `"slug": "${slug}"`));
  return file;
};

const sources = [
  ['uptime-kuma', 'uptime-kuma.json'],
  ['cronitor', 'cronitor.yaml'],
  ['dead-mans-snitch', 'dead-mans-snitch.json'],
  ['better-stack', 'better-stack.json'],
  ['opsgenie', 'opsgenie.json'],
  ['gatus', 'gatus.yaml'],
] as const;

let commands: CheckCommands;
beforeAll(async () => {
  commands = await CheckCommands.start();
});
afterEach(() => commands.deleteChecks());
afterAll(() => commands.stop());

const run = (...args: string[]) => commands.run('import', ...args);

/** Imports a file of a vendor; resolves to what was printed and the checks by slug. */
const imported = async (source: string, name: string, project: string, file = vendor(name)) => {
  const { status, stdout, stderr } = await run(source, file, '--project', project, '--yes');
  expect([status, stderr]).toEqual([0, '']);
  const checks: Json[] = await commands.json('check', 'list', '--project', project);
  return { stdout, checks: Object.fromEntries(checks.map((check) => [check.slug, check])) };
};

test('Uptime Kuma: push monitors, notifications, status pages and maintenance', async () => {
  const { stdout, checks } = await imported('uptime-kuma', 'uptime-kuma.json', 'kuma');
  expect(checks).toMatchObject({
    'nightly-backup': {
      name: 'Nightly backup',
      timeout: 90_000,
      grace: 2160,
      tags: 'prod:eu-west',
      desc: expect.stringMatching(/^reads \$\{env:HOME\}$/),
    },
    'nightly-backup-2': { name: 'Nightly backup', timeout: 60, grace: 60, status: 'new', channels: '' },
  });
  expect(checks['nightly-backup'].channels.split(',')).toHaveLength(3);
  const integrations: Json[] = await commands.json('channel', 'list', 'kuma');
  expect(integrations.map(({ kind, name }) => [kind, name]).sort()).toEqual([
    ['alerta', 'Board'],
    ['email', 'Ops mail'],
    ['signl4', 'On duty'],
    ['slack', 'Chat'],
    ['telegram', 'Bot'],
  ]);
  expect(stdout).toMatch(/^monitor +Shop +http: Knell waits for pings/m);
  expect(stdout).toMatch(/^monitor +Quiet +it is upside down/m);
  expect(stdout).toMatch(/^notification +Broken +unknown: set it up/m);
  expect(stdout).toMatch(/^status page +Shop +it shows no check that was taken over/m);
  expect(stdout).toMatch(/^maintenance +By hand +manual: it has no schedule/m);
  expect(stdout).toMatch(/^check +Nightly backup +its period of 20 s became 60 s/m);
  expect(stdout).toMatch(/^check +Nightly backup +it was paused/m);
  expect(stdout).toMatch(/^\/api\/push\/abcd1234 +\/ping\/PING_KEY\/nightly-backup$/m);
  const [page] = await commands.json('status-page', 'list', 'kuma');
  expect(page).toMatchObject({ slug: 'backups', title: 'Backups' });
  const windows: Json[] = await commands.json('maintenance', 'list', 'kuma');
  expect(windows.map(({ name }) => name).sort()).toEqual(['Move', 'Sundays']);
});

const sqliteMissing = spawnSync('sqlite3', ['--version']).error !== undefined;

test.skipIf(sqliteMissing)(
  "Kuma's database gives what its backup does, with pages and maintenance",
  async () => {
    const dir = tempDir();
    // The columns of `db/knex_init_db.js` and of its migrations that the lines read.
    const schema = `
    create table notification (id integer primary key, name text, active boolean, config text);
    create table monitor (id integer primary key, name text, description text, type text, active boolean, interval integer,
      retry_interval integer, maxretries integer, upside_down boolean, push_token text);
    create table monitor_notification (monitor_id integer, notification_id integer);
    create table tag (id integer primary key, name text); create table monitor_tag (monitor_id integer, tag_id integer, value text);
    create table status_page (id integer primary key, slug text, title text, description text);
    create table "group" (id integer primary key, name text, status_page_id integer);
    create table monitor_group (monitor_id integer, group_id integer);
    create table maintenance (id integer primary key, title text, active boolean, strategy text, start_date text, end_date text,
      interval_day integer, cron text, duration integer, timezone text);
    create table monitor_maintenance (monitor_id integer, maintenance_id integer);
    insert into notification values (1, 'Chat', 1, '{"type":"slack","slackwebhookURL":"https://hooks.slack.example/services/x"}'),
      (2, 'Mail', 1, '{"type":"smtp","smtpTo":"a@example.org, B <b@example.org>","smtpCC":"c@example.org"}'),
      (3, 'Group', 1, '{"type":"telegram","telegramChatID":"-100123","telegramBotToken":"1:x"}');
    insert into monitor values (10, 'Backup', null, 'push', 1, 3600, 60, 5, 0, 'abcd'), (11, 'Old', null, 'push', 0, 60, 60, 0, 0, 'e');
    insert into monitor_notification values (10, 1), (10, 2), (10, 3);
    insert into tag values (1, 'prod'); insert into monitor_tag values (10, 1, '');
    insert into status_page values (1, 'kuma-db', 'Databases', null);
    insert into "group" values (1, 'All', 1); insert into monitor_group values (10, 1);
    insert into maintenance values (1, 'Sundays', 1, 'cron', null, null, null, '0 2 * * 0', 3600, 'UTC'),
      (2, 'Nights', 1, 'recurring-interval', null, null, 1, '30 2  * * *', 3600, 'UTC'),
      (3, 'Third nights', 1, 'recurring-interval', null, null, 3, '30 2  * * *', 3600, 'UTC');
    insert into monitor_maintenance values (10, 1), (10, 2), (10, 3);`;
    const file = join(dir, 'kuma.db');
    expect(spawnSync('sqlite3', [file], { input: schema, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    const { stdout, checks } = await imported('uptime-kuma', '', 'kuma db', file);
    expect(checks).toMatchObject({
      backup: { timeout: 3600, grace: 300, tags: 'prod' },
      old: { timeout: 60 },
    });
    const channels: Json[] = await commands.json('channel', 'list', 'kuma db');
    expect(channels.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual([
      'email Mail',
      'email Mail 2',
      'slack Chat',
      'telegram Group',
    ]);
    expect(checks.backup.channels.split(',')).toHaveLength(4);
    expect(stdout).toMatch(/^integration +Mail +copies \(CC, BCC\) are left out/m);
    expect(stdout).toMatch(/^integration +Group +it is the bot of Knell that writes/m);
    expect(stdout).toMatch(/^check +Old +it was paused/m);
    expect(stdout).toMatch(/^maintenance +Third nights +it is every few days/m);
    const windows: Json[] = await commands.json('maintenance', 'list', 'kuma db');
    expect(windows.map(({ schedule }) => schedule).sort()).toEqual(['0 2 * * 0', '30 2  * * *']);
    expect(await commands.json('status-page', 'list', 'kuma db')).toMatchObject([{ slug: 'kuma-db' }]);
  },
);

test.skipIf(sqliteMissing)(
  "a database that is not of Uptime Kuma, and Kuma's for another program, are refused",
  async () => {
    const file = join(tempDir(), 'other.db');
    spawnSync('sqlite3', [file, 'create table t (x)']);
    const other = await commands.run('import', 'uptime-kuma', file, '--dry-run');
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('cannot read')]);
    expect(other.stderr).toContain('no such table');
    const gatus = await commands.run('import', 'gatus', file, '--dry-run');
    expect([gatus.status, gatus.stderr]).toEqual([
      2,
      expect.stringContaining('is a database: FILE is its configuration'),
    ]);
  },
);

test('Cronitor: jobs and heartbeats', async () => {
  const { stdout, checks } = await imported('cronitor', 'cronitor.yaml', 'cronitor');
  expect(checks).toMatchObject({
    'nightly-backup': {
      schedule: '0 3 * * *',
      tz: 'Europe/Riga',
      grace: 600,
      tags: 'prod databases',
      desc: 'Runs on db-1',
    },
    'cache-warmer': { timeout: 300, grace: 60 },
  });
  expect(stdout).toMatch(/^monitor +odd +its schedule "whenever" has no equal here/m);
  expect(stdout).toMatch(/^check +Homepage +Knell waits for pings/m);
  expect(stdout).toMatch(/^assertions +Nightly backup +metric\.duration < 5 min/m);
  expect(stdout).toMatch(/^notify +Nightly backup +devops/m);
});

test("Dead Man's Snitch: snitches, with the addresses that each alerts", async () => {
  const { stdout, checks } = await imported('dead-mans-snitch', 'dead-mans-snitch.json', 'dms');
  expect(checks).toMatchObject({
    'daily-backups': {
      timeout: 86_400,
      grace: 86_400,
      tags: 'production critical',
      desc: 'Backups run on Marvin',
    },
    'hourly-emails': { timeout: 3600, grace: 3600, channels: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  expect(stdout).toMatch(/^snitch +Odd +its interval "fortnightly" is unknown/m);
  expect(stdout).toMatch(/^https:\/\/nosnch\.in\/c2354d53d2 +\/ping\/PING_KEY\/daily-backups$/m);
});

test('Better Stack: heartbeats, of the pages that are there', async () => {
  const { stdout, checks } = await imported('better-stack', 'better-stack.json', 'better');
  expect(checks).toMatchObject({
    'nightly-backup': { timeout: 86_400, grace: 3600 },
    mirror: { timeout: 60, grace: 60 },
  });
  expect(stdout).toMatch(/^heartbeats +the next page +the file has only the first pages/m);
  expect(stdout).toMatch(/^heartbeat +Odd +it has no period/m);
  const both = join(tempDir(), 'pages.json');
  const page = JSON.parse(readFileSync(vendor('better-stack.json'), 'utf8'));
  writeFileSync(both, JSON.stringify([page, { data: [], pagination: { next: null } }]));
  expect((await run('better-stack', both, '--dry-run')).stdout).not.toContain('the next page');
});

test('Opsgenie: heartbeats', async () => {
  const { stdout, checks } = await imported('opsgenie', 'opsgenie.json', 'opsgenie');
  expect(checks).toMatchObject({
    nightly_backup: { timeout: 600, grace: 60, tags: 'critical ops-team', desc: 'The backup of db-1' },
    mirror: { timeout: 172_800 },
  });
  expect(stdout).toMatch(/^heartbeat +odd +it has no interval with a known unit/m);
  expect(stdout).toMatch(/^check +mirror +it was disabled/m);
});

test('Gatus: external endpoints with a heartbeat, their alerts, and the maintenance', async () => {
  const { stdout, checks } = await imported('gatus', 'gatus.yaml', 'gatus');
  expect(Object.keys(checks)).toEqual(['core-nightly-backup']);
  expect(checks['core-nightly-backup']).toMatchObject({ timeout: 1800, grace: 60, tags: 'core' });
  expect(checks['core-nightly-backup'].channels).toMatch(/^[0-9a-f-]{36}$/);
  expect(stdout).toMatch(/^alerting +slack +it is read from an environment variable/m);
  expect(stdout).toMatch(/^external endpoint +pushed +it has no heartbeat/m);
  expect(stdout).toMatch(/^\/api\/v1\/endpoints\/core_nightly-backup\/external/m);
  expect(await commands.json('maintenance', 'list', 'gatus')).toMatchObject([
    { schedule: '0 23 * * 1,4', tz: 'Europe/Riga' },
  ]);
});

test('remotely, with an admin key', async () => {
  const { key } = await commands.json('key', 'create-admin', 'import');
  const env = { KNELL_SERVER: commands.knell.app.httpUrl, KNELL_ADMIN_KEY: key };
  const args = ['import', 'opsgenie', vendor('opsgenie.json'), '--project', 'far', '--yes'];
  expect(await commands.runner.run(args, env)).toMatchObject({ status: 0, stderr: '' });
  expect(await commands.json('check', 'list', '--project', 'far')).toHaveLength(2);
});

describe.each(sources)('%s', (source, name) => {
  test('--dry-run shows the plan and changes nothing', async () => {
    const { status, stdout, stderr } = await run(
      source,
      withPage(name, 'dry'),
      '--project',
      'none',
      '--dry-run',
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^LEFT OUT +NAME +WHY$/m);
    expect(stdout).toMatch(/^Plan: /m);
    expect((await commands.json('project', 'list')).map((one: Json) => one.name)).not.toContain('none');
  });

  test('a second import of the same file changes nothing', async () => {
    const file = withPage(name, 'twice');
    await imported(source, name, `twice ${source}`, file);
    const again = await run(source, file, '--project', `twice ${source}`, '--yes');
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to change.')]);
  });

  test('--print prints what knell apply takes', async () => {
    const { stdout, stderr } = await run(
      source,
      withPage(name, 'printed'),
      '--project',
      `printed ${source}`,
      '--print',
    );
    expect(stderr).toMatch(/becomes \/ping\/PING_KEY\/\S+$/m);
    const file = join(tempDir(), 'knell.yaml');
    writeFileSync(file, stdout);
    expect(await commands.run('apply', '-f', file, '--yes')).toMatchObject({ status: 0, stderr: '' });
  });

  test('a folder of several files is refused, not read in part', async () => {
    const dir = tempDir();
    for (const file of ['a.yaml', 'b.yaml']) writeFileSync(join(dir, file), readFileSync(vendor(name)));
    const { status, stderr } = await run(source, dir, '--yes');
    expect([status, stderr]).toEqual([2, expect.stringContaining('has several files: name one')]);
  });

  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a number', '7'],
    ['an object of something else', '{"a":[1,{"b":null}]}'],
    ['cut off', '{"monitorList":[{"id":1,'],
    ['bytes', '\u0000\u0001{{{'],
  ])('%s is refused in one line', async (_what, text) => {
    const file = join(tempDir(), 'garbage');
    writeFileSync(file, text);
    const { status, stdout, stderr } = await run(source, file, '--yes');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^knell: [^\n]+\n$/);
  });

  // The question is one for all: a process of its own for one of them in `npm test`.
  test.runIf(isLong || source === 'gatus')(
    'without --yes and without a terminal nothing is changed',
    async () => {
      const env = commands.local();
      const { status, stderr } = await runProcess(
        ['import', source, withPage(name, 'none'), '--project', 'none'],
        {
          env,
        },
      );
      expect([status, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
    },
  );
});

test.each([
  [
    'uptime-kuma',
    {
      monitorList: [
        null,
        7,
        { type: 'push', name: {}, interval: 'x' },
        { type: 'push', interval: 60, tags: 3 },
      ],
    },
  ],
  ['cronitor', { jobs: { a: null, b: { schedule: '99 99 * * *' }, c: { schedule: ['x'] } } }],
  [
    'dead-mans-snitch',
    [null, [], { interval: 'daily', name: '\u0007', tags: 'x', alert_email: ['no address'] }],
  ],
  [
    'better-stack',
    { data: [null, { attributes: 7 }, { attributes: { period: 1e99, name: 'x'.repeat(300) } }] },
  ],
  ['opsgenie', { data: { heartbeats: [null, { interval: 1, intervalUnit: 'days' }] } }],
  [
    'gatus',
    {
      endpoints: 7,
      'external-endpoints': [
        { name: 1, heartbeat: { interval: '1h30m' }, alerts: [{ type: 'constructor' }] },
      ],
    },
  ],
])('%s: what has fields of the wrong type is left out, and the rest goes on', async (source, content) => {
  const file = join(tempDir(), 'odd.json');
  writeFileSync(file, JSON.stringify(content));
  const { status, stderr } = await run(source, file, '--project', `odd ${source}`, '--yes');
  expect([status, stderr]).toEqual([0, '']);
});
