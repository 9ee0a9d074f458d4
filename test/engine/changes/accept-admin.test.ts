/** Keys and integrations that are replaced: always one of the two, whatever the disk does. */
import { beforeEach, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { asChannelId, asKeyId, type ProjectId } from '../../../src/lib/ids.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let projectId: ProjectId;

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  await open(machine);
  projectId = (await engine.change.createProjectWithoutKeys('web', 'paid', startMs)).id;
});

async function open(on: SimulatedMachine): Promise<void> {
  const store = await openSimulatedStore({ machine: on, scheduler: clock, nowMs: () => clock.nowMs() });
  engine = await startEngine({ store, clock });
}

/** On what a power cut leaves. */
async function restart(): Promise<void> {
  machine = machine.afterPowerCut();
  await open(machine);
}

async function whileFull(attempt: () => Promise<unknown>): Promise<void> {
  machine.disk.fill();
  const refused = expect(attempt()).rejects.toMatchObject({ code: 'store-full' });
  await clock.advance(defaultLimits.fullPauseMs);
  await refused;
  machine.disk.free();
  await clock.advance(defaultLimits.fullProbeMs);
}

test('a key is replaced: the new one is good, the old one is not', async () => {
  const old = await engine.change.createKey({ projectId, scope: 'read-only', name: 'ci' }, startMs);
  const replace = () =>
    engine.change.replaceKey(old.key.id, { projectId, scope: 'read-write', name: 'ci' }, startMs);
  await whileFull(replace);
  expect(engine.read.keys(projectId)).toEqual([old.key]);
  const { key } = await replace();
  expect(engine.read.keys(projectId)).toEqual([key]);
  await restart();
  expect(engine.read.keys(projectId)).toEqual([key]);
});

test('a key is renamed: it is good as before, has a name of its own, and keeps it', async () => {
  const one = await engine.change.createKey({ projectId, scope: 'ping', name: 'cron' }, startMs);
  const other = await engine.change.createKey({ projectId, scope: 'read-only', name: 'other' }, startMs);
  const { id } = one.key;
  await expect(engine.change.renameKey(id, 'other')).rejects.toMatchObject({ code: 'conflict' });
  await expect(engine.change.renameKey(id, 'x'.repeat(101))).rejects.toMatchObject({ code: 'usage' });
  expect(await engine.change.renameKey(id, ' jobs ')).toEqual({ ...one.key, name: 'jobs' });
  expect(engine.read.keys(projectId).filter((key) => key.id === id)).toEqual([{ ...one.key, name: 'jobs' }]);
  // The name that it had is free again.
  await engine.change.renameKey(other.key.id, 'cron');
  expect((await engine.change.renameKey(id, '')).name).toBeUndefined();
  await engine.change.revokeKey(id);
  await engine.change.revokeKey(other.key.id);
  await expect(engine.change.renameKey(id, 'late')).rejects.toMatchObject({ code: 'not-found' });
});

test('a ping key takes its own place again, and not that of another', async () => {
  const clear = 'a-ping-key-of-ours';
  const existing = { hash: 'ab'.repeat(32), clear };
  const one = await engine.change.createKey({ projectId, scope: 'ping', existing }, startMs);
  const other = await engine.change.createKey({ projectId, scope: 'read-only' }, startMs);
  const replace = (id: string) =>
    engine.change.replaceKey(asKeyId(id), { projectId, scope: 'ping', existing }, startMs);
  await expect(replace(other.key.id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(replace('none')).rejects.toMatchObject({ code: 'not-found' });
  expect(engine.read.keys(projectId)).toEqual([one.key, other.key]);
  const { key } = await replace(one.key.id);
  expect(engine.read.keys(projectId)).toEqual([other.key, key]);
});

test('an integration of another kind has the id and the place of the old one, and none of its state', async () => {
  const mail = { kind: 'email', name: 'ops', value: 'ops@example.org' } as const;
  const first = await engine.change.createChannel(projectId, mail, startMs);
  await engine.change.editChannel(first.id, { settings: { disabled: true, lastError: 'gone' } });
  const before = engine.read.channels(projectId);
  const replace = () =>
    engine.change.replaceChannel(first.id, { kind: 'sms', name: 'ops', value: '+4912345678' }, startMs);
  await whileFull(replace);
  expect(engine.read.channels(projectId)).toEqual(before);
  await replace();
  const { createdAtMs } = first;
  const after = [{ id: first.id, projectId, kind: 'sms', name: 'ops', value: '+4912345678', createdAtMs }];
  expect(engine.read.channels(projectId)).toMatchObject(after);
  expect(engine.read.channels(projectId)[0]?.settings).toBeUndefined();
  await restart();
  expect(engine.read.channels(projectId)).toMatchObject(after);
  const nowhere = engine.change.replaceChannel(asChannelId('none'), mail, startMs);
  await expect(nowhere).rejects.toMatchObject({ code: 'not-found' });
});

test('an integration that becomes an event subscription begins then, and leaves its checks', async () => {
  const { id } = await engine.change.createChannel(
    projectId,
    { kind: 'sms', name: 'ops', value: '+49123' },
    startMs,
  );
  const check = await engine.change.createCheck(projectId, { ...defaultConfig, channels: [id] }, startMs);
  const replaceBy = (kind: 'events' | 'sms') =>
    engine.change.replaceChannel(id, { kind, name: 'ops', value: '{"url":"https://example.org"}' }, startMs);
  const feedAndChecks = () => [
    engine.read.eventFeed(id)?.projectId ?? null,
    engine.read.check(check.id, startMs)?.config.channels,
  ];
  await whileFull(() => replaceBy('events'));
  expect(feedAndChecks()).toEqual([null, [id]]);
  await replaceBy('events');
  expect(feedAndChecks()).toEqual([projectId, []]);
  await restart();
  expect(feedAndChecks()).toEqual([projectId, []]);
  await whileFull(() => replaceBy('sms'));
  expect(feedAndChecks()).toEqual([projectId, []]);
  await replaceBy('sms');
  expect(feedAndChecks()).toEqual([null, []]);
  await restart();
  expect(feedAndChecks()).toEqual([null, []]);
});
