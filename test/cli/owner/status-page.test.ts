/** `knell status-page` as a user types it, on a running server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CheckCommands } from '../../support/process/check-commands.ts';

let commands: CheckCommands;
beforeAll(async () => {
  commands = await CheckCommands.start();
});
afterAll(() => commands.stop());

const run = (...args: string[]) => commands.run('status-page', ...args);
const page = async (): Promise<string> => (await commands.knell.request('/status/northwind')).text;

test('creates a page of a tag and of chosen checks, lists it and shows it', async () => {
  const { uuid } = await commands.create('nightly');
  await commands.knell.request(`/ping/${uuid}`);
  const services = ['--service', `Backups=${uuid}`, '--service', 'The rest=tag:prod'];
  expect(await run('create', 'default', 'northwind', '--title', 'Northwind', ...services)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\/status\/northwind\n$/),
  });
  expect(await page()).toContain('<h3>Backups</h3>');
  expect((await run('list', 'default')).stdout).toMatch(/northwind +Northwind +2 +public/);
  expect((await run('show', 'northwind')).stdout).toContain(
    `service "Backups": ${uuid}\nservice "The rest": tag prod\n`,
  );
  const [shown] = JSON.parse((await run('list', 'default', '--json')).stdout);
  expect(shown).toMatchObject({ slug: 'northwind', timeZone: 'UTC', hasPassword: false });
});

test('writes a notice and its updates', async () => {
  const written = await run(
    'notice',
    'northwind',
    'We look into it.',
    '--title',
    'Delayed',
    '--service',
    'Backups',
  );
  const [, id = ''] = /^notice (\w+), investigating\n$/.exec(written.stdout) ?? [];
  expect(await page()).toContain('We look into it.');
  expect(await run('notice', 'northwind', 'Done.', '--update', id, '--stage', 'resolved')).toMatchObject({
    status: 0,
    stdout: `notice ${id}, resolved\n`,
  });
  expect(await page()).toContain('<strong>Resolved</strong>');
  expect((await run('show', 'northwind')).stdout).toContain(`notice ${id}, resolved: Delayed`);
});

test('says what is wrong', async () => {
  const create = (...args: string[]) => run('create', 'default', ...args);
  expect(await create('northwind', '--title', 'x')).toMatchObject({
    status: 1,
    stderr: 'knell: another status page has the address northwind\n',
  });
  expect(await create('x', '--title', 'x', '--service', 'nothing')).toMatchObject({
    status: 2,
    stderr: 'knell: --service is NAME=tag:TAG or NAME=UUID,UUID, not "nothing"\n',
  });
  expect((await run('notice', 'northwind')).stderr).toContain('a notice needs a title');
  expect((await run('notice', 'northwind', '--update', 'gone')).stderr).toContain('this notice was deleted');
  expect((await run('notice', 'northwind', '--title', 'x', '--service', 'y')).stderr).toContain(
    'no service "y"',
  );
});

test('deletes a page', async () => {
  expect((await run('delete', 'northwind')).stdout).toBe('deleted northwind\n');
  expect((await run('show', 'northwind')).stderr).toContain('no status page has the address "northwind"');
});
