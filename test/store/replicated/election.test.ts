/** When a standby claims the log, by what it reads of it and whether it can reach it. */
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.ts';
import { Election } from '../../../src/store/replicated/election.ts';
import { replicatedJournalLimits as limits } from '../../../src/store/replicated/journal-limits.ts';
import type { FollowSink, ReplicatedLog } from '../../../src/store/replicated/replicated-log.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

/** Lets promises settle. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

let clock: SimulatedClock;
let sink: FollowSink | null;
let lastSeq: number;
let isReachable: boolean;
let claimedAtMs: number | null;
let claiming: Promise<void>;
let released: number;
let election: Election;

const log: ReplicatedLog = {
  node: 'standby',
  incarnation: 'one',
  epoch: null,
  get nextSeq() {
    return lastSeq + 1;
  },
  appendsMax: 4,
  batchBytesMax: 1000,
  writtenAtMs: null,
  async bounds() {
    if (!isReachable) throw new Error('no answer');
    return { firstSeq: 1, lastSeq };
  },
  follow(_, follower) {
    sink = follower;
    return { stop() {} };
  },
  async claim() {
    claimedAtMs ??= clock.elapsedMs();
    await claiming;
    return 'owned';
  },
  append: async () => 'fenced',
  async release() {
    released++;
  },
  async close() {},
};

/** The owner has written. */
function write(): void {
  lastSeq++;
  sink?.entry({ seq: lastSeq, kind: 'batch', epoch: 1, node: 'owner', bytes: Buffer.alloc(0) });
}

async function run(ms: number): Promise<void> {
  await clock.advance(ms, turn);
}

beforeEach(() => {
  clock = new SimulatedClock(0);
  lastSeq = 0;
  isReachable = true;
  claimedAtMs = null;
  claiming = Promise.resolve();
  released = 0;
  const options = { apply() {}, hasCapacity: () => true, ownerIs() {}, troubleIs() {}, owned() {} };
  election = new Election(
    { log, scheduler: clock, limits, logger: silentLogger, chance: () => 0, ...options },
    0,
  );
  election.start();
});

test('an owner that writes keeps the log, one that is silent for 3 s loses it', async () => {
  for (let beat = 0; beat < 20; beat++) {
    await run(limits.beatMs);
    write();
  }
  const latestMs = clock.elapsedMs();
  expect(claimedAtMs).toBeNull();
  await run(2 * limits.silenceMs);
  expect(claimedAtMs).toBeGreaterThanOrEqual(latestMs + limits.silenceMs);
  expect(claimedAtMs).toBeLessThanOrEqual(latestMs + limits.silenceMs + limits.lookEveryMs);
});

const phases = [0, 100, 200, 300];

test.each(phases)(
  'a log that is reached again, %d ms later, is left to an owner that writes',
  async (phaseMs) => {
    write();
    isReachable = false;
    await run(3 * limits.silenceMs + phaseMs);
    isReachable = true;
    const reachedMs = clock.elapsedMs();
    // As late as an owner that lives sends its append again.
    await run(limits.patienceMs - 2 * limits.lookEveryMs);
    expect(claimedAtMs).toBeNull();
    write();
    await run(limits.silenceMs - limits.lookEveryMs);
    expect(claimedAtMs).toBeNull();
    await run(limits.silenceMs);
    expect(claimedAtMs).toBeGreaterThan(reachedMs + limits.silenceMs);
  },
);

test.each(phases)(
  'a log that is reached again, %d ms later, and is silent is claimed soon',
  async (phaseMs) => {
    write();
    isReachable = false;
    await run(3 * limits.silenceMs + phaseMs);
    isReachable = true;
    const reachedMs = clock.elapsedMs();
    await run(limits.silenceMs);
    expect(claimedAtMs).toBeGreaterThanOrEqual(reachedMs + limits.patienceMs);
    expect(claimedAtMs).toBeLessThanOrEqual(reachedMs + 2 * limits.patienceMs + 2 * limits.lookEveryMs);
  },
);

test('a node that is asked to end while it claims lets go of what it gets', async () => {
  let settle = (): void => {};
  claiming = new Promise((resolve) => {
    settle = resolve;
  });
  await run(2 * limits.silenceMs);
  expect(claimedAtMs).not.toBeNull();
  const stopped = election.stop();
  settle();
  await stopped;
  expect(released).toBe(1);
});
