/** The day on which a key was used last: written once, and for nobody's waiting. */
import { beforeEach, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/domain/accounts/project.ts';
import { dayOf } from '../../../src/domain/check/status-time.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import type { KeyId, ProjectId } from '../../../src/lib/ids.ts';
import { day, hour } from '../../../src/lib/units.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import type { JournalRecord, Store, Waiter } from '../../../src/store/store.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';

const startMs = Date.UTC(2026, 10, 12, 9);
const today = dayOf(startMs);
let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let projectId: ProjectId;
/** What the engine has appended since the last look. */
let appended: JournalRecord[] = [];
/** Whether the store of a cluster's node may be written. */
let mayAct: boolean;

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  mayAct = true;
  await open();
  projectId = (await engine.change.createProjectWithoutKeys('web', 'paid', startMs)).id;
});

async function open(): Promise<void> {
  const store = await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() });
  engine = await startEngine({ store: watched(store), clock });
  appended = [];
}

function watched(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'mayAct') return mayAct;
      if (name === 'append')
        return (record: JournalRecord, waiter: Waiter | null) => {
          appended.push(record);
          target.append(record, waiter);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function newKey(scope: 'read-only' | 'ping' = 'read-only'): Promise<KeyId> {
  const { key } = await engine.change.createKey({ projectId, scope }, startMs);
  appended.length = 0;
  return key.id;
}

function keyOf(id: KeyId): ApiKey | undefined {
  return engine.read.keys(projectId).find((key) => key.id === id);
}

/** Resolves when all that was appended is durable, or rolled back. */
async function use(id: KeyId, atMs = startMs): Promise<void> {
  engine.change.noteKeyUse(id, atMs);
  await engine.read.durably(() => null);
}

test('a new key was not used yet; of a day one record is written, which a restart keeps', async () => {
  const id = await newKey();
  expect(keyOf(id)?.usedDay).toBeNull();
  for (const atMs of [startMs, startMs + 1, startMs + hour]) await use(id, atMs);
  const key = keyOf(id);
  expect(key?.usedDay).toBe(today);
  // The record of the key and no other, so no entry of the audit log.
  expect(appended).toEqual([{ type: 'put', kind: 'key', fact: key }]);
  machine = machine.afterPowerCut();
  await open();
  expect(keyOf(id)).toEqual(key);
  await use(id, startMs + 2 * hour);
  expect(appended).toEqual([]);
  await use(id, startMs + day);
  await use(id, startMs + day + hour);
  expect([appended.length, keyOf(id)?.usedDay]).toEqual([1, today + 1]);
});

test('around midnight, requests that another clock has dated write nothing', async () => {
  const id = await newKey();
  const midnightMs = (today + 1) * day;
  for (const atMs of [midnightMs + 2, midnightMs - 1, midnightMs + 3, midnightMs - 1]) await use(id, atMs);
  expect([appended.length, keyOf(id)?.usedDay]).toEqual([1, today + 1]);
  // A clock that was far ahead does not have the last word.
  await use(id, startMs + 900 * day);
  await use(id, midnightMs + day);
  expect([appended.length, keyOf(id)?.usedDay]).toEqual([3, today + 2]);
});

test('what a power cut takes is noted again', async () => {
  const id = await newKey();
  engine.change.noteKeyUse(id, startMs);
  expect(keyOf(id)?.usedDay).toBe(today);
  machine = machine.afterPowerCut();
  await open();
  expect(keyOf(id)?.usedDay).toBeNull();
  await use(id);
  expect(keyOf(id)?.usedDay).toBe(today);
});

test('on a full disk it is rolled back, and written once there is space', async () => {
  const id = await newKey();
  machine.disk.fill();
  // What came with it in one batch is rolled back before it.
  engine.change.noteKeyUse(id, startMs);
  const renamed = expect(engine.change.renameKey(id, 'ci')).rejects.toMatchObject({ code: 'store-full' });
  await clock.advance(defaultLimits.fullPauseMs);
  await renamed;
  expect(keyOf(id)).toMatchObject({ usedDay: null });
  expect(keyOf(id)?.name).toBeUndefined();
  appended.length = 0;
  // Later requests do not even try.
  engine.change.noteKeyUse(id, startMs);
  expect(appended).toEqual([]);
  machine.disk.free();
  await clock.advance(defaultLimits.fullProbeMs);
  await use(id);
  expect(keyOf(id)?.usedDay).toBe(today);
  machine = machine.afterPowerCut();
  await open();
  expect(keyOf(id)?.usedDay).toBe(today);
});

test('it outlives a new name, and a key that was revoked does not come back by it', async () => {
  const id = await newKey();
  engine.change.noteKeyUse(id, startMs);
  await engine.change.renameKey(id, 'ci');
  expect(keyOf(id)).toMatchObject({ name: 'ci', usedDay: today });
  const revoked = engine.change.revokeKey(id);
  engine.change.noteKeyUse(id, startMs + day);
  await revoked;
  machine = machine.afterPowerCut();
  await open();
  expect(keyOf(id)).toBeUndefined();
});

test('nothing is said of a ping key, nor of a key of another installation until it is used', async () => {
  expect(keyOf(await newKey('ping'))).not.toHaveProperty('usedDay');
  const existing = { hash: 'ab'.repeat(32), clear: null };
  const { key } = await engine.change.createKey({ projectId, scope: 'read-write', existing }, startMs);
  expect(key).not.toHaveProperty('usedDay');
  await use(key.id);
  expect(keyOf(key.id)?.usedDay).toBe(today);
});

test('a node that may not write, and an engine that has stopped, note nothing', async () => {
  const id = await newKey();
  mayAct = false;
  await use(id);
  expect([appended, keyOf(id)?.usedDay]).toEqual([[], null]);
  mayAct = true;
  await engine.stop();
  appended.length = 0;
  await use(id);
  expect([appended, keyOf(id)?.usedDay]).toEqual([[], null]);
});
