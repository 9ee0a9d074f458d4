/**
 * A log that keeps only its latest entries, fewer than a follower reads before the first that it needs: nobody can see any more
 * whether a claim among the others made them void. Over the log in memory.
 */
import { describe, expect, test } from 'vitest';
import { joinStep } from '../../../src/store/replicated/join-log.ts';
import { replicatedJournalLimits } from '../../../src/store/replicated/journal-limits.ts';
import { type ElectionOfTest, ReplicatedPlace } from '../../support/cluster/replicated-nodes.ts';

const { silenceMs, jitterMs } = replicatedJournalLimits;

/** `a` led a log of eight entries, and is gone. */
async function orphaned(): Promise<{ place: ReplicatedPlace; a: ElectionOfTest; lastSeq: number }> {
  const place = new ReplicatedPlace();
  const a = place.election('a');
  await place.pass(silenceMs + 200);
  for (let left = 4; left > 0; left--) {
    void a.write();
    await place.pass(50);
  }
  const { lastSeq } = place.cluster;
  expect([a.log.epoch, lastSeq]).toEqual([1, 8]);
  return { place, a, lastSeq };
}

describe.each([1, 2, 3])('a log without a leader that keeps its last %i entries', (kept) => {
  test('is claimed by one of the nodes that have all of it', async () => {
    const { place, a, lastSeq } = await orphaned();
    place.cluster.kill('a');
    place.cluster.discardBelow(lastSeq - kept + 1);
    const b = place.election('b', { lastSeq });
    const c = place.election('c', { lastSeq, chance: 1 });
    await place.pass(silenceMs + jitterMs + 500);
    expect([b.behind, c.behind, b.log.epoch, c.ownedAtMs]).toEqual([null, null, lastSeq + 1, null]);
    expect(b.entries.map(({ seq, kind }) => [seq, kind])).toEqual([
      ...[
        [lastSeq + 1, 'claim'],
        [lastSeq + 2, 'empty'],
        [lastSeq + 3, 'empty'],
        [lastSeq + 4, 'empty'],
      ],
    ]);
    void b.write();
    await place.pass(200);
    expect(c.entries.at(-1)).toMatchObject({ seq: lastSeq + 5, kind: 'batch', epoch: lastSeq + 1 });
    a.stop();
  });

  test('is not claimed by a node that lacks an entry of which it cannot know whether it counts', async () => {
    const { place, lastSeq } = await orphaned();
    place.cluster.kill('a');
    place.cluster.discardBelow(lastSeq - kept + 1);
    const b = place.election('b', { lastSeq: lastSeq - 1 });
    await place.pass(3 * silenceMs);
    expect([b.ownedAtMs, b.entries, place.cluster.lastSeq]).toEqual([null, [], lastSeq]);
    expect(b.behind).toMatch(/decides whether entry 8 counts/);
  });

  test('whose leader writes again is read only by a node that sees whether it counts', async () => {
    const { place, a, lastSeq } = await orphaned();
    place.cluster.discardBelow(lastSeq - kept + 1);
    const b = place.election('b', { lastSeq });
    await place.pass(500);
    expect(b.behind).toBeNull();
    void a.write();
    await place.pass(500);
    // Three are as many as can be void behind a claim: with them it is known.
    if (kept === 3) expect([b.behind, b.entries.map(({ seq }) => seq)]).toEqual([null, [9]]);
    else expect([b.behind, b.entries]).toEqual([expect.stringContaining('whether entry 9 counts'), []]);
    if (kept === 3) return;
    await place.pass(3 * silenceMs);
    expect(b.ownedAtMs).toBeNull();
  });
});

test('an entry of a claim that was discarded with nothing behind it counts', async () => {
  const { place, lastSeq } = await orphaned();
  place.cluster.kill('a');
  const b = place.election('b', { lastSeq });
  await place.pass(silenceMs + 500);
  expect(b.log.epoch).toBe(9);
  void b.write();
  await place.pass(200);
  // Of the claim 9 what is behind it is left: no claim before it can be higher.
  place.cluster.discardBelow(10);
  const c = place.election('c', { lastSeq: 11 });
  await place.pass(500);
  expect([c.behind, c.entries.map(({ seq, kind }) => [seq, kind])]).toEqual([
    null,
    [
      [12, 'empty'],
      [13, 'batch'],
    ],
  ]);
});

describe('a node that starts', () => {
  // Of entries 7 and 8, none can be followed from before 10.
  const found = { incarnation: 'i', bounds: { firstSeq: 10, lastSeq: 8 } };

  test('with all of a log that keeps little joins it', () => {
    expect(joinStep({ incarnation: 'i', lastSeq: 8 }, found)).toBe('join');
  });

  test.each([0, 6, 7])('with other data, up to %i, does not', (lastSeq) => {
    expect(joinStep({ incarnation: 'i', lastSeq }, found)).toBe('behind');
  });
});
