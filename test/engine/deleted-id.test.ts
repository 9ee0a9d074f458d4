/** An id that a check had: the store takes what it has of an id for the check that was deleted, so no other one may get it. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { asCheckId } from '../../src/lib/ids.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { startEngine } from '../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../support/store/simulated-store.ts';

const id = asCheckId('3c1169a0-0000-4000-8000-00000000000a');

test('is refused to another check while the first is deleted, afterwards, and after a restart; not if the deletion fails', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 4, 4, 4));
  const machine = new SimulatedMachine();
  const open = async () =>
    startEngine({
      store: await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() }),
      clock,
    });
  const engine = await open();
  const { project } = await engine.change.createProject('p', 'paid', clock.nowMs());
  const create = (change: typeof engine.change) =>
    change.createCheck(project.id, defaultConfig, clock.nowMs(), id);
  expect((await create(engine.change)).id).toBe(id);

  machine.disk.fill();
  const refused = expect(engine.change.deleteCheck(id, clock.nowMs())).rejects.toMatchObject({
    code: 'store-full',
  });
  await clock.advance(5000);
  await refused;
  machine.disk.free();
  await clock.advance(5000);
  await expect(create(engine.change)).rejects.toThrow('has the id');

  const deleted = engine.change.deleteCheck(id, clock.nowMs());
  await expect(create(engine.change)).rejects.toThrow('was deleted');
  await clock.advance(5000);
  expect((await deleted).id).toBe(id);
  await expect(create(engine.change)).rejects.toThrow('was deleted');

  machine.disk.crash();
  const again = await open();
  await expect(create(again.change)).rejects.toThrow('was deleted');
});
