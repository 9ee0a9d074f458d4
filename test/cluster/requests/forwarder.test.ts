/** What a node that does not lead takes, and what becomes of it when leaders fall silent, change or come back. */

import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { Random } from '../../simulation/random.ts';
import { AskedPings, twoNodes } from '../../support/cluster/asked-pings.ts';
import { FakeCluster, pingOf, requestOf } from '../../support/cluster/fake-cluster.ts';

const { forward } = limits.cluster;

describe('pings', () => {
  test('of one turn go in one message, in their order, and are answered in one', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    const slugs = Array.from({ length: 50 }, (_, at) => `s${at}`);
    for (const slug of slugs) asked.ping(client, slug);
    asked.ping(client, 'unknown');
    await cluster.run(100);
    expect(cluster.log.map(({ slug }) => slug)).toEqual(slugs);
    expect(asked.of('ok')).toEqual(slugs);
    expect(asked.of('not-found')).toEqual(['unknown']);
    expect(cluster.network.published.map(({ node }) => node)).toEqual([
      ...['client', 'leader'], // a greeting and its answer
      ...['client', 'leader', 'leader'],
    ]);
    expect(client.forwarder.size).toBe(0);
  });

  test('are read at once: the client uses their object and their body again', async () => {
    const { cluster, leader, client } = twoNodes();
    cluster.claim(leader);
    const body = Buffer.from('one');
    const request = { ...pingOf('first', { body }), receivedAtMs: 1_000_001 };
    client.forwarder.acceptPing(request, () => {}, null);
    body.fill(0);
    Object.assign(request, pingOf('second'));
    await cluster.run(100);
    expect(cluster.log).toMatchObject([{ slug: 'first', bodyBytes: 3, receivedAtMs: 1_000_001 }]);
  });

  test('of every size pass, and no message exceeds what the bus takes', async () => {
    const { cluster, leader, client, asked } = twoNodes({ messageBytesMax: 20_000 });
    cluster.claim(leader);
    const sizes = [0, 10, 100_000, 19_000, 5000, 100_000, 1];
    for (const [at, size] of sizes.entries()) asked.ping(client, `s${at}`, { body: new Uint8Array(size) });
    await cluster.run(100);
    expect(cluster.log.map(({ bodyBytes }) => bodyBytes)).toEqual(sizes);
    expect(asked.of('ok').length).toBe(sizes.length);
  });

  test('are dated by their client, within the skew that clocks may have', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    cluster.claim(leader);
    await cluster.run(1);
    const nowMs = cluster.clock.nowMs();
    const skew = limits.cluster.serve.clockSkewMsMax;
    for (const off of [-skew, skew, -skew - 2, skew + 2]) {
      client.skewMs = off;
      asked.ping(client, 's', { receivedAtMs: nowMs + off });
      await cluster.run(0);
    }
    await cluster.run(100);
    expect(cluster.log.map(({ receivedAtMs }) => receivedAtMs - nowMs)).toEqual([-skew, skew, 0, 0]);
  });

  test('that waited for a leader are dated when they came in, also by a client whose clock is off', async () => {
    for (const skewMs of [0, 1_000_000]) {
      const { cluster, leader, client, asked } = twoNodes();
      const nowMs = cluster.clock.nowMs();
      client.skewMs = skewMs;
      asked.ping(client, 'early', { receivedAtMs: nowMs + skewMs });
      await cluster.run(10_000);
      cluster.claim(leader);
      await cluster.run(100);
      const [recorded] = cluster.log;
      expect(Math.abs((recorded?.receivedAtMs ?? 0) - nowMs)).toBeLessThan(20);
    }
  });

  test('that come before there is a leader wait for one', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    asked.ping(client, 'early');
    await cluster.run(1000);
    expect(asked.outcomes).toEqual([]);
    cluster.claim(leader);
    await cluster.run(100);
    expect(asked.outcomes).toEqual([['early', 'ok']]);
  });
});

describe('a take-over', () => {
  test('records what is in doubt once, whether its record was written or not', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    const next = cluster.node('next');
    cluster.claim(leader);
    // Recorded, but its answer is lost.
    asked.ping(client, 'written');
    cluster.clock.after(1, () => cluster.network.isolate('leader'));
    await cluster.run(10);
    asked.ping(client, 'lost');
    await cluster.run(10);
    expect([cluster.log.map(({ slug }) => slug), asked.outcomes]).toEqual([['written'], []]);
    cluster.claim(next);
    await cluster.run(10);
    expect(cluster.log.map(({ slug, epoch }) => [slug, epoch])).toEqual([
      ['written', 1],
      ['lost', 2],
    ]);
    expect(asked.of('ok').sort()).toEqual(['lost', 'written']);
    expect(next.server.counts.known).toBe(1);
  });

  test('by a node that was started meanwhile refuses what may be recorded already, and takes the rest', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    const next = cluster.node('next');
    cluster.claim(leader);
    asked.ping(client, 'written');
    cluster.clock.after(1, () => cluster.network.isolate('leader'));
    await cluster.run(10);
    client.forwarder.leaderIs(null);
    asked.ping(client, 'new');
    next.isFresh = true;
    cluster.claim(next, [leader]);
    await cluster.run(10);
    expect(cluster.log.map(({ slug }) => slug)).toEqual(['written', 'new']);
    expect(asked.outcomes).toContainEqual(['new', 'ok']);
  });

  test('by a node that has read only what came after the pending was recorded refuses it', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    const next = cluster.node('next');
    cluster.claim(leader);
    asked.ping(client, 'written');
    cluster.clock.after(1, () => cluster.network.isolate('leader'));
    await cluster.run(10);
    // It is in the history of the next leader, where requests are not.
    cluster.log.length = 0;
    next.isFresh = true;
    cluster.claim(next);
    await cluster.run(10);
    expect([cluster.log, asked.outcomes]).toEqual([[], [['written', 'unavailable']]]);
    expect(next.server.counts.doubtful).toBe(1);
  });

  test('that a stopped client reads of too late sends nothing again', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    const next = cluster.node('next');
    cluster.claim(leader);
    leader.isStalled = true;
    asked.ping(client, 'old');
    await cluster.run(10);
    cluster.clock.skip(2 * limits.cluster.known.keptMs);
    cluster.claim(next);
    await cluster.run(10);
    expect([cluster.log, asked.outcomes]).toEqual([[], [['old', 'unavailable']]]);
  });

  test('by the client itself gives its own engine what is in flight, once and in order', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    asked.ping(client, 'written');
    await cluster.run(100);
    leader.isStalled = true;
    for (const slug of ['a', 'b', 'c']) asked.ping(client, slug);
    await cluster.run(100);
    cluster.claim(client);
    asked.ping(client, 'd');
    leader.resume();
    await cluster.run(100);
    expect(cluster.log.map(({ slug }) => slug)).toEqual(['written', 'a', 'b', 'c', 'd']);
    expect(asked.of('ok')).toEqual(['written', 'a', 'b', 'c', 'd']);
  });

  test('that clients read of before the new leader does loses nothing', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    client.forwarder.leaderIs({ node: 'leader', epoch: 1 });
    asked.ping(client, 'early');
    await cluster.run(500);
    cluster.claim(leader);
    await cluster.run(100);
    expect([asked.outcomes, cluster.log.length]).toEqual([[['early', 'ok']], 1]);
  });

  test('ends what a leader says that stood still: only that a ping is recorded still counts', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    const next = cluster.node('next');
    cluster.claim(leader);
    await cluster.run(1);
    cluster.network.pause('leader');
    leader.unknown.add('new');
    asked.ping(client, 'a');
    asked.ping(client, 'new');
    const reply = client.forwarder.http(requestOf('GET', '/page'));
    await cluster.run(1500);
    cluster.claim(next, [leader]);
    await cluster.run(1);
    next.isStalled = true;
    cluster.network.resume('leader');
    await cluster.run(100);
    // The old leader could not write, and that it does not know a check is out of date.
    expect([cluster.log, asked.outcomes]).toEqual([[], []]);
    expect(next.server.counts.pings).toBe(2);
    next.resume();
    await cluster.run(100);
    expect(cluster.log.map(({ slug }) => slug)).toEqual(['a', 'new']);
    expect(asked.of('ok')).toEqual(['a', 'new']);
    expect(await reply).toMatchObject({ headers: [['X-Node', 'next']] });
    expect(client.forwarder.counts.ignored).toBeGreaterThan(0);
  });
});

test('a leader that is lost from view and seen again gets nothing twice', async () => {
  const { cluster, leader, client, asked } = twoNodes();
  const epoch = cluster.claim(leader);
  asked.ping(client, 'sent');
  const posted = client.forwarder.http(requestOf('POST', '/sent'));
  await cluster.run(0);
  client.forwarder.leaderIs(null);
  asked.ping(client, 'not sent');
  client.forwarder.leaderIs({ node: 'leader', epoch });
  await cluster.run(100);
  expect(cluster.log.map(({ slug }) => slug)).toEqual(['sent', 'not sent']);
  expect([leader.requests.length, await posted]).toMatchObject([1, { status: 200 }]);
});

describe('silence', () => {
  test('of 2 s refuses new pings, those in flight wait for the next leader', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    const next = cluster.node('next');
    cluster.claim(leader);
    asked.ping(client, 'before');
    await cluster.run(100);
    cluster.network.isolate('leader');
    asked.ping(client, 'waiting');
    await cluster.run(forward.silenceMsMax - 1);
    asked.ping(client, 'also waiting');
    await cluster.run(1);
    asked.ping(client, 'refused');
    expect(asked.outcomes).toEqual([
      ['before', 'ok'],
      ['refused', 'unavailable'],
    ]);
    await cluster.run(1000);
    cluster.claim(next);
    asked.ping(client, 'after');
    await cluster.run(100);
    expect(asked.of('ok')).toEqual(['before', 'waiting', 'also waiting', 'after']);
    expect(cluster.log.length).toBe(4);
  });

  test('after a time without pings does not count: the first one is taken', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    await cluster.run(60_000);
    asked.ping(client, 'a');
    await cluster.run(100);
    expect(asked.outcomes).toEqual([['a', 'ok']]);
  });

  test('ends when the same leader can be reached again: it is asked whether it is well', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    cluster.network.isolate('leader');
    asked.ping(client, 'lost');
    await cluster.run(5000);
    asked.ping(client, 'refused');
    cluster.network.rejoin('leader');
    await cluster.run(forward.probeEveryMs + 10);
    asked.ping(client, 'taken');
    await cluster.run(100);
    expect(asked.outcomes).toContainEqual(['taken', 'ok']);
    await cluster.run(forward.againMs + forward.probeEveryMs);
    expect([asked.of('unavailable'), asked.of('ok').sort()]).toEqual([['refused'], ['lost', 'taken']]);
    expect([client.forwarder.size, cluster.log.length]).toEqual([0, 2]);
  });

  test('of a moment, in which answers were lost: the same leader is asked again, and takes nothing twice', async () => {
    const { cluster, leader, client, asked } = twoNodes({ commitMs: 100, delayMsMax: 0 });
    cluster.claim(leader);
    leader.serve = () =>
      new Promise((resolve) => {
        cluster.clock.after(100, () => resolve({ status: 200, headers: [], body: '' }));
      });
    asked.ping(client, 'recorded');
    const reading = client.forwarder.http(requestOf('GET', '/read'));
    const posting = client.forwarder.http(requestOf('POST', '/posted'));
    await cluster.run(0);
    cluster.network.isolate('client');
    await cluster.run(200);
    cluster.network.rejoin('client');
    await cluster.run(forward.againMs + forward.probeEveryMs);
    expect([asked.outcomes, cluster.log.length]).toEqual([[['recorded', 'ok']], 1]);
    await cluster.run(forward.requestAgainMs);
    expect(await reading).toMatchObject({ status: 200 });
    await cluster.run(forward.requestMsMax);
    expect(await posting).toMatchObject({ status: 200 });
    expect(leader.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  test('of a moment, in which answers were late: what was refused before it was sent again is not refused', async () => {
    const { cluster, leader, client, asked } = twoNodes({ delayMsMax: 0 });
    const { delayMs } = cluster.network;
    cluster.claim(leader);
    await cluster.run(1);
    leader.unknown.add('first').add('second');
    delayMs.set('leader', forward.againMs - 50);
    asked.ping(client, 'first');
    await cluster.run(1);
    // Behind the answer to the first one, so that the client finds the leader well and sends this one again.
    delayMs.set('leader', 2 * forward.againMs);
    asked.ping(client, 'second');
    await cluster.run(1);
    leader.unknown.delete('second');
    delayMs.set('leader', 0);
    await cluster.run(forward.againMs + forward.probeEveryMs);
    expect([asked.outcomes, cluster.log.length]).toEqual([[['first', 'not-found']], 1]);
    await cluster.run(forward.againMs);
    expect(asked.outcomes).toEqual([
      ['first', 'not-found'],
      ['second', 'ok'],
    ]);
  });

  test('of a slow log: what waits there is not taken again', async () => {
    const { cluster, leader, client, asked } = twoNodes({
      commitMs: forward.againMs + 2 * forward.probeEveryMs,
    });
    cluster.claim(leader);
    asked.ping(client, 'waiting');
    await cluster.run(forward.waitMsMax);
    expect(client.forwarder.counts.again).toBeGreaterThan(0);
    expect([asked.outcomes, cluster.log.length]).toEqual([[['waiting', 'ok']], 1]);
  });

  test('of the log is silence, though its leader is there', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    await cluster.run(10);
    leader.isStalled = true;
    asked.ping(client, 'waiting');
    await cluster.run(forward.silenceMsMax + 10);
    asked.ping(client, 'refused');
    expect(asked.outcomes).toEqual([['refused', 'unavailable']]);
    leader.resume();
    await cluster.run(100);
    asked.ping(client, 'taken');
    await cluster.run(100);
    expect(asked.of('ok')).toEqual(['waiting', 'taken']);
  });

  test('without an end refuses what waits after 20 s, and nothing is left to be done', async () => {
    const { cluster, client, asked } = twoNodes();
    asked.ping(client, 'a');
    const reply = client.forwarder.http(requestOf('POST', '/api/v3/checks/'));
    await cluster.run(forward.waitMsMax + forward.probeEveryMs);
    expect([asked.outcomes, await reply]).toEqual([[['a', 'unavailable']], 'unavailable']);
    asked.ping(client, 'b');
    expect(asked.of('unavailable')).toEqual(['a', 'b']);
  });
});

describe('memory', () => {
  test('is bounded: more pings than fit are refused, and taken again when others were answered', async () => {
    const { cluster, leader, client, asked } = twoNodes({ bytesMax: 100_000 });
    cluster.claim(leader);
    for (let at = 0; at < 20; at++) asked.ping(client, `s${at}`, { body: new Uint8Array(10_000) });
    expect(asked.of('unavailable').length).toBe(11);
    await cluster.run(100);
    asked.ping(client, 'again', { body: new Uint8Array(10_000) });
    await cluster.run(100);
    expect(asked.of('ok').length).toBe(10);
  });
});

test('whatever messages are lost and leaders change, each ping is answered once, and recorded once if it is ok', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed);
    const cluster = new FakeCluster({ seed, delayMsMax: 40, commitMs: 30, messageBytesMax: 4000 });
    const nodes = ['a', 'b', 'c'].map((name) => cluster.node(name));
    const asked = new AskedPings();
    cluster.network.dropped = random.chance(0.5) ? 0.05 : 0;
    cluster.claim(random.pick(nodes));
    let sent = 0;
    for (let step = 0; step < 200; step++) {
      const node = random.pick(nodes);
      if (random.chance(0.7)) asked.ping(node, `s${sent++}`, { body: new Uint8Array(random.below(3000)) });
      if (random.chance(0.03)) cluster.claim(node);
      if (random.chance(0.03)) cluster.network.isolate(node.name);
      if (random.chance(0.2)) for (const each of nodes) cluster.network.rejoin(each.name);
      await cluster.run(random.below(100));
    }
    await cluster.run(forward.waitMsMax + 1000);
    expect(asked.outcomes.length, `seed ${seed}`).toBe(sent);
    expect(new Set(asked.outcomes.map(([slug]) => slug)).size).toBe(sent);
    const recorded = cluster.log.map(({ slug }) => slug);
    expect(new Set(recorded).size, `seed ${seed}: recorded once`).toBe(recorded.length);
    expect(asked.of('ok').filter((slug) => !recorded.includes(slug))).toEqual([]);
    expect(asked.of('ok').length).toBeGreaterThan(sent / 4);
  }
});
