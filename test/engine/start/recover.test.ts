/** The start, where the disk is full: what it decides must outlive a crash as soon as there is space again. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import { minute, second } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { words } from '../../support/words.ts';

const startMs = Date.UTC(2026, 4, 4, 4);

/** A machine, and the engines that run on it one after the other. */
class Machine {
  readonly clock = new SimulatedClock(startMs);
  readonly #machine = new SimulatedMachine();

  get disk() {
    return this.#machine.disk;
  }

  async start(): Promise<Engine> {
    const store = await openSimulatedStore({
      machine: this.#machine,
      scheduler: this.clock,
      nowMs: () => this.clock.nowMs(),
    });
    return startEngine({ store, clock: this.clock, outageCredit: true });
  }
}

const config = { ...defaultConfig, timeoutS: 600, graceS: 300 };

/** A check that is up, and expected to ping in ten minutes. */
async function createPinged({ change, acceptPing }: Engine): Promise<string> {
  const { project } = await change.createProject('p', 'paid', startMs);
  const { id: uuid } = await change.createCheck(project.id, config, startMs);
  const body = new Uint8Array(0);
  await new Promise((resolve) =>
    acceptPing(
      {
        target: { by: 'uuid', uuid: words(uuid) },
        ...{ error: null, action: 'success', exitStatus: null, rid: null, host: '', results: [] },
        ...{ scheme: 'http', method: 'GET', remoteAddr: '192.0.2.1', ua: '' },
        ...{ body, searchable: { via: 'http', body }, receivedAtMs: startMs },
      },
      resolve,
      null,
    ),
  );
  return uuid;
}

test('an outage credit that a full disk refuses is written once there is space', async () => {
  const machine = new Machine();
  const uuid = await createPinged(await machine.start());
  machine.disk.crash();
  await machine.clock.advance(12 * minute);
  machine.disk.fill();
  const { read } = await machine.start();
  const granted = read.check(uuid, machine.clock.nowMs())?.state;
  expect(granted).toMatchObject({ status: 'up', expectedAtMs: startMs + 15 * minute });
  await machine.clock.advance(30 * second);
  machine.disk.free();
  await machine.clock.advance(2 * second);
  machine.disk.crash();
  const again = await machine.start();
  expect(again.read.check(uuid, machine.clock.nowMs())?.state).toEqual(granted);
});
