/** Elections over the log in memory: when a node claims, and when it must not. With a log of its own: `election.test.ts`. Times are those of `journal-limits`. */
import { expect, test } from 'vitest';
import { KnellError } from '../../../src/lib/errors.ts';
import { replicatedJournalLimits } from '../../../src/store/replicated/journal-limits.ts';
import { replicatedLimits } from '../../../src/store/replicated/limits.ts';
import { type ElectionOfTest, ReplicatedPlace } from '../../support/cluster/replicated-nodes.ts';
import { noFaults } from '../../support/store/memory-log.ts';

const { silenceMs, jitterMs, heartbeatMs, followAgainMs, patienceMs } = replicatedJournalLimits;
/** Looks come every 50 ms, and messages take some. */
const slackMs = 200;

/** `a` leads and `b` follows. */
async function ownerAndStandby(): Promise<{ place: ReplicatedPlace; a: ElectionOfTest; b: ElectionOfTest }> {
  const place = new ReplicatedPlace();
  const a = place.election('a');
  const b = place.election('b', { chance: 1 });
  await place.pass(silenceMs + slackMs);
  expect(a.log.epoch).toBe(1);
  return { place, a, b };
}

async function heartbeats(place: ReplicatedPlace, leader: ElectionOfTest, count: number): Promise<void> {
  for (let heartbeat = 0; heartbeat < count; heartbeat++) {
    void leader.write();
    await place.pass(heartbeatMs);
  }
}

test.each([
  [0, silenceMs],
  [1, silenceMs + jitterMs],
])('a silent log is claimed after the silence and its share of the jitter (%d)', async (chance, dueMs) => {
  const place = new ReplicatedPlace();
  const node = place.election('a', { chance });
  await place.pass(dueMs - 1);
  expect(node.ownedAtMs).toBeNull();
  await place.pass(slackMs);
  expect(node.ownedAtMs).toBeGreaterThanOrEqual(dueMs);
});

test('a leader that writes is left alone, and replaced once it is silent', async () => {
  const { place, a, b } = await ownerAndStandby();
  await heartbeats(place, a, 20);
  expect([b.ownedAtMs, a.log.epoch]).toEqual([null, 1]);
  await place.pass(silenceMs + jitterMs + slackMs);
  expect(b.ownedAtMs).not.toBeNull();
  const outcome = a.write();
  await place.pass(slackMs);
  expect(await outcome).toBe('fenced');
});

test('a node that was cut off fetches what it missed, and its writer has the whole silence again', async () => {
  const { place, a, b } = await ownerAndStandby();
  place.cluster.cutOff('b');
  await heartbeats(place, a, 10);
  place.cluster.reconnect('b');
  // Longer than the patience of a node that could not reach the log.
  await heartbeats(place, a, 6);
  expect([b.ownedAtMs, a.log.epoch]).toEqual([null, 1]);
  expect(b.entries.length).toBe(a.entries.length + 16);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'of two that claim at once, the loser waits the whole silence for the winner (network %i)',
  async (seed) => {
    const place = new ReplicatedPlace(seed);
    place.cluster.faults = { ...noFaults, delayMs: 80 };
    const nodes = [place.election('a'), place.election('b')];
    await place.pass(2 * silenceMs - 2 * slackMs);
    expect(nodes.filter(({ ownedAtMs }) => ownedAtMs !== null).length).toBe(1);
  },
);

test('a log that cannot be reached is not claimed, and then at once', async () => {
  const { place, b } = await ownerAndStandby();
  place.cluster.loseLeader();
  await place.pass(10 * silenceMs);
  expect(b.ownedAtMs).toBeNull();
  place.cluster.elect();
  await place.pass(patienceMs + 1000 + slackMs);
  expect(b.ownedAtMs).not.toBeNull();
});

test('a claim whose answer is lost is claimed again', async () => {
  const place = new ReplicatedPlace();
  const node = place.election('a');
  await place.pass(silenceMs - 1);
  place.cluster.faults = { ...noFaults, lostAnswer: 0.7 };
  await place.pass(2 * silenceMs);
  place.cluster.faults = noFaults;
  await place.pass(2 * silenceMs);
  expect(node.ownedAtMs).not.toBeNull();
  expect(node.entries.map(({ seq }) => seq)).toEqual(node.entries.map((_, at) => at + 1));
});

test('a release is followed by a claim at once', async () => {
  const { place, a, b } = await ownerAndStandby();
  const releasedAtMs = place.clock.elapsedMs();
  void a.log.release();
  await place.pass(slackMs);
  expect(b.ownedAtMs).toBeLessThan(releasedAtMs + slackMs);
  expect(b.leaders.slice(0, 2)).toEqual([{ node: 'a', epoch: 1 }, null]);
});

test('a node that was away learns from the next batch who leads', async () => {
  const { place, a } = await ownerAndStandby();
  await heartbeats(place, a, 1);
  const back = place.election('c', { lastSeq: a.log.nextSeq - 1 });
  await place.pass(slackMs);
  expect(back.leaders).toEqual([]);
  await heartbeats(place, a, 3);
  expect(back.leaders).toEqual([{ node: 'a', epoch: 1 }]);
});

test('a node that is behind with folding pauses, claims nothing, and goes on where it was', async () => {
  const { place, a, b } = await ownerAndStandby();
  b.hasCapacity = false;
  await heartbeats(place, a, 2);
  const read = b.entries.length;
  await place.pass(3 * silenceMs);
  expect([b.ownedAtMs, b.entries.length]).toEqual([null, read]);
  expect(b.troubles.at(-1)).toMatch(/behind with folding/);
  b.hasCapacity = true;
  await place.pass(followAgainMs + slackMs);
  expect(b.troubles.at(-1)).toBeNull();
  expect(b.entries.map(({ seq }) => seq)).toEqual(b.entries.map((_, at) => at + 1));
});

test('a log that has lost entries is not claimed', async () => {
  const { place, a, b } = await ownerAndStandby();
  await heartbeats(place, a, 4);
  place.cluster.loseAbove(3);
  await place.pass(replicatedLimits.shortMs + 3 * silenceMs);
  expect(b.ownedAtMs).toBeNull();
  expect(b.troubles.at(-1)).toMatch(/ends at 3|ended at 3/);
});

test('a node whose next entry was discarded says so once, and claims nothing', async () => {
  const { place, a, b } = await ownerAndStandby();
  place.cluster.cutOff('b');
  await heartbeats(place, a, 8);
  place.cluster.discardBelow(place.cluster.lastSeq);
  place.cluster.reconnect('b');
  // A question of the time before goes unanswered first.
  await place.pass(silenceMs);
  expect(b.behind).toMatch(/begins at \d+ and this node needs/);
  await place.pass(3 * silenceMs);
  expect([b.ownedAtMs, b.troubles]).toEqual([null, []]);
});

test('a claim that this node cannot apply is released, and another node leads', async () => {
  const place = new ReplicatedPlace();
  const full = place.election('a');
  const other = place.election('b', { chance: 1 });
  full.refusal = () => {
    throw new KnellError('store-full', 'no space');
  };
  await place.pass(2 * silenceMs);
  expect([full.ownedAtMs, full.troubles.at(-1)]).toEqual([null, 'no space']);
  expect(other.ownedAtMs).not.toBeNull();
});

test('what has stopped claims nothing any more', async () => {
  const place = new ReplicatedPlace();
  const node = place.election('a');
  node.stop();
  await place.pass(3 * silenceMs);
  expect([node.ownedAtMs, place.cluster.lastSeq]).toEqual([null, 0]);
});
