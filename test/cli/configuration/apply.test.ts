/** `knell apply`, `knell export` and `knell import knell` as users run them: the built program, a running server, a socket. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../support/knell.ts';
import { CommandRunner, type Env, type Run, runProcess } from '../../support/process/commands.ts';
import { KnellProcess } from '../../support/process/knell-process.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let runner: CommandRunner;
let server: KnellProcess;
/** Of the server: what `tempDir` creates goes with each test. */
let top = '';
let dataDir = '';
let folder = '';
let adminKey = '';

beforeAll(async () => {
  runner = CommandRunner.start();
  top = mkdtempSync(join(tmpdir(), 'knell-test-'));
  dataDir = join(top, 'data');
  server = await KnellProcess.start(dataDir);
  adminKey = JSON.parse((await knell(['key', 'create-admin', 'ci', '--json'])).stdout).key;
});

afterAll(async () => {
  await runner.stop();
  await server.end('SIGTERM');
  rmSync(top, { recursive: true });
});

beforeEach(() => {
  folder = tempDir();
});

const secret = 's3cret-token';
const envOf = (more: Env = {}): Env => ({
  KNELL_DATA_DIR: dataDir,
  KNELL_HTTP: '127.0.0.1:0',
  KNELL_SMTP: 'off',
  KNELL_SNAPSHOTS: 'off',
  HOOK: secret,
  ...more,
});
const knell = (args: readonly string[], env: Env = {}): Promise<Run> => runner.run(args, envOf(env));

function fileOf(text: string, name = 'knell.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** A project of its own for each test: they share a server. */
const configuration = (project: string, more = ''): string => `projects:
  - name: ${project}
    keys:
      - { name: deploy, scope: read-write, file: ${project}.key }
      - { name: jobs, scope: ping }
    integrations:
      - { name: hook, kind: mattermost, fields: { value: "https://example.org/\${env:HOOK}" } }
      - { name: mail, kind: email, fields: { value: ops@example.org }, delay: 60 }
    checks:
      - { slug: backup, timeout: 3600, integrations: [hook, mail] }
      - { slug: report, schedule: "0 3 * * *", tz: Europe/Riga, integrations: "*" }
${more}`;

const expectStatus = (run: Run, status: number): void =>
  expect([run.status, run.stderr]).toEqual([status, expect.anything()]);

async function apply(file: string, ...more: string[]): Promise<Run> {
  const run = await knell(['apply', '-f', file, ...more]);
  expect(run.stdout + run.stderr).not.toContain(secret);
  return run;
}

async function checksOf(key: string): Promise<Json[]> {
  const response = await fetch(`${server.httpUrl}/api/v3/checks/`, { headers: { 'X-Api-Key': key } });
  return ((await response.json()) as { checks: Json[] }).checks;
}

test('a plan is shown, done when confirmed, and empty the second time', async () => {
  const file = fileOf(configuration('first'));
  const dry = await apply(file, '--dry-run');
  expectStatus(dry, 0);
  expect(dry.stdout).toContain('  + check "report"\n');
  expect(dry.stdout).toContain('Plan: 7 to create, 0 to change, 0 to delete.\n');
  expect((await knell(['project', 'list'])).stdout).not.toContain('first');
  const unconfirmed = await runProcess(['apply', '-f', file], { env: envOf() });
  expect(unconfirmed.status).toBe(2);
  expect(unconfirmed.stderr).toBe(
    'knell: nothing was changed: add --yes to confirm, or --dry-run to see the plan only\n',
  );
  const done = await apply(file, '--yes');
  expectStatus(done, 0);
  expect(done.stdout).toMatch(/^key "jobs" of "first", shown only now: \w{22}$/m);
  expect(done.stdout).toContain('Done: 7 created, 0 changed, 0 deleted.\n');
  const keyFile = join(folder, 'first.key');
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const checks = await checksOf(readFileSync(keyFile, 'utf8').trim());
  expect(checks.map(({ slug, timeout, schedule }) => ({ slug, timeout, schedule }))).toEqual([
    { slug: 'backup', timeout: 3600 },
    { slug: 'report', schedule: '0 3 * * *' },
  ]);
  expect(checks.map(({ channels }) => channels.split(',').length)).toEqual([2, 2]);
  const again = await apply(file);
  expect([again.status, again.stdout]).toEqual([0, 'Nothing to change.\n']);
});

test('what differs is changed, and what the file does not have is deleted only with --prune', async () => {
  expectStatus(await apply(fileOf(configuration('second')), '--yes'), 0);
  await knell(['project', 'create', 'bystander']);
  const changed = fileOf(
    configuration('second')
      .replace('timeout: 3600', 'timeout: 7200')
      .replace(/ {6}- \{ slug: report.*\n/, ''),
    'changed.yaml',
  );
  const kept = await apply(changed, '--yes');
  expect(kept.stdout).toContain('  ~ check "backup"\n      timeout: 3600 → 7200\n');
  expect(kept.stdout).toContain('Done: 0 created, 1 changed, 0 deleted.\n');
  const pruned = await apply(changed, '--prune', '--dry-run');
  expect(pruned.stdout).toContain('  - check "report"\n');
  expect(pruned.stdout).toContain('  - project "bystander"\n');
  const { stdout } = await knell(['export']);
  const variables = [...stdout.matchAll(/^# {3}(SECRET_\w+)$/gm)].map(([, name]) => name ?? '');
  const secrets = Object.fromEntries(variables.map((name) => [name, `https://example.org/${secret}`]));
  const document: Json = parse(stdout);
  const second = document.projects.find(({ name }: Json) => name === 'second');
  second.checks = second.checks.filter(({ slug }: Json) => slug !== 'report');
  const rest = fileOf(JSON.stringify(document), 'rest.yaml');
  const done = await knell(['apply', '-f', rest, '--prune', '--yes'], secrets);
  expectStatus(done, 0);
  expect(done.stdout).toMatch(/Done: 0 created, 0 changed, 1 deleted/);
});

describe('nothing is changed', () => {
  test.each([
    ['half-valid YAML', (text: string) => `${text}  - {`, /^knell: \S+knell\.yaml:\d+:\d+: /m],
    [
      'one wrong value at the end',
      (text: string) => `${text}      - { slug: x, timeout: 1 }\n`,
      /:12:29: timeout is too small$/m,
    ],
    [
      'a secret that is not set',
      (text: string) => text.replace('env:HOOK', 'env:NO_HOOK'),
      /NO_HOOK is not set$/m,
    ],
    [
      'an unknown integration',
      (text: string) => text.replace('[hook, mail]', '[pager]'),
      /no integration pager/,
    ],
  ])('by %s', async (_what, spoil, error) => {
    const run = await apply(fileOf(spoil(configuration('never'))), '--yes');
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(error);
    expect((await knell(['project', 'list'])).stdout).not.toContain('never');
  });

  test.each([
    ['no file', ['apply'], /name the file/],
    ['a file that is not there', ['apply', '-f', '/nothing'], /cannot read \/nothing \(ENOENT\)/],
    ['an unknown option', ['apply', '--force'], /unknown option/],
    ['a server without a key', ['export', '--server', 'http://127.0.0.1:9'], /needs an admin key/],
    ['a server that is no URL', ['export', '--server', 'nowhere', '--key', 'x'], /must be a URL/],
    ['a folder without files', ['apply', '-f', '.'], /no \.yaml file/],
  ])('by %s', async (_what, args, error) => {
    const run = await knell(args);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/^knell: [^\n]+\n$/);
    expect(run.stderr).toMatch(error);
  });

  test('where the file of a key is there already', async () => {
    writeFileSync(join(folder, 'third.key'), 'precious');
    const run = await apply(fileOf(configuration('third')), '--yes');
    expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('third.key exists already')]);
    expect(readFileSync(join(folder, 'third.key'), 'utf8')).toBe('precious');
  });
});

test('through the admin API it is the same', async () => {
  const remote = ['--server', `${server.httpUrl}/`, '--key', adminKey];
  const file = fileOf(configuration('remote'));
  const env = { KNELL_DATA_DIR: join(folder, 'none') };
  const run = await knell(['apply', '-f', file, '--yes', ...remote], env);
  expectStatus(run, 0);
  expect(run.stdout).toContain('Done: 7 created');
  expect((await knell(['apply', '-f', file, ...remote], env)).stdout).toBe('Nothing to change.\n');
  const [here, there] = [await knell(['export']), await knell(['export', ...remote], env)];
  expect(there.stdout).toBe(here.stdout);
  expect(existsSync(join(folder, 'none'))).toBe(false);
  const variables = { ...env, KNELL_SERVER: server.httpUrl, KNELL_ADMIN_KEY: adminKey };
  expect((await knell(['export'], variables)).stdout).toBe(here.stdout);
  const wrong = await knell(['export', '--server', server.httpUrl, '--key', server.readWriteKey], env);
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('must be an admin key')]);
  const nobody = await knell(['export', '--server', 'http://127.0.0.1:1', '--key', adminKey], env);
  expect(nobody.status).toBe(1);
  expect(nobody.stderr).toMatch(/^knell: cannot reach http:\/\/127\.0\.0\.1:1: \S[^\n]*\n$/);
  expect(nobody.stderr).not.toContain(adminKey);
});

test('a change between plan and apply is noticed, and a second apply goes on from there', async () => {
  expectStatus(await apply(fileOf(configuration('raced')), '--yes'), 0);
  const post = async (command: string, args: unknown): Promise<Json> => {
    const response = await fetch(`${server.httpUrl}/api/admin/config/${command}`, {
      method: 'POST',
      headers: { 'X-Api-Key': adminKey },
      body: JSON.stringify(args),
    });
    return response.json();
  };
  const { projects } = await post('show', {});
  const { id: project } = projects.find(({ name }: Json) => name === 'raced');
  const { checks } = await post('show', { project });
  const steps = checks.map(({ id, etag, fields }: Json) => {
    return {
      do: 'edit-check',
      project,
      id,
      expect: etag,
      fields: { ...fields, grace: 60 },
      integrations: [],
    };
  });
  expect(await post('apply', { steps: steps.slice(0, 1) })).toEqual([{ ok: true, id: checks[0].id }]);
  const outcomes = await post('apply', { steps });
  expect(outcomes[0]).toMatchObject({
    ok: false,
    code: 'conflict',
    error: expect.stringContaining('plan again'),
  });
  expect(outcomes[1]).toMatchObject({ ok: true });
  const again = { do: 'create-check', project, id: null, fields: { slug: 'backup' }, integrations: [] };
  const others = [
    again,
    { ...again, id: checks[0].id, fields: {} },
    { do: 'delete-project', project, checks: 99 },
    { do: 'create-project', name: 'raced', plan: 'paid' },
    { do: 'explode' },
  ];
  const refused: Json[] = await post('apply', { steps: others });
  expect(refused.map(({ ok, code }) => [ok, code])).toEqual([
    ...Array(4).fill([false, 'conflict']),
    [false, 'usage'],
  ]);
  const repaired = await apply(fileOf(configuration('raced')), '--yes');
  expect(repaired.stdout).toContain('Done: 0 created, 2 changed, 0 deleted.\n');
});

test('without secrets an export holds none, and with them a new Knell takes the same pings and keys', async () => {
  expectStatus(await apply(fileOf(configuration('moved')), '--yes'), 0);
  const key = readFileSync(join(folder, 'moved.key'), 'utf8').trim();
  const plain = (await knell(['export'])).stdout;
  expect(plain).not.toContain(secret);
  expect(plain).not.toContain(server.pingKey);
  const run = await knell(['export', '--secrets']);
  expect(run.stdout).toContain(secret);
  const before = await checksOf(key);
  const target = { KNELL_DATA_DIR: join(folder, 'new') };
  const file = fileOf(run.stdout, 'all.yaml');
  expect((await knell(['import', 'knell', file, '--dry-run'], target)).stdout).toContain('to create');
  expect(existsSync(join(folder, 'new'))).toBe(false);
  const imported = await knell(['import', 'knell', file], target);
  expectStatus(imported, 0);
  const twice = await knell(['import', 'knell', file], target);
  expect([twice.status, twice.stderr]).toEqual([1, expect.stringContaining('holds data already')]);
  expect((await knell(['apply', '-f', file, '--prune'], target)).stdout).toBe('Nothing to change.\n');
  const other = await KnellProcess.start(join(folder, 'new'));
  try {
    const ping = await fetch(`${other.httpUrl}/ping/${before[0].ping_url.split('/').pop()}`);
    expect(ping.status).toBe(200);
    expect((await fetch(`${other.httpUrl}/ping/${server.pingKey}/a-job?create=1`)).status).toBe(201);
    const listed = await fetch(`${other.httpUrl}/api/v3/checks/`, { headers: { 'X-Api-Key': key } });
    const { checks } = (await listed.json()) as { checks: Json[] };
    expect(checks.map(({ slug }) => slug)).toEqual(before.map(({ slug }) => slug));
  } finally {
    await other.end('SIGTERM');
  }
});

test('a folder and stdin are configurations too', async () => {
  mkdirSync(join(folder, 'parts'));
  fileOf('projects: [{ name: parts, checks: [{ slug: a }] }]', 'parts/1.yaml');
  fileOf('projects: [{ name: parts, checks: [{ slug: b }] }]', 'parts/2.yml');
  fileOf('not: this', 'parts/readme.txt');
  expect((await apply(join(folder, 'parts'), '--yes')).stdout).toContain('Done: 3 created');
  const input = 'projects: [{ name: parts, checks: [{ slug: a, grace: 60 }] }]';
  const run = await runProcess(['apply', '-f', '-', '--yes'], { env: envOf(), input });
  expect(run.stdout).toContain('grace: 60');
  const schema = JSON.parse((await knell(['apply', '--schema'])).stdout);
  const served = await fetch(`${server.httpUrl}/docs/configuration.schema.json`);
  expect(await served.json()).toEqual(schema);
  expect(schema.properties.projects.items.properties.checks.items.properties.grace).toMatchObject({
    minimum: 60,
  });
});

test('where no server runs, the store is opened for it', async () => {
  const env = { KNELL_DATA_DIR: join(folder, 'data') };
  const file = fileOf(configuration('offline'));
  const none = await knell(['apply', '-f', file, '--yes'], env);
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('no Knell data')]);
  await knell(['project', 'create', 'offline'], env);
  expect((await knell(['apply', '-f', file, '--yes'], env)).stdout).toContain('Done: 6 created');
  expect((await knell(['apply', '-f', file], env)).stdout).toBe('Nothing to change.\n');
});

test('admin keys are created, listed and revoked', async () => {
  const created = await knell(['key', 'create-admin', 'temporary', '--allow-shell']);
  expect(created.stdout).toMatch(/^ {2}hca_\w{28}$/m);
  expect((await knell(['key', 'list-admin', '--json'])).stdout).toMatch(/"name":"temporary","shell":true/);
  expect((await knell(['key', 'revoke-admin', 'temporary'])).stdout).toBe('revoked temporary\n');
  expect((await knell(['key', 'list-admin'])).stdout).not.toContain('temporary');
  const unknown = await knell(['key', 'revoke-admin', 'temporary']);
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('no admin key is named')]);
});
