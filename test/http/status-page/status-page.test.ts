/** Public status pages over a real socket: what readers get, what they never get, and what it costs. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hour, minute, second } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../support/page/page-client.ts';

/** Noon in Berlin. */
const startMs = Date.UTC(2026, 2, 10, 11);
const clock = new SimulatedClock(startMs);
const evil = '<img src=x onerror="evil()">&';
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

let knell: Knell;
let owner: PageClient;
let project = '';
let backup: Json;
let copy: Json;
let invoice: Json;
let made: Json;

const pages = (path = ''): string => `/web/in/${project}/status-pages${path}`;
const html = async (slug = 'northwind'): Promise<string> => (await knell.request(`/status/${slug}`)).text;
const feed = async (): Promise<string> => (await knell.request('/status/northwind/feed.rss')).text;
const edit = async (fields: Json): Promise<Json> => (await owner.post(pages(`/${made.id}`), fields)).json();
/** What was rendered before is out of date. */
const later = (ms = 5 * second): Promise<void> => clock.advance(ms);

beforeAll(async () => {
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const spec = { timeout: 24 * 3600, grace: 3600, channels: '*' };
  await owner.post(`/web/in/${project}/channels`, { kind: 'email', name: 'ops', value: 'ops@example.org' });
  backup = await knell.create({ ...spec, name: 'secret-host-1', slug: 'internal-backup' });
  copy = await knell.create({ ...spec, name: 'secret-host-2', tags: 'copies prod' });
  invoice = await knell.create({ ...spec, name: 'secret-host-3', tags: 'invoices' });
  for (const { uuid } of [backup, copy, invoice]) await knell.request(`/ping/${uuid}`);
  const { status, json } = await owner.post(pages(), {
    slug: 'northwind',
    title: 'Northwind status',
    timeZone: 'Europe/Berlin',
    services: [
      { name: 'Backups', checks: [backup.uuid, copy.uuid] },
      { name: `Invoicing ${evil}`, tag: 'invoices' },
    ],
  });
  expect(status).toBe(201);
  made = json();
});

afterAll(() => knell.stop());

describe('a status page', () => {
  test('says that all is up, with 90 days and no data before today', async () => {
    await later(hour);
    const text = await html();
    expect(text).toContain('All services are up');
    expect(text).toContain('2 of 2 services are up');
    expect(text.match(/<rect class="up" [^>]+><title>/g)).toHaveLength(2);
    expect(text.match(/<rect class="none" [^>]+><title>/g)).toHaveLength(2 * 89);
    expect(text).toContain('<title>Tue 10 Mar: up</title>');
    expect(text).toContain('<b>100.00 % up since 10 Mar</b>');
    expect(text).toContain('Updated 13:00:00<br>Europe/Berlin');
  });

  test('shows an outage while it lasts, and afterwards how long it was', async () => {
    await knell.request(`/ping/${copy.uuid}/fail`);
    await later(3 * hour + 9 * minute);
    const down = await html();
    expect(down).toContain('Some services are affected');
    expect(down).toContain('1 of 2 services is down');
    // It is said once, at its service: in the list of incidents it is when it is over.
    expect(down.match(/Down since 13:00, for 3 hours 9 minutes/g)).toHaveLength(1);
    expect(down).not.toContain('Backups: outage');
    expect(down).toContain('<title>Tue 10 Mar: down for 3 h');
    await knell.request(`/ping/${copy.uuid}`);
    await later();
    const up = await html();
    expect(up).toContain('All services are up');
    expect(up).toContain('Backups: outage');
    expect(up).toContain('Lasted 3 hours 9 minutes');
    expect(up).not.toContain('Down since');
  });

  test('shows two checks of a service that are down at once as one outage', async () => {
    await knell.request(`/ping/${backup.uuid}/fail`);
    await later(10 * minute);
    await knell.request(`/ping/${copy.uuid}/fail`);
    await later(10 * minute);
    await knell.request(`/ping/${backup.uuid}`);
    await later(10 * minute);
    const down = await html();
    expect(down).toContain(', for 30 minutes<');
    // Three hours and nine minutes before; two checks were down for twenty minutes each since.
    expect(down).toContain('<title>Tue 10 Mar: down for 3 hours 39 minutes</title>');
    await knell.request(`/ping/${copy.uuid}`);
    await later();
    const text = await html();
    expect(text.match(/Backups: outage/g)).toHaveLength(2);
    expect(text).toContain('Lasted 30 minutes');
  });

  test('shows what was written by hand beside the outage that it is about', async () => {
    await knell.request(`/ping/${invoice.uuid}/fail`);
    await later(minute);
    const notice = {
      title: `Invoices ${evil}`,
      stage: 'investigating',
      text: `${evil} https://example.org/?a=1&b=2"x javascript:alert(1)`,
      services: [made.services[1].id],
    };
    const { notices } = (await owner.post(pages(`/${made.id}/notices`), notice)).json();
    const open = await html();
    expect(open).toContain('<strong>Investigating</strong>');
    expect(open).toContain('<p class="affected">Affected: Invoicing ');
    const rel = 'rel="nofollow noopener noreferrer"';
    const address = 'https://example.org/?a=1&#38;b=2';
    expect(open).toContain(`<a href="${address}" ${rel}>${address}</a>&#34;x javascript:alert(1)</p>`);
    expect(open).not.toContain('Open for less than 1 minute</span></div><p class="updates">Since');
    expect(open).not.toMatch(/Invoicing [^<]*: outage/);
    await later(29 * minute);
    const path = pages(`/${made.id}/notices/${notices[0].id}`);
    await owner.post(path, { stage: 'identified', text: 'A disk was full.' });
    const next = await html();
    expect(next.indexOf('Identified')).toBeLessThan(next.indexOf('Investigating'));
    await knell.request(`/ping/${invoice.uuid}`);
    await later(minute);
    expect(await html()).toContain('An incident is open');
    await owner.post(path, { stage: 'resolved' });
    const resolved = await html();
    expect(resolved).toContain('All services are up');
    expect(resolved).toContain('Resolved after 30 minutes');
    expect(resolved.match(/Resolved after|Lasted/g)).toHaveLength(4);
    expect(resolved).toMatch(/Invoicing [^<]*: outage/);
  });

  test('has a feed whose items keep their guids', async () => {
    const guids = (text: string) =>
      [...text.matchAll(/<guid isPermaLink="false">([\w-]+)<\/guid>/g)].map(([, id]) => id);
    const before = await feed();
    const ids = guids(before);
    // Three outages with beginning and end, three updates.
    expect(ids).toHaveLength(9);
    expect(new Set(ids).size).toBe(9);
    expect(before).toContain('<link>http://knell.test/status/northwind</link>');
    await later(2 * minute);
    await knell.restart();
    expect(guids(await feed())).toEqual(ids);
    await knell.request(`/ping/${invoice.uuid}/fail`);
    await later();
    expect(guids(await feed()).slice(1)).toEqual(ids);
    await knell.request(`/ping/${invoice.uuid}`);
  });

  test('names nothing that is secret, and nothing that its owner did not write for it', async () => {
    await later();
    const { ping } = knell.keys;
    const { channels } = (await owner.get(`/web/in/${project}/settings`)).json();
    for (const text of [await html(), await feed()]) {
      expect(text).toContain('Backups');
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      for (const secret of [
        ...['secret-host', 'internal-backup', 'ops@example.org', 'copies', '/ping/', '/b/', '/badge/'],
        ...[ping, project, backup.unique_key, channels[0].id, made.id].filter(Boolean),
      ])
        expect(text).not.toContain(secret);
      expect(text).not.toContain('<img src=x');
      expect(text).toContain('&#60;img src=x');
    }
  });

  test('is the same after a restart, and gone after its deletion', async () => {
    await later(minute);
    const before = await html();
    await knell.restart();
    expect((await html()) === before).toBe(true);
    const { id } = (await owner.post(pages(), { slug: 'short-lived', title: 'x' })).json();
    expect((await knell.request('/status/short-lived')).status).toBe(200);
    await owner.send('DELETE', pages(`/${id}`));
    expect((await knell.request('/status/short-lived')).status).toBe(404);
    expect((await knell.request('/status/nothing')).status).toBe(404);
  });
});

describe('readers', () => {
  test('cost nothing more, however many they are', async () => {
    await later();
    const { read } = knell.app.engine;
    const spied = (['durably', 'check', 'checks', 'statistics', 'changes', 'lastChange'] as const).map(
      (name) => vi.spyOn(read, name),
    );
    const calls = (): number => spied.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    for (let round = 0; round < (isLong ? 20 : 4); round++)
      await Promise.all(Array.from({ length: 25 }, () => Promise.all([html(), feed()])));
    const once = calls();
    expect(once).toBeGreaterThan(0);
    expect(once).toBeLessThan(50);
    const unknown = await Promise.all(
      Array.from({ length: 100 }, (_, n) => knell.request(`/status/no-${n}`)),
    );
    expect(unknown.every(({ status }) => status === 404)).toBe(true);
    expect(calls()).toBe(once);
    // Statuses are looked at again after some seconds; days and incidents are not, unless a status has changed.
    const [, , , statistics] = spied;
    const readsOfDays = statistics?.mock.calls.length;
    await later();
    await html();
    expect(calls()).toBeGreaterThan(once);
    expect(statistics?.mock.calls.length).toBe(readsOfDays);
    await later(minute);
    await html();
    expect(statistics?.mock.calls.length).toBeGreaterThan(readsOfDays ?? 0);
    for (const spy of spied) spy.mockRestore();
  });

  test('get 304 for what they have, and gzip where they take it', async () => {
    const first = await knell.request('/status/northwind', { headers: { 'Accept-Encoding': 'identity' } });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-encoding')).toBeNull();
    expect(first.headers.get('cache-control')).toBe('public, max-age=5');
    const again = await knell.request('/status/northwind', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const zipped = await knell.request('/status/northwind', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.text).toBe(first.text);
    const head = await knell.request('/status/northwind', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await knell.request('/status/northwind', { method: 'POST' })).status).toBe(405);
  });

  test('see a change of the page at once', async () => {
    await edit({ title: 'Northwind' });
    expect(await html()).toContain('<h1>Northwind</h1>');
    await edit({ title: 'Northwind status' });
    expect(await html()).toContain('<h1>Northwind status</h1>');
  });

  test('see the logo, if it is a picture that can hold no script', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString(
      'base64',
    );
    expect(await edit({ logo: svg })).toEqual({
      field: 'logo',
      error: 'the logo must be a PNG or JPEG file',
    });
    expect((await knell.request('/status/northwind/logo')).status).toBe(404);
    const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(64_000)]).toString('base64');
    expect(await edit({ logo: large })).toMatchObject({ field: 'logo' });
    expect(await edit({ logo: png })).toMatchObject({ hasLogo: true });
    const logo = await knell.request('/status/northwind/logo');
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await html()).toContain('src="/status/northwind/logo"');
  });
});

describe('a page with a password', () => {
  const path = '/status/private';
  const password = 'correct horse battery';
  let id = '';
  const give = (given: string, from = '192.0.2.1') =>
    knell.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': from },
      body: new URLSearchParams({ password: given }).toString(),
    });
  const withPass = (cookie: string) => knell.request(path, { headers: { Cookie: cookie } });

  beforeAll(async () => {
    const service = { name: 'Backups', checks: [backup.uuid] };
    const answer = await owner.post(pages(), {
      slug: 'private',
      title: 'Hidden',
      password,
      logo: png,
      services: [service],
    });
    id = answer.json().id;
  });

  test('says nothing without it, not even what it is called', async () => {
    for (const [at, status] of [
      ['', 401],
      ['/feed.rss', 401],
      ['/feed.rss?key=wrong', 401],
      ['/logo', 401],
    ] as const) {
      const answer = await knell.request(path + at);
      expect([at, answer.status]).toEqual([at, status]);
      expect(answer.text).not.toMatch(/Hidden|Backups/);
    }
    const { notices: _, ...view } = (await owner.get(pages(`/${id}`))).json();
    expect(JSON.stringify(view)).not.toContain('scrypt');
  });

  test('opens with it, for this page and until it has another one', async () => {
    expect((await give('wrong password')).status).toBe(401);
    const entered = await give(password);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, path]);
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(entered.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax');
    const shown = await withPass(cookie);
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect(shown.text).toContain('Hidden');
    const [, key = ''] = /href="[^"]+\/feed\.rss\?key=([\w-]+)"/.exec(shown.text) ?? [];
    expect((await knell.request(`${path}/feed.rss?key=${key}`)).text).toContain('<rss');
    expect((await withPass(`${cookie}x`)).status).toBe(401);
    await owner.post(pages(`/${id}`), { password: 'another password' });
    expect((await withPass(cookie)).status).toBe(401);
    expect((await knell.request(`${path}/feed.rss?key=${key}`)).status).toBe(401);
    await owner.post(pages(`/${id}`), { password: '' });
    expect((await knell.request(path)).status).toBe(200);
    await owner.post(pages(`/${id}`), { password });
  });

  test('refuses those who guess, as a sign-in does', async () => {
    await later(5 * minute);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await give(`wrong password ${n}`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await give(password)).status).toBe(429);
    await later(minute);
    expect((await give(password)).status).toBe(303);
  });
});

describe('owners', () => {
  test.each([
    [{ slug: 'Upper', title: 'x' }, 400, 'slug'],
    [{ slug: 'x-', title: 'x' }, 400, 'slug'],
    [{ slug: 'x', title: ' ' }, 400, 'title'],
    [{ slug: 'x', title: 'x'.repeat(101) }, 400, 'title'],
    [{ slug: 'x', title: 'x', timeZone: 'Mars/Base' }, 400, 'timeZone'],
    [{ slug: 'x', title: 'x', password: 'short' }, 400, 'password'],
    [{ slug: 'x', title: 'x', services: [{ name: '', tag: 'a' }] }, 400, 'services'],
    [{ slug: 'x', title: 'x', services: [{ name: 'a' }] }, 400, 'services'],
    [{ slug: 'x', title: 'x', services: Array(51).fill({ name: 'a', tag: 'a' }) }, 400, 'services'],
    [{ slug: 'northwind', title: 'x' }, 409, 'slug'],
  ])('see what is wrong with %j', async (fields, status, field) => {
    const answer = await owner.post(pages(), fields);
    expect([answer.status, answer.json().field]).toEqual([status, field]);
  });

  test('show only checks of the project, also of those that leave it', async () => {
    const admin = (command: string, args: Json) => knell.app.admin({ command, args }, () => {});
    const other = (await admin('project create', { name: 'other' })) as Json;
    const services = [{ name: 'Theirs', checks: [backup.uuid] }];
    const args = { project: 'other', slug: 'other', title: 'Other', services };
    await expect(admin('status-page create', args)).rejects.toThrow('a check of another project');
    const moving = await knell.create({ name: 'moves', tags: 'moving' });
    await knell.request(`/ping/${moving.uuid}`);
    await owner.post(pages(), {
      slug: 'moving',
      title: 'M',
      services: [{ name: 'One', checks: [moving.uuid] }],
    });
    expect(await html('moving')).toContain('The service is up');
    await admin('check move', { check: moving.uuid, project: 'other' });
    await later();
    expect(await html('moving')).toContain('No data yet');
    expect(await admin('project delete', { project: other.project.id })).toMatchObject({ deleted: true });
  });

  test('and editors manage them, viewers do not, and none of another project', async () => {
    const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
    const viewer = new PageClient(knell);
    await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await viewer.get('/web/state');
    expect((await viewer.get(pages())).status).toBe(403);
    expect((await viewer.post(pages(`/${made.id}/notices`), { title: 'x', stage: 'resolved' })).status).toBe(
      403,
    );
    const { projects } = (await owner.get('/web/state')).json();
    const elsewhere = (await knell.app.admin(
      { command: 'project create', args: { name: 'b' } },
      () => {},
    )) as Json;
    expect(projects).toHaveLength(1);
    const foreign = `/web/in/${elsewhere.project.id}/status-pages/${made.id}`;
    expect((await owner.get(foreign)).status).toBe(404);
    expect((await owner.send('DELETE', foreign)).status).toBe(404);
  });

  test('cannot fill the memory with notices', async () => {
    const { id } = (await owner.post(pages(), { slug: 'full', title: 'x' })).json();
    const write = (n: number) =>
      owner.post(pages(`/${id}/notices`), { title: `n${n}`, stage: 'monitoring', text: 'x'.repeat(1990) });
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push((await write(n)).status);
    expect(statuses.slice(-2)).toEqual([200, 409]);
    const { notices } = (await owner.get(pages(`/${id}`))).json();
    expect((await owner.send('DELETE', pages(`/${id}/notices/${notices[0].id}`))).status).toBe(200);
    expect((await write(99)).status).toBe(200);
  });
});
