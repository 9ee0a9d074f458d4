/** Which node is asked for its data by one that lacks what the log has discarded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { adoptFromPeer } from '../../../src/cluster/joining/adopt.ts';
import { subjectsOf } from '../../../src/cluster/requests/subjects.ts';
import type { KnownNode, NodeRole } from '../../../src/cluster/status/node-status.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { second } from '../../../src/lib/units.ts';
import { MemoryNetwork } from '../../support/cluster/memory-bus.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'knell-test-adopt-'));
const subjects = subjectsOf('test');

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const node = (name: string, id: number, role: NodeRole, appliedSeq: number): KnownNode => ({
  ...{ name, id, role, appliedSeq, version: '1.2.3', formats: {}, epoch: 7 },
  ...{
    startedAtMs: 0,
    lastError: '',
    held: null,
    isAlive: true,
    saidAtMs: 0,
    lag: 0,
    aheadMs: 0,
    catchUpMs: null,
  },
});

/** Whom a node asks whose log can be followed from 101 on. */
async function askedOf(nodes: readonly KnownNode[]): Promise<readonly string[]> {
  const clock = new SimulatedClock(0);
  const network = new MemoryNetwork({ clock });
  let hasEnded = false;
  const ending = adoptFromPeer({
    ...{ id: 1, dataDir, bus: network.bus('new'), subjects, scheduler: clock, logger: silentLogger },
    wanted: { incarnation: 'one', lastSeqMin: 100, isNearer: false },
    nodes: () => nodes,
  }).finally(() => {
    hasEnded = true;
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  while (!hasEnded) {
    await clock.advance(second, turn);
    // Also where no timer was due: files are closed in turns of the event loop, and without one they never would be.
    await turn();
  }
  await ending;
  return [...new Set(network.published.map(({ subject }) => subject))];
}

test('a standby that has enough is asked rather than the leader', async () => {
  const nodes = [node('a', 2, 'leader', 500), node('b', 3, 'standby', 100)];
  expect(await askedOf(nodes)).toEqual([subjects.snapshots('b')]);
});

test('nodes that have too little themselves are passed over', async () => {
  const nodes = [node('a', 2, 'stopped', 50), node('b', 3, 'standby', 99), node('c', 4, 'leader', 500)];
  expect(await askedOf(nodes)).toEqual([subjects.snapshots('c')]);
});

test('without a node that has enough, none is asked, and the log is looked at again', async () => {
  expect(await askedOf([node('new', 1, 'standby', 500), node('b', 3, 'standby', 99)])).toEqual([]);
});
