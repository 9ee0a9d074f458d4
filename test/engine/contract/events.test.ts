/** What the engine publishes, and that one subscriber's failure is nobody else's. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { Engine, PingOutcome } from '../../../src/engine/contract/engine.ts';
import { Topic } from '../../../src/engine/contract/events.ts';
import type { RecoveredEngine } from '../../../src/engine/start/create-engine.ts';
import type { CheckId } from '../../../src/lib/ids.ts';
import { type Logger, silentLogger } from '../../../src/lib/logger.ts';
import { minute, second } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { recoverEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { words } from '../../support/words.ts';

const startMs = Date.UTC(2026, 4, 4, 4);

class Scene {
  readonly machine = new SimulatedMachine();
  readonly clock = new SimulatedClock(startMs);

  /** Starts anew on what the machine has. */
  async start(): Promise<RecoveredEngine> {
    this.machine.disk.kill();
    const { clock, machine } = this;
    const store = await openSimulatedStore({ machine, scheduler: clock, nowMs: () => clock.nowMs() });
    return recoverEngine({ store, clock });
  }
}

/** A check with an integration, in a project of its own. */
async function createCheck({ change }: Engine): Promise<CheckId> {
  const { project } = await change.createProject('p', 'paid', startMs);
  const value = 'ops@example.org';
  const channel = await change.createChannel(project.id, { kind: 'email', name: 'ops', value }, startMs);
  const config = { ...defaultConfig, timeoutS: 60, graceS: 60, channels: [channel.id] };
  return (await change.createCheck(project.id, config, startMs)).id;
}

function ping(engine: Engine, uuid: string, answered: (outcome: PingOutcome) => void = () => {}) {
  const body = new Uint8Array(0);
  return new Promise<PingOutcome>((resolve) =>
    engine.acceptPing(
      {
        target: { by: 'uuid', uuid: words(uuid) },
        ...{ error: null, action: 'success', exitStatus: null, rid: null, host: '', results: [] },
        ...{ scheme: 'http', method: 'GET', remoteAddr: '192.0.2.1', ua: '' },
        ...{ body, searchable: { via: 'http', body }, receivedAtMs: startMs },
      },
      (outcome) => {
        answered(outcome);
        resolve(outcome);
      },
      null,
    ),
  );
}

function loggerTo(lines: unknown[]): Logger {
  return { ...silentLogger, error: (...facts: unknown[]) => void lines.push(facts) };
}

test('subscribers are called in the order in which they came, and no more once they have left', () => {
  const topic = new Topic<number>('numbers', silentLogger);
  const seen: string[] = [];
  const leave = topic.subscribe((number) => seen.push(`a${number}`));
  topic.subscribe((number) => seen.push(`b${number}`));
  topic.publish(1);
  leave();
  topic.publish(2);
  expect(seen).toEqual(['a1', 'b1', 'b2']);
});

test('what one subscriber throws is logged, and the others are called all the same', () => {
  const lines: unknown[] = [];
  const topic = new Topic<number>('numbers', loggerTo(lines));
  const seen: number[] = [];
  topic.subscribe(() => {
    throw new Error('a bug');
  });
  topic.subscribe((number) => seen.push(number));
  topic.publish(7);
  expect(seen).toEqual([7]);
  expect(lines).toEqual([[{ event: 'numbers', error: 'a bug' }, expect.any(String)]]);
});

test('one who subscribes or leaves while an event is published changes nothing of that event', () => {
  const topic = new Topic<number>('numbers', silentLogger);
  const seen: string[] = [];
  const leave = topic.subscribe((number) => {
    seen.push(`a${number}`);
    leave();
    topic.subscribe((later) => seen.push(`c${later}`));
  });
  topic.subscribe((number) => seen.push(`b${number}`));
  topic.publish(1);
  topic.publish(2);
  expect(seen).toEqual(['a1', 'b1', 'b2', 'c2']);
});

test('a change of a check is published when it is durable, after its answer', async () => {
  const scene = new Scene();
  const { engine } = await scene.start();
  const id = await createCheck(engine);
  const order: string[] = [];
  engine.events.checkChanged.subscribe((changed) => order.push(`published ${changed.id}`));
  const answered = ping(engine, id, (outcome) => order.push(`answered ${outcome}`));
  expect(order).toEqual([]);
  await answered;
  expect(order).toEqual(['answered ok', `published ${id}`]);
});

test('a ping is answered though a subscriber fails, and so are those behind it in the batch', async () => {
  const scene = new Scene();
  const { engine } = await scene.start();
  const id = await createCheck(engine);
  engine.events.checkChanged.subscribe(() => {
    throw new Error('a bug');
  });
  expect(await Promise.all([ping(engine, id), ping(engine, id)])).toEqual(['ok', 'ok']);
});

test('nothing is published of what a full disk refuses', async () => {
  const scene = new Scene();
  const { engine } = await scene.start();
  const id = await createCheck(engine);
  const published: unknown[] = [];
  engine.events.checkChanged.subscribe((check) => published.push(check));
  scene.machine.disk.fill();
  expect(await ping(engine, id)).toBe('store-full');
  expect(published).toEqual([]);
});

test('a deadline that is due at the start reaches those who subscribed before; the next start knows its delivery', async () => {
  const scene = new Scene();
  const first = await scene.start();
  const id = await createCheck(first.engine);
  await ping(first.engine, id);
  expect(first.deliveries).toEqual([]);
  await first.engine.stop();
  scene.machine.disk.kill();
  scene.clock.jump(5 * minute);
  const again = await scene.start();
  const deliveries: Delivery[] = [];
  again.engine.events.deliveriesDurable.subscribe((durable) => deliveries.push(...durable));
  again.engine.start();
  await scene.clock.advance(second);
  expect(deliveries).toMatchObject([{ checkId: id, change: { to: 'down', cause: 'timeout' } }]);
  expect((await scene.start()).deliveries).toEqual(deliveries);
});
