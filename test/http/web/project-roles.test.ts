import { once } from 'node:events';
/**
 * Roles per project: what a member of one project learns of another by every call of the page, which is nothing; and what the
 * roles allow.
 */
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webRoutes } from '../../../src/http/web/web.ts';
import { asCheckId, uniqueKeyOf } from '../../../src/lib/ids.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { type Answer, type Json, Knell } from '../../support/knell.ts';
import { PageClient, upgrade } from '../../support/page/page-client.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const nowhere = '00000000-0000-4000-8000-000000000000';
/** In the name of everything of the other project. */
const marker = 'Zanzibar';

let knell: Knell;
let owner: PageClient;
let anna: PageClient;
/** Where anna is an editor, and where she is nothing. */
let own = '';
let other = '';
let uuid = '';
let ids: readonly string[] = [];

async function as(name: string): Promise<PageClient> {
  const page = new PageClient(knell, { 'remote-user': name });
  await page.get('/web/state');
  return page;
}

async function role(user: string, to: string, project?: string): Promise<void> {
  const args = { user, role: to, ...(project === undefined ? {} : { project }) };
  await knell.app.admin({ command: 'user role', args }, () => {});
}

/** A member that the proxy has signed in, with these roles. */
async function member(name: string, installation: string, roles: Readonly<Record<string, string>> = {}) {
  const page = await as(name);
  await role(name, installation);
  for (const [project, to] of Object.entries(roles)) await role(name, to, project);
  await page.get('/web/state');
  return page;
}

const hook = (name: string) => ({ kind: 'webhook', name, value: '{"url_down":"http://127.0.0.1:9/x"}' });

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_AUTH_PROXY_HEADER: 'Remote-User' } });
  owner = await as('ada');
  own = (await owner.get('/web/state')).json().projects[0].id;
  const made = (await owner.post('/web/projects', { name: marker })).json();
  other = made.id;
  const key: string = made.keys['read-write'];
  const created = await knell.api('POST', '/api/v3/checks/', { name: `${marker} job`, tags: marker }, key);
  uuid = created.json().uuid;
  await knell.request(`/ping/${uuid}`, { method: 'POST', body: marker });
  const channel = (await owner.post(`/web/in/${other}/channels`, hook(`${marker} hook`))).json();
  await knell.request(`/ping/${uuid}/fail`);
  const page = (
    await owner.post(`/web/in/${other}/status-pages`, {
      title: marker,
      slug: 'zanzibar',
      services: [{ name: 'One', checks: [uuid] }],
    })
  ).json();
  const { deliveries } = (await owner.get(`/web/in/${other}/outbox`)).json();
  const { keys, members } = (await owner.get(`/web/in/${other}/settings`)).json();
  const { incidents } = (await owner.get(`/web/in/${other}/api/incidents/`)).json();
  await knell.create({ name: 'Mine' });
  anna = await member('anna', 'none', { default: 'editor' });
  ids = [
    ...[uuid, uniqueKeyOf(asCheckId(uuid)), channel.id, page.id, incidents[0].id],
    ...[...deliveries, ...keys].map(({ id }: Json) => id),
    ...members.map(({ id }: Json) => id),
  ];
});

afterAll(() => knell?.stop());

const restsOfApi = (): readonly string[] => [
  'checks/',
  `checks/${uuid}`,
  ...['pause', 'resume', 'pings/', 'pings/1/body', 'flips/'].map((rest) => `checks/${uuid}/${rest}`),
  'channels/',
  'badges/',
];

/** The paths of a route, in that project, with everything of the other project in the places of the ids. */
function pathsOf(path: string, project: string): readonly string[] {
  let paths = [path.replace('<project>', project).replace('<notice>', '1').replace('<form>', 'jsonl')];
  if (path.includes('<rest>'))
    paths = paths.flatMap((one) => restsOfApi().map((rest) => one.replace('<rest>', rest)));
  if (path.includes('<id>')) paths = paths.flatMap((one) => ids.map((id) => one.replace('<id>', id)));
  return paths;
}

function ask(page: PageClient, method: string, path: string): Promise<Answer> {
  return method === 'GET' ? page.get(path) : page.send(method, path, method === 'POST' ? {} : undefined);
}

function expectNothingOf(answer: Answer): void {
  expect(answer.text).not.toContain(marker);
  expect(answer.text).not.toContain('zanzibar');
  for (const id of [other, uuid]) expect(answer.text).not.toContain(id);
}

const inProject = webRoutes.filter(({ path }) => path.includes('<project>'));
const outside = webRoutes.filter(({ path }) => !path.includes('<project>'));

describe('a member of one project, of another', () => {
  test.each(inProject.map(({ method, path }) => [method, path]))(
    'by %s %s learns as much as of one that does not exist',
    async (method, path) => {
      const missing = pathsOf(path, nowhere);
      for (const [at, there] of pathsOf(path, other).entries()) {
        const answer = await ask(anna, method, there);
        const unknown = await ask(anna, method, missing[at] ?? '');
        expect([there, answer.status, answer.text]).toEqual([there, 404, unknown.text]);
        expect(unknown.status).toBe(404);
      }
    },
  );

  test('while its owner is answered by every route that reads', async () => {
    for (const { path } of inProject.filter(({ method }) => method === 'GET')) {
      const statuses: number[] = [];
      for (const there of pathsOf(path, other)) statuses.push((await owner.get(there)).status);
      expect([path, statuses]).toEqual([path, expect.arrayContaining([200])]);
    }
  });

  test.each(outside.map(({ method, path }) => [method, path]))(
    'by %s %s learns nothing',
    async (method, path) => {
      for (const there of pathsOf(path, other)) {
        const answer = await ask(anna, method, there);
        expectNothingOf(answer);
        expect(answer.status).toBeLessThan(500);
      }
    },
  );

  test('nor by queries, by what it would move a check to, or by any address of the check', async () => {
    expect((await anna.get(`/web/overview?project=${other}&rows=1`)).status).toBe(404);
    expect((await anna.get('/web/overview?rows=1')).json().projects).toMatchObject([{ id: own }]);
    expect((await anna.get(`/web/in/${own}/rows?ids=${uuid}`)).json().rows).toEqual([]);
    const [mine] = (await anna.get(`/web/in/${own}/rows`)).json().rows;
    const moved = (project: string) =>
      anna.post(`/web/in/${own}/checks/${mine.id}/move`, { project, channels: 'none' });
    const [there, unknown] = [await moved(other), await moved(nowhere)];
    expect([there.status, there.text]).toEqual([404, unknown.text]);
    for (const id of [uuid, uniqueKeyOf(asCheckId(uuid))]) {
      for (const path of [`/project/${own}/checks/${id}`, `/cloaked/${id}`, `/checks/${id}/details/`])
        expect((await anna.get(path)).headers.get('location')).toBeNull();
    }
    expect((await owner.get(`/cloaked/${uniqueKeyOf(asCheckId(uuid))}`)).status).toBe(302);
  });

  test('nor by live updates', async () => {
    const statusFor = async (project: string): Promise<number> => {
      const url = `${knell.app.httpUrl}/web/live?project=${project}&csrf=${anna.csrf}`;
      const headers = { 'remote-user': 'anna', ...upgrade };
      return new Promise((resolve, reject) => {
        request(url, { headers })
          .on('response', ({ statusCode = 0 }) => resolve(statusCode))
          .on('upgrade', (_, socket) => {
            socket.destroy();
            resolve(101);
          })
          .on('error', reject)
          .end();
      });
    };
    expect(await statusFor(own)).toBe(101);
    const refused = await statusFor(other);
    expect(refused).toBe(await statusFor(nowhere));
    expect(refused).toBeGreaterThanOrEqual(400);
  });
});

test('an editor of the installation who is a viewer in a project sees no address to ping there, by no route', async () => {
  const gus = await member('gus', 'editor', { [marker]: 'viewer' });
  const { keys } = (await owner.get(`/web/in/${other}/settings`)).json();
  const pingKey: string = keys.find(({ scope }: Json) => scope === 'ping').clear;
  for (const { path } of inProject.filter(({ method }) => method === 'GET')) {
    for (const there of pathsOf(path, other)) {
      const { text } = await gus.get(there);
      expect([there, text.includes(uuid), text.includes(pingKey)]).toEqual([there, false, false]);
    }
  }
});

test('what an integration has sent for a check that is now in another project does not name it', async () => {
  const shown = async (page: PageClient): Promise<string> =>
    (await page.get(`/web/in/${own}/integrations`)).text;
  const { id } = (await owner.post(`/web/in/${own}/channels`, hook('Ours'))).json();
  const check = await knell.create({ name: `${marker} later`, channels: id });
  await knell.request(`/ping/${check.uuid}/fail`);
  await expect.poll(() => shown(anna), { timeout: 10_000 }).toContain(`${marker} later`);
  const moved = { project: other, channels: 'none' };
  expect((await owner.post(`/web/in/${own}/checks/${check.uuid}/move`, moved)).status).toBe(200);
  for (const there of ['integrations', 'outbox']) {
    const { text } = await anna.get(`/web/in/${own}/${there}`);
    expect([there, text.includes(marker), text.includes(check.uuid)]).toEqual([there, false, false]);
  }
  await knell.api('DELETE', `/api/v3/checks/${check.uuid}`);
});

describe('a role in a project', () => {
  const statesOf = async (page: PageClient): Promise<Json> =>
    (await page.get('/web/state')).json().projects.map((one: Json) => [one.name, one.role]);

  test('wins over the role of the installation, upwards and downwards, but for its owners', async () => {
    const bert = await member('bert', 'viewer', { default: 'editor' });
    expect(await statesOf(bert)).toEqual([
      ['default', 'editor'],
      [marker, 'viewer'],
    ]);
    const body = { name: 'By bert' };
    expect((await bert.post(`/web/in/${own}/api/checks/`, body)).status).toBe(201);
    expect((await bert.post(`/web/in/${other}/api/checks/`, body)).status).toBe(403);
    await role('bert', 'editor');
    await role('bert', 'none', 'default');
    expect(await statesOf(bert)).toEqual([[marker, 'editor']]);
    expect((await bert.get(`/web/in/${own}/list`)).status).toBe(404);
    await role('bert', 'owner');
    expect(await statesOf(bert)).toEqual([
      ['default', 'owner'],
      [marker, 'owner'],
    ]);
    await role('bert', 'viewer');
    await role('bert', 'default', 'default');
    expect(await statesOf(bert)).toEqual([
      ['default', 'viewer'],
      [marker, 'viewer'],
    ]);
  });

  test('that is taken away ends what is live, and what comes back is refused', async () => {
    const cleo = await member('cleo', 'none', { default: 'viewer' });
    const url = `${knell.app.httpUrl}/web/live?project=${own}&csrf=${cleo.csrf}`;
    const asked = request(url, { headers: { 'remote-user': 'cleo', ...upgrade } }).end();
    await new Promise<void>((resolve, reject) => {
      asked.on('upgrade', (_, socket) => {
        const closed = once(socket.resume(), 'close');
        Promise.all([closed, role('cleo', 'default', 'default')]).then(() => resolve(), reject);
      });
    });
    expect((await cleo.get(`/web/in/${own}/list`)).status).toBe(404);
    expect(await statesOf(cleo)).toEqual([]);
    expect((await cleo.get('/web/overview')).json().projects).toEqual([]);
    expect((await cleo.get('/web/account')).status).toBe(200);
  });

  test('is gone with its project, and kept through a restart and a snapshot', async () => {
    const { id } = (await owner.post('/web/projects', { name: 'short-lived' })).json();
    const dora = await member('dora', 'none', { default: 'viewer', 'short-lived': 'owner' });
    expect((await dora.post(`/web/in/${id}/delete`, { name: 'short-lived' })).status).toBe(200);
    expect(await statesOf(dora)).toEqual([['default', 'viewer']]);
    await role('dora', 'editor', 'default');
    const kept = knell.app.engine.read.users().find(({ name }) => name === 'dora');
    expect(kept?.projects).toEqual([{ projectId: own, role: 'editor' }]);
    await knell.restart();
    expect(await statesOf(dora)).toEqual([['default', 'editor']]);
    const written = (await knell.app.admin({ command: 'snapshot', args: {} }, () => {})) as Json;
    const target = join(tempDir(), 'restored');
    await restoreSnapshot(written.file, target, () => {});
    const restored = await Knell.start({ dataDir: target, env: { KNELL_AUTH_PROXY_HEADER: 'Remote-User' } });
    const there = new PageClient(restored, { 'remote-user': 'dora' });
    expect(await statesOf(there)).toEqual([['default', 'editor']]);
    await restored.stop();
    for (const page of [owner, anna]) await page.get('/web/state');
  });
});

describe('the owner of a project', () => {
  let emil: PageClient;
  const membersOf = async (page: PageClient, project: string): Promise<Json> =>
    (await page.get(`/web/in/${project}/settings`)).json().members;
  const idOf = (name: string): string =>
    knell.app.engine.read.users().find((user) => user.name === name)?.id ?? '';

  beforeAll(async () => {
    emil = await member('emil', 'none', { default: 'owner' });
    await member('stranger', 'none');
  });

  test('sees its members, and nobody else', async () => {
    const names = (await membersOf(emil, own)).map(({ name }: Json) => name);
    expect(names).toEqual(expect.arrayContaining(['ada', 'anna', 'emil']));
    expect(names).not.toContain('stranger');
    expect((await membersOf(owner, own)).map(({ name }: Json) => name)).toContain('stranger');
    expect(await membersOf(anna, own)).toEqual([]);
  });

  test('adds members, new ones with a link, and changes their roles in it', async () => {
    const path = `/web/in/${own}/members`;
    const added = await emil.post(path, { name: 'frida', role: 'viewer' });
    expect([added.status, added.json().link]).toEqual([201, expect.stringMatching(/^\/set-password#/)]);
    const known = await emil.post(path, { name: 'Stranger', role: 'editor' });
    expect([known.status, known.json()]).toEqual([200, { id: idOf('stranger'), link: null }]);
    expect((await emil.post(path, { name: 'frida', role: 'editor' })).status).toBe(409);
    expect((await emil.post(`${path}/${idOf('frida')}`, { role: 'editor' })).status).toBe(200);
    const frida = knell.app.engine.read.users().find(({ name }) => name === 'frida');
    expect([frida?.role, frida?.projects]).toEqual(['none', [{ projectId: own, role: 'editor' }]]);
    const log = (await owner.get(`/web/audit.jsonl?subject=member&project=${own}`)).text;
    expect(log).toContain('"changes":[{"field":"role in \\"default\\"","before":"viewer","after":"editor"}]');
    await emil.post(`${path}/${idOf('stranger')}`, { role: 'default' });
    expect((await membersOf(emil, own)).map(({ name }: Json) => name)).not.toContain('stranger');
  });

  test('grants no role of the installation, and gets no link of a member who is there', async () => {
    const path = `/web/in/${own}/members`;
    for (const installation of ['owner', 'viewer', 'none'])
      expect((await emil.post(path, { name: 'x', role: 'viewer', installation })).status).toBe(403);
    expect((await emil.post(`${path}/${idOf('ada')}`, { role: 'viewer' })).status).toBe(409);
    expect((await emil.post(`${path}/${idOf('bert')}`, { role: 'viewer', link: true })).json()).toEqual({});
    for (const [body, id] of [
      [{ role: 'owner' }, idOf('emil')],
      [{ link: true }, idOf('anna')],
      [{ resetTotp: true }, idOf('anna')],
    ] as const)
      expect((await emil.post(`/web/users/${id}`, body)).status).toBe(403);
    expect((await emil.post('/web/users', { name: 'y', role: 'viewer' })).status).toBe(403);
    expect((await emil.post('/web/projects', { name: 'z' })).status).toBe(403);
    expect((await emil.get('/web/audit')).status).toBe(403);
    expect((await emil.get('/web/server-settings')).status).toBe(403);
  });

  test('manages its keys, and sets up nothing that runs on the server', async () => {
    expect((await emil.post(`/web/in/${own}/keys`, { scope: 'ping' })).status).toBe(201);
    const shell = { kind: 'shell', name: 'sh', value: '{"cmd_down":"true"}' };
    expect((await emil.post(`/web/in/${own}/channels`, shell)).status).toBe(409);
    expect((await owner.post(`/web/in/${own}/channels`, shell)).status).toBe(201);
  });

  test('is no owner of another one', async () => {
    const path = `/web/in/${other}/members`;
    expect((await emil.post(path, { name: 'emil', role: 'owner' })).status).toBe(404);
    expect((await emil.post(`${path}/${idOf('emil')}`, { role: 'owner' })).status).toBe(404);
    expect((await anna.post(`/web/in/${own}/members`, { name: 'anna', role: 'owner' })).status).toBe(403);
  });
});

test('the command lists the roles, and refuses what makes no sense', async () => {
  const run = (args: Json): Promise<unknown> => knell.app.admin({ command: 'user role', args }, () => {});
  await expect(run({ user: 'anna', role: 'default' })).rejects.toThrow('role must be one of');
  await expect(run({ user: 'ada', role: 'viewer', project: 'default' })).rejects.toThrow(
    'owner of the installation',
  );
  await expect(run({ user: 'anna', role: 'viewer', project: 'nope' })).rejects.toThrow('no project is named');
  await expect(run({ user: 'nobody', role: 'viewer' })).rejects.toThrow('no user is named');
  await expect(run({ role: 'viewer' })).rejects.toThrow('user is missing');
  const users = (await knell.app.admin({ command: 'user list', args: {} }, () => {})) as Json;
  expect(users.find(({ name }: Json) => name === 'anna')).toMatchObject({
    role: 'none',
    projects: [{ project: 'default', role: 'editor' }],
  });
});
