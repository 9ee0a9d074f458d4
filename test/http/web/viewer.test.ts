/** What a viewer gets of checks: everything there is to see, and nothing by which a check could be pinged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../../src/lib/ids.ts';
import { Knell } from '../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../support/page/page-client.ts';
import { eventually } from '../../support/patience.ts';
import { bodyIn, OpenExchange } from '../../support/wire/raw-http.ts';

let knell: Knell;
let owner: PageClient;
let viewer: PageClient;
let project = '';
let uuid = '';
let uniqueKey = '';

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_SMTP: '127.0.0.1:0', KNELL_EMAIL_DOMAIN: 'ping.test' } });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
  viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
  const check = await knell.create({ name: 'Backup', slug: 'backup', tags: 'nightly', timeout: 60 });
  uuid = check.uuid;
  uniqueKey = uniqueKeyOf(asCheckId(uuid));
  await knell.request(`/ping/${uuid}`, { method: 'POST', body: 'all is well' });
  await knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: 'alas' });
});

afterAll(() => knell.stop());

const inProject = (rest: string): string => `/web/in/${project}/${rest}`;

/** Neither the check's address nor the project's key. */
function expectNoAddress(text: string): void {
  expect(text).not.toContain(uuid);
  expect(text).not.toContain(knell.keys.ping);
  expect(text).not.toContain('/ping/');
}

describe('a viewer', () => {
  test.each([
    ['the state', () => '/web/state'],
    ['the list', () => inProject('list')],
    ['all rows', () => inProject('rows')],
    ['the settings', () => inProject('settings')],
    ['the incidents', () => inProject('api/incidents/')],
    ['the outbox', () => inProject('outbox')],
    ['the story of a check', () => inProject(`checks/${uniqueKey}/story`)],
    ['the statistics of a check', () => inProject(`checks/${uniqueKey}/statistics?range=24h`)],
    ['the checks of the API', () => inProject('api/checks/')],
    ['a check', () => inProject(`api/checks/${uniqueKey}`)],
    ['its pings', () => inProject(`api/checks/${uniqueKey}/pings/`)],
    ['a body', () => inProject(`api/checks/${uniqueKey}/pings/1/body`)],
    ['its flips', () => inProject(`api/checks/${uniqueKey}/flips/`)],
    ['what a search finds', () => inProject('api/search?q=well')],
    ['the integrations', () => inProject('api/channels/')],
    ['the badges', () => inProject('api/badges/')],
    ['a check by its UUID, which a notification names', () => inProject(`api/checks/${uuid}`)],
    ['pings by UUID', () => inProject(`api/checks/${uuid}/pings/`)],
    ['a story by UUID', () => inProject(`checks/${uuid}/story`)],
  ])('sees %s, without any address for pings', async (_what, path) => {
    const answer = await viewer.get(path());
    expect(answer.status).toBe(200);
    expectNoAddress(answer.text);
  });

  test('sees what an editor sees, but for the addresses', async () => {
    const rowFor = async (page: PageClient) => (await page.get(inProject('rows'))).json().rows[0];
    expect(await rowFor(viewer)).toEqual({ ...(await rowFor(owner)), id: uniqueKey });
    const check = (await viewer.get(inProject(`api/checks/${uniqueKey}`))).json();
    expect(check).toMatchObject({ name: 'Backup', unique_key: uniqueKey, n_pings: 2 });
    const pings = inProject(`api/checks/${uniqueKey}/pings/`);
    expect((await viewer.get(pings)).json().pings.length).toBe(2);
    expect((await viewer.get(`${pings}2/body`)).text).toBe('alas');
    const { outputs } = (await viewer.get(inProject('api/search?q=well+all'))).json();
    expect(outputs).toMatchObject([{ unique_key: uniqueKey, n: 1, excerpt: 'all is well' }]);
    expect((await viewer.get(inProject(`checks/${uniqueKey}/story`))).json().changes.length).toBeGreaterThan(
      0,
    );
    const keysOf = async (page: PageClient) => (await page.get(inProject('settings'))).json().keys;
    expect((await keysOf(owner)).map((key: { clear: string }) => key.clear)).toContain(knell.keys.ping);
    expect((await keysOf(viewer)).map((key: { scope: string }) => key.scope)).toContain('ping');
  });

  test('is led from the address of a check with its UUID to the one with its unique key', async () => {
    const path = `/project/${project}/checks/${uuid}`;
    const led = await viewer.get(path);
    expect([led.status, led.headers.get('location')]).toEqual([302, path.replace(uuid, uniqueKey)]);
    expect((await owner.get(path)).status).toBe(200);
    expect((await viewer.get(`/project/${project}/checks/${uniqueKey}`)).status).toBe(200);
  });

  test('gets live updates without any address for pings; an editor gets them with it', async () => {
    const listening = async (page: PageClient): Promise<OpenExchange> => {
      const { csrf } = (await page.get('/web/state')).json();
      const head = [
        `GET /web/live?csrf=${csrf}&project=${project} HTTP/1.1`,
        'Host: x',
        `Cookie: ${page.cookie}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
        'Sec-WebSocket-Version: 13',
      ];
      const connection = await OpenExchange.begin(knell.app.httpUrl, `${head.join('\r\n')}\r\n\r\n`);
      expect(await connection.replies(1)).toMatch(/^HTTP\/1\.1 101 /);
      return connection;
    };
    const [ofOwner, ofViewer] = [await listening(owner), await listening(viewer)];
    ofOwner.write(textFrame(uuid));
    // By its UUID a viewer gets nothing.
    ofViewer.write(textFrame(`${uniqueKey},${uuid}`));
    await knell.request(`/ping/${uuid}`);
    await eventually(async () => {
      expect(bodyIn(await ofOwner.replies(1))).toContain(`"id":"${uuid}"`);
      expect(bodyIn(await ofViewer.replies(1))).toContain(`"id":"${uniqueKey}"`);
    });
    expectNoAddress(bodyIn(await ofViewer.replies(1)));
    // What has changed since its list was answered, a page that watches only now gets as well.
    const later = await listening(owner);
    later.write(textFrame(uuid));
    await eventually(async () => expect(bodyIn(await later.replies(1))).toContain(`"id":"${uuid}"`));
    later.vanish();
    ofOwner.vanish();
    // With another role, what is listened to ends: the page comes back and gets what that role may see.
    const users = (await owner.get(inProject('settings'))).json().members;
    const vera = users.find(({ name }: { name: string }) => name === 'vera').id;
    await owner.post(`/web/users/${vera}`, { role: 'editor' });
    await ofViewer.closed();
    await owner.post(`/web/users/${vera}`, { role: 'viewer' });
  });
});

/** Of a WebSocket, from a client: with a mask, of zeros. */
function textFrame(text: string): Uint8Array {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

test('an unknown check is not found under either name', async () => {
  for (const id of ['0'.repeat(40), '00000000-0000-4000-8000-000000000000']) {
    expect((await viewer.get(inProject(`api/checks/${id}`))).status).toBe(404);
    expect((await viewer.get(inProject(`checks/${id}/story`))).status).toBe(404);
  }
});

test('a viewer gets which checks maintenance is about by the ids of the list', async () => {
  await knell.api('POST', '/api/v3/maintenance/', { name: 'Move', duration: '2h', checks: [uuid] });
  const active = async (user: PageClient) => (await user.get(inProject('maintenance/active'))).text;
  expect(JSON.parse(await active(owner)).windows).toMatchObject([{ name: 'Move', checks: [uuid], tags: [] }]);
  const seen = await active(viewer);
  expectNoAddress(seen);
  expect(JSON.parse(seen).windows).toMatchObject([{ checks: [uniqueKey] }]);
});
