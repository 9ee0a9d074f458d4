/**
 * Messages between the nodes of a cluster that come late, because something on their way holds them back: nothing is taken twice,
 * or after it was given up. Of the nodes' own parts on a simulated clock, and of whole Knells with clients over HTTP and SMTP.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { twoNodes } from '../support/cluster/asked-pings.ts';
import { requestOf } from '../support/cluster/fake-cluster.ts';
import { HeldBack } from '../support/cluster/held-back.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { MailClient } from '../support/wire/mail-client.ts';

const { forward } = limits.cluster;

/** Messages of some way are held back, and delivered once all else is over. */
describe('a message that was held back', () => {
  const lateBy = [1000, 12_000, 135_000];

  test.each(lateBy)(
    'on its way to the leader for %i ms is taken once, and not after its client has given it up',
    async (ms) => {
      const { cluster, leader, client, asked } = twoNodes();
      const other = cluster.node('other');
      cluster.claim(leader);
      await cluster.run(10);
      const held = cluster.network.hold('client');
      asked.ping(client, 'first');
      const changed = client.forwarder.http(
        requestOf('POST', '/change', { receivedAtMs: cluster.clock.nowMs() }),
      );
      await cluster.run(100);
      // The client reaches the leader another way, and asks again.
      cluster.network.pass('client');
      await cluster.run(forward.requestAgainMs + 2 * forward.probeEveryMs);
      expect([asked.of('ok'), await changed]).toMatchObject([['first'], { status: 200 }]);
      asked.ping(other, 'second');
      await cluster.run(ms);
      held.deliver();
      await cluster.run(1000);
      expect(cluster.log.map(({ slug }) => slug)).toEqual(['first', 'second']);
      expect(leader.requests.length).toBe(1);
    },
  );

  test.each(lateBy)('and was given up %i ms before leaves no trace', async (ms) => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    await cluster.run(10);
    const held = cluster.network.hold('client');
    asked.ping(client, 'given up');
    const changed = client.forwarder.http(
      requestOf('POST', '/change', { receivedAtMs: cluster.clock.nowMs() }),
    );
    await cluster.run(forward.requestMsMax + 2 * forward.probeEveryMs);
    expect([asked.of('unavailable'), await changed]).toEqual([['given up'], 'in-doubt']);
    await cluster.run(ms);
    cluster.network.pass('client');
    held.deliver();
    await cluster.run(5000);
    expect([cluster.log, leader.requests.length]).toEqual([[], 0]);
  });

  test('to a client says nothing that it does not know, and what it asked is done once', async () => {
    const { cluster, leader, client, asked } = twoNodes();
    cluster.claim(leader);
    await cluster.run(10);
    const held = cluster.network.hold('leader');
    asked.ping(client, 'first');
    const changed = client.forwarder.http(
      requestOf('POST', '/change', { receivedAtMs: cluster.clock.nowMs() }),
    );
    await cluster.run(1000);
    expect([asked.outcomes, cluster.log.length]).toEqual([[], 1]);
    cluster.network.pass('leader');
    await cluster.run(forward.requestAgainMs + 2 * forward.probeEveryMs);
    held.deliver();
    await cluster.run(1000);
    expect([asked.outcomes, await changed]).toMatchObject([[['first', 'ok']], { status: 200 }]);
    expect([cluster.log.length, leader.requests.length]).toEqual([1, 1]);
  });
});

test('what a leader says that there is not, it says when it is certain to be the leader', async () => {
  const { cluster, leader, client, asked } = twoNodes();
  cluster.claim(leader);
  const decided: ((isCertain: boolean) => void)[] = [];
  leader.isCertain = () => new Promise((resolve) => decided.push(resolve));
  leader.unknown.add('new');
  asked.ping(client, 'new');
  asked.ping(client, 'known');
  await cluster.run(500);
  expect(asked.outcomes).toEqual([['known', 'ok']]);
  decided[0]?.(true);
  await cluster.run(10);
  asked.ping(client, 'new');
  await cluster.run(10);
  decided[1]?.(false);
  await cluster.run(10);
  expect(asked.outcomes.slice(1)).toEqual([
    ['new', 'not-found'],
    ['new', 'unavailable'],
  ]);
});

describe('three whole Knells, and something between them that holds messages back', () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const proxies = new Map<string, HeldBack>();
  const nodes = new Map<string, Knell>();
  let leader: Knell;
  let client: Knell;
  let ofClient: HeldBack;
  let ofOwner: HeldBack;

  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) {
      const proxy = new HeldBack();
      const link = memoryLink(cluster, name);
      proxies.set(name, proxy);
      const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name, KNELL_SMTP: '127.0.0.1:0' };
      nodes.set(name, await Knell.start({ link: { ...link, bus: proxy.around(link.bus) }, env }));
    }
    const first = await Promise.race([...nodes].map(async ([name, node]) => node.leading().then(() => name)));
    const other = [...nodes.keys()].find((name) => name !== first) ?? '';
    leader = nodes.get(first) as Knell;
    client = nodes.get(other) as Knell;
    ofOwner = proxies.get(first) as HeldBack;
    ofClient = proxies.get(other) as HeldBack;
    for (const node of nodes.values()) node.keys = leader.keys;
  });

  afterAll(async () => {
    await Promise.all([...nodes.values()].map((node) => node.stop()));
  });

  async function mailed(node: Knell, uuid: string): Promise<string> {
    const mail = await MailClient.greeted(node.app.smtp);
    return await mail.send([`${uuid}@localhost`], 'Subject: done\r\n\r\nwell\r\n');
  }

  const named = async (name: string): Promise<number> =>
    (await leader.api('GET', '/api/v3/checks/'))
      .json()
      .checks.filter((check: { name: string }) => check.name === name).length;

  test.each([
    ['on its way to the leader', () => ofClient],
    ['on its way to the node that asks', () => ofOwner],
  ])(
    'a ping, a mail and a change that are held back %s are done once, and nothing of them afterwards',
    async (_, proxyOf) => {
      const proxy = proxyOf();
      const { uuid } = await leader.create({ name: 'job', timeout: 3600 });
      const { uuid: mailbox } = await leader.create({ name: 'mailed', timeout: 3600 });
      const name = `created ${_}`;
      // What the node knows of the leader's clock is fresh.
      expect((await client.request(`/ping/${uuid}`)).text).toBe('OK');
      proxy.hold();
      const asked = Promise.all([
        client.request(`/ping/${uuid}/fail`),
        mailed(client, mailbox),
        client.api('POST', '/api/v3/checks/', { name }),
        client.api('POST', `/api/v3/checks/${mailbox}`, { name: 'renamed' }),
      ]);
      await eventually(() => expect(proxy.size).toBeGreaterThanOrEqual(2));
      proxy.pass();
      const [ping, mail, created, renamed] = await asked;
      expect([ping.text, mail.slice(0, 3), created.status, renamed.status]).toEqual(['OK', '250', 201, 200]);
      expect((await leader.request(`/ping/${uuid}`)).text).toBe('OK');
      expect((await leader.api('POST', `/api/v3/checks/${mailbox}`, { name: 'renamed again' })).status).toBe(
        200,
      );
      proxy.deliver();
      expect((await client.request(`/ping/${uuid}/log`)).text).toBe('OK');
      const types = (await leader.pings(uuid)).map(({ type }: { type: string }) => type);
      expect(types).toEqual(['log', 'success', 'fail', 'success']);
      expect(await leader.check(uuid)).toMatchObject({ status: 'up', n_pings: 4 });
      expect(await leader.check(mailbox)).toMatchObject({ name: 'renamed again', n_pings: 1 });
      expect(await named(name)).toBe(1);
    },
  );
});
