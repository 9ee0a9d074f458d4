/** Projects renamed and deleted: all or nothing, whatever becomes of the disk meanwhile. */
import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { Engine, NewProject, PingOutcome, PingRequest } from '../../../src/engine/contract/engine.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { PowerCut } from '../../support/store/simulated-disk.ts';
import { loadDurable, openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { Loaded } from '../../support/store/store-facts.ts';
import { words } from '../../support/words.ts';

/** Three turns' worth. */
const checks = 450;
const startMs = Date.UTC(2026, 4, 4, 4);

let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let gone: number;
let target: NewProject;
let other: NewProject;

/** Starts anew on what the machine has; what ran before is dead. */
async function open(): Promise<void> {
  machine.disk.kill();
  const nowMs = () => clock.nowMs();
  const store = await openSimulatedStore({ machine, scheduler: clock, nowMs, onBroken: () => {} });
  engine = await startEngine({ store, clock });
  engine.events.projectDeleted.subscribe(() => gone++);
}

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  gone = 0;
  await open();
  target = await engine.change.createProject('target', 'paid', startMs);
  other = await engine.change.createProject('other', 'paid', startMs);
  const channel = { kind: 'email', name: 'ops', value: 'ops@example.org' } as const;
  await engine.change.createChannel(target.project.id, channel, startMs);
  await engine.change.createChannel(other.project.id, channel, startMs);
  const configs = Array.from({ length: checks }, (_, n) => ({ ...defaultConfig, slug: `job-${n}` }));
  await Promise.all(configs.map((config) => engine.change.createCheck(target.project.id, config, startMs)));
  await engine.change.createCheck(other.project.id, { ...defaultConfig, slug: 'kept' }, startMs);
});

/** Lets everything that is ready to happen, happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** The power goes at the `count`-th sync from now, before it has any effect. Returns whether it has gone. */
function cutPowerAtSync(count: number): () => boolean {
  const { disk } = machine;
  let left = count;
  disk.onSync = () => {
    if (--left > 0) return;
    disk.onSync = () => {};
    disk.crash();
    throw new PowerCut('the power went at a sync');
  };
  return () => left <= 0;
}

/** There is space again, and the store has noticed. */
async function free(): Promise<void> {
  machine.disk.free();
  await clock.advance(defaultLimits.fullProbeMs);
}

/** What there is of the project, in memory and on the disk. */
async function traces() {
  const durable = await loadDurable(machine, new Loaded());
  const id = target.project.id;
  const of = <T extends { readonly projectId: string }>(all: Iterable<T>): number =>
    [...all].filter(({ projectId }) => projectId === id).length;
  return {
    project: engine.read.project(id) !== null,
    holder: engine.read.holderOf(target.readWrite.clear) !== null,
    checks: engine.read.checkCount(id),
    channels: engine.read.channels(id).length,
    onDisk: {
      project: durable.projects.has(id),
      keys: of(durable.keys.values()),
      channels: of(durable.channels.values()),
      checks: of(durable.checks.values()),
    },
  };
}

const whole = {
  project: true,
  holder: true,
  checks,
  channels: 1,
  onDisk: { project: true, keys: 3, channels: 1, checks },
};
const nothing = {
  project: false,
  holder: false,
  checks: 0,
  channels: 0,
  onDisk: { project: false, keys: 0, channels: 0, checks: 0 },
};

function ping(uuid: string): Promise<PingOutcome> {
  const request: PingRequest = {
    target: { by: 'uuid', uuid: words(uuid) },
    error: null,
    action: '' as PingRequest['action'],
    exitStatus: null,
    rid: null,
    host: '',
    results: [],
    scheme: 'http',
    method: 'GET',
    remoteAddr: '192.0.2.1',
    ua: '',
    body: new Uint8Array(),
    searchable: {} as PingRequest['searchable'],
    receivedAtMs: clock.nowMs(),
  };
  return new Promise((resolve) => engine.acceptPing(request, resolve, null));
}

describe('deleting a project', () => {
  test('takes its checks, keys and integrations, and nothing of another', async () => {
    const [first] = engine.read.checks(target.project.id, startMs);
    expect(await engine.change.deleteProject(target.project.id, startMs)).toBe(checks);
    expect(await traces()).toEqual(nothing);
    expect(gone).toBe(1);
    expect(first && engine.read.check(first.id, startMs)).toBeNull();
    expect(await ping(first?.id ?? '')).toBe('not-found');
    expect(engine.read.projectByBadgeKey(target.project.badgeKey)).toBeNull();
    expect(engine.read.checkCount(other.project.id)).toBe(1);
    expect(engine.read.channels(other.project.id)).toHaveLength(1);
    expect(engine.read.holderOf(other.readWrite.clear)).not.toBeNull();
    await open();
    expect(await traces()).toEqual(nothing);
    expect(engine.read.checkCount(other.project.id)).toBe(1);
  });

  test('is refused for the only one, twice, and when it is gone', async () => {
    const { deleteProject } = engine.change;
    const both = await Promise.allSettled([
      deleteProject(target.project.id, startMs),
      deleteProject(other.project.id, startMs),
      deleteProject(target.project.id, startMs),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'conflict' } });
    expect(both[2]).toMatchObject({ reason: { code: 'not-found' } });
    expect(engine.read.projects().map(({ name }) => name)).toEqual(['other']);
  });

  test.each([
    ['nothing', 0],
    ['all', 1],
  ])(
    'cut off at any sync, with %s left of what was not synced, leaves all of it or none',
    async (_, kept) => {
      const fresh = machine.afterPowerCut();
      const seen = new Set<string>();
      let isCut = () => true;
      for (let syncs = 1; isCut(); syncs++) {
        machine = fresh.afterPowerCut({ random: () => kept });
        await open();
        await settle();
        isCut = cutPowerAtSync(syncs);
        const deleted = engine.change.deleteProject(target.project.id, startMs);
        await settle();
        if (!isCut()) expect(await deleted).toBe(checks);
        machine.disk.onSync = () => {};
        const left = (await loadDurable(machine, new Loaded())).checks.size - 1;
        await open();
        await engine.read.durably(() => null);
        const is = await traces();
        expect([whole, nothing], `cut off at sync ${syncs}`).toContainEqual(is);
        seen.add(is.project ? 'whole' : left === 0 ? 'nothing' : 'finished at the start');
      }
      expect([...seen]).toEqual([...(kept ? [] : ['whole']), 'finished at the start', 'nothing']);
    },
  );

  test('is rolled back on a full disk, with everything where it was', async () => {
    machine.disk.fill();
    await expect(engine.change.deleteProject(target.project.id, startMs)).rejects.toMatchObject({
      code: 'store-full',
    });
    await free();
    expect(await traces()).toEqual(whole);
    expect(engine.read.projectByBadgeKey(target.project.badgeKey)).not.toBeNull();
    const [first] = engine.read.checks(target.project.id, startMs);
    expect(await ping(first?.id ?? '')).toBe('ok');
  });

  test('goes on when the disk was full in the middle of it', async () => {
    // The record that decides gets through; what follows does not.
    const deleted = engine.change.deleteProject(target.project.id, startMs);
    machine.disk.onSync = () => machine.disk.fill();
    expect(await deleted).toBe(checks);
    expect(await traces()).toMatchObject({ project: false, checks: 0 });
    expect((await traces()).onDisk.checks).toBeGreaterThan(0);
    machine.disk.onSync = () => {};
    await free();
    await clock.advance(limits.aliveEveryMs);
    await settle();
    expect(await traces()).toEqual(nothing);
  });
});

describe('renaming a project', () => {
  test('keeps everything, and lasts', async () => {
    const { id } = target.project;
    expect(await engine.change.renameProject(id, '  new name ')).toMatchObject({ id, name: 'new name' });
    await engine.change.renameProject(id, 'new name');
    expect(await traces()).toEqual(whole);
    await open();
    expect(engine.read.project(id)).toEqual({ ...target.project, name: 'new name' });
    expect(await traces()).toEqual(whole);
  });

  test('wants a name of its own, and is rolled back on a full disk', async () => {
    const { id } = target.project;
    const refused = (name: string, code: string) =>
      expect(engine.change.renameProject(id, name)).rejects.toMatchObject({ code });
    await refused('other', 'conflict');
    await refused('  ', 'usage');
    await refused('x'.repeat(101), 'usage');
    machine.disk.fill();
    await refused('new', 'store-full');
    expect(engine.read.project(id)?.name).toBe('target');
    expect(await traces()).toEqual(whole);
  });
});
