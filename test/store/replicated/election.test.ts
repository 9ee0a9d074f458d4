/** When a standby claims the log, by what it reads of it and whether it can reach it. */
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.ts';
import { Election } from '../../../src/store/replicated/election.ts';
import { replicatedJournalLimits as limits } from '../../../src/store/replicated/journal-limits.ts';
import { requestMs } from '../../../src/store/replicated/limits.ts';
import type {
  EntryKind,
  FollowSink,
  LogBounds,
  ReplicatedLog,
} from '../../../src/store/replicated/replicated-log.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

/** The clock of the log's leader. */
const leaderAheadMs = 4000;

/** Lets promises settle. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

let clock: SimulatedClock;
let sink: FollowSink | null;
let lastSeq: number;
let isReachable: boolean;
let claimedAtMs: number | null;
let claiming: Promise<void>;
let released: number;
let troubleIs: (trouble: string | null) => void;
let election: Election;

async function answerAtOnce(): Promise<LogBounds> {
  if (!isReachable) throw new Error('no answer');
  return { firstSeq: 1, lastSeq };
}

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
  bounds: answerAtOnce,
  follow(_, follower) {
    sink = follower;
    return { stop() {} };
  },
  async claim() {
    claimedAtMs ??= clock.elapsedMs();
    await claiming;
    return 'leads';
  },
  append: async () => 'fenced',
  async release() {
    released++;
  },
  async close() {},
};

/** The leader has written. */
function write(kind: EntryKind = 'batch', storedAtMs = clock.elapsedMs()): void {
  lastSeq++;
  const entry = { seq: lastSeq, kind, epoch: 1, node: 'leader', bytes: Buffer.alloc(0) };
  sink?.entry(entry, storedAtMs + leaderAheadMs);
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
  troubleIs = () => {};
  log.bounds = answerAtOnce;
  const options = {
    apply() {},
    hasCapacity: () => true,
    leaderIs() {},
    troubleIs: (trouble: string | null) => troubleIs(trouble),
    led() {},
    behind() {},
  };
  election = new Election(
    { log, scheduler: clock, limits, logger: silentLogger, chance: () => 0, ...options },
    0,
  );
  election.start();
});

test('a leader that writes keeps the log, one that is silent for 3 s loses it', async () => {
  for (let heartbeat = 0; heartbeat < 20; heartbeat++) {
    await run(limits.heartbeatMs);
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
  'a log that is reached again, %d ms later, is left to a leader that writes',
  async (phaseMs) => {
    write();
    isReachable = false;
    await run(3 * limits.silenceMs + phaseMs);
    isReachable = true;
    const reachedMs = clock.elapsedMs();
    // As late as a leader that lives sends its append again.
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

/** As over JetStream: what asks a leader that died gets no answer for a second. */
function answerNothing(): void {
  isReachable = false;
  log.bounds = () =>
    new Promise((resolve, reject) => {
      if (isReachable) resolve({ firstSeq: 1, lastSeq });
      else clock.after(requestMs, () => reject(new Error('no answer')));
    });
}

test.each([0, 150, 350, 650, 950])(
  'the leader is there %d ms after a question: what was not answered delays nothing',
  async (phaseMs) => {
    write();
    answerNothing();
    await run(2 * limits.silenceMs + phaseMs);
    isReachable = true;
    const reachedMs = clock.elapsedMs();
    await run(limits.silenceMs);
    const soonMs = limits.askEveryMs + limits.patienceMs + 3 * limits.lookEveryMs;
    expect(claimedAtMs).toBeGreaterThanOrEqual(reachedMs + limits.patienceMs);
    expect(claimedAtMs).toBeLessThanOrEqual(reachedMs + soonMs);
  },
);

test.each([0, 150, 350, 650, 950])(
  'entries that a dead leader had in flight, %d ms later, do not begin the silence anew',
  async (phaseMs) => {
    write();
    const diedMs = clock.elapsedMs();
    answerNothing();
    await run(2 * limits.silenceMs + phaseMs);
    isReachable = true;
    const reachedMs = clock.elapsedMs();
    for (let inFlight = 0; inFlight < log.appendsMax; inFlight++) write('batch', diedMs);
    await run(limits.silenceMs);
    expect(claimedAtMs).toBeGreaterThanOrEqual(reachedMs + limits.patienceMs);
    expect(claimedAtMs).toBeLessThanOrEqual(reachedMs + limits.patienceMs + 3 * limits.lookEveryMs);
  },
);

test('a leader that lives goes on after what it had in flight, and has the whole silence', async () => {
  write();
  const lostMs = clock.elapsedMs();
  answerNothing();
  await run(2 * limits.silenceMs);
  isReachable = true;
  write('batch', lostMs);
  await run(limits.patienceMs - 2 * limits.lookEveryMs);
  write();
  await run(limits.silenceMs - limits.lookEveryMs);
  expect(claimedAtMs).toBeNull();
});

test('a leader that does not know yet of its last entries is asked again, and not complained about', async () => {
  for (let count = 0; count < 3; count++) write();
  const troubles: (string | null)[] = [];
  troubleIs = (trouble) => troubles.push(trouble);
  log.bounds = async () => ({ firstSeq: 1, lastSeq: lastSeq - 1 });
  await run(2 * limits.silenceMs);
  expect([claimedAtMs, troubles]).toEqual([null, []]);
  log.bounds = answerAtOnce;
  await run(limits.askEveryMs + limits.patienceMs + 3 * limits.lookEveryMs);
  expect(claimedAtMs).not.toBeNull();
});

test('a claim of that time is of a leader that recovers, and has the whole silence', async () => {
  write();
  answerNothing();
  await run(2 * limits.silenceMs);
  isReachable = true;
  write('claim');
  for (let behind = 1; behind < log.appendsMax; behind++) write('empty');
  await run(limits.silenceMs - limits.lookEveryMs);
  expect(claimedAtMs).toBeNull();
});

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
