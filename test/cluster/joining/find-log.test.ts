/** What a node does that finds no log: whom it believes, who creates one, and what it says while it waits. */
import { expect, test } from 'vitest';
import type { ClusterLink } from '../../../src/cluster/bus/link.ts';
import { findLog, type Peers } from '../../../src/cluster/joining/find-log.ts';
import type { HeldData, Holder } from '../../../src/cluster/status/held.ts';
import { type Logger, silentLogger } from '../../../src/lib/logger.ts';
import { memoryLink } from '../../support/cluster/memory-link.ts';
import { emptyBatch } from '../../support/cluster/replicated-nodes.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { MemoryCluster } from '../../support/store/memory-log.ts';

const nothing: HeldData = { log: null, lastSeq: 0, checks: 0, writtenAtMs: null };
const data = (lastSeq: number, checks: number, log: string | null = 'lost'): HeldData => ({
  ...{ log, lastSeq, checks },
  writtenAtMs: Date.UTC(2026, 10, 24),
});
const node = (name: string, held: HeldData | null, isAlive = true): Holder => ({
  ...{ name, held, isAlive },
  saidAtMs: Date.UTC(2026, 10, 23),
});

/** The node `a` holds `held`; `others` are known to it. Runs for ten seconds. */
async function started(
  held: HeldData,
  others: readonly Holder[],
  hasLog = false,
  entries = 0,
  entriesReadMax = 10,
) {
  const clock = new SimulatedClock(0);
  const cluster = new MemoryCluster({ scheduler: clock, random: () => 0.5 });
  let isThere = hasLog;
  if (entries > 0) {
    const log = cluster.nodeLog('writer');
    const written = (async () => {
      await log.claim(0);
      while (log.nextSeq <= entries) await log.append({ seq: log.nextSeq, bytes: emptyBatch });
    })();
    await clock.advance(60_000, () => new Promise((resolve) => setImmediate(resolve)));
    await written;
  }
  const created: number[] = [];
  const said: string[] = [];
  const warned: string[] = [];
  const link: ClusterLink = {
    ...memoryLink(cluster, 'a'),
    openLog: async () => (isThere ? cluster.nodeLog('a') : null),
    createLog: async (firstSeq) => {
      created.push(firstSeq);
      isThere = true;
    },
  };
  const peers: Peers = {
    say: (_, waitsFor) => said.push(waitsFor),
    nodes: () => [node('a', held), ...others],
    emptyMin: 3,
  };
  const logger: Logger = {
    ...silentLogger,
    warn: (...args: readonly unknown[]) => warned.push(String(args.at(-1))),
  };
  let outcome = 'waits';
  findLog({ name: 'a', link, peers, scheduler: clock, logger, entriesReadMax }, held).then(
    ({ kind }) => {
      outcome = kind;
    },
    (error: Error) => {
      outcome = error.message;
    },
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await turn();
  await clock.advance(10_000, turn);
  return { outcome, created, said, warned };
}

test('three nodes that are empty are a new cluster: the first of them creates its log', async () => {
  const { outcome, created } = await started(nothing, [node('b', nothing), node('c', nothing)]);
  expect([outcome, created]).toEqual(['log', [1]]);
});

test('of three, another one than the first waits for it', async () => {
  const { outcome, created } = await started(nothing, []);
  expect([outcome, created]).toEqual(['waits', []]);
  const second = await started(nothing, [node('A', nothing), node('c', nothing)].reverse());
  expect(second.created).toEqual([1]);
});

test.each([
  ['one too few', [node('b', nothing)]],
  ['one of them gone', [node('b', nothing), node('c', nothing, false)]],
  ['one that has not said it', [node('b', nothing), node('c', nothing), node('d', null)]],
  ['one with data', [node('b', nothing), node('c', nothing), node('d', data(8, 1))]],
  ['one with data that is gone', [node('b', nothing), node('c', nothing), node('d', data(8, 1), false)]],
  ['one of a cluster whose log is lost', [node('b', nothing), node('c', { ...nothing, log: 'lost' })]],
])('an empty node creates none beside %s', async (_, others) => {
  const { outcome, created, said, warned } = await started(nothing, others);
  expect([outcome, created]).toEqual(['waits', []]);
  expect(said.at(-1)).toBe(warned.at(-1));
  expect(warned).toHaveLength(1);
});

test('an empty node names the node that holds the most, running or not', async () => {
  const { warned } = await started(nothing, [node('b', data(8, 1)), node('c', data(9, 1), false)]);
  expect(warned).toEqual([
    'the cluster has no log, this node is empty, and node c holds batch 9, 1 check, written until 2026-11-24 00:00:00 UTC (it does not run; ' +
      'said at 2026-11-23 00:00:00 UTC): waiting until there is a log. On the node that holds the most run "knell cluster rebuild"',
  ]);
});

test('a node with data creates none, and names one that holds more', async () => {
  const others = [node('b', data(12, 2)), node('c', nothing)];
  const { outcome, created, warned } = await started(data(9, 2), others);
  expect([outcome, created]).toEqual(['waits', []]);
  expect(warned[0]).toMatch(
    /this node holds batch 9, 2 checks, .*; node b holds batch 12, 2 checks, .* which is more: /,
  );
  const most = await started(data(13, 2), others);
  expect(most.warned[0]).not.toContain('node b');
});

const { incarnation } = new MemoryCluster({ scheduler: new SimulatedClock(0), random: () => 0.5 }).nodeLog(
  'a',
);

test('data of another log are kept until somebody has compared them', async () => {
  const less = await started(data(20, 3), [node('b', data(9, 2, incarnation))], true);
  expect(less.outcome).toMatch(/No node that follows the log is known to hold as much: keep this directory/);
  const more = await started(data(9, 2), [node('b', data(20, 3, incarnation))], true);
  expect(more.outcome).toMatch(
    /b follows the log and holds no less: .* keep this one until you have compared them$/,
  );
  const single = await started(data(9, 2, null), [], true);
  expect(single.outcome).toMatch(/^this data directory was in no cluster, .* see "knell cluster rebuild"$/);
});

test('an empty node that lacks more than it reads soon takes the data of another one, if that has most of it', async () => {
  const peer = (lastSeq: number, isAlive = true, log = 'x'): Holder =>
    node('b', data(lastSeq, 3, log), isAlive);
  const lacking = async (...others: readonly Holder[]) => (await started(nothing, others, true, 40)).outcome;
  expect(await lacking(peer(38, true, incarnation))).toBe('behind');
  expect(await lacking(peer(38, false, incarnation))).toBe('log');
  expect(await lacking(peer(12, true, incarnation))).toBe('log');
  expect(await lacking(peer(38, true, 'another'))).toBe('log');
  // What it has is not given up for what it can read.
  const own = await started(data(5, 1, incarnation), [peer(38, true, incarnation)], true, 40);
  expect(own.outcome).toBe('log');
  expect((await started(data(35, 1, incarnation), [peer(38, true, incarnation)], true, 40)).outcome).toBe(
    'log',
  );
});
