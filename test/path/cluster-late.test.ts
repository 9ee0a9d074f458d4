/** Messages between the nodes of a cluster that come late: nothing is taken twice, or after it was given up. */
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { twoNodes } from '../support/asked-pings.ts';
import { requestOf } from '../support/fake-cluster.ts';

const { forward } = limits.cluster;

/** Messages of some way are held back, and delivered once all else is over. */
describe('a message that was held back', () => {
  const lateBy = [1000, 12_000, 135_000];

  test.each(lateBy)(
    'on its way to the owner for %i ms is taken once, and not after its door has given it up',
    async (ms) => {
      const { cluster, owner, door, asked } = twoNodes();
      const other = cluster.node('other');
      cluster.claim(owner);
      await cluster.run(10);
      const held = cluster.network.hold('door');
      asked.ping(door, 'first');
      const changed = door.forwarder.http(
        requestOf('POST', '/change', { receivedAtMs: cluster.clock.nowMs() }),
      );
      await cluster.run(100);
      // The door reaches the owner another way, and asks again.
      cluster.network.pass('door');
      await cluster.run(forward.requestAgainMs + 2 * forward.probeEveryMs);
      expect([asked.of('ok'), await changed]).toMatchObject([['first'], { status: 200 }]);
      asked.ping(other, 'second');
      await cluster.run(ms);
      held.deliver();
      await cluster.run(1000);
      expect(cluster.log.map(({ slug }) => slug)).toEqual(['first', 'second']);
      expect(owner.requests.length).toBe(1);
    },
  );

  test.each(lateBy)('and was given up %i ms before leaves no trace', async (ms) => {
    const { cluster, owner, door, asked } = twoNodes();
    cluster.claim(owner);
    await cluster.run(10);
    const held = cluster.network.hold('door');
    asked.ping(door, 'given up');
    const changed = door.forwarder.http(
      requestOf('POST', '/change', { receivedAtMs: cluster.clock.nowMs() }),
    );
    await cluster.run(forward.requestMsMax + 2 * forward.probeEveryMs);
    expect([asked.of('unavailable'), await changed]).toEqual([['given up'], 'in-doubt']);
    await cluster.run(ms);
    cluster.network.pass('door');
    held.deliver();
    await cluster.run(5000);
    expect([cluster.log, owner.requests.length]).toEqual([[], 0]);
  });

  test('to a door says nothing that it does not know, and what it asked is done once', async () => {
    const { cluster, owner, door, asked } = twoNodes();
    cluster.claim(owner);
    await cluster.run(10);
    const held = cluster.network.hold('owner');
    asked.ping(door, 'first');
    const changed = door.forwarder.http(
      requestOf('POST', '/change', { receivedAtMs: cluster.clock.nowMs() }),
    );
    await cluster.run(1000);
    expect([asked.outcomes, cluster.log.length]).toEqual([[], 1]);
    cluster.network.pass('owner');
    await cluster.run(forward.requestAgainMs + 2 * forward.probeEveryMs);
    held.deliver();
    await cluster.run(1000);
    expect([asked.outcomes, await changed]).toMatchObject([[['first', 'ok']], { status: 200 }]);
    expect([cluster.log.length, owner.requests.length]).toEqual([1, 1]);
  });
});

test('what an owner says that there is not, it says when it is certain to be the owner', async () => {
  const { cluster, owner, door, asked } = twoNodes();
  cluster.claim(owner);
  const decided: ((isCertain: boolean) => void)[] = [];
  owner.isCertain = () => new Promise((resolve) => decided.push(resolve));
  owner.unknown.add('new');
  asked.ping(door, 'new');
  asked.ping(door, 'known');
  await cluster.run(500);
  expect(asked.outcomes).toEqual([['known', 'ok']]);
  decided[0]?.(true);
  await cluster.run(10);
  asked.ping(door, 'new');
  await cluster.run(10);
  decided[1]?.(false);
  await cluster.run(10);
  expect(asked.outcomes.slice(1)).toEqual([
    ['new', 'not-found'],
    ['new', 'unavailable'],
  ]);
});
