/** Status pages in the engine: one page per address, bounded, kept across kills, gone with their project, rolled back. */
import { beforeEach, expect, test } from 'vitest';
import type { Project } from '../../../src/domain/accounts/project.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { limits } from '../../../src/limits.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { statusPageOf } from '../../support/store/store-facts.ts';

let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let first: Project;
let second: Project;

/** Starts anew on what the machine has; what ran before is dead. */
async function open(): Promise<void> {
  machine.disk.kill();
  const store = await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() });
  const bounds = { ...limits.engine, statusPagesPerProjectMax: 2 };
  engine = await startEngine({ store, clock, bounds });
}

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(Date.UTC(2026, 4, 4));
  await open();
  first = (await engine.change.createProject('one', 'paid', clock.nowMs())).project;
  second = (await engine.change.createProject('two', 'paid', clock.nowMs())).project;
});

const pageOf = (number: number, project = first, slug = `page-${number}`) =>
  statusPageOf(number, { projectId: project.id, slug });

test('are kept across a kill, with the slug that they were given last', async () => {
  await engine.change.putStatusPage(pageOf(1));
  await engine.change.putStatusPage(pageOf(1, first, 'other'));
  await open();
  expect(engine.read.statusPages(first.id)).toEqual([pageOf(1, first, 'other')]);
  expect(engine.read.statusPageBySlug('other')).toEqual(pageOf(1, first, 'other'));
  expect(engine.read.statusPageBySlug('page-1')).toBeNull();
});

test('no two have the same address, whatever their project', async () => {
  await engine.change.putStatusPage(pageOf(1));
  await expect(engine.change.putStatusPage(pageOf(2, second, 'page-1'))).rejects.toMatchObject({
    code: 'conflict',
    message: 'another status page has the address page-1',
  });
  expect(engine.read.statusPages(second.id)).toEqual([]);
});

test('a project has only so many', async () => {
  await engine.change.putStatusPage(pageOf(1));
  await engine.change.putStatusPage(pageOf(2));
  await expect(engine.change.putStatusPage(pageOf(3))).rejects.toThrow('at most 2 status pages');
  await engine.change.putStatusPage({ ...pageOf(2), title: 'changed' });
  await engine.change.putStatusPage(pageOf(3, second));
});

test('go with their project, those of another stay', async () => {
  await engine.change.putStatusPage(pageOf(1));
  await engine.change.putStatusPage(pageOf(2, second));
  await engine.change.deleteProject(first.id, clock.nowMs());
  for (const _ of ['before', 'after a kill']) {
    expect(engine.read.statusPageBySlug('page-1')).toBeNull();
    expect(engine.read.statusPageBySlug('page-2')).not.toBeNull();
    await open();
  }
});

test('what a full disk refuses is as it was', async () => {
  await engine.change.putStatusPage(pageOf(1));
  machine.disk.fill();
  for (const attempt of [
    () => engine.change.putStatusPage(pageOf(1, first, 'other')),
    () => engine.change.putStatusPage(pageOf(2)),
    () => engine.change.deleteStatusPage(pageOf(1).id),
    () => engine.change.deleteProject(first.id, clock.nowMs()),
  ]) {
    const refused = expect(attempt()).rejects.toMatchObject({ code: 'store-full' });
    await clock.advance(defaultLimits.fullPauseMs);
    await refused;
    expect(engine.read.statusPages(first.id)).toEqual([pageOf(1)]);
    expect(engine.read.statusPageBySlug('page-1')).toEqual(pageOf(1));
    expect(engine.read.statusPageBySlug('other')).toBeNull();
  }
});
