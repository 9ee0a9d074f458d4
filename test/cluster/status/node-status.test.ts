/** Which nodes there are, as each of them sees it. */
import { expect, test } from 'vitest';
import { subjectsOf } from '../../../src/cluster/requests/subjects.ts';
import { type NodeStatus, NodeStatuses } from '../../../src/cluster/status/node-status.ts';
import { clockWords } from '../../../src/domain/words/clock-words.ts';
import { limits } from '../../../src/limits.ts';
import { MemoryNetwork } from '../../support/cluster/memory-bus.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

/** A short day: it is spent second by second. */
const status = { ...limits.cluster.status, goneKeptMs: 60_000 };
const subjects = subjectsOf('test');

function cluster() {
  const clock = new SimulatedClock(0);
  const network = new MemoryNetwork({ clock });
  const said: string[] = [];
  /** `aheadMs`: of this node's clock. */
  const start = (name: string, id: number, more: Partial<NodeStatus> = {}, aheadMs = 0) => {
    const own: NodeStatus = {
      name,
      id,
      version: '1.2.3',
      formats: { batch: 4 },
      role: 'standby',
      epoch: 7,
      appliedSeq: 100,
      startedAtMs: clock.nowMs(),
      lastError: '',
      held: null,
    };
    // What it says may change.
    Object.defineProperties(own, Object.getOwnPropertyDescriptors(more));
    const bus = network.bus(`${name} ${id}`);
    return new NodeStatuses({
      bus,
      subjects,
      scheduler: clock,
      nowMs: () => clock.nowMs() + aheadMs,
      limits: status,
      own: () => own,
      doubled: (sentence) => said.push(`${clock.elapsedMs()} ${name} ${id}: ${sentence}`),
      skewed: (sentence) => said.push(`${clock.elapsedMs()} ${name} ${id}: ${sentence.split(':')[0]}`),
    });
  };
  const run = async (ms: number): Promise<void> => {
    await Promise.resolve();
    await clock.advance(ms, () => Promise.resolve());
  };
  return { clock, network, start, run, said };
}

test('each node says what it is, and shows the others beside itself', async () => {
  const { start, run } = cluster();
  const a = start('a', 1);
  start('b', 2, { role: 'leader', lastError: 'the disk is full' });
  await run(1500);
  expect(a.nodes()).toMatchObject([
    { name: 'a', isAlive: true, role: 'standby' },
    {
      name: 'b',
      isAlive: true,
      role: 'leader',
      lastError: 'the disk is full',
      formats: { batch: 4 },
      epoch: 7,
    },
  ]);
  expect(a.sameName()).toBeNull();
});

test('a node lacks what it lacked when it spoke, not what was written since', async () => {
  const { start, run } = cluster();
  let ownSeq = 100;
  const leader = start('a', 1, {
    role: 'leader',
    get appliedSeq() {
      return ownSeq;
    },
  });
  const b = start('b', 2, { appliedSeq: 100 });
  start('c', 3, { appliedSeq: 40 });
  const lags = (at = leader) => Object.fromEntries(at.nodes().map(({ name, lag }) => [name, lag]));
  await run(1500);
  ownSeq = 250;
  expect(lags()).toEqual({ a: 0, b: 0, c: 60 });
  await run(1000);
  expect(lags()).toEqual({ a: 0, b: 150, c: 210 });
  expect(lags(b)).toEqual({ a: 0, b: 150, c: 210 });
  b.stop();
  await run(limits.cluster.status.silenceMsMax + 1000);
  ownSeq = 300;
  expect(lags()).toEqual({ a: 0, b: 200, c: 210 });
});

test('of a node that catches up is shown how long that takes, of one that does not nothing', async () => {
  const { start, run } = cluster();
  let [newest, reading] = [100_000, 0];
  const a = start('a', 1, {
    role: 'leader',
    get appliedSeq() {
      return newest;
    },
  });
  start('b', 2, {
    get appliedSeq() {
      return reading;
    },
  });
  start('c', 3, { appliedSeq: 50_000 });
  const waits = () => Object.fromEntries(a.nodes().map(({ name, catchUpMs }) => [name, catchUpMs]));
  await run(1500);
  expect(waits()).toEqual({ a: null, b: null, c: null });
  newest += 1000;
  reading += 21_000;
  await run(1000);
  // 80,000 entries, of which 20,000 a second are made good.
  expect(waits()).toEqual({ a: null, b: 4000, c: null });
  reading = newest - 10;
  await run(1000);
  expect(waits().b).toBeNull();
});

test('one that falls silent has gone, is shown for some time, and then forgotten', async () => {
  const { start, run } = cluster();
  const a = start('a', 1);
  const b = start('b', 2);
  await run(1500);
  b.stop();
  const aliveOnes = (): string[] =>
    a
      .nodes()
      .filter(({ isAlive }) => isAlive)
      .map(({ name }) => name);
  await run(status.silenceMsMax - 1000);
  expect(aliveOnes()).toEqual(['a', 'b']);
  await run(1500);
  expect(aliveOnes()).toEqual(['a']);
  expect(a.nodes().length).toBe(2);
  await run(status.goneKeptMs);
  expect(a.nodes().map(({ name }) => name)).toEqual(['a']);
});

test('two processes under one name are noticed by all, themselves too; a restart is none of that', async () => {
  const { start, run } = cluster();
  const a = start('a', 1);
  const before = start('b', 2);
  await run(2500);
  before.stop();
  const restarted = start('b', 3);
  await run(3000);
  expect([a.sameName(), restarted.sameName()]).toEqual([null, null]);
  expect(a.nodes().find(({ name }) => name === 'b')).toMatchObject({ id: 3, isAlive: true });
  const second = start('b', 4);
  await run(3000);
  for (const node of [a, restarted, second])
    expect(node.sameName()).toBe('two running nodes are called b: give each its own KNELL_NODE');
  second.stop();
  await run(status.silenceMsMax + 1000);
  expect([a.sameName(), restarted.sameName()]).toEqual([null, null]);
});

test('what is no status, or one of a newer kind, is ignored, and nodes have a bound', async () => {
  const { network, start, run } = cluster();
  const a = start('a', 1);
  const bus = network.bus('stranger');
  for (const text of [
    '',
    'null',
    '{}',
    '{"messageVersion":2,"name":"x"}',
    '{"messageVersion":1,"role":"leader"}',
  ])
    bus.publish(subjects.status, Buffer.from(text));
  await run(100);
  expect(a.nodes().length).toBe(1);
  const others = { messageVersion: 1, version: '', formats: {}, role: 'standby', epoch: 0, appliedSeq: 0 };
  for (let id = 10; id < 10 + 2 * status.nodesMax; id++)
    bus.publish(
      subjects.status,
      Buffer.from(JSON.stringify({ ...others, name: `n${id}`, id, startedAtMs: 0, lastError: '' })),
    );
  await run(2000);
  expect(a.nodes().length).toBe(status.nodesMax + 1);
});

test('two processes of one name say so as soon as both have spoken, then from time to time, until one ends', async () => {
  const { start, run, said } = cluster();
  start('a', 1);
  await run(20_300);
  const second = start('a', 2);
  await run(1000 + 500);
  const [first, ...more] = said.map((line) => line.replace(/^\d+ /, ''));
  const sentence = 'two running nodes are called a: give each its own KNELL_NODE';
  expect([first, ...more].sort()).toEqual([`a 1: ${sentence}`, `a 2: ${sentence}`]);
  await run(status.reminderMs);
  expect(said.length).toBe(4);
  second.stop();
  await run(2 * status.reminderMs);
  expect(said.length).toBe(4);
});

test('a clock that differs is shown by both, and said once, as soon as it is certain', async () => {
  const { start, run, said } = cluster();
  const a = start('a', 1);
  const b = start('b', 2, {}, 4800);
  start('c', 3, {}, 900);
  await run(20_000);
  const ahead = (node: typeof a) => node.nodes().map(({ name, aheadMs }) => [name, aheadMs]);
  // The messages of this network are at once.
  expect(ahead(a)).toEqual([
    ['a', 0],
    ['b', 4800],
    ['c', 900],
  ]);
  expect(ahead(b)).toEqual([
    ['a', -4800],
    ['b', 0],
    ['c', -3900],
  ]);
  expect(said.map((line) => line.replace(/^\d+ /, '')).sort()).toEqual([
    "a 1: the clock of node b is 4.8 s ahead, compared with this one's",
    "b 2: the clock of node a is 4.8 s behind, compared with this one's",
    "b 2: the clock of node c is 3.9 s behind, compared with this one's",
    "c 3: the clock of node b is 3.9 s ahead, compared with this one's",
  ]);
});

test.each([
  [0, ''],
  [999, ''],
  [-999, ''],
  [1000, '1.0 s ahead'],
  [-65_432, '65.4 s behind'],
])('a difference of %i ms is "%s"', (aheadMs, words) => {
  expect(clockWords(aheadMs)).toBe(words);
});
