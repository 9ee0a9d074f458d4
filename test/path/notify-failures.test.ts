/** Deliveries that are many, hang, or fail for good, as integrations receive them over real sockets. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { NotifyScene } from '../support/wire/notify-scene.ts';

const startMs = Date.UTC(2024, 5, 14, 12);
const scene = NotifyScene.forFile();
const { admin, channel, outbox, paths, ping, start } = scene;

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
  await scene.receiver.until(manyChecks);
  await eventually(async () => expect(await outbox(knell)).toEqual([]));
  expect(paths().sort()).toEqual(names.map((name) => `/down/${name}`).sort());
  expect(new Set(scene.receiver.keys()).size).toBe(manyChecks);
});

describe('a delivery that fails', () => {
  test('for good is given up at once, and the integration is disabled and says why', async () => {
    const knell = await start();
    const id = await channel(knell, { name: 'gone' });
    scene.receiver.answering = (_, response) => {
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
    scene.receiver.answering = (_, response) => void response.end();
    await admin(knell, 'channel edit', { channel: id, disabled: false });
    expect(await admin(knell, 'outbox retry', { id: dead?.id })).toEqual({ retried: 1 });
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(new Set(scene.receiver.keys()).size).toBe(1);
    expect(await admin(knell, 'channel list', { project: 'default' })).toMatchObject([{ last_error: '' }]);
  });

  test('because one integration hangs holds up no other', async () => {
    const knell = await start();
    await channel(knell, { name: 'hangs', value: { url_down: scene.receiver.url('/hangs') } });
    await channel(knell, { name: 'works', value: { url_down: scene.receiver.url('/works') } });
    scene.receiver.answering = ({ path }, response) => {
      if (path === '/works') response.end();
    };
    const fails = async () => ping(knell, (await knell.create({ channels: '*' })).uuid, '/fail');
    await Promise.all(Array.from({ length: 50 }, fails));
    await eventually(() => expect(paths().filter((path) => path === '/works').length).toBe(50));
    expect(paths().filter((path) => path === '/hangs').length).toBeLessThanOrEqual(16);
  });
});

describe('an address', () => {
  test('in a private network is refused, directly and behind a redirect', async () => {
    const knell = await start({ env: { KNELL_WEBHOOK_ALLOW: '127.0.0.1/32' } });
    scene.receiver.answering = (_, response) => {
      response.writeHead(302, { Location: `http://127.0.0.2:${scene.receiver.port}/inside` }).end();
    };
    await channel(knell, { name: 'direct', value: { url_down: `http://127.0.0.3:${scene.receiver.port}/` } });
    await channel(knell, { name: 'redirect', value: { url_down: scene.receiver.url('/out') } });
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    await eventually(async () => {
      const found = await outbox(knell);
      expect(found.map(({ state }) => state)).toEqual(['dead', 'dead']);
      expect(found.map(({ error }) => error).sort()).toEqual([
        '127.0.0.2 is private and blocked by default; add it to KNELL_WEBHOOK_ALLOW',
        '127.0.0.3 is private and blocked by default; add it to KNELL_WEBHOOK_ALLOW',
      ]);
    });
    expect(paths()).toEqual(['/out']);
  });
});
