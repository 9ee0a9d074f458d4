/** Who gets in by the page's endpoints, and who does not. */
import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { Knell } from '../../support/knell.ts';
import {
  goodPassword,
  linkIn,
  listener,
  ownerPage,
  PageClient,
  projectIn,
  upgrade,
} from '../../support/page/page-client.ts';

const running: Knell[] = [];

async function start(env: Readonly<Record<string, string>> = {}): Promise<Knell> {
  const knell = await Knell.start({ env });
  running.push(knell);
  return knell;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((knell) => knell.stop()));
});

describe('the set-up link', () => {
  test('sets the first password, signs in, and is then used up', async () => {
    const knell = await start();
    const page = new PageClient(knell);
    expect((await page.get('/web/state')).json()).toMatchObject({ user: null, fresh: true, projects: [] });
    const link = linkIn(knell.app.setUpUrl);
    const asked = { link, name: 'ada', password: goodPassword };
    expect((await page.post('/web/set-password', { ...asked, password: 'short' })).status).toBe(400);
    expect((await page.post('/web/set-password', { ...asked, link: `${link}x` })).status).toBe(410);
    const done = await page.post('/web/set-password', asked);
    expect(done.status).toBe(200);
    expect(done.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/);
    expect((await page.get('/web/state')).json()).toMatchObject({
      user: { name: 'ada', role: 'owner' },
      fresh: false,
      projects: [{ name: 'default' }],
    });
    expect((await page.post('/web/set-password', asked)).status).toBe(410);
  });

  test('is offered again after a restart, until it is used; a session outlives one', async () => {
    const knell = await start();
    const before = linkIn(knell.app.setUpUrl);
    await knell.restart();
    expect(linkIn(knell.app.setUpUrl)).toBe(before);
    const page = await ownerPage(knell);
    await knell.restart();
    expect(knell.app.setUpUrl).toBeNull();
    expect((await page.get('/web/state')).json().user.name).toBe('ada');
  });
});

describe('signing in', () => {
  test('wants the right password, in any case of the name; signing out ends the session for good', async () => {
    const knell = await start();
    await ownerPage(knell);
    const page = new PageClient(knell);
    expect((await page.signIn('ada', 'wrong horse battery')).status).toBe(401);
    expect((await page.signIn('nobody')).status).toBe(401);
    expect((await page.signIn('ADA')).status).toBe(200);
    const stolen = page.cookie;
    expect((await page.post('/web/sign-out')).status).toBe(200);
    page.cookie = stolen;
    expect((await page.get('/web/state')).json().user).toBeNull();
  });

  test('is throttled per pair of account and address, and per address over many accounts', async () => {
    // On a clock that does not move no try comes back.
    const knell = await Knell.start({ clock: new SimulatedClock(Date.UTC(2026, 0)) });
    running.push(knell);
    await ownerPage(knell);
    const from = (address: string): PageClient => new PageClient(knell, { 'x-forwarded-for': address });
    const pair: number[] = [];
    for (let n = 0; n < 12; n++) pair.push((await from('192.0.2.1').signIn('ada', 'x')).status);
    expect(pair).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await from('192.0.2.1').signIn('ada')).status).toBe(429);
    expect((await from('192.0.2.2').signIn('ada')).status).toBe(200);
    const addresses = await Promise.all(
      Array.from({ length: 24 }, (_, n) => from('198.51.100.1').post('/web/link', { link: `${n}` })),
    );
    expect(addresses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect(addresses.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('behind TLS sets a cookie for TLS alone', async () => {
    const knell = await start();
    await ownerPage(knell);
    const page = new PageClient(knell, { 'x-forwarded-proto': 'https' });
    expect((await page.signIn('ada')).headers.get('set-cookie')).toMatch(/; Secure$/);
  });
});

describe('a change', () => {
  test('is refused without the token, as a form, and to those who are not signed in', async () => {
    const knell = await start();
    const page = await ownerPage(knell);
    const path = `/web/in/${await projectIn(page)}/api/checks/`;
    expect((await page.send('POST', path, {}, { 'x-knell-csrf': 'other' })).status).toBe(403);
    expect((await page.send('POST', path, {}, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await new PageClient(knell).post(path)).status).toBe(401);
    expect((await page.post(path, { name: 'a' })).status).toBe(201);
  });

  test('is allowed by role: owner, editor, viewer', async () => {
    const knell = await start();
    const owner = await ownerPage(knell);
    const project = await projectIn(owner);
    const invite = async (role: string): Promise<PageClient> => {
      const made = (await owner.post('/web/users', { name: role, role })).json();
      const page = new PageClient(knell);
      await page.post('/web/set-password', { link: linkIn(made.link), password: goodPassword });
      await page.get('/web/state');
      return page;
    };
    const create = (page: PageClient) => page.post(`/web/in/${project}/api/checks/`, { name: 'x' });
    const look = (page: PageClient) => page.get(`/web/in/${project}/rows`);
    const makeKey = (page: PageClient) => page.post(`/web/in/${project}/keys`, { scope: 'read-only' });
    const editor = await invite('editor');
    const viewer = await invite('viewer');
    const statuses = async (ask: (page: PageClient) => ReturnType<typeof look>) =>
      Promise.all([owner, editor, viewer].map(async (page) => (await ask(page)).status));
    expect(await statuses(look)).toEqual([200, 200, 200]);
    expect(await statuses(create)).toEqual([201, 201, 403]);
    expect(await statuses(makeKey)).toEqual([201, 403, 403]);
    const rename = (page: PageClient) => page.post(`/web/in/${project}/rename`, { name: 'default' });
    const remove = (page: PageClient) => page.post(`/web/in/${project}/delete`, { name: 'default' });
    expect(await statuses(rename)).toEqual([200, 403, 403]);
    expect(await statuses(remove)).toEqual([409, 403, 403]);
    expect((await owner.get(`/web/in/${project}/settings`)).json().members).toHaveLength(3);
    expect((await viewer.get(`/web/in/${project}/settings`)).json().members).toEqual([]);
    const { id } = (await owner.get('/web/state')).json().user;
    expect((await owner.send('DELETE', `/web/users/${id}`)).status).toBe(409);
  });
});

test('the settings say to owners how old the latest snapshot is, and why there is no newer one', async () => {
  const clock = new SimulatedClock(Date.now());
  const knell = await Knell.start({ clock, env: { KNELL_SNAPSHOTS: '1d:7' } });
  running.push(knell);
  const owner = await ownerPage(knell);
  const shown = async () => (await owner.get('/web/server-settings')).json().snapshots;
  const plan = { everyS: 86_400, kept: 7 };
  expect(await shown()).toEqual({ plan, latest: null, failure: null });

  const atMs = clock.nowMs() + 60_000;
  await clock.advance(60_000);
  await expect.poll(shown).toMatchObject({ latest: { bytes: expect.any(Number) } });
  const { latest } = await shown();
  expect(latest).toMatchObject({ name: expect.stringMatching(/^knell-/), atMs: atMs - (atMs % 1000) });

  const folder = join(knell.dataDir, 'snapshots');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  const looked = async () => {
    await clock.advance(3_600_000);
    return shown();
  };
  await expect.poll(looked).toMatchObject({
    plan,
    latest: null,
    failure: { message: expect.stringContaining('is a directory that Knell may write to') },
  });

  const made = (await owner.post('/web/users', { name: 'vera', role: 'editor' })).json();
  const editor = new PageClient(knell);
  await editor.post('/web/set-password', { link: linkIn(made.link), password: goodPassword });
  expect((await editor.get('/web/server-settings')).status).toBe(403);
});

test('the settings say so where Knell writes no snapshots by itself', async () => {
  const owner = await ownerPage(await start());
  const settings = (await owner.get('/web/server-settings')).json();
  expect(settings.snapshots).toEqual({ plan: null, latest: null, failure: null });
});

describe('a reset', () => {
  test('prints a link that sets a new password once and signs out everywhere', async () => {
    const knell = await start();
    const page = await ownerPage(knell);
    const { link } = await reset(knell);
    const other = new PageClient(knell);
    const asked = { link: linkIn(link), password: 'another good password' };
    expect((await other.post('/web/set-password', asked)).status).toBe(200);
    expect((await other.post('/web/set-password', asked)).status).toBe(410);
    expect((await page.get('/web/state')).json().user).toBeNull();
    expect((await page.signIn('ada', 'another good password')).status).toBe(200);
    await expect(reset(knell, 'nobody')).rejects.toThrow('no user is named nobody; users: ada');
  });
});

test('a reset without a name is of the only owner, and names those to choose from where there are several', async () => {
  const knell = await start();
  const page = await ownerPage(knell);
  await page.post('/web/users', { name: 'bob', role: 'editor' });
  expect(await reset(knell)).toMatchObject({ user: 'ada' });
  await page.post('/web/users', { name: 'grace', role: 'owner' });
  await expect(reset(knell)).rejects.toThrow('there are 2 owners: name one of ada, grace');
});

async function reset(knell: Knell, user?: string): Promise<{ link: string }> {
  const made = await knell.app.admin({ command: 'password reset', args: { user } }, () => {});
  return made as { link: string };
}

describe('a proxy that signs in', () => {
  test('is believed when it is trusted, and its first user is the owner', async () => {
    const knell = await start({ KNELL_AUTH_PROXY_HEADER: 'Remote-User' });
    const state = async (name: string) =>
      (await new PageClient(knell, { 'remote-user': name }).get('/web/state')).json();
    expect((await state('ada')).user).toMatchObject({ name: 'ada', role: 'owner' });
    expect((await state('bob')).user).toMatchObject({ name: 'bob', role: 'viewer' });
    expect((await state('')).user).toBeNull();
  });

  test('is not believed otherwise', async () => {
    const strange = { KNELL_AUTH_PROXY_HEADER: 'Remote-User', KNELL_TRUST_PROXY: '192.0.2.1' };
    for (const env of [strange, {}]) {
      const knell = await start(env);
      const page = new PageClient(knell, { 'remote-user': 'ada' });
      expect((await page.get('/web/state')).json().user).toBeNull();
    }
  });

  test('spares nobody the token: a change without it, or with the one of another, is refused', async () => {
    const knell = await start({ KNELL_AUTH_PROXY_HEADER: 'Remote-User' });
    const ada = new PageClient(knell, { 'remote-user': 'ada' });
    const path = `/web/in/${await projectIn(ada)}/api/checks/`;
    const bob = new PageClient(knell, { 'remote-user': 'bob' });
    await bob.get('/web/state');
    const statusWith = async (token: string) =>
      (await ada.send('POST', path, { name: 'a' }, { 'x-knell-csrf': token })).status;
    expect(bob.csrf).not.toBe(ada.csrf);
    expect([await statusWith(''), await statusWith('other'), await statusWith(bob.csrf)]).toEqual([
      403, 403, 403,
    ]);
    // Nor by a cookie instead of the header, nor as a form, which any page may send.
    const headers = { 'remote-user': 'ada', cookie: `csrf=${ada.csrf}`, 'content-type': 'application/json' };
    const without = await knell.request(path, { method: 'POST', headers, body: '{"name":"a"}' });
    const asForm = await ada.send('POST', path, { name: 'a' }, { 'content-type': 'text/plain' });
    expect([without.status, asForm.status]).toEqual([403, 415]);
    const listed = await knell.api('GET', '/api/v3/checks/');
    expect(listed.json().checks).toEqual([]);
    expect(await statusWith(ada.csrf)).toBe(201);
  });

  test('spares the token for no kind of change', async () => {
    const knell = await start({ KNELL_AUTH_PROXY_HEADER: 'Remote-User' });
    const ada = new PageClient(knell, { 'remote-user': 'ada' });
    const project = await projectIn(ada);
    const { id } = (await ada.post(`/web/in/${project}/keys`, { scope: 'read-only' })).json();
    for (const [method, path] of [
      ['POST', '/web/projects'],
      ['POST', '/web/users'],
      ['POST', `/web/in/${project}/rename`],
      ['POST', `/web/in/${project}/delete`],
      ['POST', `/web/in/${project}/channels`],
      ['POST', `/web/in/${project}/keys`],
      ['DELETE', `/web/in/${project}/keys/${id}`],
    ] as const) {
      const body = method === 'POST' ? { name: 'default', scope: 'ping' } : undefined;
      const answer = await ada.send(method, path, body, { 'x-knell-csrf': 'other' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await ada.get(`/web/in/${project}/settings`)).json().keys).toHaveLength(4);
  });
});

describe('an integration', () => {
  test('is made and changed by the fields of its form; what is wrong is said of its field', async () => {
    const knell = await start();
    const page = await ownerPage(knell);
    const project = await projectIn(page);
    const channels = `/web/in/${project}/channels`;
    const shown = async (by = page) => (await by.get(`/web/in/${project}/settings`)).json().channels[0];
    const refused = await page.post(channels, { kind: 'email', name: '', fields: { value: 'nobody' } });
    expect([refused.status, refused.json()]).toEqual([
      400,
      { field: 'value', error: 'Enter a valid email address.' },
    ]);
    const fields = {
      topic: 'top-secret',
      url: ' https://ntfy.sh ',
      token: 'tk_secret',
      priority: '5',
      priority_up: '3',
    };
    const { id } = (await page.post(channels, { kind: 'ntfy', name: 'phone', fields })).json();
    const open = { url: 'https://ntfy.sh', priority: '5', priority_up: '3' };
    expect(await shown()).toMatchObject({ fields: open, kept: { topic: '', token: '' } });
    const value = () => JSON.parse(knell.app.engine.read.channel(id)?.value ?? '');
    const edited = await page.post(`${channels}/${id}`, {
      fields: { ...open, topic: '', token: '', priority: '1' },
      clear: ['token'],
    });
    expect(edited.json()).toMatchObject({ fields: { priority: '1' }, kept: { topic: '' } });
    expect(value()).toEqual({ topic: 'top-secret', url: 'https://ntfy.sh', priority: 1, priority_up: 3 });
    const wrong = await page.post(`${channels}/${id}`, { fields: { url: 'nowhere' } });
    expect([wrong.status, wrong.json().field]).toEqual([400, 'url']);
    expect((await page.post(`${channels}/${id}`, { fields: { topic: {} }, name: 'x' })).status).toBe(200);
    expect(value()).toMatchObject({ topic: 'top-secret' });
    const made = (await page.post('/web/users', { name: 'grace', role: 'viewer' })).json();
    const viewer = new PageClient(knell);
    await viewer.post('/web/set-password', { link: linkIn(made.link), password: goodPassword });
    expect(await shown(viewer)).toMatchObject({ name: 'x', kept: {} });
    expect(Object.values((await shown(viewer)).fields).join('')).toBe('');
  });

  test('is made, changed, tested and deleted, and never shows its value', async () => {
    const knell = await start();
    const page = await ownerPage(knell);
    const channels = `/web/in/${await projectIn(page)}/channels`;
    const value = JSON.stringify({ url_down: 'http://127.0.0.1:9/secret' });
    const { id } = (await page.post(channels, { kind: 'webhook', name: 'bell', value })).json();
    const edited = await page.post(`${channels}/${id}`, { name: 'gong', delayS: 300, late: true });
    expect(edited.json()).toMatchObject({ name: 'gong', delayS: 300, late: true, disabled: false });
    expect((await page.post(`${channels}/${id}`, { repeatS: 5 })).status).toBe(400);
    expect((await page.post(`${channels}/${id}/test`)).json()).toMatchObject({ ok: false });
    const settings = await page.get(channels.replace('channels', 'settings'));
    expect(settings.text).toContain('gong');
    expect(settings.text).not.toContain('secret');
    expect((await page.send('DELETE', `${channels}/${id}`)).status).toBe(200);
    expect((await page.post(`${channels}/${id}/test`)).status).toBe(404);
  });
});

describe('the outbox', () => {
  test('is shown within its project, tried again and discarded by those who may edit', async () => {
    const knell = await start();
    const owner = await ownerPage(knell);
    const project = await projectIn(owner);
    const { id: other } = (await owner.post('/web/projects', { name: 'other' })).json();
    const hook = { kind: 'webhook', name: 'Hook', fields: { url_down: 'http://127.0.0.1:9/secret' } };
    const { id: channels } = (await owner.post(`/web/in/${project}/channels`, hook)).json();
    const { uuid } = await knell.create({ name: 'job', channels });
    await knell.request(`/ping/${uuid}/fail`);
    const outbox = async (of: string) => (await owner.get(`/web/in/${of}/outbox`)).json();
    await expect
      .poll(() => outbox(project))
      .toMatchObject({
        total: 1,
        deliveries: [{ state: 'dead', event: 'down', checkId: uuid, channel: 'Hook' }],
      });
    expect(JSON.stringify(await outbox(project))).not.toContain('secret');
    expect(await outbox(other)).toEqual({ total: 0, deliveries: [] });
    const [{ id }] = (await outbox(project)).deliveries;
    expect((await owner.post(`/web/in/${other}/outbox/${id}/retry`)).status).toBe(404);
    expect((await owner.send('DELETE', `/web/in/${other}/outbox/${id}`)).status).toBe(404);
    const made = (await owner.post('/web/users', { name: 'viewer', role: 'viewer' })).json();
    const viewer = new PageClient(knell);
    await viewer.post('/web/set-password', { link: linkIn(made.link), password: goodPassword });
    await viewer.get('/web/state');
    expect((await viewer.get(`/web/in/${project}/outbox`)).json().total).toBe(1);
    expect((await viewer.send('DELETE', `/web/in/${project}/outbox/${id}`)).status).toBe(403);
    expect((await owner.post(`/web/in/${project}/outbox/${id}/retry`)).status).toBe(200);
    await expect.poll(async () => (await outbox(project)).deliveries[0].state).toBe('dead');
    expect((await owner.send('DELETE', `/web/in/${project}/outbox/${id}`)).status).toBe(200);
    expect(await outbox(project)).toEqual({ total: 0, deliveries: [] });
    expect((await owner.send('DELETE', `/web/in/${project}/outbox/${id}`)).status).toBe(404);
  });
});

describe('live updates', () => {
  test('go to those who are signed in and have the token, and publish what is durable', async () => {
    const knell = await start();
    const page = await ownerPage(knell);
    const project = await projectIn(page);
    let created: Promise<unknown> = Promise.resolve();
    const received = (csrf: string) =>
      firstUpdate(`${knell.app.httpUrl}/web/live?project=${project}&csrf=${csrf}`, page.cookie, () => {
        created = page.post(`/web/in/${project}/api/checks/`, { name: 'live' });
      });
    expect(await received('wrong')).toBe('refused');
    const updates = JSON.parse(await received(page.csrf));
    expect(updates).toMatchObject({ summary: { all: 1, counts: { new: 1 } } });
    await created;
  });
});

describe('live updates end', () => {
  test('with the session, the password and the user, and only with theirs', async () => {
    const knell = await start();
    const owner = await ownerPage(knell);
    const listen = (page: PageClient) => listener(knell, page);
    const stays = await listen(owner);
    const second = new PageClient(knell);
    await second.signIn('ada');
    const secondListener = await listen(second);
    await second.post('/web/sign-out');
    await secondListener.closed;
    const { id, link } = (await owner.post('/web/users', { name: 'grace', role: 'viewer' })).json();
    const grace = new PageClient(knell);
    await grace.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await grace.get('/web/state');
    const graceListener = await listen(grace);
    const reset = (await owner.post(`/web/users/${id}`, { link: true })).json();
    await grace.post('/web/set-password', { link: linkIn(reset.link), password: 'another good password' });
    await graceListener.closed;
    await grace.get('/web/state');
    const graceAgain = await listen(grace);
    await owner.send('DELETE', `/web/users/${id}`);
    await graceAgain.closed;
    expect(stays.isOpen()).toBe(true);
  });
});

/** The first text that a WebSocket receives after `opened`; `refused` when it is not let in. */
function firstUpdate(url: string, cookie: string, opened: () => void): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(url, {
      headers: { cookie, ...upgrade },
    });
    asked.once('response', () => resolve('refused'));
    asked.once('upgrade', (_response, socket) => {
      // One unmasked frame of 126 to 65,535 bytes: two bytes of head, two of length.
      socket.once('data', (frame: Buffer) => {
        resolve(frame.subarray(4).toString());
        socket.destroy();
      });
      opened();
    });
    asked.end();
  });
}
