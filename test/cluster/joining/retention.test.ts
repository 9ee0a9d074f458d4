/** How much of the log is kept: for the slowest node, within its bound, and changed seldom. */
import { expect, test } from 'vitest';
import { entriesToKeep, Retention } from '../../../src/cluster/joining/retention.ts';
import type { Holder } from '../../../src/cluster/status/held.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { limits as allLimits } from '../../../src/limits.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

const limits = { everyMs: 1000, keptMin: 100, awayMsMax: 60_000 };
const nowMs = 1_000_000;
const holder = (lastSeq: number | null, isAlive = true, agoMs = 0): Holder => ({
  name: `${lastSeq}`,
  held: lastSeq === null ? null : { log: 'one', lastSeq, checks: 1, writtenAtMs: null },
  isAlive,
  saidAtMs: nowMs - agoMs,
});
const kept = (...holders: readonly Holder[]) => entriesToKeep(limits, 10_000, holders, nowMs);

test('of a cluster that is in step some entries are kept, of a node that lacks more twice what it lacks', () => {
  expect(kept(holder(10_000), holder(9_990))).toBe(100);
  expect(kept(holder(10_000), holder(9_900))).toBe(200);
  expect(kept(holder(10_000), holder(9_899))).toBe(400);
  expect(kept(holder(10_000), holder(9_000, false, 30_000))).toBe(3200);
});

test('one that is away for too long is not waited for, and of one that has not said what it has all is kept', () => {
  expect(kept(holder(10_000), holder(10, false, 61_000))).toBe(100);
  expect(kept(holder(10_000), holder(null))).toBeNull();
  expect(kept(holder(10_000), holder(null, false))).toBe(100);
});

test('what is kept by default holds a busy log for longer than what a copy may lack after a power cut', () => {
  const { keptMin, everyMs } = allLimits.cluster.retention;
  const batchesPerS = 2000;
  expect(keptMin / batchesPerS).toBeGreaterThan(60);
  expect(keptMin / 2 / batchesPerS).toBeGreaterThan(everyMs / 1000);
});

test('the leader says it when it changes, and again after a failure; another node says nothing', async () => {
  const clock = new SimulatedClock(nowMs);
  const said: (number | null)[] = [];
  let [isLeader, fails, lastSeq] = [false, false, 10_000];
  const retention = new Retention({
    ...{ limits, scheduler: clock, logger: silentLogger },
    nowMs: () => nowMs,
    isLeader: () => isLeader,
    lastSeq: () => lastSeq,
    holders: () => [holder(10_000)],
    async keepEntries(count) {
      said.push(count);
      if (fails) throw new Error('no answer');
    },
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await clock.advance(3000, turn);
  expect(said).toEqual([]);
  [isLeader, fails] = [true, true];
  await clock.advance(2000, turn);
  fails = false;
  await clock.advance(3000, turn);
  expect(said).toEqual([100, 100, 100]);
  lastSeq = 11_000;
  await clock.advance(3000, turn);
  expect(said).toEqual([100, 100, 100, 3200]);
  retention.stop();
});
