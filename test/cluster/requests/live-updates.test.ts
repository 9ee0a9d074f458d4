/** Live updates reach the pages of every node, and only what is listened to is sent. */
import { expect, test } from 'vitest';
import { LiveUpdates } from '../../../src/cluster/requests/live-updates.ts';
import { subjectsOf } from '../../../src/cluster/requests/subjects.ts';
import { limits } from '../../../src/limits.ts';
import { MemoryNetwork } from '../../support/cluster/memory-bus.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

const { live } = limits.cluster;
const subjects = subjectsOf('test');

class Node {
  topics: readonly string[] = [];
  readonly got: string[] = [];
  listening = 0;
  /** How often pages began to listen to more. */
  more = 0;
  readonly updates: LiveUpdates;

  constructor(network: MemoryNetwork, clock: SimulatedClock, name: string, id: number) {
    this.updates = new LiveUpdates({
      id,
      bus: network.bus(name),
      subjects,
      scheduler: clock,
      limits: live,
      local: {
        publish: (topic, text) => this.got.push(`${topic}: ${text}`),
        dismiss: (topic) => this.got.push(`end of ${topic}`),
        isListenedTo: (topic) => this.topics.includes(topic),
        topics: () => this.topics,
      },
      listening: (topics, isMore) => {
        this.listening = topics;
        if (isMore) this.more++;
      },
    });
  }

  listen(...topics: readonly string[]): void {
    this.topics = topics;
    this.updates.changed();
  }
}

function threeNodes(messageBytesMax = 1_000_000) {
  const clock = new SimulatedClock(0);
  const network = new MemoryNetwork({ clock, messageBytesMax });
  const [leader, a, b] = ['leader', 'a', 'b'].map((name, at) => new Node(network, clock, name, at + 1)) as [
    Node,
    Node,
    Node,
  ];
  const run = async (ms: number): Promise<void> => {
    await Promise.resolve();
    await clock.advance(ms, () => Promise.resolve());
  };
  return { run, network, leader, a, b };
}

test('what is published reaches the listeners of other nodes, and costs nothing where there are none', async () => {
  const { run, network, leader, a } = threeNodes();
  leader.updates.publish('p1', 'nobody listens');
  await run(3000);
  expect([network.published, leader.listening]).toEqual([[], 0]);
  a.listen('p1', 'user u');
  await run(1);
  expect([leader.listening, leader.updates.isListenedTo('p1'), leader.updates.isListenedTo('p2')]).toEqual([
    2,
    true,
    false,
  ]);
  leader.updates.publish('p1', 'ö updates');
  leader.updates.publish('p2', 'of another project');
  await run(1);
  expect(a.got).toEqual(['p1: ö updates']);
  expect(leader.got).toEqual(['p1: nobody listens', 'p1: ö updates', 'p2: of another project']);
});

test('the leader learns when pages anywhere listen to more, and not each time that they say what they listen to', async () => {
  const { run, leader, a } = threeNodes();
  a.listen('p1');
  await run(1);
  expect(leader.more).toBe(1);
  await run(10_000);
  expect(leader.more).toBe(1);
  a.listen('p1', 'p2');
  await run(1);
  a.listen('p2');
  await run(5000);
  expect(leader.more).toBe(2);
  leader.updates.changed(true);
  await run(1);
  expect(leader.more).toBe(3);
  // A second page of that node, with the same topic.
  a.updates.changed(true);
  await run(5000);
  expect(leader.more).toBe(4);
});

test('an end of listening reaches every node, known to be listened to or not', async () => {
  const { run, leader, a, b } = threeNodes();
  a.topics = ['user u'];
  leader.updates.dismiss('user u');
  await run(1);
  expect([leader.got, a.got, b.got]).toEqual([['end of user u'], ['end of user u'], ['end of user u']]);
});

test('a node that goes is forgotten, one that has no listeners any more at once', async () => {
  const { run, network, leader, a, b } = threeNodes();
  a.listen('p1');
  b.listen('p2');
  await run(10_000);
  expect(leader.listening).toBe(2);
  b.listen();
  await run(1);
  expect(leader.listening).toBe(1);
  network.isolate('a');
  await run(live.silenceMsMax - 1000);
  expect(leader.updates.isListenedTo('p1')).toBe(true);
  await run(2000);
  expect([leader.updates.isListenedTo('p1'), leader.listening]).toEqual([false, 0]);
});

test('updates that are too large for a message make the pages of other nodes read anew', async () => {
  const { run, leader, a } = threeNodes(2000);
  a.listen('p1');
  await run(1);
  leader.updates.publish('p1', 'x'.repeat(3000));
  await run(1);
  expect(a.got).toEqual(['end of p1']);
});

test('what means nothing is ignored', async () => {
  const { run, network, leader } = threeNodes();
  const bus = network.bus('stranger');
  for (const subject of [subjects.liveUpdates, subjects.liveInterest])
    for (const bytes of [[], [1], [2, 9, 9, 9, 9, 1, 1, 65, 0], [1, 9, 9, 9, 9, 200]])
      bus.publish(subject, Uint8Array.from(bytes));
  await run(1);
  expect([leader.got, leader.listening]).toEqual([[], 0]);
});
