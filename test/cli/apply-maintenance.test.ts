/** `knell apply` and `knell export` with maintenance windows, beside a running Knell. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { CommandRunner, type Env, type Run } from '../support/process/commands.ts';
import { tempDir } from '../support/temp-dirs.ts';

let runner: CommandRunner;
let server: Knell;
let folder = '';

beforeEach(async () => {
  runner = CommandRunner.start();
  server = await Knell.start();
  folder = tempDir();
});
afterEach(async () => {
  await runner.stop();
  await server.stop();
});

function knell(args: readonly string[], env: Env = {}): Promise<Run> {
  const off = { KNELL_HTTP: '127.0.0.1:0', KNELL_SMTP: 'off', KNELL_SNAPSHOTS: 'off' };
  return runner.run(args, { KNELL_DATA_DIR: server.dataDir, ...off, ...env });
}

function apply(text: string, ...more: string[]): Promise<Run> {
  const file = join(folder, 'knell.yaml');
  writeFileSync(file, text);
  return knell(['apply', '-f', file, '--yes', ...more]);
}

/** By name: those that one file creates are of the same instant. */
async function windows(): Promise<Json> {
  const { maintenance } = (await server.api('GET', '/api/v3/maintenance/')).json();
  return maintenance.sort((a: Json, b: Json) => a.name.localeCompare(b.name));
}

/** In the project that every Knell begins with. */
const configuration = (maintenance: string): string => `projects:
  - name: default
    checks:
      - { slug: backup, timeout: 3600 }
      - { slug: orders, timeout: 60 }
    maintenance:
${maintenance}`;

const all = `      - { name: Sundays, checks: [backup, orders], schedule: 0 2 * * 0, tz: Europe/Kiev, duration: 2h }
      - { name: Move, tags: [db], from: "2050-05-04T22:00:00Z", until: "2050-05-05T03:00:00+03:00" }
      - name: Holidays
        tz: Europe/Riga
        ics: \${file:holidays.ics}
        counts_as_downtime: true
`;

test('windows are created, compared, changed, exported, and deleted with --prune', async () => {
  const ics = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20500101\nEND:VEVENT\nEND:VCALENDAR\n';
  writeFileSync(join(folder, 'holidays.ics'), ics);
  const created = await apply(configuration(all));
  expect([created.status, created.stderr]).toEqual([0, '']);
  expect(created.stdout).toContain(
    '  + maintenance window "Sundays"\n      schedule: "0 2 * * 0"\n      tz: "Europe/Kyiv"\n      duration: 7200\n' +
      '      checks: ["backup","orders"]\n'.replace('","', '", "'),
  );
  expect(await windows()).toMatchObject([
    { name: 'Holidays', counts_as_downtime: true, dates: [{ from: '2049-12-31T22:00:00+00:00' }] },
    { name: 'Move', tags: ['db'], from: '2050-05-04T22:00:00+00:00', until: '2050-05-05T00:00:00+00:00' },
    { name: 'Sundays', tz: 'Europe/Kyiv', duration: 7200, checks: [expect.any(String), expect.any(String)] },
  ]);
  expect((await apply(configuration(all))).stdout).toBe('Nothing to change.\n');
  const { stdout: exported } = await knell(['export']);
  expect(exported).toContain(
    '      - name: Sundays\n        checks:\n          - backup\n          - orders\n        schedule: 0 2 * * 0\n        tz: Europe/Kyiv\n        duration: 7200\n',
  );
  expect((await apply(exported)).stdout).toBe('Nothing to change.\n');
  const changed = await apply(
    configuration('      - { name: Sundays, schedule: 0 3 * * 0, duration: 90m }\n'),
  );
  expect(changed.stdout).toContain(
    '  ~ maintenance window "Sundays"\n      schedule: "0 2 * * 0" → "0 3 * * 0"\n      tz: "Europe/Kyiv" → "UTC"\n      duration: 7200 → 5400\n      checks: ["backup", "orders"] → []\n',
  );
  expect(await windows()).toHaveLength(3);
  await server.request(`/ping/${server.keys.ping}/maintenance/2h`);
  const pruned = await apply('projects: [{ name: default, maintenance: [] }]', '--prune');
  expect(pruned.stdout).toContain('  - maintenance window "Holidays"\n');
  // What a script has started is no configuration.
  expect(await windows()).toMatchObject([{ name: 'Maintenance', active: true }]);
  expect((await knell(['export'])).stdout).not.toContain('name: Maintenance');
});

test('windows of one name are distinguished by the id that an export has', async () => {
  for (const duration of [3600, 7200])
    await server.api('POST', '/api/v3/maintenance/', { name: 'Twins', schedule: '0 2 * * *', duration });
  const { stdout: exported } = await knell(['export']);
  for (const { uuid } of await windows()) expect(exported).toContain(`id: ${uuid}`);
  expect((await apply(exported)).stdout).toBe('Nothing to change.\n');
  const refused = await apply(configuration('      - { name: Twins, schedule: 0 2 * * *, duration: 1h }\n'));
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('several maintenance windows are named Twins: give the id'),
  ]);
});

const notified = (maintenance: string): string => `projects:
  - name: default
    integrations:
      - { name: Chat, kind: ntfy, fields: { topic: chat } }
      - { name: Phone, kind: ntfy, fields: { topic: phone } }
      - { name: Both, kind: group, fields: { value: [Chat, Phone] } }
    maintenance:
${maintenance}`;

const nights = (integrations: string): string =>
  notified(`      - { name: Nights, integrations: [${integrations}], schedule: 0 22 * * *, duration: 8h }\n`);

test('quiet hours name integrations, also ones of the same file', async () => {
  const created = await apply(nights('Chat'));
  expect([created.status, created.stderr]).toEqual([0, '']);
  expect(created.stdout).toContain(
    '  + maintenance window "Nights"\n      schedule: "0 22 * * *"\n      duration: 28800\n      integrations: ["Chat"]\n',
  );
  const { channels } = (await server.api('GET', '/api/v3/channels/')).json();
  const idOf = (name: string): string => channels.find((one: Json) => one.name === name).id;
  expect(await windows()).toMatchObject([{ name: 'Nights', integrations: [idOf('Chat')], checks: [] }]);
  expect((await apply(nights('Chat'))).stdout).toBe('Nothing to change.\n');
  expect((await apply(nights(idOf('Chat')))).stdout).toBe('Nothing to change.\n');
  const { stdout: exported } = await knell(['export', '--secrets']);
  expect(exported).toContain(
    '      - name: Nights\n        integrations:\n          - Chat\n        schedule:',
  );
  expect((await apply(exported)).stdout).toBe('Nothing to change.\n');
  const changed = await apply(nights('Phone, Chat'));
  expect(changed.stdout).toContain(
    '  ~ maintenance window "Nights"\n      integrations: ["Chat"] → ["Chat", "Phone"]\n',
  );
  expect((await windows())[0].integrations).toHaveLength(2);
});

test('quiet hours of an integration that was deleted are exported without it', async () => {
  await apply(nights('Phone, Chat'));
  expect((await knell(['channel', 'delete', 'Both'])).status).toBe(0);
  expect((await knell(['channel', 'delete', 'Chat'])).status).toBe(0);
  const { stdout: exported } = await knell(['export', '--secrets']);
  expect(exported).toContain('- name: Nights\n        integrations:\n          - Phone\n');
  expect((await apply(exported)).stdout).toBe('Nothing to change.\n');
  await knell(['channel', 'delete', 'Phone']);
  expect((await knell(['export'])).stdout).not.toContain('Nights');
});

test('quiet hours of nobody, of a stranger or of a group are refused with their line', async () => {
  for (const [integrations, error] of [
    ['', 'integrations must be a list of names or ids of integrations'],
    ['Fax', 'maintenance Nights: there is no integration Fax in this project'],
    ['Both', 'maintenance Nights: Both is a group: give the integrations that are in it'],
  ] as const) {
    const { status, stderr } = await apply(nights(integrations));
    expect([status, stderr]).toEqual([2, expect.stringMatching(/knell\.yaml:8:\d+: /)]);
    expect(stderr).toContain(error);
  }
});

test('what is wrong is said with its line', async () => {
  for (const [item, error] of [
    ['{ name: x }', 'give from and until, a schedule with a duration, dates or ics'],
    ['{ name: x, until: "2050-05-04T22:00:00Z" }', 'set both from and until'],
    ['{ name: x, schedule: 0 2 * * * }', 'set both schedule and duration'],
    ['{ name: x, schedule: 0 2 * *, duration: 1h }', 'schedule is not a valid cron or OnCalendar expression'],
    ['{ name: x, schedule: 0 2 * * *, duration: 9d }', 'duration is too large: at most 7d'],
    ['{ name: x, schedule: 0 2 * * *, duration: 1h, tz: Riga }', 'tz is not a valid timezone'],
    ['{ name: x, ics: "x" }', 'ics has a line that is none of a calendar'],
    ['{ name: x, schedule: 0 2 * * *, duration: 1h, checks: [y] }', 'there is no check y in this project'],
    ['{ name: x, schedule: 0 2 * * *, duration: 1h, until_active: now }', 'unknown field "until_active"'],
  ] as const) {
    const { status, stderr } = await apply(configuration(`      - ${item}\n`));
    expect([status, stderr]).toEqual([2, expect.stringMatching(/knell\.yaml:7:\d+: /)]);
    expect(stderr).toContain(error);
  }
  expect(await windows()).toEqual([]);
});
