/** `knell channel list`: the names of the page, and no column in which nothing is said. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../../support/knell.ts';
import { CommandRunner } from '../../support/process/commands.ts';

let knell: Knell;
let runner: CommandRunner;

beforeAll(async () => {
  knell = await Knell.start();
  runner = CommandRunner.start();
});

afterAll(async () => {
  await runner.stop();
  await knell.stop();
});

const run = (...args: string[]) => runner.run(['channel', ...args], { KNELL_DATA_DIR: knell.dataDir });
const create = (...args: string[]) => run('create', 'default', '--kind', 'ntfy', '--topic', ...args);
const titles = (stdout: string) =>
  stdout
    .split('\n')[0]
    ?.trim()
    .split(/\s{2,}|(?<=ID) /);

test('has a column of a setting only where an integration has another value than the usual one', async () => {
  await create('alerts', '--name', '');
  await create('night', '--name', 'Night');
  const plain = (await run('list', 'default')).stdout;
  expect(titles(plain)).toEqual(['NAME', 'KIND', 'ID']);
  expect(plain).toMatch(/^ntfy +ntfy +[-0-9a-f]{36}$/m);
  await run('edit', 'Night', '--delay', '300');
  const { stdout } = await run('list', 'default');
  expect(titles(stdout)).toEqual(['NAME', 'KIND', 'DELAY', 'ID']);
  expect(stdout).toMatch(/^Night +ntfy +5 min +[-0-9a-f]{36}$/m);
  expect(stdout).toMatch(/^ntfy +ntfy +[-0-9a-f]{36}$/m);
});

test('has all of them where all are asked for', async () => {
  const wide = (await run('list', 'default', '-o', 'wide')).stdout;
  expect(titles(wide)).toEqual(
    expect.arrayContaining(['DELAY', 'REPEAT', 'NOT FOR NEW CHECKS', 'LAST ERROR']),
  );
  const listed = JSON.parse((await run('list', 'default', '--json')).stdout);
  expect(listed).toMatchObject([
    { name: '', delay: 0 },
    { name: 'Night', delay: 300 },
  ]);
});

test('needs no project where there is one, and keeps apart what has the same name', async () => {
  await create('second', '--name', '');
  const { status, stdout } = await run('list');
  expect(status).toBe(0);
  const rows = stdout.match(/^ntfy \([^)]+\)(?= +ntfy )/gm) ?? [];
  expect(new Set(rows).size).toBe(2);
  const maintenance = await runner.run(['maintenance', 'list'], { KNELL_DATA_DIR: knell.dataDir });
  expect(maintenance.status).toBe(0);
});

test('names the projects where there are several, and what else is missing', async () => {
  const own = { KNELL_DATA_DIR: knell.dataDir };
  await runner.run(['project', 'create', 'Acme'], own);
  const several = await run('list');
  expect([several.status, several.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^knell: name the project: knell channel list (default|Acme), or --project with one of (default, Acme|Acme, default)\n$/,
    ),
  ]);
  const missing = await runner.run(['maintenance', 'start', 'default'], own);
  expect([missing.status, missing.stderr]).toEqual([2, "knell: missing required argument 'time'\n"]);
});

test.each(['channel', 'key', 'maintenance', 'status-page'])(
  '%s list takes the project as an option, too',
  async (group) => {
    const own = { KNELL_DATA_DIR: knell.dataDir };
    const list = (...args: string[]) => runner.run([group, 'list', ...args], own);
    const asOption = await list('--project', 'default');
    expect([asOption.status, asOption.stdout]).toEqual([0, (await list('default')).stdout]);
    expect((await list('default', '--project', 'default')).status).toBe(0);
    const both = await list('Acme', '--project', 'default');
    expect([both.status, both.stderr]).toEqual([2, 'knell: name one project: Acme, or --project default\n']);
    expect((await runner.run(['complete', '--', group, 'list', '--pr'], own)).stdout).toBe('--project\n');
  },
);
