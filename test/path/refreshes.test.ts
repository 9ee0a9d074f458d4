/**
 * A service that forgets its alerts gets them again: on a simulated clock over a real socket, with what may happen in between, and
 * with a real Alertmanager that is restarted, where there is one.
 */
import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { limits } from '../../src/limits.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { AlertTimeline, env } from '../support/page/alert-timeline.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { Alertmanager, hasAlertmanager } from '../support/wire/alertmanager.ts';

interface SentAlert {
  readonly state: 'fires' | 'resolved';
  readonly key: string;
}

let timeline: AlertTimeline;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
});
afterEach(() => timeline.stop());

function sent(): readonly SentAlert[] {
  return timeline.receiver.all
    .filter(({ path }) => path === '/am/api/v2/alerts')
    .map(({ body }) => {
      const [{ labels, endsAt }] = JSON.parse(body);
      const isOver = Date.parse(endsAt) <= timeline.clock.nowMs();
      return { state: isOver ? 'resolved' : 'fires', key: labels.check_key };
    });
}

const states = (): readonly string[] => sent().map(({ state }) => state);

async function alertmanager(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const value = timeline.receiver.url('/am');
  const args = { project: 'default', kind: 'alertmanager', name: 'am', value, ...settings };
  await timeline.knell.app.admin({ command: 'channel create', args }, () => {});
}

/** Minute by minute: what is sent is answered before the next. */
async function minutes(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) {
    await timeline.later(1);
    await answered();
  }
}

/** Once nothing that was sent waits for its answer: real sockets have no place on the simulated clock. */
async function answered(): Promise<void> {
  for (let turn = 0; turn < 10; turn++)
    await new Promise((resolve) => systemClock.after(2, () => resolve(null)));
}

async function logOf(name: string): Promise<readonly unknown[]> {
  return (await timeline.notifications(name)).map(({ kind, outcome, channel }) => [channel, kind, outcome]);
}

describe('an alert', () => {
  test('comes again every three minutes while the check is down, and its end is the last', async () => {
    await alertmanager();
    await timeline.check('db', {});
    await timeline.ping('db', '/fail');
    await minutes(10);
    expect(states()).toEqual(['fires', 'fires', 'fires', 'fires']);
    await timeline.ping('db');
    await minutes(10);
    expect(states().slice(4)).toEqual(['resolved']);
    expect(new Set(sent().map(({ key }) => key)).size).toBe(1);
  });

  test('comes again after a restart, and leaves no trace that a notification leaves', async () => {
    await alertmanager();
    await timeline.check('db', {});
    await timeline.ping('db', '/fail');
    await minutes(1);
    const before = await logOf('db');
    expect(before.length).toBe(2);
    await timeline.restart();
    await minutes(7);
    expect(states()).toEqual(['fires', 'fires', 'fires']);
    await timeline.restart();
    expect(await logOf('db')).toEqual(before);
    expect(await timeline.knell.app.admin({ command: 'outbox list', args: {} }, () => {})).toEqual([]);
    await timeline.ping('db');
    await minutes(5);
    expect(states().slice(3)).toEqual(['resolved']);
  });

  test('comes again from what kill -9 leaves on the disk', async () => {
    await alertmanager();
    await timeline.check('db', {});
    await timeline.ping('db', '/fail');
    await minutes(1);
    const dataDir = tempDir();
    cpSync(timeline.knell.dataDir, dataDir, {
      recursive: true,
      filter: (path) => !/\.(?:sock|lock)$/.test(path),
    });
    const clock = new SimulatedClock(timeline.clock.nowMs());
    const again = await Knell.start({ clock, env, dataDir });
    const count = sent().length;
    await clock.advance(200_000);
    await eventually(() => expect(sent().length).toBe(count + 1));
    await again.stop();
    rmSync(dataDir, { recursive: true });
  });

  test('ends in whatever is in between: acknowledged, snoozed, in maintenance, in quiet hours', async () => {
    await alertmanager();
    await timeline.check('db', {});
    await timeline.ping('db', '/fail');
    await timeline.act('db', 'acknowledge');
    await minutes(4);
    expect(states()).toEqual(['fires', 'fires']);
    await timeline.snooze('db', 10);
    await minutes(8);
    expect(states().length).toBe(2);
    await minutes(6);
    expect(states().length).toBeGreaterThan(2);
    await timeline.maintenance(20);
    const count = states().length;
    await minutes(10);
    expect(states().length).toBe(count);
    await timeline.ping('db');
    await minutes(15);
    expect(states().slice(count)).toEqual(['resolved']);
  });

  test('is not sent again of a check that is paused or deleted, nor without its integration', async () => {
    await alertmanager();
    for (const name of ['db', 'web', 'mail']) await timeline.check(name, {});
    for (const name of ['db', 'web', 'mail']) await timeline.ping(name, '/fail');
    await answered();
    await timeline.act('db', 'pause');
    await timeline.remove('web');
    await timeline.edit('mail', { channels: '' });
    await minutes(10);
    expect(states()).toEqual(['fires', 'fires', 'fires']);
  });

  test('of an incident is one for all of its checks, after a restart too', async () => {
    await alertmanager({ collectS: 60 });
    await timeline.check('db', {});
    await timeline.check('web', {});
    await timeline.ping('db', '/fail');
    await timeline.ping('web', '/fail');
    await minutes(5);
    expect(states()).toEqual(['fires', 'fires']);
    await timeline.restart();
    await minutes(4);
    expect(states()).toEqual(['fires', 'fires', 'fires']);
    await timeline.ping('db');
    await minutes(2);
    await timeline.ping('web');
    await minutes(6);
    expect(states().at(-1)).toBe('resolved');
    expect(states().filter((state) => state === 'resolved').length).toBe(1);
    expect(new Set(sent().map(({ key }) => key)).size).toBe(1);
  });
});

test.skipIf(!hasAlertmanager)('a real Alertmanager has the alert again after its restart', async () => {
  const dir = tempDir();
  // What it sends as an end is over for Alertmanager, which has a clock of its own.
  const real = await Alertmanager.start(dir);
  const clock = new SimulatedClock(Date.now() - 3_600_000);
  const knell = await Knell.start({ clock, env });
  const args = { project: 'default', kind: 'alertmanager', name: 'am', value: real.url };
  await knell.app.admin({ command: 'channel create', args }, () => {});
  const { uuid } = await knell.create({ name: 'db', channels: '*' });
  const firing = async (): Promise<readonly string[]> =>
    (await real.alerts()).map(({ labels, status }) => `${labels.check} ${status.state}`);
  const has = (alerts: readonly string[]) => eventually(async () => expect(await firing()).toEqual(alerts));
  await knell.request(`/ping/${uuid}/fail`);
  await has(['db active']);
  await real.restart();
  expect(await firing()).toEqual([]);
  await knell.restart();
  await clock.advance(200_000);
  await has(['db active']);
  await knell.request(`/ping/${uuid}`);
  await has([]);
  await clock.advance(1_000_000);
  expect(await firing()).toEqual([]);
  await knell.stop();
  await real.stop();
  rmSync(dir, { recursive: true });
});

test('a node of a cluster that takes over sends it again', async () => {
  const { refreshMs } = limits.notify.dispatch;
  Object.assign(limits.notify.dispatch, { refreshMs: 300 });
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes: Knell[] = [];
  for (const name of ['a', 'b', 'c']) {
    const nodeEnv = { ...env, KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
    nodes.push(await Knell.start({ link: memoryLink(cluster, name), env: nodeEnv }));
  }
  const first = await Promise.race(nodes.map(async (node) => node.leading().then(() => node)));
  const value = timeline.receiver.url('/am');
  const args = { project: 'default', kind: 'alertmanager', name: 'am', value };
  await first.app.admin({ command: 'channel create', args }, () => {});
  const { uuid } = await first.create({ name: 'db', channels: '*' });
  const others = nodes.filter((node) => node !== first);
  const comesAgain = (): Promise<void> => {
    const count = sent().length;
    return eventually(() => expect(sent().length).toBeGreaterThan(count + 1));
  };
  await first.request(`/ping/${uuid}/fail`);
  await comesAgain();
  await first.stop();
  const second = await Promise.race(others.map(async (node) => node.leading().then(() => node)));
  await comesAgain();
  second.keys = first.keys;
  await second.request(`/ping/${uuid}`);
  await eventually(() => {
    const body = timeline.receiver.all.at(-1)?.body ?? '';
    expect(Date.parse(JSON.parse(body)[0].endsAt)).toBeLessThan(Date.now() + 1000);
  });
  const count = sent().length;
  await new Promise((resolve) => systemClock.after(1000, () => resolve(null)));
  expect(sent().length).toBe(count);
  for (const node of others) await node.stop();
  Object.assign(limits.notify.dispatch, { refreshMs });
});
