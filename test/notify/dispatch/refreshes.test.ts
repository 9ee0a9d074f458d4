/** A service that forgets its alerts is sent them again, on a simulated clock: when, what not, and in which order with alerts. */
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/lib/units.ts';
import {
  channelId,
  delivered,
  everyMs,
  failed,
  idOf,
  incidentId,
  RefreshScene,
  startMs,
} from '../../support/engine/refresh-scene.ts';

describe('a check that is down', () => {
  test('is sent again every three minutes, until it is up', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    await scene.pass(everyMs - 1);
    expect(scene.log).toEqual(['down 0']);
    await scene.pass(2 * everyMs + 1);
    expect(scene.log).toEqual(['down 0', 'down 180', 'down 360', 'down 540']);
    await scene.change(1, 'up');
    await scene.pass(10 * everyMs);
    expect(scene.log.slice(4)).toEqual(['up 540']);
    expect(new Set(scene.sent.map(({ id }) => id)).size).toBe(5);
  });

  test('leaves no trace of that but a metric', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    const written = [...scene.written];
    expect(written).toEqual(['notification', 'delivery-ended']);
    await scene.pass(3 * everyMs);
    expect(scene.sent.length).toBe(4);
    expect(scene.written).toEqual(written);
    expect(scene.recent.of(channelId).length).toBe(1);
    expect(scene.count('"outcome":"delivered"')).toBe(1);
  });

  test('is not, for a service that remembers', async () => {
    const scene = new RefreshScene();
    scene.kind = 'slack';
    await scene.change(1, 'down');
    await scene.pass(10 * everyMs);
    expect(scene.log).toEqual(['down 0']);
  });

  test('is after a restart too, if its log says that the integration was notified', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    await scene.change(2, 'down');
    await scene.restart([1]);
    await scene.pass(everyMs);
    expect(scene.log).toEqual(['down 0', 'down 0', 'down 180']);
    expect(scene.sent[2]?.check).toBe(idOf(1));
  });

  test('is beside the reminders that its owner wants', async () => {
    const scene = new RefreshScene();
    scene.settings = { repeatS: 600 };
    await scene.change(1, 'down');
    await scene.pass(11 * minute);
    expect(scene.log).toEqual(['down 0', 'down 180', 'down 360', 'down 540', 'down 600']);
    // A reminder is as good as a refresh.
    await scene.pass(2 * minute);
    expect(scene.log.slice(5)).toEqual(['down 780']);
    expect(scene.written.filter((type) => type === 'notification').length).toBe(2);
  });
});

describe('nothing is sent again', () => {
  const cases: readonly (readonly [string, (scene: RefreshScene) => void])[] = [
    ['while the check is paused', (scene) => scene.become(1, 'paused')],
    ['once it is up, before that was sent', (scene) => scene.become(1, 'up')],
    ['of a check that is deleted', (scene) => Object.assign(scene, { isDeleted: true })],
    [
      'by an integration that is taken from the check',
      (scene) => Object.assign(scene, { isAssigned: false }),
    ],
    ['by one that is deleted', (scene) => Object.assign(scene, { hasChannel: false })],
    ['by one that is disabled', (scene) => Object.assign(scene, { settings: { disabled: true } })],
    [
      'by one that chooses other tags by now',
      (scene) => Object.assign(scene, { settings: { tags: 'prod' } }),
    ],
    ['in maintenance', (scene) => Object.assign(scene, { isInMaintenance: true })],
    ['in its quiet hours', (scene) => Object.assign(scene, { isQuiet: true })],
    [
      'in a snooze',
      (scene) => {
        const times = { atMs: startMs, untilMs: startMs + 99 * everyMs, downAtMs: startMs };
        scene.facts = { snooze: { ...times, by: 'ann', wasDown: true, withheld: [] } };
      },
    ],
    [
      'of an outage that nobody is to be notified of yet',
      (scene) => {
        scene.facts = { hold: { wasDown: false, downAtMs: 0, withheld: [] } } as never;
      },
    ],
  ];
  test.each(cases)('%s', async (_, happen) => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    happen(scene);
    await scene.pass(5 * everyMs);
    expect(scene.log).toEqual(['down 0']);
  });

  test('in a snooze, and is again when that is over', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    const times = { atMs: startMs, untilMs: startMs + 99 * everyMs, downAtMs: startMs };
    scene.facts = { snooze: { ...times, by: 'ann', wasDown: true, withheld: [] } };
    await scene.pass(2 * everyMs);
    scene.facts = {};
    await scene.pass(everyMs);
    expect(scene.log).toEqual(['down 0', 'down 540']);
  });

  test('of what the integration was never notified of', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down', { notBeforeMs: startMs + 20 * minute });
    await scene.pass(19 * minute);
    expect(scene.log).toEqual([]);
    await scene.pass(minute + everyMs);
    expect(scene.log).toEqual(['down 1200', 'down 1380']);
  });
});

test('what somebody has acknowledged is sent again: that reminds nobody', async () => {
  const scene = new RefreshScene();
  await scene.change(1, 'down');
  scene.isAcknowledged = true;
  scene.facts = { acknowledgement: { atMs: startMs, by: 'ann' } } as never;
  await scene.pass(everyMs);
  expect(scene.log).toEqual(['down 0', 'down 180']);
});

describe('a refresh that fails', () => {
  test('is tried again at the next interval, counts for the integration, and stays out of the log', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    const written = [...scene.written];
    scene.answer = failed;
    await scene.pass(2 * everyMs);
    scene.answer = delivered;
    await scene.pass(everyMs);
    expect(scene.log).toEqual(['down 0', 'down 180', 'down 360', 'down 540']);
    expect(scene.attempted.map(({ outcome }) => outcome.kind)).toEqual([
      ...['delivered', 'failed', 'failed', 'delivered'],
    ]);
    expect(scene.written).toEqual(written);
    expect(scene.count('"outcome":"failed"')).toBe(1);
  });

  test('says only after an hour how often it has: nothing at the address is a proof then', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    scene.answer = { kind: 'failed', error: 'status 404', missing: true };
    await scene.pass(60 * minute);
    expect(Math.max(...scene.attempted.map(({ attempts }) => attempts))).toBe(0);
    await scene.pass(6 * minute);
    expect(scene.attempted.at(-1)).toMatchObject({ attempts: 21, error: 'status 404' });
  });
});

describe('an end', () => {
  test('waits for the refresh that is in flight, and comes last', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    scene.answer = null;
    await scene.pass(everyMs);
    await scene.change(1, 'up');
    expect(scene.log).toEqual(['down 0', 'down 180']);
    scene.sent[1]?.finish(delivered);
    await scene.pass(0);
    expect(scene.log).toEqual(['down 0', 'down 180', 'up 180']);
    scene.sent[2]?.finish(delivered);
    await scene.pass(10 * everyMs);
    expect(scene.sent.length).toBe(3);
  });

  test('that fails is not followed by a refresh', async () => {
    const scene = new RefreshScene();
    await scene.change(1, 'down');
    scene.answer = failed;
    await scene.change(1, 'up');
    await scene.pass(10 * everyMs);
    expect(scene.log.slice(1).every((line) => line.startsWith('up'))).toBe(true);
  });

  test('of an incident waits for the refresh of it, though that is about another check', async () => {
    const scene = new RefreshScene();
    const incident = { incident: incidentId };
    await scene.change(1, 'down', incident);
    await scene.change(2, 'down', incident);
    scene.answer = null;
    await scene.pass(everyMs);
    expect(scene.log).toEqual(['down 0', 'down 0', 'down 180']);
    const about = scene.sent[2]?.check === idOf(1) ? 1 : 2;
    // It ends without a notification, and then the incident does.
    scene.become(about, 'paused');
    await scene.change(3 - about, 'up', incident);
    expect(scene.sent.length).toBe(3);
    scene.sent[2]?.finish(delivered);
    await scene.pass(0);
    expect(scene.log.slice(3)).toEqual(['up 180']);
  });
});

test('an incident is sent again once for all of its checks, and no more when all are up', async () => {
  const scene = new RefreshScene();
  const incident = { incident: incidentId };
  for (const number of [1, 2, 3]) await scene.change(number, 'down', incident);
  await scene.pass(2 * everyMs);
  expect(scene.log.slice(3)).toEqual(['down 180', 'down 360']);
  for (const number of [1, 2, 3]) await scene.change(number, 'up', incident);
  const count = scene.sent.length;
  await scene.pass(5 * everyMs);
  expect(scene.sent.length).toBe(count);
  expect(scene.sent.at(-1)?.kind).toBe('up');
});

test('two hundred checks are sent again one after the other, a few in flight', async () => {
  const scene = new RefreshScene();
  for (let number = 1; number <= 200; number++) await scene.change(number, 'down');
  scene.answer = null;
  await scene.pass(everyMs);
  expect(scene.sent.length - 200).toBe(1);
  await scene.pass(10 * second);
  expect(scene.sent.length - 200).toBe(4);
  scene.answer = delivered;
  for (const { finish } of scene.sent.slice(200)) finish(delivered);
  await scene.pass(0);
  await scene.pass(everyMs / 2);
  expect(scene.sent.length - 200).toBe(200);
});
