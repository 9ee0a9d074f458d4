/** Maintenance windows in the engine: kept across kills, bounded, gone with their project, rolled back, in the audit log. */
import { beforeEach, expect, test } from 'vitest';
import type { Project } from '../../../src/domain/accounts/project.ts';
import { activeAt } from '../../../src/domain/alerting/calendar.ts';
import type { MaintenanceWindow } from '../../../src/domain/alerting/maintenance.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { asMaintenanceId } from '../../../src/lib/ids.ts';
import { hour } from '../../../src/lib/units.ts';
import { limits } from '../../../src/limits.ts';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { maintenanceOf } from '../../support/store/store-facts.ts';

const startMs = Date.UTC(2026, 4, 4);
let machine: SimulatedMachine;
let clock: SimulatedClock;
let engine: Engine;
let first: Project;
let second: Project;

/** Starts anew on what the machine has; what ran before is dead. */
async function open(): Promise<void> {
  machine.disk.kill();
  const store = await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() });
  engine = await startEngine({ store, clock, bounds: { ...limits.engine, maintenancePerProjectMax: 2 } });
}

beforeEach(async () => {
  machine = new SimulatedMachine();
  clock = new SimulatedClock(startMs);
  await open();
  first = (await engine.change.createProject('one', 'paid', clock.nowMs())).project;
  second = (await engine.change.createProject('two', 'paid', clock.nowMs())).project;
});

const weekly = (number: number, facts: Partial<MaintenanceWindow> = {}): MaintenanceWindow =>
  maintenanceOf(number, { projectId: first.id, checks: [], by: 'Knell', ...facts });
const put = (window: MaintenanceWindow) => engine.change.putMaintenance(window, clock.nowMs());
const wholeProject = { checks: [], tags: [], name: 'by a script' };
const start = (untilMs: number, projectId = first.id) =>
  engine.change.startMaintenance({ ...wholeProject, projectId, untilMs }, clock.nowMs());

test('are kept across a kill as they were changed last, oldest first', async () => {
  await put(weekly(2, { createdAtMs: 1 }));
  await put(weekly(1, { createdAtMs: 2 }));
  await put(weekly(1, { createdAtMs: 2, name: 'other' }));
  await open();
  expect(engine.read.maintenance(first.id)).toEqual([
    weekly(2, { createdAtMs: 1 }),
    weekly(1, { createdAtMs: 2, name: 'other' }),
  ]);
  expect(engine.read.maintenanceWindow(weekly(1).id)?.name).toBe('other');
});

test('a project has only so many, and one that is over is deleted for another', async () => {
  await put(weekly(1));
  await put(weekly(2));
  await expect(put(weekly(3))).rejects.toThrow('at most 2 maintenance windows: delete one first');
  await put(weekly(2, { schedule: '', dates: [] }));
  await put(weekly(3));
  expect(engine.read.maintenance(first.id).map(({ id }) => id)).toEqual([weekly(1).id, weekly(3).id]);
  await put(weekly(4, { projectId: second.id }));
});

test('go with their project, those of another stay', async () => {
  await put(weekly(1));
  await put(weekly(2, { projectId: second.id }));
  await engine.change.deleteProject(first.id, clock.nowMs());
  for (const _ of ['before', 'after a kill']) {
    expect(engine.read.maintenanceWindow(weekly(1).id)).toBeNull();
    expect(engine.read.maintenance(first.id)).toEqual([]);
    expect(engine.read.maintenance(second.id)).toHaveLength(1);
    await open();
  }
});

test('what is started is on until then, goes on when it is started again, and is ended', async () => {
  const { id } = await start(startMs + hour);
  await start(startMs + 2 * hour);
  await open();
  const [window] = engine.read.maintenance(first.id);
  expect(window).toMatchObject({ id, name: 'by a script', by: 'Knell' });
  expect(window && activeAt(window, startMs)).toEqual({ fromMs: startMs, untilMs: startMs + 2 * hour });
  await engine.change.endMaintenance(id, startMs + 1000);
  await expect(engine.change.endMaintenance(id, startMs + 1000)).rejects.toMatchObject({ code: 'conflict' });
  await expect(engine.change.endMaintenance(asMaintenanceId(''), startMs)).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('the audit log says what was changed, from what to what', async () => {
  await put(weekly(1));
  await put(weekly(1));
  await put(weekly(1, { durationS: 3600, tags: ['db'], countsAsDowntime: false }));
  await engine.change.deleteMaintenance(weekly(1).id);
  const entries = engine.read.audit(null, 10).filter(({ subject }) => subject === 'maintenance');
  expect(entries.map(({ action }) => action)).toEqual(['deleted', 'changed', 'created']);
  expect(entries[1]).toMatchObject({
    fields: ['tags', 'times', 'counts as downtime'],
    changes: [
      { field: 'tags', before: 'db prod', after: 'db' },
      {
        field: 'times',
        before: expect.stringContaining('0 2 * * 0 (Europe/Riga) for 2 hours'),
        after: expect.stringContaining('for 1 hour'),
      },
      { field: 'counts as downtime', before: 'true', after: 'false' },
    ],
  });
});

test('each change is an event once it is durable', async () => {
  const changed: string[] = [];
  engine.events.maintenanceChanged.subscribe((id) => changed.push(id));
  const done = put(weekly(1));
  expect(changed).toEqual([]);
  await done;
  await engine.change.deleteMaintenance(weekly(1).id);
  expect(changed).toEqual([first.id, first.id]);
});

test('what a full disk refuses is as it was', async () => {
  await put(weekly(1));
  await put(weekly(2, { schedule: '', dates: [] }));
  const before = engine.read.maintenance(first.id);
  machine.disk.fill();
  for (const attempt of [
    () => put(weekly(1, { name: 'other' })),
    () => put(weekly(3)),
    () => start(startMs + hour),
    () => engine.change.deleteMaintenance(weekly(1).id),
    () => engine.change.deleteProject(first.id, clock.nowMs()),
  ]) {
    const refused = expect(attempt()).rejects.toMatchObject({ code: 'store-full' });
    await clock.advance(defaultLimits.fullPauseMs);
    await refused;
    expect(engine.read.maintenance(first.id)).toEqual(before);
  }
});
