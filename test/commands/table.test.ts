/** The owner's commands have the same limits through both of their callers, the admin socket and the page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerCommands } from '../../src/commands/table.ts';
import { asProjectId } from '../../src/lib/ids.ts';
import { Knell } from '../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let editor: PageClient;
let projects: { id: string; name: string }[];

type Args = Readonly<Record<string, unknown>>;

const admin = (command: string, args: Args = {}): Promise<unknown> =>
  knell.app.admin({ command, args }, () => {});

/** The code of the refusal, and its words. */
const refusalOf = (command: string, args: Args): Promise<unknown> =>
  admin(command, args).then(
    () => 'accepted',
    ({ code, message }) => [code, message],
  );

const hook = { kind: 'webhook', name: 'hook', value: '{"url_down":"http://127.0.0.1:9/"}' };

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  await admin('project create', { name: 'other' });
  projects = (await owner.get('/web/state')).json().projects;
  const { link } = (await owner.post('/web/users', { name: 'grace', role: 'editor' })).json();
  editor = new PageClient(knell);
  await editor.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await editor.get('/web/state');
});

afterAll(() => knell.stop());

const projectNamed = (name: string): string => projects.find((one) => one.name === name)?.id ?? '';
const within = (name: string, path: string): string => `/web/in/${projectNamed(name)}/${path}`;

describe('both callers refuse', () => {
  test.each([
    ['project create', '/web/projects', { plan: 'gold', name: 'x' }],
    ['project create', '/web/projects', { name: 7 }],
    ['project create', '/web/projects', { name: ' ' }],
    ['project rename', 'rename', { name: 'other' }],
    ['key create', 'keys', { scope: 'all' }],
    ['key create', 'keys', { scope: 'ping', name: 'n'.repeat(101) }],
    ['status-page create', 'status-pages', { slug: 'Not One', title: 'x' }],
    ['maintenance create', 'maintenance', { name: 'x' }],
    ['maintenance create', 'maintenance', { name: 'x', duration: '9d' }],
    ['maintenance create', 'maintenance', { name: 'x', schedule: 'nightly', duration: '1h' }],
    ['maintenance create', 'maintenance', { name: 'x', duration: '1h', checks: ['nightly'] }],
    ['channel create', 'channels', { ...hook, kind: 'pigeon' }],
    ['channel create', 'channels', { ...hook, name: 'n'.repeat(101) }],
    ['channel create', 'channels', { ...hook, value: 'nowhere' }],
    ['channel create', 'channels', { ...hook, delayS: 31 * 86_400 + 1 }],
    ['channel create', 'channels', { ...hook, delayS: 1.5 }],
    ['channel create', 'channels', { ...hook, repeatS: 59 }],
    ['channel create', 'channels', { ...hook, late: 'yes' }],
    ['channel create', 'channels', { ...hook, checks: 'some' }],
    ['channel create', 'channels', { ...hook, checks: [7] }],
    ['channel create', 'channels', { ...hook, checks: ['00000000-0000-4000-8000-000000000000'] }],
  ])('%s at %s with %j in the same words', async (command, path, args) => {
    const address = path.startsWith('/') ? path : within('default', path);
    const { status, json } = await owner.post(address, args);
    const codes: Readonly<Record<number, string>> = { 400: 'usage', 409: 'conflict' };
    expect(await refusalOf(command, { project: 'default', ...args })).toEqual([codes[status], json().error]);
  });
});

test('a new integration is used for all checks of its project, for none, or for those that are named', async () => {
  const uuids = [];
  for (const name of ['a', 'b']) uuids.push((await knell.create({ name, channels: '' })).uuid);
  const assigned = async (id: string) => {
    const { checks } = (await knell.api('GET', '/api/v3/checks/')).json();
    return checks.filter((one: { channels: string }) => one.channels.split(',').includes(id)).length;
  };
  const cases = [
    [{}, 2],
    [{ checks: 'all' }, 2],
    [{ checks: 'none' }, 0],
    [{ checks: uuids.slice(0, 1) }, 1],
  ] as const;
  for (const [args, count] of cases) {
    const byPage = (await editor.post(within('default', 'channels'), { ...hook, ...args })).json();
    const bySocket = (await admin('channel create', {
      project: 'default',
      ...hook,
      ...args,
    })) as typeof byPage;
    for (const { id, checks } of [byPage, bySocket]) {
      expect(checks).toBe(count);
      expect(await assigned(id)).toBe(count);
      await admin('channel delete', { channel: id });
    }
  }
  const elsewhere = await admin('channel create', { project: 'other', ...hook });
  expect(elsewhere).toMatchObject({ checks: 0 });
  expect(await refusalOf('channel create', { project: 'other', ...hook, checks: uuids })).toEqual([
    'usage',
    'checks must be all, none, or a list of UUIDs of checks of this project',
  ]);
  await admin('channel delete', { channel: (elsewhere as { id: string }).id });
  for (const uuid of uuids) await knell.api('DELETE', `/api/v3/checks/${uuid}`);
});

test('both callers accept the same times and switches', async () => {
  const settings = { delayS: 31 * 86_400, repeatS: 60, late: true, disabled: true };
  const { id } = (await owner.post(within('default', 'channels'), { ...hook, ...settings })).json();
  const other = (await admin('channel create', { project: 'default', ...hook, ...settings })) as {
    id: string;
  };
  const kept = (channel: string) =>
    knell.app.engine.read.channels(asProjectId(projectNamed('default'))).find((one) => one.id === channel)
      ?.settings;
  expect(kept(id)).toMatchObject(settings);
  expect(kept(other.id)).toEqual(kept(id));
  for (const channel of [id, other.id]) await admin('channel delete', { channel });
});

test('the page reaches integrations and keys only in the project of its address', async () => {
  const { id } = (await admin('channel create', { project: 'other', ...hook })) as { id: string };
  const key = (await admin('key create', { project: 'other', scope: 'ping' })) as { id: string };
  const statuses = async (project: string) => [
    (await owner.post(within(project, `channels/${id}`), { name: 'new' })).status,
    (await owner.send('DELETE', within(project, `channels/${id}`))).status,
    (await owner.send('DELETE', within(project, `keys/${key.id}`))).status,
  ];
  expect(await statuses('default')).toEqual([404, 404, 404]);
  const named = { project: 'other', channel: id, name: 'new' };
  expect((await owner.post(within('default', `channels/${id}`), named)).status).toBe(404);
  expect((await owner.post(within('default', 'channels/none'), named)).status).toBe(404);
  expect(await statuses('other')).toEqual([200, 200, 200]);
});

test('the page finds integrations by id only, the socket by name too, if one alone has it', async () => {
  await admin('channel create', { project: 'default', ...hook, name: 'bell' });
  expect((await owner.post(within('default', 'channels/bell'), { name: 'new' })).status).toBe(404);
  expect(await admin('channel edit', { channel: 'bell', name: 'gong' })).toMatchObject({ name: 'gong' });
  await admin('channel create', { project: 'other', ...hook, name: 'gong' });
  expect(await refusalOf('channel delete', { channel: 'gong' })).toEqual([
    'conflict',
    expect.stringContaining('gong'),
  ]);
});

test('what is wrong in itself is said before what it names is looked up', async () => {
  const wrong = [
    ['project rename', { project: 'nowhere' }, 'usage', 'name is missing'],
    ['project rename', { project: 'nowhere', name: 7 }, 'usage', 'name must be text'],
    ['project rename', { name: 'x' }, 'usage', 'project is missing'],
    ['key create', { project: 'nowhere', scope: 'all' }, 'usage', /^scope must be one of read-write, /],
    ['key create', { project: 'nowhere', scope: 'ping' }, 'not-found', /^no project is named "nowhere"/],
    ['key rename', { id: 'nowhere' }, 'usage', 'name is missing'],
    ['admin-key create', { name: 'x', shell: 'yes' }, 'usage', 'shell must be true or false'],
    ['user reset-totp', {}, 'usage', 'user is missing'],
    ['user role', { user: 'nobody', role: 'default' }, 'usage', /^role must be one of owner, .*none$/],
    ['audit list', { since: '2026-02-30' }, 'usage', /^since must be a time such as /],
    ['config show', { after: 'x' }, 'usage', 'after must be a number'],
    ['config apply', { steps: [7] }, 'usage', 'steps must be a list of at most 100 objects'],
    ['report show', { frequency: 'hourly' }, 'usage', /^frequency must be one of daily, weekly, monthly$/],
    ['check move', { check: 'none', project: 'other', channels: 'some' }, 'usage', /one of all, none$/],
  ] as const;
  for (const [command, args, code, said] of wrong)
    expect(await refusalOf(command, args), command).toEqual([
      code,
      typeof said === 'string' ? said : expect.stringMatching(said),
    ]);
});

test('only owners set up integrations that run commands', async () => {
  const shell = { kind: 'shell', name: 'sh', value: '{"cmd_down":"true"}' };
  const channels = within('default', 'channels');
  expect((await editor.post(channels, shell)).status).toBe(409);
  const { id } = (await owner.post(channels, shell)).json();
  expect((await editor.post(`${channels}/${id}`, { name: 'x' })).status).toBe(409);
  expect((await editor.send('DELETE', `${channels}/${id}`)).status).toBe(409);
  expect((await owner.send('DELETE', `${channels}/${id}`)).status).toBe(200);
});

test('what the role of a command forbids, the page refuses', async () => {
  expect((await editor.post('/web/projects', { name: 'mine' })).status).toBe(403);
  expect((await editor.post(within('default', 'keys'), { scope: 'ping' })).status).toBe(403);
  expect((await editor.post(within('default', 'channels'), hook)).status).toBe(201);
});

test('a command that is in the table is there for the socket; another one is a wrong call', async () => {
  for (const command of Object.keys(ownerCommands)) {
    const [code, message] = (await refusalOf(command, { file: '/nowhere/x', plan: 'none' })) as string[];
    expect(`${code} ${message}`).not.toContain('does not know the command');
  }
  expect(await refusalOf('project exchange', {})).toEqual([
    'usage',
    expect.stringContaining('does not know the command project exchange'),
  ]);
});
