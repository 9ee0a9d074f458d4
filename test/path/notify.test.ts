/** What integrations receive over real sockets: from the ping or the deadline to the receiver. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asChannelId } from '../../src/lib/ids.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell, type KnellOptions } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver, MailReceiver } from '../support/wire/receivers.ts';

const startMs = Date.UTC(2024, 5, 14, 12);
let receiver: HttpReceiver;
let mail: MailReceiver;
const running: Knell[] = [];

beforeEach(async () => {
  receiver = await HttpReceiver.start();
  mail = await MailReceiver.start();
});

afterEach(async () => {
  for (const knell of running.splice(0)) await knell.stop();
  await receiver.stop();
  await mail.stop();
});

async function start({ env, ...options }: KnellOptions = {}): Promise<Knell> {
  const knell = await Knell.start({
    ...options,
    env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8', KNELL_MAIL_URL: mail.url, ...env },
  });
  running.push(knell);
  return knell;
}

function admin(knell: Knell, command: string, args: Readonly<Record<string, unknown>> = {}) {
  return knell.app.admin({ command, args }, () => {});
}

interface ChannelSpec {
  readonly kind?: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly [setting: string]: unknown;
}

async function channel(knell: Knell, { kind = 'webhook', name = '', value, ...rest }: ChannelSpec = {}) {
  const both = { url_down: receiver.url('/$STATUS/$NAME'), url_up: receiver.url('/$STATUS/$NAME') };
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? both);
  const made = await admin(knell, 'channel create', { project: 'default', kind, name, value: text, ...rest });
  return (made as { id: string }).id;
}

const outbox = async (knell: Knell) =>
  (await admin(knell, 'outbox list')) as { id: string; state: string; error: string; next: string }[];

const paths = () => receiver.all.map(({ path }) => path);

const ping = (knell: Knell, uuid: string, action = '', body?: string) =>
  knell.request(`/ping/${uuid}${action}`, body === undefined ? {} : { method: 'POST', body });

describe('an integration', () => {
  test('is notified of down and up, of nothing else, in order', async () => {
    const knell = await start();
    await channel(knell);
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    for (const action of ['', '/fail', '', '/fail', '']) {
      await ping(knell, uuid, action);
      await eventually(async () => expect(await outbox(knell)).toEqual([]));
    }
    await knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    await knell.api('POST', `/api/v3/checks/${uuid}/resume`);
    await ping(knell, uuid);
    await ping(knell, uuid, '/fail');
    await receiver.until(5);
    expect(paths()).toEqual(['/down/job', '/up/job', '/down/job', '/up/job', '/down/job']);
    expect(new Set(receiver.keys()).size).toBe(5);
  });

  test('is notified of a new and of a paused check that goes down', async () => {
    const knell = await start();
    await channel(knell);
    const { uuid } = await knell.create({ name: 'new', channels: '*' });
    await ping(knell, uuid, '/fail');
    await receiver.until(1);
    await knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    await ping(knell, uuid, '/fail');
    await receiver.until(2);
    expect(paths()).toEqual(['/down/new', '/down/new']);
  });

  test('is sent by mail what the job printed and how long it was down', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell, { kind: 'email', value: 'ops@example.org' });
    const { uuid } = await knell.create({ name: 'Bäckup <1>', channels: '*' });
    await ping(knell, uuid, '/fail', 'disk full <b>');
    const [down] = await mail.until(1);
    expect(down?.to).toEqual(['ops@example.org']);
    expect(down?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>$/im);
    expect(down?.text).toContain('text/plain');
    expect(down?.text).toContain('text/html');
    expect(down?.text).toContain('disk full <b>');
    expect(down?.text.replaceAll('=\r\n', '')).toContain('disk full &#60;b&#62;');
    await clock.advance(90 * 60_000);
    await ping(knell, uuid);
    const [, up] = await mail.until(2);
    // Quoted-printable breaks long lines.
    expect(up?.text.replaceAll('=\r\n', '')).toMatch(/Down for: +1 h 30 min/);
  });

  test('of a group is notified for it, once', async () => {
    const knell = await start();
    const one = await channel(knell, { name: 'one', value: { url_down: receiver.url('/one') } });
    const two = await channel(knell, { name: 'two', value: { url_down: receiver.url('/two') } });
    const group = await channel(knell, { kind: 'group', name: 'all', value: `${one},${two}` });
    const { uuid } = await knell.create({ channels: `${group},${one}` });
    await ping(knell, uuid, '/fail');
    await receiver.until(2);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(paths().sort()).toEqual(['/one', '/two']);
  });

  test('that does not want up, or is disabled, has no delivery', async () => {
    const knell = await start();
    const off = await channel(knell, { name: 'off' });
    await admin(knell, 'channel edit', { channel: off, disabled: true });
    await channel(knell, { name: 'down', value: { url_down: receiver.url('/only-down') } });
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    await receiver.until(1);
    await ping(knell, uuid);
    expect(await outbox(knell)).toEqual([]);
    expect(paths()).toEqual(['/only-down']);
  });
});

describe('a deadline', () => {
  test('that passes is sent', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell);
    const { uuid } = await knell.create({ name: 'late', timeout: 60, grace: 60, channels: '*' });
    await ping(knell, uuid);
    await clock.advance(119_000);
    expect(await outbox(knell)).toEqual([]);
    await clock.advance(2000);
    await receiver.until(1);
    expect(paths()).toEqual(['/down/late']);
  });

  test('of fifty checks that passed while Knell was away notifies nobody during the credit', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell);
    const uuids: string[] = [];
    for (let index = 0; index < 50; index++) {
      const { uuid } = await knell.create({ name: `${index}`, timeout: 3600, grace: 600, channels: '*' });
      uuids.push(uuid);
    }
    for (const uuid of uuids) await ping(knell, uuid);
    await clock.advance(65 * 60_000);
    // Away for eight minutes: every check was due to go down meanwhile, and has eight minutes more.
    await knell.restart(() => clock.advance(8 * 60_000));
    await clock.advance(4 * 60_000);
    for (const uuid of uuids) await ping(knell, uuid);
    await clock.advance(600_000);
    expect(await outbox(knell)).toEqual([]);
    expect(receiver.all).toEqual([]);
  });
});

/** More than are sent at once, of one integration and in all. */
const manyChecks = isLong ? 300 : 100;

test(`${manyChecks} checks that go down at once are sent once each, and pings are answered meanwhile`, async () => {
  const clock = new SimulatedClock(startMs);
  const knell = await start({ clock });
  const other = await knell.create({ name: 'other' });
  await channel(knell);
  const names = Array.from({ length: manyChecks }, (_, index) => `job-${index}`);
  for (const name of names) {
    const { uuid } = await knell.create({ name, timeout: 60, grace: 60, channels: '*' });
    await ping(knell, uuid);
  }
  await clock.advance(300_000);
  const answers = await Promise.all(Array.from({ length: 100 }, () => ping(knell, other.uuid)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await receiver.until(manyChecks);
  await eventually(async () => expect(await outbox(knell)).toEqual([]));
  expect(paths().sort()).toEqual(names.map((name) => `/down/${name}`).sort());
  expect(new Set(receiver.keys()).size).toBe(manyChecks);
});

describe('a delivery that fails', () => {
  test('is tried again after a second or so, with the same key, until it works', async () => {
    const knell = await start();
    await channel(knell);
    receiver.answering = (_, response, nth) => {
      response.statusCode = nth === 1 ? 500 : 200;
      response.end();
    };
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    const [first, second] = await receiver.until(2);
    expect(new Set(receiver.keys()).size).toBe(1);
    // How long the pauses are at most is shown on a simulated clock, in `notify/dispatch/dispatch`.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(750);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
  });

  test('for good is given up at once, and the integration is disabled and says why', async () => {
    const knell = await start();
    const id = await channel(knell, { name: 'gone' });
    receiver.answering = (_, response) => {
      response.statusCode = 410;
      response.end();
    };
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    await eventually(async () =>
      expect(await outbox(knell)).toMatchObject([{ state: 'dead', error: 'status 410', told: 'down' }]),
    );
    expect(await admin(knell, 'channel list', { project: 'default' })).toMatchObject([
      { id, disabled: true, last_error: 'status 410' },
    ]);
    await knell.restart();
    const [dead] = await outbox(knell);
    receiver.answering = (_, response) => void response.end();
    await admin(knell, 'channel edit', { channel: id, disabled: false });
    expect(await admin(knell, 'outbox retry', { id: dead?.id })).toEqual({ retried: 1 });
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(new Set(receiver.keys()).size).toBe(1);
    expect(await admin(knell, 'channel list', { project: 'default' })).toMatchObject([{ last_error: '' }]);
  });

  test('is superseded by the later state, which is the only one sent', async () => {
    const knell = await start();
    await channel(knell);
    receiver.answering = (_, response, nth) => {
      response.statusCode = nth === 1 ? 503 : 200;
      response.end();
    };
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    await ping(knell, uuid, '/fail');
    await receiver.until(1);
    await ping(knell, uuid);
    await receiver.until(2);
    await eventually(async () => expect(await outbox(knell)).toMatchObject([{ state: 'superseded' }]));
    expect(paths()).toEqual(['/down/job', '/up/job']);
  });

  test('because one integration hangs holds up no other', async () => {
    const knell = await start();
    await channel(knell, { name: 'hangs', value: { url_down: receiver.url('/hangs') } });
    await channel(knell, { name: 'works', value: { url_down: receiver.url('/works') } });
    receiver.answering = ({ path }, response) => {
      if (path === '/works') response.end();
    };
    for (let index = 0; index < 50; index++) {
      const { uuid } = await knell.create({ channels: '*' });
      await ping(knell, uuid, '/fail');
    }
    await eventually(() => expect(paths().filter((path) => path === '/works').length).toBe(50));
    expect(paths().filter((path) => path === '/hangs').length).toBeLessThanOrEqual(16);
  });
});

describe('after a restart', () => {
  test('what was pending is sent, with the key it had', async () => {
    const knell = await start();
    await channel(knell);
    receiver.answering = (_, response) => void response.destroy();
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    await ping(knell, uuid, '/fail');
    await receiver.until(1);
    await eventually(async () =>
      expect(await outbox(knell)).toMatchObject([{ state: 'waiting', attempts: 1 }]),
    );
    receiver.answering = (_, response) => void response.end();
    await knell.restart();
    await receiver.until(2);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(new Set(receiver.keys()).size).toBe(1);
  });
});

describe('an address', () => {
  test('in a private network is refused, directly and behind a redirect', async () => {
    const knell = await start({ env: { KNELL_WEBHOOK_ALLOW: '127.0.0.1/32' } });
    receiver.answering = (_, response) => {
      response.writeHead(302, { Location: `http://127.0.0.2:${receiver.port}/inside` }).end();
    };
    await channel(knell, { name: 'direct', value: { url_down: `http://127.0.0.3:${receiver.port}/` } });
    await channel(knell, { name: 'redirect', value: { url_down: receiver.url('/out') } });
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    await eventually(async () => {
      const found = await outbox(knell);
      expect(found.map(({ state }) => state)).toEqual(['dead', 'dead']);
      expect(found.map(({ error }) => error).sort()).toEqual([
        '127.0.0.2 is private and blocked by default; allow it with KNELL_WEBHOOK_ALLOW=127.0.0.2',
        '127.0.0.3 is private and blocked by default; allow it with KNELL_WEBHOOK_ALLOW=127.0.0.3',
      ]);
    });
    expect(paths()).toEqual(['/out']);
  });
});

describe('delay, repetition and late', () => {
  test('a delayed integration receives nothing of a short outage, and later of a long one', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell, { delayS: 300 });
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    await ping(knell, uuid, '/fail');
    await clock.advance(200_000);
    await ping(knell, uuid);
    await clock.advance(200_000);
    expect(receiver.all).toEqual([]);
    await ping(knell, uuid, '/fail');
    await clock.advance(301_000);
    await receiver.until(1);
    await ping(knell, uuid);
    await receiver.until(2);
    expect(paths()).toEqual(['/down/job', '/up/job']);
  });

  test('a repeating integration is notified again while the check is down, and no longer', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell, { repeatS: 3600 });
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    await ping(knell, uuid, '/fail');
    const repetitionWaits = () =>
      eventually(async () => {
        const [next, ...others] = (await outbox(knell)).map((delivery) => Date.parse(delivery.next));
        expect(others).toEqual([]);
        expect(next).toBeGreaterThan(clock.nowMs());
      });
    for (const count of [1, 2, 3]) {
      await receiver.until(count);
      await repetitionWaits();
      await clock.advance(3_601_000);
    }
    await receiver.until(4);
    await repetitionWaits();
    await ping(knell, uuid);
    await receiver.until(5);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(paths()).toEqual([...Array.from({ length: 4 }, () => '/down/job'), '/up/job']);
    expect(new Set(receiver.keys()).size).toBe(5);
  });

  test('an integration that asks for it is notified of a late ping', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell, { name: 'late', late: true });
    await channel(knell, { name: 'usual', value: { url_down: receiver.url('/usual') } });
    const { uuid } = await knell.create({ name: 'job', timeout: 60, grace: 60, channels: '*' });
    await ping(knell, uuid);
    await clock.advance(61_000);
    await receiver.until(1);
    expect(paths()).toEqual(['/grace/job']);
  });
});

test('a test message is sent at once, and the answer shown', async () => {
  const knell = await start();
  const id = await channel(knell, { name: 'hook' });
  expect(await admin(knell, 'channel test', { channel: 'hook' })).toEqual([
    { id, name: 'hook', kind: 'webhook', ok: true, error: '' },
  ]);
  receiver.answering = (_, response) => {
    response.statusCode = 500;
    response.end();
  };
  expect(await admin(knell, 'channel test', { channel: id })).toMatchObject([
    { ok: false, error: 'status 500' },
  ]);
  expect(paths()).toEqual(['/down/TEST', '/down/TEST']);
  // As after an alert: the integration fails since then, until something arrives.
  const failing = () => {
    const { settings } = knell.app.engine.read.channel(asChannelId(id)) ?? {};
    return [settings?.lastError ?? '', (settings?.failingSinceMs ?? 0) > 0];
  };
  await eventually(async () => expect(failing()).toEqual(['status 500', true]));
  receiver.answering = (_, response) => void response.end();
  await admin(knell, 'channel test', { channel: id });
  await eventually(async () => expect(failing()).toEqual(['', false]));
});
