/** After `knell import healthchecks`: how the installation gets its owner, how its users sign in, and from when its checks are. From the built package. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { Knell } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { goodPassword, linkIn, PageClient } from '../../support/page/page-client.ts';
import { runProcess } from '../../support/process/commands.ts';
import { KnellProcess } from '../../support/process/knell-process.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const dump = gunzipSync(readFileSync(new URL('../healthchecks/4.3/dump.jsonl.gz', import.meta.url)));
const running: Knell[] = [];

afterEach(async () => {
  for (const knell of running.splice(0)) await knell.stop();
});

/** Returns its data directory, with the users alice, bob and carol. */
async function imported(): Promise<string> {
  const dir = tempDir();
  const dataDir = join(dir, 'data');
  writeFileSync(join(dir, 'hc.jsonl'), dump);
  const env = { KNELL_DATA_DIR: dataDir };
  const run = await runProcess(['import', 'healthchecks', join(dir, 'hc.jsonl')], { env });
  expect([run.status, run.stderr]).toEqual([0, '']);
  return dataDir;
}

async function started(dataDir: string): Promise<Knell> {
  const knell = await Knell.start({ dataDir });
  running.push(knell);
  return knell;
}

test('the server prints the link of the first owner at every start, and so does password reset, which names the others', async () => {
  const dataDir = await imported();
  for (let start = 0; start < (isLong ? 2 : 1); start++) {
    const server = await KnellProcess.start(dataDir);
    try {
      expect(server.setUpUrl).toMatch(/\/set-password#\S+$/);
      const reset = await runProcess(['password', 'reset'], { env: { KNELL_DATA_DIR: dataDir } });
      expect([reset.status, reset.stderr]).toEqual([0, '']);
      expect(reset.stdout).toContain(server.setUpUrl);
      expect(reset.stdout).toMatch(/knell password reset USER, [^\n]+\n[\s\S]*^ {2}carol@example\.org$/m);
    } finally {
      await server.end('SIGTERM');
    }
  }
});

test('the link makes a user of the import the owner, by the name of that user', async () => {
  const knell = await started(await imported());
  const page = new PageClient(knell);
  const asked = { link: linkIn(knell.app.setUpUrl), name: 'Bob@example.org', password: goodPassword };
  expect((await page.post('/web/set-password', asked)).status).toBe(200);
  const { user, projects } = (await page.get('/web/state')).json();
  expect(user).toMatchObject({ name: 'bob@example.org', role: 'owner' });
  expect(projects.length).toBeGreaterThan(1);
  expect(knell.app.engine.read.users()).toHaveLength(3);
  expect((await page.post('/web/set-password', asked)).status).toBe(410);
});

test('a user with a password is no other by the link of the first owner, and signs in before there is one', async () => {
  const knell = await started(await imported());
  const { link } = (await knell.app.admin(
    { command: 'password reset', args: { user: 'carol@example.org' } },
    () => {},
  )) as { link: string };
  const carol = new PageClient(knell);
  const state = async () => (await new PageClient(knell).get('/web/state')).json();
  expect(await state()).toMatchObject({ fresh: true, noPasswords: true });
  expect((await carol.post('/web/set-password', { link: linkIn(link), password: goodPassword })).status).toBe(
    200,
  );
  expect(await state()).toMatchObject({ fresh: true, noPasswords: false });
  const taken = { link: linkIn(knell.app.setUpUrl), name: 'carol@example.org', password: 'of somebody else' };
  expect((await new PageClient(knell).post('/web/set-password', taken)).status).toBe(409);
  expect((await new PageClient(knell).signIn('carol@example.org', goodPassword)).status).toBe(200);
});

test('checks are as old as they were, in whatever order the dump has them', async () => {
  const rows = dump
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ model }) => model === 'api.check')
    .map(({ fields }) => [fields.name, Date.parse(fields.created)] as const);
  const created = new Map(rows);
  // It is no proof unless the dump has another order.
  expect(rows.map(([, atMs]) => atMs)).not.toEqual(rows.map(([, atMs]) => atMs).sort((a, b) => a - b));
  const { read } = (await started(await imported())).app.engine;
  const checks = read.projects().flatMap(({ id }) => [...read.checks(id, Date.now())]);
  expect(checks.length).toBeGreaterThan(8);
  for (const { config, createdAtMs } of checks)
    expect(Math.floor(createdAtMs), config.name).toBe(created.get(config.name));
});
