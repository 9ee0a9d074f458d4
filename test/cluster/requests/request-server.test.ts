/** The leader's side: what it takes and what it notes, HTTP through it, and messages that mean nothing. */
import { describe, expect, test } from 'vitest';
import type { ForwardedReply } from '../../../src/cluster/requests/forwarded-request.ts';
import { subjectsOf } from '../../../src/cluster/requests/subjects.ts';
import { limits } from '../../../src/limits.ts';
import { FakeCluster, pingOf, requestOf } from '../../support/cluster/fake-cluster.ts';

const { serve, forward } = limits.cluster;

function twoNodes(options: ConstructorParameters<typeof FakeCluster>[0] = {}) {
  const cluster = new FakeCluster(options);
  return { cluster, leader: cluster.node('leader'), client: cluster.node('client') };
}

function bodyOf(reply: unknown): Buffer {
  const { body } = reply as ForwardedReply;
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.concat(body instanceof Uint8Array ? [body] : [...body.parts]);
}

/** Bytes that differ everywhere. */
function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
}

test('an head is noted beside its record, and one that was refused is not', async () => {
  const { cluster, leader, client } = twoNodes();
  cluster.claim(leader);
  for (const slug of ['a', 'unknown', 'b']) client.forwarder.acceptPing(pingOf(slug), () => {}, null);
  await cluster.run(100);
  expect(leader.noted).toEqual([1, 3]);
});

describe('HTTP', () => {
  test('requests reach the leader whole, and replies the client', async () => {
    const { cluster, leader, client } = twoNodes();
    cluster.claim(leader);
    const request = requestOf('POST', '/api/v3/checks/', {
      query: 'a=1',
      apiKey: 'key',
      headers: { host: 'x' },
      body: Buffer.from('{}'),
    });
    const reply = client.forwarder.http(request);
    await cluster.run(100);
    expect(leader.requests.map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body) }))).toEqual([
      { ...request, idempotencyKey: undefined },
    ]);
    expect(await reply).toMatchObject({ status: 200, headers: [['X-Node', 'leader']] });
    expect(bodyOf(await reply).toString()).toBe('/api/v3/checks/');
  });

  test('of any size go in parts, both ways, and of a reply only a window is on its way', async () => {
    const { cluster, leader, client } = twoNodes({ messageBytesMax: 300_000, delayMsMax: 5 });
    cluster.claim(leader);
    const [asked, answered] = [pattern(1_000_003), pattern(20_000_001)];
    leader.serve = async ({ body }) => ({
      status: Buffer.from(body).equals(asked) ? 201 : 400,
      headers: [],
      body: { parts: [answered.subarray(0, 7), answered.subarray(7)], length: answered.length },
    });
    await cluster.run(10);
    const reply = client.forwarder.http(requestOf('POST', '/', { body: asked }));
    cluster.network.pause('client');
    await cluster.run(1000);
    const sent = cluster.network.published.filter(({ node }) => node === 'leader');
    const onItsWay = sent.reduce((sum, { message }) => sum + message.length, 0);
    expect(onItsWay).toBeGreaterThan(serve.replyWindowBytes / 2);
    expect(onItsWay).toBeLessThan(serve.replyWindowBytes * 1.2);
    cluster.network.resume('client');
    await cluster.run(2000);
    expect((await reply) as ForwardedReply).toMatchObject({ status: 201 });
    expect(bodyOf(await reply).equals(answered)).toBe(true);
    expect(cluster.network.published.every(({ message }) => message.length <= 300_000)).toBe(true);
  });

  test('at a take-over are asked again, and a change only if nothing of it is in the log', async () => {
    const { cluster, leader, client } = twoNodes();
    const next = cluster.node('next');
    cluster.claim(leader);
    leader.serve = () => new Promise(() => {});
    const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'];
    const replies = methods.map((method) => client.forwarder.http(requestOf(method, '/')));
    await cluster.run(100);
    expect(leader.requests.length).toBe(5);
    // The change that the POST has made is in the log, that of the DELETE never came so far.
    next.knows(client.id, leader.noted[0] ?? 0);
    cluster.claim(next);
    await cluster.run(100);
    expect(next.requests.map(({ method }) => method)).toEqual(methods);
    expect(next.pasts).toEqual(['new', 'new', 'new', 'recorded', 'new']);
    expect((await Promise.all(replies)).map((reply) => (reply as ForwardedReply).status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
  });

  test('that change something say so to a leader that cannot know whether they were done', async () => {
    const { cluster, leader, client } = twoNodes();
    const next = cluster.node('next');
    cluster.claim(leader);
    leader.serve = () => new Promise(() => {});
    void client.forwarder.http(requestOf('POST', '/'));
    await cluster.run(100);
    next.isFresh = true;
    cluster.claim(next);
    await cluster.run(100);
    expect([next.pasts, next.server.counts.doubtful]).toEqual([['unknown'], 1]);
  });

  test('whose reply an earlier leader has begun are answered by the next one only', async () => {
    const { cluster, leader, client } = twoNodes({ messageBytesMax: 20_000, delayMsMax: 40 });
    const next = cluster.node('next');
    cluster.claim(leader);
    leader.serve = async () => ({ status: 200, headers: [], body: pattern(60_000) });
    let open: (reply: ForwardedReply) => void = () => {};
    next.serve = () => new Promise((resolve) => (open = resolve));
    const reply = client.forwarder.http(requestOf('GET', '/'));
    const confirmed = (): boolean =>
      cluster.network.published.filter(({ node }) => node === 'client').length > 1;
    for (let ms = 0; ms < 1000 && !confirmed(); ms++) await cluster.run(1);
    expect([confirmed(), client.forwarder.size]).toEqual([true, 1]);
    cluster.claim(next, [leader]);
    await cluster.run(1000);
    expect(client.forwarder.size).toBe(1);
    open({ status: 404, headers: [], body: '' });
    await cluster.run(100);
    expect(await reply).toMatchObject({ status: 404 });
  });

  test('that a leader works on for long is waited for while the leader is well, and makes nobody refuse', async () => {
    const { cluster, leader, client } = twoNodes();
    cluster.claim(leader);
    const open: ((reply: ForwardedReply) => void)[] = [];
    leader.serve = () => new Promise((resolve) => open.push(resolve));
    const slow = client.forwarder.http(requestOf('POST', '/slow'));
    const endless = client.forwarder.http(requestOf('POST', '/endless'));
    await cluster.run(2 * forward.waitMsMax);
    let outcome = '';
    client.forwarder.acceptPing(pingOf('a'), (found) => (outcome = found), null);
    open[0]?.({ status: 204, headers: [], body: '' });
    await cluster.run(100);
    expect([outcome, await slow]).toMatchObject(['ok', { status: 204 }]);
    await cluster.run(forward.requestMsMax);
    expect(await endless).toBe('in-doubt');
    expect(client.forwarder.size).toBe(0);
  });

  test('replies that do not fit into memory are refused', async () => {
    const { cluster, leader, client } = twoNodes();
    cluster.claim(leader);
    const part = new Uint8Array(1_000_000);
    const parts = Array.from({ length: forward.replyBytesMax / part.length + 1 }, () => part);
    leader.serve = async () => ({
      status: 200,
      headers: [],
      body: { parts, length: parts.length * part.length },
    });
    const reply = client.forwarder.http(requestOf('GET', '/'));
    await cluster.run(100);
    expect(await reply).toBe('too-large');
  });
});

describe('messages', () => {
  test('that were damaged or are newer are ignored and counted, and so are answers', async () => {
    const { cluster, leader, client } = twoNodes();
    cluster.claim(leader);
    client.forwarder.acceptPing(pingOf('a'), () => {}, null);
    await cluster.run(100);
    const bus = cluster.network.bus('stranger');
    const [head, answer] = cluster.network.published;
    const subjects = subjectsOf('test');
    for (const at of [0, 20, 30]) {
      const [badRequest, badAnswer] = [head, answer].map((sent) => Buffer.from(sent?.message ?? []));
      if (badRequest) badRequest[at] = (badRequest[at] ?? 0) ^ 4;
      if (badAnswer) badAnswer[at] = (badAnswer[at] ?? 0) ^ 4;
      bus.publish(subjects.requests('leader'), badRequest ?? Buffer.alloc(0));
      bus.publish(subjects.answers({ name: 'client', id: client.id }), badAnswer ?? Buffer.alloc(0));
    }
    await cluster.run(100);
    expect([leader.server.counts.ignored, client.forwarder.counts.ignored]).toEqual([3, 3]);
    expect(cluster.log.length).toBe(1);
  });

  test('for a leader to come are kept up to a bound, those for a leader of old are not', async () => {
    const { cluster, leader, client } = twoNodes();
    const { server } = leader;
    client.forwarder.leaderIs({ node: 'leader', epoch: 1 });
    client.forwarder.acceptPing(pingOf('a'), () => {}, null);
    await cluster.run(100);
    const greeting = cluster.network.published[0]?.message ?? new Uint8Array(0);
    const count = Math.floor(serve.heldBytesMax / greeting.length);
    for (let more = 1; more < count; more++) server.take(greeting);
    expect(server.counts.ignored).toBe(0);
    server.take(greeting);
    expect(server.counts.ignored).toBe(1);
    cluster.epoch = 1;
    cluster.claim(leader, [client]);
    await cluster.run(100);
    expect([cluster.log, server.counts.ignored]).toEqual([[], count + 1]);
  });

  test('an head of which a part is lost is never taken, and what follows it is', async () => {
    const { cluster, leader, client } = twoNodes({ messageBytesMax: 20_000, delayMsMax: 0 });
    cluster.claim(leader);
    await cluster.run(0);
    const outcomes: string[] = [];
    const ping = (slug: string, bytes: number): void => {
      const request = pingOf(slug, { body: new Uint8Array(bytes) });
      client.forwarder.acceptPing(request, (outcome, who) => outcomes.push(`${who} ${outcome}`), slug);
    };
    // Of its messages the last one goes at the end of the turn, the others before.
    ping('without end', 90_000);
    cluster.network.isolate('leader');
    await cluster.run(0);
    ping('without beginning', 90_000);
    cluster.network.rejoin('leader');
    await cluster.run(0);
    ping('next', 50_000);
    await cluster.run(100);
    expect([outcomes, cluster.log.map(({ slug }) => slug)]).toEqual([['next ok'], ['next']]);
  });
});
