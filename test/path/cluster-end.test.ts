/** A node of a cluster that is asked to end at the moment at which it comes to lead. */
import { expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster, noFaults } from '../support/store/memory-log.ts';

test('what has just claimed the log ends without an error, and releases it', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const link = memoryLink(cluster, 'a');
  const log = await link.openLog();
  if (log === null) throw new Error('there is a log');
  const { claim } = log;
  const claimed = new Promise<void>((resolve) => {
    log.claim = async (lastSeq) => {
      const outcome = await claim.call(log, lastSeq);
      resolve();
      return outcome;
    };
  });
  const knell = await Knell.start({
    link: { ...link, openLog: async () => log },
    env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: 'a' },
  });
  const failures: unknown[] = [];
  knell.app.leading?.catch((error: unknown) => failures.push(error));
  await claimed;
  await knell.stop();
  expect(failures).toEqual([]);
  expect(log.epoch).toBe(null);
});

test('of a leader and a standby that end at once, the standbys answer whatever is recorded', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const start = (name: string) =>
    Knell.start({
      link: memoryLink(cluster, name),
      env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name },
    });
  const leader = await start('a');
  await leader.leading();
  const [standby, stays] = [await start('b'), await start('c')];
  stays.keys = leader.keys;
  const { uuid } = await leader.create({ name: 'Busy', timeout: 3600 });
  expect((await standby.request(`/ping/${uuid}`)).text).toBe('OK');
  cluster.faults = { ...noFaults, delayMs: 100 };
  const urls = Array.from({ length: 60 }, () => `${standby.app.httpUrl}/ping/${uuid}`);
  const pinging = urls.map((url) =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  // The leader has decided, and what it has decided is on its way to the log.
  const decided = () => leader.app.engine.read.check(uuid, Date.now())?.state.nPings;
  await eventually(() => expect(decided()).toBeGreaterThan(1));
  await Promise.all([leader.stop(), standby.stop()]);
  const answers = await Promise.all(pinging);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect((await stays.check(uuid)).n_pings).toBe(1 + urls.length);
  await stays.stop();
});

test('a first leader that is asked to end while it creates the first project shows its keys, or leaves none', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const env = { KNELL_CLUSTER: 'nats://memory' };
  const first = await Knell.start({ link: memoryLink(cluster, 'a'), env: { ...env, KNELL_NODE: 'a' } });
  const failures: unknown[] = [];
  let shown: unknown = null;
  first.app.leading?.then(
    ({ bootstrapped }) => {
      shown = bootstrapped;
    },
    (error: unknown) => failures.push(error),
  );
  cluster.faults = { ...noFaults, delayMs: 100 };
  await eventually(() => expect(first.app.engine.read.projects().length).toBe(1));
  await first.stop();
  cluster.faults = noFaults;
  const next = await Knell.start({ link: memoryLink(cluster, 'b'), env: { ...env, KNELL_NODE: 'b' } });
  const { bootstrapped = null } = (await next.app.leading) ?? {};
  expect(next.app.engine.read.projects().length).toBe(1);
  expect([shown, bootstrapped].filter((keys) => keys !== null).length).toBe(1);
  expect(failures).toEqual([]);
  await next.stop();
});
