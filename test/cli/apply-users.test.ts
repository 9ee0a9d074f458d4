/** `knell apply` and `knell export` with users, and with what can only be replaced: beside a running Knell. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';
import { CommandRunner, type Env, type Run } from '../support/process/commands.ts';
import { tempDir } from '../support/temp-dirs.ts';

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
    ...env,
  });
}

function apply(text: string, ...more: string[]): Promise<Run> {
  const file = join(folder, 'knell.yaml');
  writeFileSync(file, text);
  return knell(['apply', '-f', file, '--yes', ...more]);
}

const expectDone = (run: Run): void => expect([run.status, run.stderr]).toEqual([0, '']);

const usersThere = (): readonly string[] =>
  server.app.engine.read.users().map(({ name, role }) => `${name} ${role}`);

test('users are created with a link that sets their password, changed, and removed with --prune only', async () => {
  const created = await apply(
    'users: [{ name: ann@example.org, role: owner }, { name: bob, role: viewer }, { name: eve, role: editor }]',
  );
  expectDone(created);
  expect(created.stdout).toContain('users\n  + user "ann@example.org"\n      role: "owner"\n');
  const [link = ''] =
    /^user "bob" sets a password here .*: (http:\S+)$/m.exec(created.stdout)?.slice(1) ?? [];
  expect(link).toMatch(/^http:\/\/knell\.test\/set-password#/);
  const page = new PageClient(server);
  const password = { link: linkIn(link), password: goodPassword };
  expect((await page.post('/web/set-password', password)).status).toBe(200);
  expect((await knell(['export'])).stdout).toContain(
    'users:\n  - name: ann@example.org\n    role: owner\n  - name: bob\n    role: viewer\n  - name: eve\n    role: editor\n',
  );
  const fewer = 'users: [{ name: ann@example.org, role: owner }, { name: Bob, role: editor }]';
  const kept = await apply(fewer);
  expectDone(kept);
  expect(kept.stdout).toContain('      role: "viewer" → "editor"\n');
  expect(usersThere()).toEqual(['ann@example.org owner', 'bob editor', 'eve editor']);
  const user = (await page.get('/web/state')).json().user;
  expect(user).toMatchObject({ name: 'bob', role: 'editor' });
  const pruned = await apply(fewer, '--prune');
  expect(pruned.stdout).toContain('  - user "eve"\n');
  expect(usersThere()).toEqual(['ann@example.org owner', 'bob editor']);
  expect((await server.api('GET', '/api/v3/checks/')).status).toBe(200);
});

test('the last owner is never removed, nor is anything else of that plan done', async () => {
  await apply('users: [{ name: ann@example.org, role: owner }]');
  const before = usersThere();
  for (const users of ['[{ name: new, role: viewer }]', '[]']) {
    const run = await apply(`projects: [{ name: unborn }]\nusers: ${users}`, '--prune');
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/^knell: \S+knell\.yaml:2:8: users: no owner would be left[^\n]+\n$/);
  }
  expect(usersThere()).toEqual(before);
  expect((await knell(['project', 'list'])).stdout).not.toContain('unborn');
});

test('an export goes into an empty Knell, and comes out of it byte for byte', async () => {
  const config = `projects:
  - name: whole
    keys: [{ name: jobs, scope: ping }]
    integrations:
      - { name: hook, kind: mattermost, fields: { value: "https://example.org/hook" } }
      - { name: all, kind: group, fields: { value: [hook] } }
    checks: [{ slug: backup, timeout: 3600, integrations: [all] }]
users: [{ name: ann@example.org, role: owner }, { name: zoe, role: viewer }]`;
  expectDone(await apply(config));
  const { stdout: exported } = await knell(['export', '--secrets']);
  expect(exported).toContain('users:\n');
  expect(exported).not.toMatch(/scrypt|password/i);
  const file = join(folder, 'all.yaml');
  writeFileSync(file, exported);
  const there = { KNELL_DATA_DIR: join(folder, 'new') };
  const imported = await knell(['import', 'knell', file], there);
  expectDone(imported);
  expect(imported.stdout).toMatch(/^user "zoe" sets a password here /m);
  expect((await knell(['export', '--secrets'], there)).stdout).toBe(exported);
  expect((await knell(['apply', '-f', file, '--prune', '--yes'], there)).stdout).toBe('Nothing to change.\n');
});

test('an admin key creates owners only if it may run commands on the server', async () => {
  const keyOf = async (...more: string[]): Promise<string> =>
    JSON.parse((await knell(['key', 'create-admin', `ci ${more.length}`, ...more, '--json'])).stdout).key;
  const file = join(folder, 'knell.yaml');
  writeFileSync(file, 'users: [{ name: root, role: owner }]');
  const remote = async (key: string): Promise<Run> =>
    knell(['apply', '-f', file, '--yes', '--server', server.app.httpUrl, '--key', key]);
  const refused = await remote(await keyOf());
  expect([refused.status, refused.stdout]).toEqual([1, expect.not.stringContaining('#')]);
  expect(refused.stderr).toContain('user "root": only admin keys created with --allow-shell may make a user');
  const done = await remote(await keyOf('--allow-shell'));
  expectDone(done);
  expect(usersThere()).toContain('root owner');
});

test('an integration of another kind and a key of another scope take the place of those there', async () => {
  const config = (kind: string, scope: string): string => `projects:
  - name: changing
    keys: [{ name: deploy, scope: ${scope}, file: deploy.key }]
    integrations:
      - { name: ops, ${kind} }
      - { name: all, kind: group, fields: { value: [ops] } }
    checks: [{ slug: a, integrations: [ops, all] }]`;
  expectDone(await apply(config('kind: email, fields: { value: ops@example.org }', 'read-only')));
  const file = join(folder, 'deploy.key');
  const before = readFileSync(file, 'utf8').trim();
  const channels = async (key: string): Promise<Json> =>
    (await server.api('GET', '/api/v3/channels/', undefined, key)).json().channels;
  const changed = config('kind: sms, fields: { value: "+4912345678" }', 'read-write');
  const run = await apply(changed);
  expectDone(run);
  expect(run.stdout).toContain('  -/+ integration "ops" must be replaced\n      kind: "email" → "sms"\n');
  expect(run.stdout).toContain('Done: 0 created, 0 changed, 2 replaced, 0 deleted.\n');
  const key = readFileSync(file, 'utf8').trim();
  expect(key).toMatch(/^hcw_/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(run.stdout).not.toContain(key);
  expect((await server.api('GET', '/api/v3/checks/', undefined, before)).status).toBe(401);
  const [check] = (await server.api('GET', '/api/v3/checks/', undefined, key)).json().checks;
  const all: Json[] = await channels(key);
  expect(all.map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual(['all group', 'ops sms']);
  expect(check.channels.split(',').sort()).toEqual(all.map(({ id }) => id).sort());
  await server.restart();
  expect(await channels(key)).toEqual(all);
  expect((await apply(changed)).stdout).toBe('Nothing to change.\n');
  writeFileSync(file, 'another key');
  const other = await apply(config('kind: sms, fields: { value: "+4912345678" }', 'read-only'));
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('deploy.key exists already')]);
});

test('roles in projects are applied, exported, left alone where the file has none, and refused where the project is unknown', async () => {
  const rolesOf = (name: string): string => {
    const { read } = server.app.engine;
    const user = read.users().find((one) => one.name === name);
    const roles = (user?.projects ?? []).map((one) => `${one.role} in ${read.project(one.projectId)?.name}`);
    return [user?.role, ...roles].join(', ');
  };
  const user = (projects: string): string => `users: [{ name: pat, role: none${projects} }]`;
  const projects = 'projects: [{ name: shop }, { name: blog }]\n';
  const roles = ', projects: [{ project: shop, role: editor }, { project: blog, role: owner }]';
  const first = await apply(projects + user(roles));
  expectDone(first);
  expect(first.stdout).toContain('projects: ["owner in blog", "editor in shop"]');
  expect(rolesOf('pat')).toBe('none, owner in blog, editor in shop');
  expect((await apply(user(roles))).stdout).toContain('Nothing to change.');
  expect((await apply(user(''))).stdout).toContain('Nothing to change.');
  const exported = await knell(['export']);
  expectDone(exported);
  expect(exported.stdout).toMatch(
    /- name: pat\n\s+role: none\n\s+projects:\n\s+- project: blog\n\s+role: owner\n/,
  );
  const again = await apply(exported.stdout.slice(exported.stdout.indexOf('\nusers:')));
  expect([again.stderr, again.stdout]).toEqual(['', expect.stringContaining('Nothing to change.')]);
  expectDone(await knell(['user', 'role', 'pat', 'viewer', '--project', 'shop']));
  expect((await knell(['user', 'list'])).stdout).toMatch(/pat +none +owner in blog, viewer in shop/);
  expectDone(await apply(user(', projects: [{ project: blog, role: none }]')));
  expect(rolesOf('pat')).toBe('none, none in blog');
  expectDone(await apply(user(', projects: []')));
  expect(rolesOf('pat')).toBe('none');
  const unknown = await apply(user(', projects: [{ project: nope, role: viewer }]'));
  expect([unknown.status, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('no project is named "nope"'),
  ]);
  const twice = ', projects: [{ project: blog, role: none }, { project: blog, role: owner }]';
  expect((await apply(user(twice))).stderr).toContain('user pat has two roles in project "blog"');
  const wrong = await knell(['user', 'role', 'pat', 'boss']);
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('role must be one of')]);
});
