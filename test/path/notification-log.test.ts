/** What the log of a check says of its notifications, over real sockets: sent, given up, superseded. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const startMs = Date.UTC(2024, 5, 14, 12);
let receiver: HttpReceiver;
let knell: Knell;
let clock: SimulatedClock;

beforeEach(async () => {
  receiver = await HttpReceiver.start();
  clock = new SimulatedClock(startMs);
  knell = await Knell.start({ clock, env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});

afterEach(async () => {
  await knell.stop();
  await receiver.stop();
});

async function addWebhook(name: string, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const value = JSON.stringify({ url_down: receiver.url(`/${name}`), url_up: receiver.url(`/${name}`) });
  const args = { project: 'default', kind: 'webhook', name, value, ...settings };
  return ((await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
}

const ping = (uuid: string, action = '') => knell.request(`/ping/${uuid}${action}`);

const logOf = async (uuid: string, query = '', key?: string) =>
  (await knell.api('GET', `/api/v3/checks/${uuid}/notifications/${query}`, undefined, key)).json();

/** Resolves once the log has `count` entries; newest first. */
const entries = (uuid: string, count: number) =>
  eventually(async () => {
    // The outbox gathers its writes for some milliseconds.
    await clock.advance(5);
    const { notifications } = await logOf(uuid);
    expect(notifications).toHaveLength(count);
    return notifications;
  });

test('a notification that was delivered stays in the log, across a restart, whatever becomes of its integration', async () => {
  const id = await addWebhook('pager');
  const { uuid } = await knell.create({ name: 'job', channels: '*' });
  await ping(uuid, '/fail');
  await entries(uuid, 1);
  await clock.advance(90_000);
  await ping(uuid);
  const both = await entries(uuid, 2);
  const whom = { channel: id, channel_name: 'pager', channel_kind: 'webhook' };
  expect(both).toEqual([
    {
      timestamp: expect.stringMatching(/^2024-06-14T12:01:3\d\.\d{6}\+00:00$/),
      event: 'up',
      changed_at: expect.stringMatching(/^2024-06-14T12:01:3\d\+00:00$/),
      ...whom,
      ...{ outcome: 'delivered', attempts: 1, error: '' },
    },
    {
      timestamp: expect.stringMatching(/^2024-06-14T12:00:0\d\.\d{6}\+00:00$/),
      event: 'down',
      changed_at: '2024-06-14T12:00:00+00:00',
      ...whom,
      ...{ outcome: 'delivered', attempts: 1, error: '' },
    },
  ]);
  await knell.app.admin({ command: 'channel delete', args: { channel: id } }, () => {});
  await knell.restart();
  expect((await logOf(uuid)).notifications).toEqual(both);
});

test('one that failed says why and after how many attempts; one that came too late, what came before it', async () => {
  receiver.answering = (_, response) => response.writeHead(500).end();
  await addWebhook('broken');
  const { uuid } = await knell.create({ name: 'job', channels: '*' });
  await ping(uuid, '/fail');
  await receiver.until(1);
  await eventually(async () => {
    await clock.advance(60_000);
    expect(receiver.all.length).toBeGreaterThanOrEqual(3);
  });
  await ping(uuid);
  const [superseded] = await entries(uuid, 1);
  expect(superseded).toMatchObject({ event: 'down', outcome: 'superseded' });
  expect(superseded.attempts).toBeGreaterThanOrEqual(3);
  expect(superseded.error).toContain('up');
  receiver.answering = (_, response) => response.writeHead(200).end();
  await eventually(async () => {
    await clock.advance(60_000);
    expect((await logOf(uuid)).notifications).toHaveLength(2);
  });
  const [up] = (await logOf(uuid)).notifications;
  expect(up).toMatchObject({ event: 'up', outcome: 'delivered', error: '' });
});

test('the list takes the filters of flips, and refuses what those refuse', async () => {
  await addWebhook('pager');
  const { uuid } = await knell.create({ name: 'job', channels: '*' });
  await ping(uuid, '/fail');
  await entries(uuid, 1);
  const at = startMs / 1000;
  const count = async (query: string) => (await logOf(uuid, query)).notifications.length;
  expect(await count(`?start=${at}&end=${at + 60}`)).toBe(1);
  expect(await count(`?end=${at}`)).toBe(0);
  expect(await count('?seconds=10')).toBe(1);
  expect(await logOf(uuid, '?start=x')).toEqual({ error: 'start is not a valid UNIX timestamp' });
});

test('it names integrations, so a read-only key does not open it; a check that is not there is 404', async () => {
  const { uuid } = await knell.create({ name: 'job' });
  const path = (id: string) => `/api/v3/checks/${id}/notifications/`;
  expect((await knell.api('GET', path(uuid), undefined, knell.keys.readOnly)).status).toBe(401);
  expect((await knell.api('GET', path('00000000-0000-4000-8000-000000000000'))).status).toBe(404);
  expect((await knell.api('POST', path(uuid), {})).status).toBe(405);
  expect((await knell.request(path(uuid))).status).toBe(401);
});
