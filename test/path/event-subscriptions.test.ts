/**
 * Event subscriptions over real sockets: every event once and in order, signed for the unmodified library of Standard Webhooks,
 * again after an answer that is none, kept as given up after a refusal, going on where they were after a restart.
 */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver, type Received } from '../support/wire/receivers.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

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

const admin = (command: string, args: Readonly<Record<string, unknown>>): Promise<Json> =>
  knell.app.admin({ command, args }, () => {});
const subscribe = (value: object): Promise<Json> =>
  admin('channel create', {
    project: 'default',
    kind: 'events',
    name: 'to the warehouse',
    value: JSON.stringify({ url: receiver.url('/events'), ...value }),
  });
const read = ({ body }: Received): Json => JSON.parse(body);
const numbers = (): readonly number[] => receiver.all.map((received) => read(received).data.n);
const ping = (uuid: string, action = ''): Promise<unknown> => knell.request(`/ping/${uuid}${action}`);

function verified({ body, headers }: Received): Json {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body, Object.fromEntries(texts));
}

test('sends what happens from then on, in order, signed, with the id of the event', async () => {
  const { uuid: before } = await knell.create({ name: 'before' });
  await ping(before);
  await subscribe({ secret });
  const { uuid } = await knell.create({ name: 'job' });
  await ping(uuid);
  await ping(uuid, '/fail');
  const own = (): readonly Json[] =>
    receiver.all.map(verified).filter(({ data }: Json) => data.subject !== 'integration');
  const types = ['configuration', 'status', 'incident', 'status'];
  await eventually(() => expect(own().map(({ type }) => type)).toEqual(types));
  const events = own();
  expect(events[3]).toMatchObject({ data: { check: { uuid, name: 'job' }, status: 'down', previous: 'up' } });
  for (const received of receiver.all) {
    expect(received.headers['webhook-id']).toBe(read(received).data.id);
    expect(read(received).timestamp).toBe(read(received).data.timestamp);
  }
});

test('has only what it asks for, and gets no alerts', async () => {
  const { uuid } = await knell.create({ name: 'job', slug: 'job', channels: '*' });
  const other = await knell.create({ name: 'other', slug: 'other' });
  await subscribe({ types: 'ping', only_checks: 'job' });
  await knell.api('POST', `/api/v3/checks/${uuid}`, { channels: '*' });
  for (const id of [other.uuid, uuid]) await ping(id, '/fail');
  await ping(uuid);
  await eventually(() => expect(receiver.all.length).toBe(2));
  expect(receiver.all.map((one) => read(one).type)).toEqual(['ping', 'ping']);
  expect(numbers()).toEqual([1, 2]);
});

test('is assigned to no check, so that a check without another integration notifies nobody', async () => {
  const { id } = await subscribe({});
  const { channels, uuid } = await knell.create({ name: 'job', channels: '*' });
  expect(channels).toBe('');
  await knell.request(`/ping/${knell.keys.ping}/made-by-ping?create=1`);
  const { checks } = (await knell.api('GET', '/api/v3/checks/')).json();
  expect(checks.map((check: Json) => check.channels)).toEqual(['', '']);
  const answer = await knell.api('POST', `/api/v3/checks/${uuid}`, { channels: id });
  expect([answer.status, answer.json().error]).toEqual([400, `invalid channel identifier: ${id}`]);
});

test('goes on behind the last event after a restart, and sends again what was not taken', async () => {
  const { uuid } = await knell.create({ name: 'job' });
  await subscribe({ types: 'ping' });
  await ping(uuid);
  await eventually(() => expect(numbers()).toEqual([1]));
  receiver.answering = (_, response) => {
    response.statusCode = 503;
    response.end();
  };
  await ping(uuid);
  await eventually(() => expect(numbers()).toContain(2));
  await knell.restart();
  receiver.answering = (_, response) => void response.end('ok');
  await ping(uuid);
  await eventually(() => expect(numbers().slice(-2)).toEqual([2, 3]));
  const tries = receiver.all.filter((received) => read(received).data.n === 2);
  expect(tries.length).toBeGreaterThan(1);
  expect(new Set(tries.map(({ headers }) => headers['webhook-id'] ?? headers['idempotency-key'])).size).toBe(
    1,
  );
});

test('keeps what its receiver refuses, for the owner to send again or to drop', async () => {
  const { uuid } = await knell.create({ name: 'job' });
  const { id } = await subscribe({ types: 'ping' });
  await eventually(() => expect(knell.app.engine.read.eventFeed(id)).not.toBe(null));
  // An address that nothing may be sent to is a refusal.
  await admin('channel edit', {
    channel: id,
    value: JSON.stringify({ url: 'http://10.1.2.3/', types: 'ping' }),
  });
  await ping(uuid);
  await ping(uuid);
  await eventually(async () => expect((await admin('outbox list', {})).length).toBe(2));
  const [first, second] = await admin('outbox list', {});
  expect(first).toMatchObject({ state: 'dead', check: 'job', kind: 'events', attempts: 1 });
  expect(first.error).toContain('10.1.2.3');
  await admin('channel edit', { channel: id, value: JSON.stringify({ url: receiver.url(), types: 'ping' }) });
  await knell.restart();
  await admin('outbox drop', { id: second.id });
  await admin('outbox retry', { id: first.id });
  await eventually(() => expect(numbers()).toEqual([1]));
  await eventually(async () => expect(await admin('outbox list', {})).toEqual([]));
});

test('takes the place of another integration, and begins then', async () => {
  const { uuid } = await knell.create({ name: 'job' });
  const mail = { kind: 'email', name: 'ops', value: 'ops@example.org' } as const;
  const { change, read } = knell.app.engine;
  const [project] = read.projects();
  if (!project) throw new Error('there is no project');
  const { id } = await change.createChannel(project.id, mail, Date.now());
  await ping(uuid);
  expect(read.eventFeed(id)).toBe(null);
  const value = JSON.stringify({ url: receiver.url(), types: 'ping' });
  await change.replaceChannel(id, { kind: 'events', name: 'ops', value }, Date.now());
  await ping(uuid);
  await eventually(() => expect(numbers()).toEqual([2]));
});

test('is disabled by 410, and its owner sees why', async () => {
  const { uuid } = await knell.create({ name: 'job' });
  const { id } = await subscribe({ types: 'ping' });
  receiver.answering = (_, response) => {
    response.statusCode = 410;
    response.end();
  };
  await ping(uuid);
  await eventually(() => expect(knell.app.engine.read.channel(id)?.settings?.disabled).toBe(true));
});

test.each([
  [{ url: 'ftp://example.org' }, 'JSON whose "url" is an address'],
  [{ types: 'pings' }, 'JSON whose "types" are some of ping, status'],
  [{ secret: 'short' }, 'JSON whose "secret"'],
])('%j is refused', async (value, words) => {
  await expect(subscribe(value)).rejects.toThrow(words);
});
