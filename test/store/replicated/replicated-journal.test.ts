/** The leader's appends over the log and the spool, and what comes before and after being the leader. */
import { expect, test } from 'vitest';
import { batchVersion } from '../../../src/store/journal/records.ts';
import { replicatedJournalLimits } from '../../../src/store/replicated/journal-limits.ts';
import { replicatedLimits } from '../../../src/store/replicated/limits.ts';
import { emptyBatch, type JournalOfTest, ReplicatedPlace } from '../../support/cluster/replicated-nodes.ts';
import { noFaults } from '../../support/store/memory-log.ts';

const { silenceMs, silentAfterMs, answersWithinMs, certainMs, handOverMs, followAgainMs } =
  replicatedJournalLimits;
const slackMs = 500;

async function led(seed = 1): Promise<{ place: ReplicatedPlace; a: JournalOfTest }> {
  const place = new ReplicatedPlace(seed);
  const a = place.journal('a');
  await place.pass(silenceMs + slackMs);
  expect(a.isLeader).toBe(true);
  return { place, a };
}

test('a leader has its own claim in the spool, and appends behind it', async () => {
  const { place, a } = await led();
  expect([a.spool.seqs, a.applied, a.journal.lastNumber()]).toEqual([[1, 2, 3, 4], [1, 2, 3, 4], 4]);
  const outcomes = a.appendAll(a.journal.appendsMax);
  await place.pass(slackMs);
  expect(outcomes).toEqual(['5 written', '6 written', '7 written', '8 written']);
  expect(a.spool.seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test.each([1, 2, 3, 4])(
  'appends that a node had in flight when it was stopped are asked for again in order (network %i)',
  async (seed) => {
    const { place, a } = await led(seed);
    place.cluster.faults = { ...noFaults, lostRequest: 1 };
    const outcomes = a.appendAll(a.journal.appendsMax);
    await place.pass(slackMs);
    place.cluster.stop('a');
    await place.pass(replicatedLimits.append.giveUpMs);
    place.cluster.faults = { ...noFaults, lostRequest: 0.5 };
    place.cluster.resume('a');
    await place.pass(replicatedLimits.append.giveUpMs);
    expect(outcomes).toEqual(['5 written', '6 written', '7 written', '8 written']);
  },
);

test('a leader that stood still is certain of nothing by an append that was stored before', async () => {
  const { place, a } = await led();
  const b = place.journal('b');
  await place.pass(slackMs);
  place.cluster.faults = { ...noFaults, lostAnswer: 1 };
  const outcomes = a.appendAll(2);
  await place.pass(slackMs);
  place.cluster.stop('a');
  place.cluster.faults = noFaults;
  await place.pass(replicatedLimits.append.giveUpMs);
  expect(b.isLeader).toBe(true);
  place.cluster.resume('a');
  const certain: boolean[] = [];
  for (let passedMs = 0; passedMs < certainMs; passedMs += 10) {
    await place.pass(10);
    certain.push(a.journal.mayAct);
  }
  expect([outcomes, certain.filter(Boolean)]).toEqual([['5 written', '6 written'], []]);
});

test('a leader whose log is another one by now ends instead of asking without end', async () => {
  const { place, a } = await led();
  place.cluster.createAnew();
  const appended = a.journal.append({ seq: a.journal.appliedSeq + 1, bytes: emptyBatch });
  const failure = expect(appended).rejects.toMatchObject({ code: 'cluster-log-foreign' });
  await place.pass(replicatedLimits.append.giveUpMs + slackMs);
  await failure;
});

test('what a leader writes comes to every other node under the same numbers', async () => {
  const { place, a } = await led();
  const b = place.journal('b');
  a.appendAll(3);
  await place.pass(slackMs);
  expect(b.spool.seqs).toEqual(a.spool.seqs);
  expect(b.leaders).toEqual([{ node: 'a', epoch: 1 }]);
});

test('a leader may act for a while after its latest write began, and not without one', async () => {
  const { place, a } = await led();
  expect(a.journal.mayAct).toBe(true);
  await place.pass(certainMs);
  expect([a.journal.mayAct, a.journal.isQuiet]).toEqual([false, true]);
  place.cluster.loseLeader();
  a.appendAll(1);
  await place.pass(slackMs);
  expect([a.journal.mayAct, a.journal.isQuiet]).toEqual([false, false]);
  place.cluster.elect();
  await place.pass(slackMs);
  expect(a.journal.mayAct).toBe(true);
});

test('a leader whose machine was suspended may not act: only its wall clock shows the time that it was away', async () => {
  const { place, a } = await led();
  expect(a.journal.mayAct).toBe(true);
  for (const away of [60_000, -60_000]) {
    place.clock.jump(away);
    expect(a.journal.mayAct).toBe(false);
    await place.pass(1);
    expect(a.journal.mayAct).toBe(false);
    a.appendAll(1);
    await place.pass(slackMs);
    expect(a.journal.mayAct).toBe(true);
  }
});

test('appends of unknown outcome are asked for again until they are written, and settle in order', async () => {
  const { place, a } = await led();
  place.cluster.loseLeader();
  const outcomes = a.appendAll(3);
  await place.pass(2 * replicatedLimits.append.giveUpMs);
  expect(outcomes).toEqual([]);
  place.cluster.faults = { ...noFaults, lostAnswer: 0.5 };
  place.cluster.elect();
  await place.pass(3 * replicatedLimits.append.giveUpMs);
  expect(outcomes).toEqual(['5 written', '6 written', '7 written']);
  expect(a.spool.seqs).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('what a leader appends after another node has replaced it is fenced, and not spooled', async () => {
  const { place, a } = await led();
  const b = place.journal('b');
  await place.pass(slackMs);
  place.cluster.cutOff('a');
  const outcomes = a.appendAll(2);
  await place.pass(2 * silenceMs);
  expect([b.isLeader, outcomes]).toEqual([true, []]);
  place.cluster.reconnect('a');
  await place.pass(slackMs);
  expect(outcomes).toEqual(['5 fenced', '6 fenced']);
  expect(a.spool.seqs).toEqual([1, 2, 3, 4]);
  expect(b.spool.seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a standby without space for the spool follows no more, and goes on once there is some', async () => {
  const { place, a } = await led();
  const b = place.journal('b', 5);
  a.appendAll(4);
  await place.pass(slackMs);
  expect(b.spool.seqs.length).toBe(5);
  expect(b.journal.trouble).toMatch(/no space/);
  await place.pass(3 * silenceMs);
  expect(b.isLeader).toBe(false);
  b.spool.batchesMax = 100;
  await place.pass(followAgainMs + slackMs);
  expect(b.spool.seqs.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(b.journal.trouble).toBeNull();
  // Tried again each second, said once.
  expect(b.lines).toEqual([expect.stringContaining('no space'), 'this node follows the log again']);
});

test('a standby keeps nothing of a batch that a newer Knell wrote, says so once, and claims nothing', async () => {
  const { place, a } = await led();
  const b = place.journal('b');
  await place.pass(slackMs);
  void a.journal.append({ seq: 5, bytes: Buffer.from([batchVersion + 1, 1, 2, 3]) });
  await place.pass(slackMs);
  const sentence = "entry 5 of the cluster's log was written by a newer Knell: update this node";
  expect([b.journal.trouble, b.spool.seqs]).toEqual([sentence, [1, 2, 3, 4]]);
  // Tried again each second.
  await place.pass(3 * followAgainMs);
  expect([b.journal.trouble, b.spool.seqs]).toEqual([sentence, [1, 2, 3, 4]]);
  expect(b.lines).toEqual([expect.stringContaining(sentence)]);
  place.cluster.stop('a');
  await place.pass(3 * silenceMs);
  expect(b.isLeader).toBe(false);
});

test('a leader that goes releases the log, and waits until another one has it', async () => {
  const { place, a } = await led();
  const b = place.journal('b');
  await place.pass(slackMs);
  let isClosed = false;
  void a.journal.close().then(() => {
    isClosed = true;
  });
  await place.pass(slackMs);
  expect([isClosed, b.isLeader]).toEqual([true, true]);
  expect(a.leaders.at(-1)).toEqual({ node: 'b', epoch: 6 });
});

test('a leader that nobody follows goes after a while', async () => {
  const { place, a } = await led();
  let isClosed = false;
  void a.journal.close().then(() => {
    isClosed = true;
  });
  await place.pass(handOverMs - slackMs);
  expect(isClosed).toBe(false);
  await place.pass(2 * slackMs);
  expect(isClosed).toBe(true);
});

test('a log that takes nothing is silent for its leader while something is in flight, and for a standby; then not', async () => {
  const { place, a } = await led();
  const b = place.journal('b');
  await place.pass(slackMs);
  expect([a.journal.silentForMs, b.journal.silentForMs]).toEqual([null, null]);
  // Nothing is asked of it: the leader recovers.
  await place.pass(answersWithinMs);
  expect(a.journal.silentForMs).toBeNull();
  place.cluster.faults = { ...noFaults, lostRequest: 1 };
  const outcomes = a.appendAll(1);
  await place.pass(silentAfterMs);
  expect(a.journal.silentForMs).toBeGreaterThanOrEqual(silentAfterMs);
  expect(b.journal.silentForMs).toBeGreaterThanOrEqual(silentAfterMs);
  place.cluster.faults = noFaults;
  await place.pass(slackMs);
  expect(outcomes).toEqual(['5 written']);
  expect([a.journal.silentForMs, b.journal.silentForMs]).toEqual([null, null]);
});
