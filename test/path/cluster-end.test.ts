/** A node of a cluster that is asked to end at the moment at which it comes to own the log. */
import { expect, test } from 'vitest';
import { eventLoop } from '../../src/store/scheduler.ts';
import { Knell } from '../support/knell.ts';
import { memoryLink } from '../support/memory-link.ts';
import { MemoryCluster } from '../support/memory-log.ts';

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
  knell.app.owning?.catch((error: unknown) => failures.push(error));
  await claimed;
  await knell.stop();
  expect(failures).toEqual([]);
  expect(log.epoch).toBe(null);
});
