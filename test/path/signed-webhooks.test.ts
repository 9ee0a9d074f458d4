/** Signed webhooks, as a receiver checks them over a real socket: with the library of Standard Webhooks, unmodified. */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { HttpReceiver, type Received } from '../support/wire/receivers.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [first, second] = [secretOf(1), secretOf(2)];

let receiver: HttpReceiver;
let knell: Knell;

beforeEach(async () => {
  receiver = await HttpReceiver.start();
  knell = await Knell.start({ env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});

afterEach(async () => {
  await knell.stop();
  await receiver.stop();
});

const admin = (command: string, args: Readonly<Record<string, unknown>>) =>
  knell.app.admin({ command, args }, () => {}) as Promise<{ readonly id: string }>;

const create = (value: object) =>
  admin('channel create', {
    project: 'default',
    kind: 'webhook',
    name: 'hook',
    value: JSON.stringify(value),
  });

const posts = (secret?: unknown) => ({
  url_down: receiver.url('/down'),
  body_down: '{"name": "$NAME", "body": "$BODY"}',
  url_up: receiver.url('/up'),
  ...(secret === undefined ? {} : { secret }),
});

async function fail(name = 'bäckup'): Promise<string> {
  const { uuid } = await knell.create({ name, channels: '*' });
  await knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: 'Größe: 0 ✗' });
  return uuid;
}

/** Throws if the signature is not that of the secret. */
function verified(secret: string, { body, headers }: Received): unknown {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body, Object.fromEntries(texts));
}

test('a webhook with a secret is signed, and its receiver reads what was signed', async () => {
  await create(posts(first));
  await fail();
  const [down] = await receiver.until(1);
  if (!down) throw new Error('nothing came');
  expect(verified(first, down)).toEqual({ name: 'bäckup', body: 'Größe: 0 ✗' });
  expect(down.headers['webhook-id']).toBe(down.headers['idempotency-key']);
  expect(() => verified(second, down)).toThrow();
  expect(() => verified(first, { ...down, body: `${down.body} ` })).toThrow();
});

test('a request without a body signs the empty text', async () => {
  await create(posts(first));
  const uuid = await fail();
  await receiver.until(1);
  await knell.request(`/ping/${uuid}`);
  const [, up] = await receiver.until(2);
  if (!up) throw new Error('nothing came');
  expect([up.method, up.body]).toEqual(['GET', '']);
  expect(() => verified(first, up)).not.toThrow();
  expect(() => verified(second, up)).toThrow();
});

test('two secrets both sign, until the old one is removed', async () => {
  const { id } = await create(posts(`${second} ${first}`));
  await fail('one');
  const [both] = await receiver.until(1);
  if (!both) throw new Error('nothing came');
  expect(verified(first, both)).toEqual(verified(second, both));
  await admin('channel edit', { channel: id, fields: { secret: second } });
  await fail('two');
  const [, one] = await receiver.until(2);
  if (!one) throw new Error('nothing came');
  expect(verified(second, one)).toMatchObject({ name: 'two' });
  expect(() => verified(first, one)).toThrow();
});

test('what is sent again has the same id and a new time', async () => {
  receiver.answering = (_, response, nth) => {
    response.writeHead(nth === 1 ? 503 : 200, { 'Retry-After': '2' }).end();
  };
  await create(posts(first));
  await fail();
  const [once, again] = await receiver.until(2);
  if (!once || !again) throw new Error('nothing came');
  expect(again.headers['webhook-id']).toBe(once.headers['webhook-id']);
  expect(Number(again.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(once.headers['webhook-timestamp']),
  );
  expect(again.headers['webhook-signature']).not.toBe(once.headers['webhook-signature']);
  for (const attempt of [once, again]) expect(verified(first, attempt)).toMatchObject({ name: 'bäckup' });
});

test('a header of the owner cannot stand in for one of the signature', async () => {
  await create({ ...posts(first), headers_down: { 'Webhook-Id': 'mine', 'X-Other': 'kept' } });
  await fail();
  const [down] = await receiver.until(1);
  if (!down) throw new Error('nothing came');
  expect(verified(first, down)).toMatchObject({ name: 'bäckup' });
  expect(down.headers['x-other']).toBe('kept');
});

test("without a secret nothing is added, and headers of that name are the owner's", async () => {
  await create({ ...posts(), headers_down: { 'Webhook-Id': 'mine' } });
  await fail();
  const [down] = await receiver.until(1);
  expect(down?.headers['webhook-id']).toBe('mine');
  expect(down?.headers).not.toHaveProperty('webhook-signature');
  expect(down?.headers).not.toHaveProperty('webhook-timestamp');
});

test('a test notification is signed, too', async () => {
  const { id } = await create(posts(first));
  await admin('channel test', { channel: id });
  const [sent] = await receiver.until(1);
  if (!sent) throw new Error('nothing came');
  expect(() => verified(first, sent)).not.toThrow();
});

test.each([
  'plain',
  'whsec_',
  'whsec_c2hvcnQ=',
  `${first}  ${second}`,
  `${first} ${second} ${first}`,
  first.slice(0, -1),
  `whsec_${Buffer.alloc(65).toString('base64')}`,
  7,
])('%j is refused, with what to write instead', async (secret) => {
  const refused = create(posts(secret));
  await expect(refused).rejects.toThrow(
    /"secret" is a signing secret: whsec_ and 24 to 64 random bytes in base64/,
  );
});

test('it is in no answer of a command or of the API', async () => {
  await create(posts(first));
  const listed = await admin('channel list', { project: 'default' });
  const api = await knell.api('GET', '/api/v3/channels/');
  expect(JSON.stringify(listed) + JSON.stringify(api.json)).not.toContain('whsec_');
});
