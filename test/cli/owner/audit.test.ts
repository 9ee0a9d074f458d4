/** `knell audit`: a table for people, a JSON object a line for programs, of a running server or of a directory. */
import { afterAll, expect, test } from 'vitest';
import { CheckCommands } from '../../support/process/check-commands.ts';

const commands = await CheckCommands.start();
const { knell, run, create } = commands;

afterAll(() => commands.stop());

const entriesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('prints who changed what, newest first, in pages of the server', async () => {
  await create('job', '--slug', 'job');
  await run('check', 'pause', 'job');
  const { stdout, status } = await run('audit');
  expect(status).toBe(0);
  const [head, newest] = stdout.split('\n');
  expect(head).toMatch(/^TIME +WHO +FROM +ACTION +WHAT +PROJECT +DETAILS$/);
  expect(newest).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z +command-line +check paused +job +default/);
  const entries = entriesOf((await run('audit', '--json')).stdout);
  expect(entries[0]).toMatchObject({
    actor: 'command-line',
    action: 'paused',
    subject: 'check',
    name: 'job',
  });
  // More than a page of the server: those of the default project are assigned to its check, too.
  const mail = { kind: 'email', value: 'a@example.org' };
  const creates = Array.from({ length: 1100 }, (_, nth) => {
    const args = { ...mail, project: nth % 2 ? 'default' : 'other', name: `many ${nth}` };
    return knell.app.admin({ command: 'channel create', args }, () => {});
  });
  await Promise.all(creates);
  const all = entriesOf((await run('audit', '--json')).stdout);
  expect(all.length).toBe(entries.length + 1100 + 550);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('--since leaves out what is older, and says what a time is', async () => {
  const since = new Date(Date.now() + 60_000).toISOString();
  expect((await run('audit', '--since', since, '--json')).stdout).toBe('');
  const { status, stderr } = await run('audit', '--since', 'yesterday');
  expect([status, stderr]).toEqual([2, expect.stringContaining('since must be a time such as 2026-01-31')]);
  for (const date of ['2026-02-30', '5']) expect((await run('audit', '--since', date)).status).toBe(2);
});

test('--until leaves out what is newer, and has to be after --since', async () => {
  const [newest, ...older] = entriesOf((await run('audit', '--json')).stdout);
  const until = entriesOf((await run('audit', '--until', newest.at, '--json')).stdout);
  expect(until).toEqual(older.filter(({ at }) => at < newest.at));
  expect(until.length).toBeGreaterThan(0);
  const { status, stderr } = await run('audit', '--since', newest.at, '--until', newest.at);
  expect([status, stderr]).toEqual([2, expect.stringContaining('since must be before until')]);
});

test('says from what to what in the words of the page; with --json the values are as they are stored', async () => {
  await create('words', '--slug', 'words', '--grace', '1h');
  await run('check', 'edit', 'words', '--grace', '10m', '--tags', 'prod');
  await run('channel', 'create', 'default', '--kind', 'email', '--name', 'ops', '--value', 'a@example.org');
  await run('channel', 'edit', 'ops', '--value', 'b@example.org', '--on', 'late');
  const { stdout } = await run('audit');
  expect(stdout).toContain('value: a@example.org → b@example.org; late: off → on');
  expect(stdout).toContain('tags: empty → prod; grace: 1 h → 10 min');
  const [first] = entriesOf((await run('audit', '--json')).stdout);
  expect(first.changes).toContainEqual({ field: 'late', before: 'false', after: 'true' });
});
