/** Clients that people run, unchanged, at a node of a cluster while its leader changes: nothing is lost, nothing counts twice. */
import { execFile, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { type Json, Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';

/** The part of the client that is used here: it comes without types. */
interface PingClient {
  success(): Promise<Json>;
}

const { HealthChecksPingClient } = createRequire(import.meta.url)('healthchecks-io-client');
const hasCurl = spawnSync('curl', ['--version']).status === 0;
/** Of a client without one, to give up on a standby that waits. */
const probeMs = 500;

describe('while the leader changes', () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  /** By name: those that take part. */
  const nodes = new Map<string, Knell>();
  const all: Knell[] = [];
  let keys: Knell['keys'];

  const leader = (): Promise<string> =>
    Promise.race(
      [...nodes].map(async ([name, node]) => {
        await node.leading();
        return name;
      }),
    );

  /** Another node than the leader, which is no longer among `nodes`. */
  async function takeOut(): Promise<{
    readonly name: string;
    readonly gone: Knell;
    readonly standby: Knell;
  }> {
    const name = await leader();
    const gone = nodes.get(name);
    nodes.delete(name);
    const [standby] = [...nodes.values()];
    if (!gone || !standby) throw new Error('too few nodes');
    return { name, gone, standby };
  }

  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) {
      const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
      // One that was cut off ends when it finds out that another node leads.
      const node = await Knell.start({ link: memoryLink(cluster, name), env, onBroken: () => {} });
      nodes.set(name, node);
      all.push(node);
    }
    ({ keys } = nodes.get(await leader()) as Knell);
    for (const node of all) node.keys = keys;
  });

  afterAll(async () => {
    await Promise.all(all.map((node) => node.stop()));
  });

  test('by a hand-over, healthchecks-io-client loses no ping', async () => {
    const { gone, standby } = await takeOut();
    const { uuid } = await standby.create({ name: 'Library' });
    const client: PingClient = new HealthChecksPingClient({
      uuid,
      baseUrl: `${standby.app.httpUrl}/ping`,
      returnResponse: true,
    });
    let pings = 0;
    let isOver = false;
    const pinging = (async () => {
      for (; !isOver; pings++) await client.success();
    })();
    // One that fails ends the waiting.
    const more = (before: number) =>
      Promise.race([pinging, eventually(() => expect(pings).toBeGreaterThan(before + 3))]);
    await more(0);
    await gone.stop();
    await leader();
    await more(pings);
    isOver = true;
    await pinging;
    expect((await standby.check(uuid)).n_pings).toBe(pings);
  });

  test.skipIf(!hasCurl)('by its loss, curl --retry loses no ping', async () => {
    const { name, standby } = await takeOut();
    const { uuid } = await standby.create({ name: 'curl' });
    const probed = await standby.create({ name: 'Probe' });
    const urlOf = (check: string) => `${standby.app.httpUrl}/ping/${check}`;
    const curl = () => promisify(execFile)('curl', ['-fsS', '--retry', '10', urlOf(uuid)]);
    await curl();
    cluster.loseLeader();
    // These wait at the standby, and are handed to the next leader.
    const waiting = Array.from({ length: 4 }, curl);
    await eventually(async () => {
      const signal = AbortSignal.timeout(probeMs);
      expect((await fetch(urlOf(probed.uuid), { signal })).status).toBe(503);
    });
    // These are refused, and try again.
    const refused = Array.from({ length: 4 }, curl);
    cluster.cutOff(name);
    cluster.elect();
    for (const { stdout } of await Promise.all([...waiting, ...refused])) expect(stdout).toBe('OK');
    expect((await standby.check(uuid)).n_pings).toBe(9);
    cluster.reconnect(name);
  });
});
