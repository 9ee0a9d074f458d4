/** The admin API: the owner's commands over HTTP, for programs that hold an admin key. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onlyReads, ownerCommands } from '../../../src/commands/table.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { type Answer, type Json, Knell } from '../../support/knell.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let knell: Knell;
let key = '';
let shellKey = '';
const logged: Json[] = [];
const logger = { ...silentLogger, info: (what: unknown) => logged.push(what) };

const admin = (command: string, args: Json = {}): Promise<Json> =>
  knell.app.admin({ command, args }, () => {});

beforeAll(async () => {
  knell = await Knell.start({ logger: logger as never });
  key = (await admin('admin-key create', { name: 'ci' })).key;
  shellKey = (await admin('admin-key create', { name: 'root', shell: true })).key;
});

afterAll(() => knell.stop());

const pathOf = (command: string): string => `/api/admin/${command.replaceAll(' ', '/')}`;
const post = (command: string, args: Json = {}, by = key): Promise<Answer> =>
  knell.api('POST', pathOf(command), args, by);

const hook = {
  project: 'default',
  kind: 'webhook',
  name: 'hook',
  value: '{"url_down":"http://127.0.0.1:9/s3cret"}',
};

test('every command of the table is there, with the refusals that the socket has', async () => {
  const codes: Readonly<Record<number, string>> = { 400: 'usage', 404: 'not-found', 409: 'conflict' };
  for (const command of Object.keys(ownerCommands)) {
    const wrong = {
      project: 'none',
      channel: 'none',
      key: 'none',
      user: 'none',
      id: 'none',
      plan: 'none',
      name: 7,
    };
    const args = { ...wrong, file: join(knell.dataDir, 'none', 'file') };
    const refused = await admin(command, args).then(
      () => null,
      ({ code, message }) => ({ code, message }),
    );
    const { status, json } = await post(command, args, shellKey);
    if (refused === null) expect(status, command).toBe(200);
    else if (refused.code === 'snapshot-unwritable') expect(status).toBe(409);
    else expect([codes[status], json().error], command).toEqual([refused.code, refused.message]);
  }
});

test('a program creates, reads, changes and deletes as the commands do', async () => {
  const made = await post('project create', { name: 'by program' });
  expect(made.status).toBe(200);
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(made.headers.get('access-control-allow-origin')).toBeNull();
  expect(made.json().keys.ping).toMatch(/^\w{22}$/);
  expect((await post('project rename', { project: 'by program', name: 'renamed' })).status).toBe(200);
  const listed = await knell.api('GET', '/api/admin/project/list', undefined, key);
  expect(listed.json()).toEqual(await admin('project list'));
  expect(listed.json().map(({ name }: Json) => name)).toContain('renamed');
  const keys = await knell.api('GET', '/api/admin/key/list/?project=renamed', undefined, key);
  expect(keys.json()).toHaveLength(3);
  expect((await post('project delete', { project: 'renamed' })).json()).toMatchObject({ deleted: true });
});

describe('the key', () => {
  const list = (by: string | null) =>
    knell.request('/api/admin/project/list', by === null ? {} : { headers: { 'X-Api-Key': by } });

  test.each([
    ['none', () => null, 'missing api key'],
    ['an unknown one', () => `hca_${'x'.repeat(28)}`, 'wrong api key'],
    ['a key of a project', () => knell.keys.readWrite, 'wrong api key'],
    ['a ping key', () => knell.keys.ping, 'wrong api key'],
  ])('%s opens nothing', async (_what, by, error) => {
    const answer = await list(by());
    expect([answer.status, answer.json()]).toEqual([401, { error }]);
  });

  test('is no key of the management API, nor of a body', async () => {
    expect((await knell.api('GET', '/api/v3/checks/', undefined, key)).status).toBe(401);
    const inBody = await knell.request('/api/admin/project/list', {
      method: 'POST',
      body: JSON.stringify({ api_key: key }),
    });
    expect(inBody.status).toBe(401);
  });

  test('that is revoked stops working at once, and others go on', async () => {
    const { key: gone, name } = await admin('admin-key create', { name: 'gone' });
    expect((await list(gone)).status).toBe(200);
    expect(await admin('admin-key revoke', { key: name })).toMatchObject({ revoked: true });
    expect((await list(gone)).status).toBe(401);
    expect((await list(key)).status).toBe(200);
  });

  test('are listed without what opens anything, but for ping keys', async () => {
    const { project } = await admin('project create', { name: 'keys' });
    const keys = await admin('key list', { project: project.id });
    expect(keys.map(({ scope, key: clear }: Json) => [scope, typeof clear])).toEqual(
      expect.arrayContaining([
        ['read-write', 'undefined'],
        ['read-only', 'undefined'],
        ['ping', 'string'],
      ]),
    );
  });

  test('is kept as a hash, through a snapshot and a restart', async () => {
    const [listed] = await admin('admin-key list');
    expect(listed).toEqual({ id: expect.any(String), name: 'ci', shell: false, created: expect.any(String) });
    const file = join(tempDir(), 'all.knell');
    await admin('snapshot', { file });
    await knell.restart();
    expect((await list(key)).status).toBe(200);
    const dataDir = join(tempDir(), 'data');
    await restoreSnapshot(file, dataDir, () => {});
    const restored = await Knell.start({ dataDir });
    try {
      const answer = await restored.request('/api/admin/admin-key/list', { headers: { 'X-Api-Key': key } });
      expect(answer.json().map(({ name }: Json) => name)).toEqual(['ci', 'root']);
    } finally {
      await restored.stop();
    }
  });

  test('has a name of its own', async () => {
    await expect(admin('admin-key create', { name: 'ci' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(admin('admin-key create', { name: ' ' })).rejects.toMatchObject({ code: 'usage' });
    await expect(admin('admin-key create', { name: 'n'.repeat(101) })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

test('a key that was not allowed to does nothing that reaches the shell of the server', async () => {
  const shell = { ...hook, kind: 'shell', value: '{"cmd_down":"true"}' };
  const file = join(tempDir(), 'all.knell');
  const attempts: readonly (readonly [string, Json])[] = [
    ['channel create', shell],
    ['snapshot', { file }],
    ['password reset', {}],
    ['admin-key create', { name: 'more', shell: true }],
  ];
  for (const [command, args] of attempts) {
    const { status, json } = await post(command, args);
    expect([status, json().error], command).toEqual([409, expect.stringContaining('--allow-shell')]);
  }
  for (const [command, args] of attempts)
    expect((await post(command, args, shellKey)).status, command).toBe(200);
  expect((await post('channel delete', { channel: 'hook' })).status).toBe(409);
  expect((await post('channel delete', { channel: 'hook' }, shellKey)).status).toBe(200);
  await admin('admin-key revoke', { key: 'more' });
});

test('every change is logged with its key, what was refused too, and no value', async () => {
  logged.length = 0;
  await post('channel create', hook);
  await post('channel edit', { channel: 'hook', value: 'nowhere' });
  await post('channel list', { project: 'default' });
  await post('channel delete', { channel: 'hook' });
  const entries = logged.filter((one) => one?.key === 'ci');
  expect(entries).toEqual([
    { key: 'ci', command: 'channel create', of_project: 'default', of_name: 'hook', of_kind: 'webhook' },
    { key: 'ci', command: 'channel edit', of_channel: 'hook', error: 'usage' },
    { key: 'ci', command: 'channel delete', of_channel: 'hook' },
  ]);
});

test('a change by GET, an unknown command and a body that is none are refused', async () => {
  const get = await knell.api('GET', '/api/admin/project/create?name=x', undefined, key);
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await post('project exchange')).status).toBe(404);
  expect((await post('constructor')).status).toBe(404);
  expect((await knell.api('GET', '/api/admin/', undefined, key)).status).toBe(404);
  const preflight = await knell.request('/api/admin/project/list', { method: 'OPTIONS' });
  expect(preflight.status).toBe(401);
  const send = (body: string) =>
    knell.request('/api/admin/project/list', { method: 'POST', body, headers: { 'X-Api-Key': key } });
  expect((await send('[1]')).status).toBe(400);
  expect((await send('{')).status).toBe(400);
  expect((await send(`{"a":"${'x'.repeat(1_000_000)}"}`)).status).toBe(413);
  expect(Object.keys(ownerCommands).filter(onlyReads)).toContain('channel list');
});

test('a client that asks too often waits', async () => {
  const limited = await Knell.start({ env: { KNELL_API_RATE_LIMIT: '1' } });
  try {
    const statuses = [];
    for (let n = 0; n < 11; n++) statuses.push((await limited.request('/api/admin/project/list')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  } finally {
    await limited.stop();
  }
});
