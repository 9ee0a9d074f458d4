/** A project handed over: the offer and both roles change together, on disk, or not at all where the disk is full. */
import { beforeEach, describe, expect, test } from 'vitest';
import { roleInProject, type User } from '../../../src/domain/accounts/user.ts';
import { handOverMs } from '../../../src/domain/limits.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { asUserId, type ProjectId } from '../../../src/lib/ids.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { uuidOf } from '../../support/store/store-facts.ts';

const startMs = Date.UTC(2026, 4, 4, 4);

let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let project: ProjectId;
let giver: User;
let taker: User;

/** Starts anew on what the machine has; what ran before is dead. */
async function open(): Promise<void> {
  machine.disk.kill();
  const nowMs = () => clock.nowMs();
  const store = await openSimulatedStore({ machine, scheduler: clock, limits: {}, nowMs });
  engine = await startEngine({ store, clock });
}

function member(n: number, name: string, role: 'owner' | 'editor'): User {
  return {
    id: asUserId(uuidOf(0xf0, n)),
    ...{ name, role: 'none', passwordHash: 'first', createdAtMs: startMs },
    projects: [{ projectId: project, role }],
  };
}

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  await open();
  ({
    project: { id: project },
  } = await engine.change.createProject('acme', 'paid', startMs));
  giver = member(1, 'grace', 'owner');
  taker = member(2, 'joan', 'editor');
  await engine.change.putUser(giver);
  await engine.change.putUser(taker);
});

const roles = () =>
  [giver, taker].map(({ id }) => {
    const user = engine.read.users().find((one) => one.id === id);
    return user && roleInProject(user, project);
  });
const offer = () => engine.change.offerProject(project, { to: taker.id, by: giver.id }, clock.nowMs());
const accept = () => engine.change.acceptOffer(project, taker.id, clock.nowMs());

/** While the disk is full the store pauses between its attempts. */
async function refused(attempt: Promise<unknown>): Promise<void> {
  const isRefused = expect(attempt).rejects.toMatchObject({ code: 'store-full' });
  await clock.advance(defaultLimits.fullPauseMs);
  await isRefused;
}

describe('a project', () => {
  test('is offered for some days, across a crash', async () => {
    const { handOver } = await offer();
    expect(handOver).toEqual({ to: taker.id, by: giver.id, untilMs: startMs + handOverMs });
    await open();
    expect(engine.read.project(project)?.handOver).toEqual(handOver);
    expect(roles()).toEqual(['owner', 'editor']);
    await accept();
    await open();
    expect([roles(), engine.read.project(project)?.handOver]).toEqual([['editor', 'owner'], undefined]);
  });

  test('is not accepted where the disk is full: the offer and both roles are what they were', async () => {
    await offer();
    machine.disk.fill();
    await refused(accept());
    expect(roles()).toEqual(['owner', 'editor']);
    expect(engine.read.project(project)?.handOver?.to).toBe(taker.id);
    machine.disk.free();
    await clock.advance(defaultLimits.fullProbeMs);
    await accept();
    expect(roles()).toEqual(['editor', 'owner']);
  });

  test('is not offered where the disk is full', async () => {
    machine.disk.fill();
    await refused(offer());
    expect(engine.read.project(project)?.handOver).toBeUndefined();
  });

  test('is offered to nobody who is gone, owns it already, or is no member', async () => {
    const to = (id: User['id']) => engine.change.offerProject(project, { to: id, by: giver.id }, startMs);
    await expect(to(asUserId(uuidOf(0xf0, 9)))).rejects.toMatchObject({ code: 'conflict' });
    await expect(to(giver.id)).rejects.toMatchObject({ code: 'conflict' });
    await engine.change.updateUser(taker.id, (user) => ({ ...user, projects: undefined }));
    await expect(offer()).rejects.toMatchObject({ code: 'conflict' });
  });
});
