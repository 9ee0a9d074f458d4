/**
 * Random lives of a cluster from seeds. One that fails says its seed, which `KNELL_TEST_SEED` runs alone;
 * `npm run test:simulation -- --cluster --seeds N` runs more.
 */

import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { liveInCluster, takeOverInSnooze } from './cluster-life.ts';

const fixed = process.env.KNELL_TEST_SEED;
/** In `npm test` enough to meet every kind of event, in `npm run test:long` many times; more have a command of their own. */
const seedsInSuite = isLong ? 200 : 2;
const groupSize = isLong ? 20 : 2;
const groups = Array.from({ length: seedsInSuite / groupSize }, (_, at) => 1 + at * groupSize);

if (fixed !== undefined)
  test(`the life of a cluster with seed ${fixed} keeps every promise`, async () => {
    await liveInCluster(Number(fixed));
  });
else
  describe('random lives of a cluster keep every promise', () => {
    test.each(groups)(`${groupSize} from seed %i on`, async (first) => {
      let [pings, leaders] = [0, 0];
      for (let seed = first; seed < first + groupSize; seed++) {
        const life = await liveInCluster(seed);
        pings += life.pings;
        leaders += life.leaders;
      }
      expect(pings).toBeGreaterThan(10 * groupSize);
      expect(leaders).toBeGreaterThan(groupSize);
    });

    test.each(isLong ? groups : [1])(
      'with settings that hold alerts back: some from seed %i on',
      async (first) => {
        for (let seed = first; seed < first + groupSize / 2; seed++)
          expect((await liveInCluster(seed, true)).leaders).toBeGreaterThan(0);
      },
    );

    const ofAlerts = [
      ['recovers while the outcome of its alert is not durable yet', 131_858],
      ['is down for a moment while its alert is in flight', 150_563],
      ['is up while the alert of another one of its incident is in flight', 151_699],
    ] as const;
    test.each(isLong ? ofAlerts : ofAlerts.slice(0, 1))('a check that %s (seed %i)', async (_, seed) => {
      expect((await liveInCluster(seed, true)).leaders).toBeGreaterThan(0);
    });

    const found = [300_966, 400_976, 401_016, 405_944, 412_240, 81_452, 81_536];
    test.each(isLong ? found : found.slice(0, 1))(
      'seed %i, in which one was not kept or seemed not to be',
      async (seed) => {
        expect((await liveInCluster(seed)).pings).toBeGreaterThan(0);
      },
    );

    test.each(isLong ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1])(
      'a snooze ends at its time at the next leader, with one accepted alert per key (seed %i)',
      async (seed) => {
        const { alerts, killed, untilMs } = await takeOverInSnooze(seed);
        expect(alerts.length).toBeGreaterThan(0);
        const keys = new Set(alerts.map(({ key }) => key));
        expect(alerts.filter(({ took }) => took)).toHaveLength(keys.size);
        for (const { delivery, node, atMs } of alerts) {
          expect(node).not.toBe(killed);
          expect(delivery).toMatchObject({ sinceMs: untilMs, change: { to: 'down' } });
          expect(Math.abs(atMs - untilMs)).toBeLessThan(6000);
        }
      },
    );

    test('seed 1 twice is the same', async () => {
      const [once, again] = [await liveInCluster(1), await liveInCluster(1)];
      expect(again.trace).toEqual(once.trace);
    });
  });
