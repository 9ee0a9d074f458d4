/** The management API and the badges, over real sockets: what only shows with the engine and the server in place. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { callsOnOneCheck } from '../support/wire/http-call.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell.stop());

const local = (url: string): string => url.replace('http://knell.test', '');

test('slashes that a client repeats are one, as a base URL that ends with one makes them', async () => {
  const { uuid } = await knell.create({ name: 'slashes' });
  const key = { headers: { 'X-Api-Key': knell.keys.readWrite } };
  for (const path of [`//api/v3/checks/${uuid}`, `/api//v3///checks/${uuid}`, `///api/v1//checks//${uuid}`]) {
    const answer = await knell.request(path, key);
    expect([path, answer.status, answer.status === 200 && answer.json().name]).toEqual([
      path,
      200,
      'slashes',
    ]);
  }
  expect((await knell.request(`//ping/${uuid}`)).text).toBe('OK');
  // Never an address of another host, which is what `//` begins.
  for (const path of ['//api//v3/checks', '//evil.example/api/v3/checks', '//api/v3/checks//']) {
    expect((await knell.request(path, key)).headers.get('location') ?? '/').toMatch(/^\/(?!\/)/);
  }
});

describe('the life of a check', () => {
  test('from its creation to its deletion', async () => {
    const made = await knell.api('POST', '/api/v3/checks/', {
      name: 'Backup',
      tags: 'db prod',
      timeout: 600,
      grace: 60,
    });
    expect(made.status).toBe(201);
    const check = made.json();
    expect(check).toMatchObject({ name: 'Backup', slug: '', status: 'new', timeout: 600, started: false });
    expect((await knell.request(local(check.ping_url))).status).toBe(200);
    const updated = await knell.api('POST', local(check.update_url), {
      name: 'Nightly',
      schedule: '0 4 * * *',
    });
    expect(updated.json()).toMatchObject({ name: 'Nightly', status: 'up', schedule: '0 4 * * *', tz: 'UTC' });
    expect((await knell.api('POST', local(check.resume_url))).status).toBe(409);
    expect((await knell.api('POST', local(check.pause_url))).json()).toMatchObject({
      status: 'paused',
      next_ping: null,
    });
    expect((await knell.api('POST', local(check.resume_url))).json()).toMatchObject({
      status: 'new',
      last_ping: null,
    });
    const deleted = await knell.api('DELETE', local(check.update_url));
    expect([deleted.status, deleted.json()]).toMatchObject([200, { name: 'Nightly', n_pings: 1 }]);
    expect((await knell.api('GET', local(check.update_url))).status).toBe(404);
    expect((await knell.request(local(check.ping_url))).status).toBe(404);
  });

  test('outlives a restart to the letter', async () => {
    const { uuid } = await knell.create({
      name: 'größe "x" 😀',
      desc: 'a\nb',
      tags: 'ünï',
      start_kw: '\\',
      channels: '*',
    });
    await knell.request(`/ping/${uuid}/start`);
    const before = await knell.check(uuid);
    await knell.restart();
    expect(await knell.check(uuid)).toEqual(before);
  });

  test('is one check, however many upserts come at once', async () => {
    const json = { name: 'upserted', unique: ['name'] };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => knell.api('POST', '/api/v3/checks/', json)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.json().uuid)).size).toBe(1);
  });
});

describe('a read-only key', () => {
  test('gets from the list to the check and its flips without learning the ping address', async () => {
    const { uuid } = await knell.create({ slug: 'secret-job' });
    await knell.request(`/ping/${uuid}`);
    await knell.request(`/ping/${uuid}/fail`);
    const readOnly = (path: string) => knell.api('GET', path, undefined, knell.keys.readOnly);
    const list = await readOnly('/api/v3/checks/?slug=secret-job');
    const [check] = list.json().checks;
    expect(list.text).not.toContain(uuid);
    expect((await readOnly(`/api/v3/checks/${check.unique_key}`)).json()).toEqual(check);
    expect((await readOnly(`/api/v3/checks/${check.unique_key}/flips/`)).json()).toMatchObject([{ up: 0 }]);
    expect((await knell.request(local(check.badge_url))).text).not.toContain(uuid);
    expect((await readOnly(`/api/v3/checks/${uuid}/pings/`)).status).toBe(401);
  });
});

describe('the bodies of pings', () => {
  test('come back byte for byte', async () => {
    const { uuid } = await knell.create();
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await knell.request(`/ping/${uuid}`, { method: 'POST', body });
    const [ping] = await knell.pings(uuid);
    const response = await fetch(`${knell.app.httpUrl}${local(ping.body_url)}`, {
      headers: { 'X-Api-Key': knell.keys.readWrite },
    });
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
    expect((await knell.request(local(ping.body_url))).status).toBe(401);
  });
});

describe('requests at the edge', () => {
  test('without their slash are sent to the path with it', async () => {
    const answer = await knell.request('/api/v3/checks?tag=a%20b', { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/api/v3/checks/?tag=a%20b']);
    const followed = await fetch(`${knell.app.httpUrl}/api/v1/checks?slug=none`, {
      headers: { 'X-Api-Key': knell.keys.readOnly },
    });
    expect([followed.status, await followed.json()]).toEqual([200, { checks: [] }]);
  });

  test('with a body of over a megabyte are refused', async () => {
    const answer = await knell.api('POST', '/api/v3/checks/', { desc: 'x'.repeat(1_100_000) });
    expect([answer.status, Object.keys(answer.json())]).toEqual([413, ['error']]);
  });

  test('by HEAD are no calls, but a probe', async () => {
    expect(await knell.request('/api/v3/checks/', { method: 'HEAD' })).toMatchObject({
      status: 405,
      text: '',
    });
    expect(await knell.request('/api/v3/status/', { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
    });
    expect(await knell.request('/api/v3/status/')).toMatchObject({ status: 200, text: 'OK' });
  });

  test('from another origin may read everything, errors too', async () => {
    const paths = ['/api/v3/checks/', '/api/v3/nothing', '/api/v3/checks', '/badge/x', '/b/2/x.svg'];
    for (const path of paths) {
      expect((await knell.request(path)).headers.get('access-control-allow-origin')).toBe('*');
    }
    const preflight = await knell.request('/api/v3/checks/', { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'X-Api-Key',
    ]);
  });
});

describe('badges', () => {
  test('show the status of a tag as it changes', async () => {
    const { uuid } = await knell.create({ tags: 'rack/7 a.b' });
    await knell.request(`/ping/${uuid}`);
    const { badges } = (await knell.api('GET', '/api/v3/badges/')).json();
    for (const tag of ['rack/7', 'a.b']) {
      const { json, shields3, svg } = badges[tag];
      expect((await knell.request(local(json))).json()).toEqual({
        status: 'up',
        total: 1,
        grace: 0,
        down: 0,
      });
      await knell.request(`/ping/${uuid}/fail`);
      expect((await knell.request(local(json))).json()).toEqual({
        status: 'down',
        total: 1,
        grace: 0,
        down: 1,
      });
      expect((await knell.request(local(shields3))).json()).toMatchObject({ label: tag, message: 'down' });
      const picture = await knell.request(local(svg));
      expect(picture.headers.get('content-type')).toBe('image/svg+xml');
      expect(picture.headers.get('cache-control')).toContain('no-store');
      await knell.request(`/ping/${uuid}`);
    }
  });
});

describe('who may ask', () => {
  test('of another project is denied every check, and shown its own integrations alone', async () => {
    const { uuid } = await knell.create();
    const made = { command: 'project create', args: { name: 'neighbour', plan: 'paid' } };
    const { keys } = (await knell.app.admin(made, () => {})) as { keys: { read_write: string } };
    const channel = { kind: 'email', name: 'mine', value: 'ops@example.org' };
    await knell.app.admin({ command: 'channel create', args: { project: 'default', ...channel } }, () => {});
    const neighbour = (method: string, path: string) => knell.api(method, path, undefined, keys.read_write);
    for (const [method, rest] of callsOnOneCheck) {
      expect([rest, (await neighbour(method, `/api/v3/checks/${uuid}${rest}`)).status]).toEqual([rest, 403]);
    }
    expect((await neighbour('GET', '/api/v3/channels/')).json()).toEqual({ channels: [] });
    expect((await knell.api('GET', '/api/v3/channels/')).json().channels).toEqual([
      { id: expect.any(String), name: 'mine', kind: 'email' },
    ]);
    expect((await knell.check(uuid)).status).toBe('new');
  });

  test('too often is answered with when to come back, by the address that the proxy saw', async () => {
    const busy = await Knell.start({ env: { KNELL_API_RATE_LIMIT: '1' } });
    const ask = async (forwardedFor: string) => {
      const headers = { 'X-Api-Key': busy.keys.readWrite, 'X-Forwarded-For': forwardedFor };
      return busy.request('/api/v3/checks/', { headers });
    };
    for (let n = 0; n < 10; n++) expect((await ask('198.51.100.1')).status).toBe(200);
    const refused = await ask('203.0.113.9, 198.51.100.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await ask('198.51.100.2')).status).toBe(200);
    expect((await busy.request('/api/v3/status/')).status).toBe(200);
    await busy.stop();
  });
});

describe('a long list', () => {
  test('is whole', async () => {
    const many = await Knell.start();
    const create = (i: number) => many.create({ name: `n${i}`, slug: `s${i % 7}` });
    const count = isLong ? 1500 : 350;
    for (let i = 0; i < count; i += 50)
      await Promise.all(Array.from({ length: 50 }, (_, k) => create(i + k)));
    const { checks } = (await many.api('GET', '/api/v3/checks/')).json();
    expect(new Set(checks.map((check: { uuid: string }) => check.uuid)).size).toBe(count);
    expect((await many.api('GET', '/api/v3/checks/?slug=s3')).json().checks).toHaveLength(
      Math.floor((count + 3) / 7),
    );
    await many.stop();
  });
});
