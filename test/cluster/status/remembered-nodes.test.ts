/** What a node keeps of what the others said, over its restarts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { KnownNode } from '../../../src/cluster/status/node-status.ts';
import { RememberedNodes, rememberedIn } from '../../../src/cluster/status/remembered-nodes.ts';
import { day, second } from '../../../src/lib/units.ts';

const dir = mkdtempSync(join(tmpdir(), 'knell-test-remembered-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const known = (name: string, lastSeq: number, saidAtMs: number): KnownNode => ({
  ...{ name, id: 1, role: 'standby', appliedSeq: lastSeq, version: '1.2.3', formats: {}, epoch: 7 },
  ...{ startedAtMs: 0, lastError: '', isAlive: true, saidAtMs, lag: 0, aheadMs: 0, catchUpMs: null },
  held: { log: 'one', lastSeq, checks: 3, writtenAtMs: saidAtMs },
});

test('the last word of each node outlives the process; what nobody has said for a month does not', () => {
  const nodes = new RememberedNodes(dir);
  nodes.note([known('b', 5, 0), known('a', 7, 0)], 0);
  nodes.note([known('a', 8, second)], second);
  expect(rememberedIn(dir).map(({ name, held }) => [name, held?.lastSeq])).toEqual([
    ['a', 7],
    ['b', 5],
  ]);
  nodes.note([{ ...known('a', 9, 2 * second), held: null }], 2 * second, true);
  const again = new RememberedNodes(dir);
  expect(again.all.map(({ name, held }) => [name, held?.lastSeq])).toEqual([
    ['a', 8],
    ['b', 5],
  ]);
  again.note([known('b', 6, 31 * day)], 31 * day);
  expect(rememberedIn(dir).map(({ name }) => name)).toEqual(['b']);
});

test('a damaged file, or none, remembers nothing, and a missing directory is no error', () => {
  for (const text of ['', '{"a":', '{}', '[1, {"name": 7}]']) {
    writeFileSync(join(dir, 'cluster-nodes.json'), text);
    expect(rememberedIn(dir)).toEqual([]);
  }
  const missing = new RememberedNodes(join(dir, 'missing'));
  missing.note([known('a', 1, 0)], 0, true);
  expect(missing.all).toHaveLength(1);
});
