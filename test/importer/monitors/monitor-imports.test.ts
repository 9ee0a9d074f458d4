/**
 * What `knell import` makes of the monitors of each vendor, with the built command and a real server. The files of `vendor/` are
 * made up after the formats that the vendors document; none is an export of a real account.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../support/knell.ts';
import { tempDir } from '../../support/temp-dirs.ts';
import { VendorImports, vendor } from './vendor-imports.ts';

const imports = VendorImports.forFile();
const { imported, run } = imports;

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
  const integrations: Json[] = await imports.commands.json('channel', 'list', 'kuma');
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
  const [page] = await imports.commands.json('status-page', 'list', 'kuma');
  expect(page).toMatchObject({ slug: 'backups', title: 'Backups' });
  const windows: Json[] = await imports.commands.json('maintenance', 'list', 'kuma');
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
    const channels: Json[] = await imports.commands.json('channel', 'list', 'kuma db');
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
    const windows: Json[] = await imports.commands.json('maintenance', 'list', 'kuma db');
    expect(windows.map(({ schedule }) => schedule).sort()).toEqual(['0 2 * * 0', '30 2  * * *']);
    expect(await imports.commands.json('status-page', 'list', 'kuma db')).toMatchObject([
      { slug: 'kuma-db' },
    ]);
  },
);

test.skipIf(sqliteMissing)(
  "a database that is not of Uptime Kuma, and Kuma's for another program, are refused",
  async () => {
    const file = join(tempDir(), 'other.db');
    spawnSync('sqlite3', [file, 'create table t (x)']);
    const other = await imports.commands.run('import', 'uptime-kuma', file, '--dry-run');
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('cannot read')]);
    expect(other.stderr).toContain('no such table');
    const gatus = await imports.commands.run('import', 'gatus', file, '--dry-run');
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
  expect(await imports.commands.json('maintenance', 'list', 'gatus')).toMatchObject([
    { schedule: '0 23 * * 1,4', tz: 'Europe/Riga' },
  ]);
});

test('remotely, with an admin key', async () => {
  const { key } = await imports.commands.json('key', 'create-admin', 'import');
  const env = { KNELL_SERVER: imports.commands.knell.app.httpUrl, KNELL_ADMIN_KEY: key };
  const args = ['import', 'opsgenie', vendor('opsgenie.json'), '--project', 'far', '--yes'];
  expect(await imports.commands.runner.run(args, env)).toMatchObject({ status: 0, stderr: '' });
  expect(await imports.commands.json('check', 'list', '--project', 'far')).toHaveLength(2);
});
