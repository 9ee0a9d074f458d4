/** `knell apply` and `knell export` with status pages: beside a running Knell, and read as its readers do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { CommandRunner, type Env, type Run } from '../support/process/commands.ts';
import { tempDir } from '../support/temp-dirs.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const password = 'n0rth wind';

let runner: CommandRunner;
let server: Knell;
let folder = '';

beforeAll(async () => {
  runner = CommandRunner.start();
  server = await Knell.start();
});

afterAll(async () => {
  await runner.stop();
  await server.stop();
});

beforeEach(() => {
  folder = tempDir();
});

function knell(args: readonly string[], env: Env = {}): Promise<Run> {
  return runner.run(args, {
    KNELL_DATA_DIR: server.dataDir,
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: 'off',
    KNELL_SNAPSHOTS: 'off',
    ...env,
  });
}

async function apply(text: string, env: Env = {}, ...more: string[]): Promise<Run> {
  const file = join(folder, 'knell.yaml');
  writeFileSync(file, text);
  const run = await knell(['apply', '-f', file, '--yes', ...more], env);
  expect(run.stdout + run.stderr).not.toContain(password);
  return run;
}

const expectDone = (run: Run): void => expect([run.status, run.stderr]).toEqual([0, '']);

const configuration = (page: string): string => `projects:
  - name: shop
    checks:
      - { slug: backup, timeout: 3600 }
      - { slug: orders, timeout: 60, tags: prod }
    status_pages:
      - slug: northwind
        title: Northwind
${page}`;

const services = `        services:
          - { name: Backups, checks: [backup] }
          - { name: Orders, tag: prod }
`;

test('a page is published with its checks, changed, and deleted with --prune', async () => {
  const created = await apply(configuration(`        logo: \${file:logo.txt}\n${services}`), {});
  expect([created.status, created.stderr]).toEqual([2, expect.stringContaining('logo.txt')]);
  writeFileSync(join(folder, 'logo.txt'), `${png.slice(0, 40)}\n${png.slice(40)}\n`);
  const again = await apply(configuration(`        logo: \${file:logo.txt}\n${services}`));
  expectDone(again);
  expect(again.stdout).toContain(
    '  + status page "northwind"\n      title: "Northwind"\n      time_zone: "UTC"\n      logo: "70 bytes"\n' +
      '      services: ["Backups: backup", "Orders: tag prod"]\n',
  );
  const page = await server.request('/status/northwind');
  expect([page.status, page.text]).toEqual([200, expect.stringMatching(/Northwind.*Backups.*Orders/s)]);
  expect((await server.request('/status/northwind/logo')).status).toBe(200);
  const changed = await apply(configuration('        description: All is well.\n        services: []\n'));
  expectDone(changed);
  expect(changed.stdout).toContain(
    '      description: "" → "All is well."\n      logo: "70 bytes" → "0 bytes"\n',
  );
  const pruned = await apply('projects: [{ name: shop, status_pages: [] }]', {}, '--prune');
  expect(pruned.stdout).toContain('  - status page "northwind"\n');
  expect((await server.request('/status/northwind')).status).toBe(404);
});

test('a password is read from the environment, compared, and exported as a reference only', async () => {
  const text = configuration(`        password: \${env:PAGE}\n${services}`);
  expectDone(await apply(text, { PAGE: password }));
  expect((await server.request('/status/northwind')).text).not.toContain('Backups');
  expect((await apply(text, { PAGE: password })).stdout).toBe('Nothing to change.\n');
  expect((await apply(configuration(services))).stdout).toBe('Nothing to change.\n');
  const { stdout: exported } = await knell(['export']);
  expect(exported).toContain(`        password: \${env:STATUS_PAGE_NORTHWIND_PASSWORD}\n`);
  expect(exported).toContain('#   STATUS_PAGE_NORTHWIND_PASSWORD\n');
  expect(exported).not.toContain('scrypt');
  const other = await apply(text, { PAGE: 'another one, longer' });
  expect(other.stdout).toContain('  ~ status page "northwind"\n      password: (secret)\n');
  const open = await apply(configuration(`        password: ""\n${services}`));
  expect(open.stdout).toContain('      password: "(secret)" → ""\n');
  expect((await server.request('/status/northwind')).text).toContain('Backups');
});

test('an export with secrets goes into an empty Knell with its pages, and comes out of it byte for byte', async () => {
  expectDone(await apply(configuration(`        password: ${password}\n        logo: ${png}\n${services}`)));
  const { stdout: exported } = await knell(['export', '--secrets']);
  expect(exported).toContain(`        logo: ${png}\n        password_hash: scrypt$`);
  const file = join(folder, 'all.yaml');
  writeFileSync(file, exported);
  const there = { KNELL_DATA_DIR: join(folder, 'new') };
  expectDone(await knell(['import', 'knell', file], there));
  expect((await knell(['export', '--secrets'], there)).stdout).toBe(exported);
  expect((await knell(['status-page', 'list', 'shop'], there)).stdout).toMatch(/northwind .*password/);
});

test('a page that was changed after the plan was made is not changed by it, nor with a hash of one’s own', async () => {
  const admin = JSON.parse((await knell(['key', 'create-admin', 'ci', '--json'])).stdout).key;
  const ask = async (path: string, args: object): Promise<Json> => {
    const body = JSON.stringify(args);
    const response = await fetch(`${server.app.httpUrl}/api/admin/${path}`, {
      method: 'POST',
      headers: { 'X-Api-Key': admin },
      body,
    });
    return (await response.json()) as Json;
  };
  expectDone(await apply(configuration(services)));
  const { projects } = await ask('config/show', {});
  const { id: project, statusPages } = projects.find(({ name }: { name: string }) => name === 'shop');
  const page = await ask('config/show', { status_page: statusPages[0] });
  const step = { ...page, do: 'edit-status-page', project, expect: page.etag, password_hash: null };
  const stepped = async (more: object) => (await ask('config/apply', { steps: [{ ...step, ...more }] }))[0];
  const refused = { ok: false, error: expect.stringContaining('password_hash') };
  expect(await stepped({ password_hash: 'scrypt$1$1$1$x$y' })).toMatchObject(refused);
  expect(await stepped({ title: 'New' })).toMatchObject({ ok: true });
  expect(await stepped({ title: 'Newer' })).toMatchObject({
    ok: false,
    error: 'status page northwind was changed since the plan was made: plan again',
  });
  expect(await ask('config/show', { status_page: 'no such page' })).toBeNull();
});
