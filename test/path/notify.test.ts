/** What integrations receive over real sockets: from the ping or the deadline to the receiver. */
import { describe, expect, test } from 'vitest';
import { asChannelId } from '../../src/lib/ids.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { eventually } from '../support/patience.ts';
import { NotifyScene } from '../support/wire/notify-scene.ts';

const startMs = Date.UTC(2024, 5, 14, 12);
const scene = NotifyScene.forFile();
const { admin, channel, outbox, paths, ping, start } = scene;

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
    await scene.receiver.until(5);
    expect(paths()).toEqual(['/down/job', '/up/job', '/down/job', '/up/job', '/down/job']);
    expect(new Set(scene.receiver.keys()).size).toBe(5);
  });

  test('is notified of a new and of a paused check that goes down', async () => {
    const knell = await start();
    await channel(knell);
    const { uuid } = await knell.create({ name: 'new', channels: '*' });
    await ping(knell, uuid, '/fail');
    await scene.receiver.until(1);
    await knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    await ping(knell, uuid, '/fail');
    await scene.receiver.until(2);
    expect(paths()).toEqual(['/down/new', '/down/new']);
  });

  test('is sent by mail what the job printed and how long it was down', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell, { kind: 'email', value: 'ops@example.org' });
    const { uuid } = await knell.create({ name: 'Bäckup <1>', channels: '*' });
    await ping(knell, uuid, '/fail', 'disk full <b>');
    const [down] = await scene.mail.until(1);
    expect(down?.to).toEqual(['ops@example.org']);
    expect(down?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>$/im);
    expect(down?.text).toContain('text/plain');
    expect(down?.text).toContain('text/html');
    expect(down?.text).toContain('disk full <b>');
    expect(down?.text.replaceAll('=\r\n', '')).toContain('disk full &#60;b&#62;');
    await clock.advance(90 * 60_000);
    await ping(knell, uuid);
    const [, up] = await scene.mail.until(2);
    // Quoted-printable breaks long lines.
    expect(up?.text.replaceAll('=\r\n', '')).toMatch(/Down for: +1 h 30 min/);
  });

  test('of a group is notified for it, once', async () => {
    const knell = await start();
    const one = await channel(knell, { name: 'one', value: { url_down: scene.receiver.url('/one') } });
    const two = await channel(knell, { name: 'two', value: { url_down: scene.receiver.url('/two') } });
    const group = await channel(knell, { kind: 'group', name: 'all', value: `${one},${two}` });
    const { uuid } = await knell.create({ channels: `${group},${one}` });
    await ping(knell, uuid, '/fail');
    await scene.receiver.until(2);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(paths().sort()).toEqual(['/one', '/two']);
  });

  test('that does not want up, or is disabled, has no delivery', async () => {
    const knell = await start();
    const off = await channel(knell, { name: 'off' });
    await admin(knell, 'channel edit', { channel: off, disabled: true });
    await channel(knell, { name: 'down', value: { url_down: scene.receiver.url('/only-down') } });
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    await scene.receiver.until(1);
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
    await scene.receiver.until(1);
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
    expect(scene.receiver.all).toEqual([]);
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
    expect(scene.receiver.all).toEqual([]);
    await ping(knell, uuid, '/fail');
    await clock.advance(301_000);
    await scene.receiver.until(1);
    await ping(knell, uuid);
    await scene.receiver.until(2);
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
      await scene.receiver.until(count);
      await repetitionWaits();
      await clock.advance(3_601_000);
    }
    await scene.receiver.until(4);
    await repetitionWaits();
    await ping(knell, uuid);
    await scene.receiver.until(5);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(paths()).toEqual([...Array.from({ length: 4 }, () => '/down/job'), '/up/job']);
    expect(new Set(scene.receiver.keys()).size).toBe(5);
  });

  test('an integration that asks for it is notified of a late ping', async () => {
    const clock = new SimulatedClock(startMs);
    const knell = await start({ clock });
    await channel(knell, { name: 'late', late: true });
    await channel(knell, { name: 'usual', value: { url_down: scene.receiver.url('/usual') } });
    const { uuid } = await knell.create({ name: 'job', timeout: 60, grace: 60, channels: '*' });
    await ping(knell, uuid);
    await clock.advance(61_000);
    await scene.receiver.until(1);
    expect(paths()).toEqual(['/grace/job']);
  });
});

test('a test message is sent at once, and the answer shown', async () => {
  const knell = await start();
  const id = await channel(knell, { name: 'hook' });
  expect(await admin(knell, 'channel test', { channel: 'hook' })).toEqual([
    { id, name: 'hook', kind: 'webhook', ok: true, error: '' },
  ]);
  scene.receiver.answering = (_, response) => {
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
  scene.receiver.answering = (_, response) => void response.end();
  await admin(knell, 'channel test', { channel: id });
  await eventually(async () => expect(failing()).toEqual(['', false]));
});
