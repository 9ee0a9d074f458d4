/** Owner's commands on a Knell elsewhere, and what they print for programs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../../support/knell.ts';
import { CommandRunner, type Env } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let knell: Knell;
let adminKey: string;
const runner = CommandRunner.start();
/** Of a machine on which no Knell runs. */
const elsewhere: Env = { KNELL_DATA_DIR: tempDir() };

const run = (args: readonly string[], env: Env = elsewhere) => runner.run(args, env);
const remote = () => ['--server', knell.app.httpUrl, '--key', adminKey];

beforeAll(async () => {
  knell = await Knell.start();
  const made = await run(['key', 'create-admin', 'ops', '--json'], { KNELL_DATA_DIR: knell.dataDir });
  adminKey = JSON.parse(made.stdout).key;
});

afterAll(async () => {
  await runner.stop();
  await knell.stop();
});

test('every one of them runs on the server that --server names', async () => {
  const made = await run(['project', 'create', 'far', ...remote(), '--json']);
  expect(JSON.parse(made.stdout)).toMatchObject({ project: { name: 'far', plan: 'paid' } });
  const key = JSON.parse(
    (await run(['key', 'create', 'far', '--scope', 'read-only', ...remote(), '--json'])).stdout,
  );
  expect((await run(['key', 'revoke', key.id, ...remote()])).stdout).toBe(`revoked ${key.id}\n`);
  const listed = await run(['project', 'list', ...remote()]);
  expect(listed.stdout).toMatch(/^ID +NAME +PLAN +CHECKS\n[\s\S]*far +paid +0/);
  expect(await run(['user', 'list', ...remote()])).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('prints YAML and JSON of the same', async () => {
  const json = JSON.parse((await run(['project', 'list', ...remote(), '-o', 'json'])).stdout);
  const { parse } = await import('yaml');
  expect(parse((await run(['project', 'list', ...remote(), '-o', 'yaml'])).stdout)).toEqual(json);
  const revoked = await run(['key', 'create-admin', 'brief', ...remote(), '-o', 'json']);
  const { id } = JSON.parse(revoked.stdout);
  const gone = await run(['key', 'revoke-admin', 'brief', ...remote(), '-o', 'json']);
  expect(JSON.parse(gone.stdout)).toEqual({ id, name: 'brief', revoked: true });
});

test('a server that only KNELL_SERVER names is meant together with an admin key', async () => {
  const env = { KNELL_DATA_DIR: knell.dataDir, KNELL_SERVER: 'http://127.0.0.1:1' };
  expect((await run(['project', 'list'], env)).status).toBe(0);
  const far = { KNELL_SERVER: knell.app.httpUrl, KNELL_ADMIN_KEY: adminKey };
  expect((await run(['project', 'list'], far)).stdout).toContain('far');
  const wrong = await run(['project', 'list', '--server', knell.app.httpUrl, '--key', 'hca_wrong']);
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringMatching(/refuses the key/)]);
});

test('an integration whose kind has a key of its own is created there with the key of the variable', async () => {
  const env = { ...elsewhere, KNELL_ADMIN_KEY: adminKey };
  const value = JSON.stringify({ url_down: 'https://example.org/down' });
  const hook = ['channel', 'create', 'far', '--kind', 'webhook', '--name', 'hook', '--value', value];
  const made = await run([...hook, '--server', knell.app.httpUrl, '--json'], env);
  expect(JSON.parse(made.stdout)).toMatchObject({ name: 'hook', kind: 'webhook' });
});
