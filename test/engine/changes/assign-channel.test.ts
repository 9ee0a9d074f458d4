/** An integration assigned to many checks, and deleted: in slices, durable when it is answered, whatever becomes of the disk. */
import { beforeEach, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import type { ChannelId, CheckId, ProjectId } from '../../../src/lib/ids.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { PowerCut } from '../../support/store/simulated-disk.ts';
import { loadDurable, openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { Loaded } from '../../support/store/store-facts.ts';

/** Three turns' worth. */
const checks = 250;
const startMs = Date.UTC(2026, 4, 4, 4);
const hook = { kind: 'webhook', name: 'hook', value: '{"url_down":"https://example.org/"}' } as const;

let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let project: ProjectId;
let channel: ChannelId;
let ids: readonly CheckId[];

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  const nowMs = () => clock.nowMs();
  const store = await openSimulatedStore({ machine, scheduler: clock, nowMs, onBroken: () => {} });
  engine = await startEngine({ store, clock });
  project = (await engine.change.createProject('p', 'paid', startMs)).project.id;
  const configs = Array.from({ length: checks }, (_, n) => ({ ...defaultConfig, slug: `job-${n}` }));
  await Promise.all(configs.map((config) => engine.change.createCheck(project, config, startMs)));
  ids = [...engine.read.checks(project, startMs)].map(({ id }) => id);
  channel = (await engine.change.createChannel(project, hook, startMs)).id;
});

/** The slugs of the checks that notify it, as they are on the disk, oldest first. */
async function onDisk(): Promise<readonly string[]> {
  const { checks: stored } = await loadDurable(machine, new Loaded());
  return [...stored.values()]
    .filter(({ config }) => config.channels.includes(channel))
    .sort((a, b) => a.createdAtMs - b.createdAtMs)
    .map(({ config }) => config.slug);
}

const firstSlugs = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `job-${n}`);

/** Calls `act` before the `count`-th sync from now. */
function atSync(count: number, act: () => void): void {
  const { disk } = machine;
  let left = count;
  disk.onSync = () => {
    if (--left > 0) return;
    disk.onSync = () => {};
    act();
  };
}

test('every check notifies it, on the disk, once that is answered; a check that did already is left alone', async () => {
  await engine.change.assignChannel(channel, ids.slice(0, 1), startMs);
  expect(await onDisk()).toEqual(firstSlugs(1));
  expect(await engine.change.assignChannel(channel, 'all', startMs)).toBe(checks - 1);
  expect(await onDisk()).toEqual(firstSlugs(checks));
});

test('a slice waits for the one before it to be durable, so that other work comes between', async () => {
  const changed = () =>
    [...engine.read.checks(project, startMs)].filter(({ config }) => config.channels.includes(channel))
      .length;
  const atSyncs: number[] = [];
  machine.disk.onSync = () => atSyncs.push(changed());
  await engine.change.assignChannel(channel, 'all', startMs);
  expect([...new Set(atSyncs)]).toEqual([100, 200, 250]);
});

test('after a power cut the oldest checks notify it, and the others do not', async () => {
  atSync(2, () => {
    machine.disk.crash();
    throw new PowerCut('the power went at a sync');
  });
  void engine.change.assignChannel(channel, 'all', startMs);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(await onDisk()).toEqual(firstSlugs(100));
});

test('on a full disk says how far it came, and what is shown is what is on the disk', async () => {
  atSync(1, () => machine.disk.fill());
  await expect(engine.change.assignChannel(channel, 'all', startMs)).rejects.toMatchObject({
    code: 'store-full',
    message: expect.stringMatching(
      /^the disk is full: the integration was created, but only \d+ of 250 checks/,
    ),
  });
  const shown = [...engine.read.checks(project, startMs)].filter(({ config }) =>
    config.channels.includes(channel),
  );
  expect(shown.map(({ config }) => config.slug)).toEqual(await onDisk());
});

test('ends without an error when the integration is deleted meanwhile', async () => {
  const done = engine.change.assignChannel(channel, 'all', startMs);
  await engine.change.deleteChannel(channel, startMs);
  expect(await done).toBeLessThan(checks);
  expect(await onDisk()).toEqual([]);
});

test('is taken from every check by its deletion, some checks in each turn', async () => {
  await engine.change.assignChannel(channel, 'all', startMs);
  let syncs = 0;
  machine.disk.onSync = () => {
    syncs++;
  };
  await engine.change.deleteChannel(channel, startMs);
  expect(syncs).toBeGreaterThanOrEqual(3);
  expect(await onDisk()).toEqual([]);
  expect(engine.read.channel(channel)).toBeNull();
});

test('stays as it is on a full disk, with the checks that could not be changed, and is deleted once there is space', async () => {
  await engine.change.assignChannel(channel, 'all', startMs);
  atSync(2, () => machine.disk.fill());
  await expect(engine.change.deleteChannel(channel, startMs)).rejects.toMatchObject({ code: 'store-full' });
  expect(engine.read.channel(channel)).not.toBeNull();
  expect((await onDisk()).length).toBeGreaterThan(0);
  machine.disk.free();
  await clock.advance(5000);
  await engine.change.deleteChannel(channel, startMs);
  expect(await onDisk()).toEqual([]);
});
