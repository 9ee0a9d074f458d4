/** Deliveries that are tried again, also after a restart, as an integration receives them over a real socket. */
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/patience.ts';
import { NotifyScene } from '../support/wire/notify-scene.ts';

const scene = NotifyScene.forFile();
const { channel, outbox, paths, ping, start } = scene;

describe('a delivery that fails', () => {
  test('is tried again after a second or so, with the same key, until it works', async () => {
    const knell = await start();
    await channel(knell);
    scene.receiver.answering = (_, response, nth) => {
      response.statusCode = nth === 1 ? 500 : 200;
      response.end();
    };
    const { uuid } = await knell.create({ channels: '*' });
    await ping(knell, uuid, '/fail');
    const [first, second] = await scene.receiver.until(2);
    expect(new Set(scene.receiver.keys()).size).toBe(1);
    // How long the pauses are at most is shown on a simulated clock, in `notify/dispatch/dispatch`.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(750);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
  });

  test('is superseded by the later state, which is the only one sent', async () => {
    const knell = await start();
    await channel(knell);
    scene.receiver.answering = (_, response, nth) => {
      response.statusCode = nth === 1 ? 503 : 200;
      response.end();
    };
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    await ping(knell, uuid, '/fail');
    await scene.receiver.until(1);
    await ping(knell, uuid);
    await scene.receiver.until(2);
    await eventually(async () => expect(await outbox(knell)).toMatchObject([{ state: 'superseded' }]));
    expect(paths()).toEqual(['/down/job', '/up/job']);
  });
});

describe('after a restart', () => {
  test('what was pending is sent, with the key it had', async () => {
    const knell = await start();
    await channel(knell);
    scene.receiver.answering = (_, response) => void response.destroy();
    const { uuid } = await knell.create({ name: 'job', channels: '*' });
    await ping(knell, uuid, '/fail');
    await scene.receiver.until(1);
    await eventually(async () =>
      expect(await outbox(knell)).toMatchObject([{ state: 'waiting', attempts: 1 }]),
    );
    scene.receiver.answering = (_, response) => void response.end();
    await knell.restart();
    await scene.receiver.until(2);
    await eventually(async () => expect(await outbox(knell)).toEqual([]));
    expect(new Set(scene.receiver.keys()).size).toBe(1);
  });
});
