/**
 * Events through the nodes of a cluster: each serves its own listeners out of the journal that it has read, so a change of the
 * leader loses none and repeats none.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { type Json, Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { EventStream } from '../support/wire/event-stream.ts';

const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
const nodes = new Map<string, Knell>();
let leader: Knell;

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) {
    const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
    nodes.set(name, await Knell.start({ link: memoryLink(cluster, name), env }));
  }
  leader = await nextLeader();
  for (const node of nodes.values()) node.keys = leader.keys;
});
afterAll(async () => {
  await Promise.all([...nodes.values()].map((node) => node.stop()));
});

function nextLeader(): Promise<Knell> {
  return Promise.race([...nodes.values()].map((node) => node.leading().then(() => node)));
}

const query = 'types=ping,status,run';

async function listen(node: Knell, after = ''): Promise<EventStream> {
  let stream: EventStream | null = null;
  // A node that has not read of the key yet asks to try again.
  await eventually(async () => {
    const headers = {
      'X-Api-Key': leader.keys.readWrite,
      ...(after === '' ? {} : { 'Last-Event-ID': after }),
    };
    stream = await EventStream.open(`${node.app.httpUrl}/api/v3/events?${query}`, headers);
  });
  if (stream === null) throw new Error('no stream');
  return stream;
}

const numbersOf = ({ events }: EventStream): readonly number[] =>
  events.filter(({ type }) => type === 'ping').map(({ data }) => (JSON.parse(data) as Json).n);

test('every node has the same events, across a change of the leader', async () => {
  const { uuid } = await leader.create({ name: 'job', timeout: 3600 });
  const streams = await Promise.all([...nodes.values()].map((node) => listen(node)));
  const followers = [...nodes.values()].filter((node) => node !== leader);
  for (let n = 0; n < 20; n++) await leader.request(`/ping/${uuid}${n % 4 === 3 ? '/fail' : ''}`);
  for (const stream of streams)
    await eventually(() => expect(numbersOf(stream)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1)));
  const [first] = streams;
  for (const stream of streams) expect(stream.events).toEqual(first?.events);

  const lastId = first?.events.at(-1)?.id;
  const ended = leader;
  const kept = await listen(followers[0] as Knell, lastId);
  for (const [name, node] of nodes) if (node === ended) nodes.delete(name);
  await ended.stop();
  leader = await nextLeader();
  for (let n = 0; n < 10; n++)
    await eventually(async () => {
      const answer = await leader.request(`/ping/${uuid}`);
      expect(answer.text).toBe('OK');
    });
  const wanted = Array.from({ length: 10 }, (_, at) => at + 21);
  await eventually(() => expect(numbersOf(kept)).toEqual(wanted));
  // One that comes back, to a node that it was not at before, goes on where it was.
  const other = [...nodes.values()].find((node) => node !== followers[0]) as Knell;
  const back = await listen(other, lastId);
  await eventually(() => expect(back.events).toEqual(kept.events));
  await Promise.all([kept, back, ...streams].map((stream) => stream.end()));
}, 60_000);

test('a key that no node knows is refused by the leader, through any node', async () => {
  for (const node of nodes.values()) {
    const answer = await node.request('/api/v3/events', { headers: { 'X-Api-Key': 'x'.repeat(32) } });
    expect([answer.status, answer.json().error]).toEqual([401, 'wrong api key']);
  }
});
