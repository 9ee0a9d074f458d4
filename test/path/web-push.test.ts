/**
 * Alerts to a browser by Web Push: through a whole Knell to a push service over HTTPS, which verifies the token, and read with the
 * private key of the subscription.
 */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../src/lib/ids.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { type Json, Knell } from '../support/knell.ts';
import { ownerPage, PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { PushBrowser } from '../support/wire/push-browser.ts';
import { PushService, verifiedClaims } from '../support/wire/push-service.ts';

const env = { KNELL_BASE_URL: 'https://knell.example.org/knell' };

let service: PushService;
let knell: Knell;
let owner: PageClient;
let project: string;
let browser: PushBrowser;
beforeAll(async () => {
  service = await PushService.start(tempDir());
  knell = await Knell.start({ env });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
});
afterAll(async () => {
  await knell.stop();
  await service.stop();
});
beforeEach(() => {
  browser = PushBrowser.random();
  service.forget();
});

const keyOf = async (page: PageClient = owner): Promise<string> =>
  (await page.get('/web/push-key')).json().key;

let subscriptions = 0;
const newEndpoint = (): string => `${service.origin}/send/${++subscriptions}`;

/** An integration of that browser, and its id. */
async function added(endpoint: string, name = 'Firefox on Linux'): Promise<string> {
  const fields = { value: browser.subscription(endpoint) };
  const body = { kind: 'webpush', name, fields, checks: 'none' };
  const answer = await owner.post(`/web/in/${project}/channels`, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json().id;
}

async function tested(id: string): Promise<Json> {
  return (await owner.post(`/web/in/${project}/channels/${id}/test`)).json();
}

async function shown(id: string): Promise<Json> {
  const { integrations } = (await owner.get(`/web/in/${project}/integrations`)).json();
  return integrations.find((one: Json) => one.id === id);
}

const pingPath = (check: Json): string => `/ping/${String(check.ping_url).split('/').at(-1)}`;

test('a check that goes down and recovers is shown by that browser only, the second in place of the first', async () => {
  const endpoint = newEndpoint();
  const id = await added(endpoint);
  const check: Json = await knell.create({ name: 'Nightly backup', channels: id });
  await knell.request(`${pingPath(check)}/fail`, { method: 'POST', body: 'disk full' });
  const down = await service.request(1);
  await knell.request(pingPath(check));
  const up = await service.request(2);
  const messages = [down, up].map(({ bytes }) => JSON.parse(browser.decrypt(bytes)));
  const key = uniqueKeyOf(asCheckId(check.uuid));
  expect(messages).toMatchObject([
    { title: '🔴 Nightly backup is DOWN', status: 'down', tag: key },
    { title: '🟢 Nightly backup is UP', status: 'up', tag: key },
  ]);
  expect(messages[0].text).toMatch(/^The job reported a failure\.[\s\S]*disk full/);
  expect(messages[0].url).toBe(`https://knell.example.org/knell/project/${project}/checks/${key}`);
  expect(() => PushBrowser.random().decrypt(down.bytes)).toThrow();
  expect([down, up].map(({ method, path, headers }) => [method, path, headers.urgency])).toEqual([
    ['POST', new URL(endpoint).pathname, 'high'],
    ['POST', new URL(endpoint).pathname, 'normal'],
  ]);
  expect(down.headers).toMatchObject({
    ttl: '86400',
    'content-encoding': 'aes128gcm',
    topic: key.slice(0, 32),
  });
  expect(up.headers.topic).toBe(down.headers.topic);
  const { claims, key: signer } = await verifiedClaims(String(down.headers.authorization));
  expect(claims).toMatchObject({ aud: service.origin, sub: 'https://knell.example.org/knell' });
  const leftS = claims.exp - Date.now() / 1000;
  expect(leftS > 0 && leftS <= 86_400).toBe(true);
  expect(signer).toBe(await keyOf());
});

test.each([200, 201, 202])('a message is delivered when the service answers %i', async (status) => {
  const id = await added(newEndpoint());
  service.answer = (response) => response.writeHead(status).end();
  expect(await tested(id)).toMatchObject({ ok: true });
});

test.each([404, 410])(
  'a subscription of which the service says %i is disabled, with the reason',
  async (status) => {
    const id = await added(newEndpoint());
    service.answer = (response) => response.writeHead(status).end();
    const check: Json = await knell.create({ name: 'Gone', channels: id });
    await knell.request(`${pingPath(check)}/fail`);
    await eventually(async () =>
      expect(await shown(id)).toMatchObject({
        disabled: true,
        disabledReason: `it is gone for good (status ${status})`,
      }),
    );
  },
);

test('a service that asks for a pause gets the message after it', async () => {
  const id = await added(newEndpoint());
  let answeredMs = 0;
  const answers = [
    (response: ServerResponse) => response.writeHead(429, { 'Retry-After': '1' }).end(),
    (response: ServerResponse) => response.writeHead(201).end(),
  ];
  service.answer = (response) => {
    answeredMs ||= Date.now();
    (answers.shift() ?? answers[0])?.(response);
  };
  const check: Json = await knell.create({ name: 'Limited', channels: id });
  await knell.request(`${pingPath(check)}/fail`);
  const again = await service.request(2);
  expect(again.atMs - answeredMs).toBeGreaterThanOrEqual(1000);
  await eventually(async () =>
    expect((await shown(id)).recent.at(-1)).toMatchObject({ kind: 'down', outcome: 'delivered' }),
  );
});

test.each([401, 403, 413])(
  'what a service refuses with %i is not tried again, and not gone',
  async (status) => {
    const id = await added(newEndpoint());
    service.answer = (response) => response.writeHead(status).end();
    expect(await tested(id)).toMatchObject({ ok: false, error: `status ${status}` });
    expect(await shown(id)).toMatchObject({ disabled: false });
  },
);

test.each([
  ['http://push.example.org/x', 'endpoint'],
  ['https://me:secret@push.example.org/x', 'endpoint'],
  ['no address', 'endpoint'],
])('the endpoint %s is refused', async (endpoint) => {
  await expect(added(endpoint)).rejects.toThrow('"endpoint\\" is an https address');
});

test.each([
  [{ p256dh: 'AAAA', auth: 'A'.repeat(22) }, 'keys.p256dh'],
  [{ p256dh: 'A'.repeat(87), auth: 'AAAA' }, 'keys.auth'],
  [{ p256dh: `${'A'.repeat(86)}+`, auth: 'A'.repeat(22) }, 'keys.p256dh'],
  [{ p256dh: 'A'.repeat(87) }, 'keys.auth'],
])('the keys %j are refused', async (keys, path) => {
  const args = {
    project: 'default',
    kind: 'webpush',
    name: 'bad',
    value: JSON.stringify({ endpoint: newEndpoint(), keys }),
  };
  await expect(knell.app.admin({ command: 'channel create', args }, () => {})).rejects.toThrow(path);
});

test('nothing is sent to a private address, whatever a browser names', async () => {
  const id = await added('https://127.0.0.1:9/send');
  expect(await tested(id)).toMatchObject({ ok: false, error: expect.stringContaining('private') });
});

test('nothing of the value is shown', async () => {
  const id = await added(newEndpoint());
  const answer = await owner.get(`/web/in/${project}/integrations`);
  expect(answer.json().integrations.find((one: Json) => one.id === id)).toMatchObject({
    fields: {},
    kept: { value: '' },
  });
  expect(answer.text).not.toContain(service.origin);
});

test('only members are given the key', async () => {
  expect((await knell.request('/web/push-key')).status).toBe(401);
});

test('the key is the same after a restart, and where a snapshot is restored', async () => {
  const before = await keyOf();
  await knell.restart();
  expect(await keyOf()).toBe(before);
  const file = join(tempDir(), 'knell.snapshot');
  await knell.app.admin({ command: 'snapshot', args: { file } }, () => {});
  const dataDir = join(tempDir(), 'data');
  await restoreSnapshot(file, dataDir, () => {});
  const restored = await Knell.start({ env, dataDir });
  try {
    const there = new PageClient(restored);
    await there.signIn('ada');
    expect(await keyOf(there)).toBe(before);
  } finally {
    await restored.stop();
  }
});

test('the node that takes over has the same key', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes: Knell[] = [];
  for (const name of ['a', 'b']) {
    const nodeEnv = { ...env, KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
    nodes.push(await Knell.start({ link: memoryLink(cluster, name), env: nodeEnv }));
  }
  const first = await Promise.race(nodes.map(async (node) => node.leading().then(() => node)));
  const before = await keyOf(await ownerPage(first));
  await first.stop();
  const [second] = nodes.filter((node) => node !== first);
  if (!second) throw new Error('there is no other node');
  await second.leading();
  const there = new PageClient(second);
  await there.signIn('ada');
  expect(await keyOf(there)).toBe(before);
  await second.stop();
});

test('a browser that replaced its subscription is alerted again, and nobody else moves one', async () => {
  const [before, after] = [newEndpoint(), newEndpoint()];
  const id = await added(before);
  service.answer = (response) => response.writeHead(410).end();
  const check: Json = await knell.create({ name: 'Moved', channels: id });
  await knell.request(`${pingPath(check)}/fail`);
  await eventually(async () => expect(await shown(id)).toMatchObject({ disabled: true }));
  service.answer = (response) => response.writeHead(201).end();
  const move = (named: string, value: string) => owner.post('/web/push-moved', { before: named, value });
  expect((await move(`${before}0`, browser.subscription(after))).json()).toEqual({ count: 0 });
  expect((await move(before, '{"endpoint":"https://push.example.org/"}')).status).toBe(400);
  expect(
    (
      await knell.request('/web/push-moved', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
    ).status,
  ).toBe(401);
  expect((await move(before, browser.subscription(after))).json()).toEqual({ count: 1 });
  expect(await shown(id)).toMatchObject({ disabled: false, disabledReason: '' });
  service.forget();
  expect(await tested(id)).toMatchObject({ ok: true });
  expect((await service.request(1)).path).toBe(new URL(after).pathname);
});
