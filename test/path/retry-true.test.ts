/** What the page retries of an integration at once, at a real receiver: all that is true, in the order in which it happened. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { ownerPage, type PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let clock: SimulatedClock;
let owner: PageClient;
let project = '';
let channel = '';
let receiver: HttpReceiver;

beforeEach(async () => {
  clock = new SimulatedClock(Date.UTC(2024, 5, 14, 12));
  receiver = await HttpReceiver.start();
  // The address is blocked until an owner allows it.
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const url = receiver.url('/$STATUS/$NAME');
  const made = { kind: 'webhook', name: 'hook', fields: { url_down: url, url_up: url }, checks: 'none' };
  channel = (await owner.post(`/web/in/${project}/channels`, made)).json().id;
});

afterEach(async () => {
  await knell.stop();
  await receiver.stop();
});

const create = async (name: string): Promise<string> =>
  (await knell.create({ name, timeout: 30 * 86_400, channels: channel })).uuid;

/** Of the check, a minute later: `/fail`, or a success. */
async function ping(uuid: string, action = ''): Promise<void> {
  await clock.advance(minute);
  await knell.request(`/ping/${uuid}${action}`);
}

async function integration(): Promise<Json> {
  return (await owner.get(`/web/in/${project}/integrations`)).json().integrations[0];
}

async function untilFailed(count: number): Promise<void> {
  await eventually(async () => {
    await clock.advance(200);
    expect(await integration()).toMatchObject({ failed: count });
  });
}

const allow = () => owner.post('/web/server-settings/allow', { addresses: ['127.0.0.1'] });
const retryAll = async () => (await owner.post(`/web/in/${project}/channels/${channel}/retry`)).json();
const paths = () => receiver.all.map(({ path }) => path);

test('two outages with their ends, and a third that lasts, come one after the other', async () => {
  const uuid = await create('db');
  for (const action of ['/fail', '', '/fail', '', '/fail']) await ping(uuid, action);
  await untilFailed(5);
  await allow();
  // Each is answered late: none of them overtakes another.
  receiver.answering = (_, response) => void setImmediate(() => response.end());
  expect(await retryAll()).toEqual({ count: 5, over: 0, replaced: 0, snoozed: 0 });
  await expect.poll(paths).toEqual(['/down/db', '/up/db', '/down/db', '/up/db', '/down/db']);
  await untilFailed(0);
});

test('what went wrong meanwhile is not followed by what was before', async () => {
  const uuid = await create('db');
  await ping(uuid, '/fail');
  await ping(uuid);
  await untilFailed(2);
  await allow();
  await ping(uuid, '/fail');
  await expect.poll(paths).toEqual(['/down/db']);
  await eventually(async () => {
    await clock.advance(200);
    expect(await integration()).toMatchObject({ failed: 2, waiting: 0, over: 2 });
  });
  expect(await retryAll()).toEqual({ count: 0, over: 2, replaced: 0, snoozed: 0 });
  await untilFailed(0);
  expect(paths()).toEqual(['/down/db']);
});

test('a later alert that waits for its next try comes behind what was before it', async () => {
  const uuid = await create('db');
  await ping(uuid, '/fail');
  await ping(uuid);
  await untilFailed(2);
  await allow();
  receiver.answering = (_, response) => void response.writeHead(500).end();
  await ping(uuid, '/fail');
  await eventually(async () => {
    await clock.advance(200);
    expect(await integration()).toMatchObject({ failed: 2, retrying: 1, over: 0 });
  });
  receiver.answering = (_, response) => void response.end();
  receiver.all.length = 0;
  expect(await retryAll()).toEqual({ count: 3, over: 0, replaced: 0, snoozed: 0 });
  await expect.poll(paths).toEqual(['/down/db', '/up/db', '/down/db']);
});

test('one that is retried by itself is sent as ever, however late', async () => {
  const uuid = await create('db');
  await ping(uuid, '/fail');
  await ping(uuid);
  await untilFailed(2);
  await allow();
  const [{ id }] = (await integration()).deliveries;
  expect((await owner.post(`/web/in/${project}/outbox/${id}/retry`)).status).toBe(200);
  await expect.poll(paths).toEqual(['/down/db']);
});

const retryOne = (id: string) => owner.post(`/web/in/${project}/outbox/${id}/retry`);

/** An outage and its end, of which nothing was delivered, and a new outage whose alert waits for its next try. Returns their ids. */
async function failedTwiceAndDown(uuid: string): Promise<Readonly<Record<string, string>>> {
  await ping(uuid, '/fail');
  await ping(uuid);
  await untilFailed(2);
  await allow();
  receiver.answering = (_, response) => void response.writeHead(500).end();
  await ping(uuid, '/fail');
  await eventually(async () => {
    await clock.advance(200);
    expect(await integration()).toMatchObject({ failed: 2, retrying: 1 });
  });
  receiver.answering = (_, response) => void response.end();
  receiver.all.length = 0;
  const { deliveries } = await integration();
  return Object.fromEntries(deliveries.map(({ id, event, state }: Json) => [`${state} ${event}`, id]));
}

test('one of an outage that is over goes before the newer alert that waits, and takes its place no more', async () => {
  const uuid = await create('db');
  const { 'dead down': id = '' } = await failedTwiceAndDown(uuid);
  const answers: (() => void)[] = [];
  receiver.answering = (_, response) => void answers.push(() => response.end());
  expect((await retryOne(id)).status).toBe(200);
  await expect.poll(paths).toEqual(['/down/db']);
  expect(await integration()).toMatchObject({ failed: 1 });
  answers[0]?.();
  await eventually(async () => {
    await clock.advance(minute);
    expect(paths()).toEqual(['/down/db', '/down/db']);
  });
  expect(new Set(receiver.all.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  answers[1]?.();
  await eventually(async () =>
    expect(await integration()).toMatchObject({ failed: 1, waiting: 0, retrying: 0 }),
  );
});

test('that a check was up is not sent after it was sent to be down anew', async () => {
  const uuid = await create('db');
  const { 'dead up': id = '' } = await failedTwiceAndDown(uuid);
  await eventually(async () => {
    await clock.advance(minute);
    expect(paths()).toEqual(['/down/db']);
  });
  await eventually(async () => expect(await integration()).toMatchObject({ failed: 2, retrying: 0 }));
  const refused = await retryOne(id);
  expect([refused.status, refused.json().error]).toEqual([
    409,
    'this notification is not sent any more: the check was down again before this was sent',
  ]);
  await eventually(async () => expect(await integration()).toMatchObject({ failed: 1 }));
  await clock.advance(minute);
  expect(paths()).toEqual(['/down/db']);
});

test('while another of its check is being sent, one is refused', async () => {
  const uuid = await create('db');
  const { 'dead down': old = '', 'waiting down': later = '' } = await failedTwiceAndDown(uuid);
  const answers: (() => void)[] = [];
  receiver.answering = (_, response) => void answers.push(() => response.end());
  expect((await retryOne(later)).status).toBe(200);
  await expect.poll(paths).toEqual(['/down/db']);
  const refused = await retryOne(old);
  expect([refused.status, refused.json().error]).toEqual([
    409,
    expect.stringContaining('it, or another of its check, is being sent just now'),
  ]);
  answers[0]?.();
});

test('one that waits again says when it was tried, and when it is tried next', async () => {
  const uuid = await create('db');
  await ping(uuid, '/fail');
  const downMs = clock.nowMs();
  await untilFailed(1);
  const [{ triedMs, sinceMs }] = (await integration()).deliveries;
  expect(sinceMs).toBe(downMs);
  expect(triedMs - downMs).toBeLessThan(minute);
  await allow();
  await clock.advance(hour);
  const answers: (() => void)[] = [];
  receiver.answering = (_, response) => void answers.push(() => response.writeHead(500).end());
  await retryAll();
  await expect.poll(() => answers.length).toBe(1);
  expect((await integration()).deliveries).toMatchObject([
    {
      sinceMs: downMs,
      triedMs,
      attempts: 1,
      isInFlight: true,
      error: '127.0.0.1 was blocked; it is allowed now',
    },
  ]);
  answers[0]?.();
  await eventually(async () => {
    await clock.advance(10);
    expect((await integration()).deliveries).toMatchObject([{ attempts: 2, isInFlight: false }]);
  });
  const [again] = (await integration()).deliveries;
  expect([again.sinceMs, again.error]).toEqual([downMs, 'status 500']);
  expect(again.triedMs).toBeGreaterThan(downMs + hour);
  expect(again.nextMs).toBeGreaterThan(again.triedMs);
  expect((await integration()).nextMs).toBe(again.nextMs);
});
