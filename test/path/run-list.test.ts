/** The runs of a check through what may happen to Knell, to its clock and to a check, as the manual says it ("Pinging", "Runs"). */

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { tempDir } from '../support/temp-dirs.ts';

const start = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;
const a = '0000000a-0000-4000-8000-000000000000';
const b = '0000000b-0000-4000-8000-000000000000';
const limits = { timeout: 86_400, grace: 300, max_runtime: 1800 };

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

async function ping(uuid: string, rest = ''): Promise<void> {
  expect((await knell.request(`/ping/${uuid}${rest}`)).status).toBe(200);
}

/** Newest first. */
async function runs(uuid: string, of: Knell = knell): Promise<Json[]> {
  return (await of.api('GET', `/api/v3/checks/${uuid}/runs/`)).json().runs;
}

/** Outcome, minutes from the beginning to the end, numbers of pings. */
async function story(uuid: string): Promise<unknown[]> {
  return (await runs(uuid)).map(({ outcome, ended, pings }) => [
    outcome,
    ended === null ? null : (Date.parse(ended) - start) / minute,
    pings.join(' '),
  ]);
}

describe('an outage of Knell', () => {
  test('puts off each run by itself, by the time away and at most the grace time', async () => {
    const { uuid } = await knell.create(limits);
    await ping(uuid);
    await ping(uuid, `/start?rid=${a}`);
    await clock.advance(10 * minute);
    await ping(uuid, `/start?rid=${b}`);
    await clock.advance(18 * minute);
    await knell.restart(() => clock.jump(3 * minute));
    await clock.advance(10 * minute);
    expect(await story(uuid)).toEqual([
      ['hung', 40, '3'],
      ['hung', 33, '2'],
      ['success', 0, '1'],
    ]);
  });

  test('is the same to a check with one start', async () => {
    const { uuid } = await knell.create({ timeout: 86_400, grace: 300 });
    await ping(uuid, '/start');
    await clock.advance(4 * minute);
    await knell.restart(() => clock.jump(2 * minute));
    await clock.advance(10 * minute);
    expect(await story(uuid)).toEqual([['hung', 7, '1']]);
  });
});

test('a restart and a snapshot keep runs in flight and those of the past', async () => {
  const { uuid } = await knell.create({ ...limits, hosts: 'db-1 db-2' });
  await ping(uuid, `/start?rid=${a}&host=db-1`);
  await clock.advance(31 * minute);
  await ping(uuid, `/start?rid=${b}&host=db-2`);
  const before = await runs(uuid);
  expect(before.map(({ outcome }) => outcome)).toEqual(['running', 'hung']);
  await knell.restart();
  expect(await runs(uuid)).toEqual(before);
  const { file } = (await knell.app.admin({ command: 'snapshot', args: {} }, () => {})) as Json;
  const dataDir = join(tempDir(), 'restored');
  await restoreSnapshot(file, dataDir, () => {});
  const restored = await Knell.start({ dataDir, clock });
  try {
    restored.keys = knell.keys;
    expect(await runs(uuid, restored)).toEqual(before);
    await restored.request(`/ping/${uuid}?rid=${b}`);
    expect((await runs(uuid, restored))[0]).toMatchObject({
      outcome: 'success',
      host: 'db-2',
      pings: [2, 3],
    });
  } finally {
    await restored.stop();
  }
});

test('a warning is counted by badges until the next run, also after a restart', async () => {
  const { uuid, badge_url } = await knell.create(limits);
  const badge = new URL(badge_url).pathname.replace('.svg', '.json');
  const warned = async () => (await knell.request(badge)).json().warning;
  await ping(uuid, '/warn');
  await knell.restart();
  expect(await warned()).toBe(1);
  await ping(uuid, '/start');
  await ping(uuid, '/log');
  expect(await warned()).toBe(1);
  await knell.restart();
  await ping(uuid);
  expect(await warned()).toBeUndefined();
  await ping(uuid, '/warn');
  await ping(uuid, '/fail');
  expect(await warned()).toBeUndefined();
});

test.runIf(isLong)('a take-over by another node keeps them, and either node lists them', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes = await Promise.all(
    ['one', 'two', 'three'].map((name) => {
      const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
      return Knell.start({ link: memoryLink(cluster, name), env });
    }),
  );
  try {
    const leader = await Promise.race(nodes.map(async (node) => node.leading().then(() => node)));
    for (const node of nodes) node.keys = leader.keys;
    const [other] = nodes.filter((node) => node !== leader) as [Knell];
    const { uuid } = await leader.create(limits);
    await other.request(`/ping/${uuid}/start?rid=${a}&host=db-1`);
    await leader.request(`/ping/${uuid}/start?rid=${b}`);
    await other.request(`/ping/${uuid}?rid=${b}`);
    const before = await runs(uuid, leader);
    expect(before.map(({ outcome, pings }) => [outcome, pings.join(' ')])).toEqual([
      ['success', '2 3'],
      ['running', '1'],
    ]);
    expect(await runs(uuid, other)).toEqual(before);
    await leader.stop();
    await eventually(async () => expect(await runs(uuid, other)).toEqual(before));
    await other.request(`/ping/${uuid}?rid=${a}`);
    expect((await runs(uuid, other))[1]).toMatchObject({ outcome: 'success', host: 'db-1', pings: [1, 4] });
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
});

test('a pause gives up the runs in flight; an end that comes later is shown with its run', async () => {
  const { uuid } = await knell.create(limits);
  await ping(uuid);
  await ping(uuid, `/start?rid=${a}`);
  await clock.advance(minute);
  await knell.api('POST', `/api/v3/checks/${uuid}/pause`, {});
  await clock.advance(minute);
  await ping(uuid, `?rid=${a}`);
  expect((await runs(uuid))[0]).toMatchObject({
    outcome: 'overtaken',
    duration: 120,
    pings: [2, 3],
    n: null,
  });
  expect((await knell.check(uuid)).status).toBe('up');
});

test('a move to another project takes the runs along', async () => {
  const { uuid } = await knell.create(limits);
  await ping(uuid, `/start?rid=${a}`);
  await clock.advance(31 * minute);
  await ping(uuid, `/start?rid=${b}`);
  const before = await runs(uuid);
  const other = await knell.app.engine.change.createProject('other', 'paid', 0);
  await knell.app.admin({ command: 'check move', args: { check: uuid, project: 'other' } }, () => {});
  knell.keys = { ...knell.keys, readWrite: other.readWrite.clear };
  expect(await runs(uuid)).toEqual(before);
  await ping(uuid, `?rid=${b}`);
  expect((await runs(uuid))[0]).toMatchObject({ outcome: 'success', pings: [2, 3] });
});

test('a clock that is set back gives no run a negative duration, and each run is there', async () => {
  const { uuid } = await knell.create(limits);
  await ping(uuid, `/start?rid=${a}`);
  clock.jump(-60 * minute);
  await ping(uuid, `?rid=${a}`);
  await ping(uuid, `/start?rid=${b}`);
  await clock.advance(minute);
  await ping(uuid, `?rid=${b}`);
  expect((await runs(uuid)).map(({ duration, pings }) => [duration, pings.join(' ')])).toEqual([
    [0, '1 2'],
    [60, '3 4'],
  ]);
});

test('pings that come twice: a start begins its run anew, an end is a run without a start', async () => {
  const { uuid } = await knell.create(limits);
  await ping(uuid, `/start?rid=${a}`);
  await clock.advance(minute);
  await ping(uuid, `/start?rid=${a}`);
  await clock.advance(minute);
  await ping(uuid, `?rid=${a}`);
  await ping(uuid, `?rid=${a}`);
  expect((await runs(uuid)).map(({ duration, pings }) => [duration, pings.join(' ')])).toEqual([
    [null, '4'],
    [60, '1 2 3'],
  ]);
});

test('an id may be used again after its run has ended', async () => {
  const { uuid } = await knell.create(limits);
  for (let run = 0; run < 2; run++) {
    await ping(uuid, `/start?rid=${a}`);
    await clock.advance(minute);
    await ping(uuid, `?rid=${a}`);
    await clock.advance(minute);
  }
  expect(await story(uuid)).toEqual([
    ['success', 3, '3 4'],
    ['success', 1, '1 2'],
  ]);
});

test('without settings of runs the newest one goes on, and the others are overtaken', async () => {
  const { uuid } = await knell.create({ ...limits, grace: 3600 });
  await ping(uuid, `/start?rid=${a}`);
  await clock.advance(minute);
  await ping(uuid, `/start?rid=${b}`);
  await clock.advance(minute);
  await knell.api('POST', `/api/v3/checks/${uuid}`, { max_runtime: 0 });
  expect(await story(uuid)).toEqual([
    ['running', null, '2'],
    ['overtaken', 2, '1'],
  ]);
  await ping(uuid, `?rid=${b}`);
  expect((await story(uuid))[0]).toEqual(['success', 2, '2 3']);
});

test('a sign of life belongs to its run, which has its time again, in any check', async () => {
  const { uuid } = await knell.create({ timeout: 86_400, grace: 300 });
  await ping(uuid, '/start');
  await clock.advance(4 * minute);
  await ping(uuid, '/alive');
  await clock.advance(4 * minute);
  await ping(uuid);
  expect(await story(uuid)).toEqual([['success', 8, '1 2 3']]);
});
