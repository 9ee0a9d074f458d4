/** Clients that people run, unchanged, at a node of a cluster while its owner changes: nothing is lost, nothing counts twice. */
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
/** Of a client without one, to give up on a door that waits. */
const probeMs = 500;

describe('while the owner changes', () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  /** By name: those that take part. */
  const nodes = new Map<string, Knell>();
  const all: Knell[] = [];
  let keys: Knell['keys'];

  const owner = (): Promise<string> =>
    Promise.race(
      [...nodes].map(async ([name, node]) => {
        await node.owning();
        return name;
      }),
    );

  /** Another node than the owner, which is no longer among `nodes`. */
  async function takeOut(): Promise<{ readonly name: string; readonly gone: Knell; readonly door: Knell }> {
    const name = await owner();
    const gone = nodes.get(name);
    nodes.delete(name);
    const [door] = [...nodes.values()];
    if (!gone || !door) throw new Error('too few nodes');
    return { name, gone, door };
  }

  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) {
      const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
      // One that was cut off ends when it finds out that another node owns the log.
      const node = await Knell.start({ link: memoryLink(cluster, name), env, onBroken: () => {} });
      nodes.set(name, node);
      all.push(node);
    }
    ({ keys } = nodes.get(await owner()) as Knell);
    for (const node of all) node.keys = keys;
  });

  afterAll(async () => {
    await Promise.all(all.map((node) => node.stop()));
  });

  test('by a hand-over, healthchecks-io-client loses no ping', async () => {
    const { gone, door } = await takeOut();
    const { uuid } = await door.create({ name: 'Library' });
    const client: PingClient = new HealthChecksPingClient({
      uuid,
      baseUrl: `${door.app.httpUrl}/ping`,
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
    await owner();
    await more(pings);
    isOver = true;
    await pinging;
    expect((await door.check(uuid)).n_pings).toBe(pings);
  });

  test.skipIf(!hasCurl)('by its loss, curl --retry loses no ping', async () => {
    const { name, door } = await takeOut();
    const { uuid } = await door.create({ name: 'curl' });
    const probed = await door.create({ name: 'Probe' });
    const urlOf = (check: string) => `${door.app.httpUrl}/ping/${check}`;
    const curl = () => promisify(execFile)('curl', ['-fsS', '--retry', '10', urlOf(uuid)]);
    await curl();
    cluster.loseLeader();
    // These wait at the door, and are handed to the next owner.
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
    expect((await door.check(uuid)).n_pings).toBe(9);
    cluster.reconnect(name);
  });
});
