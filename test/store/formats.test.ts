/** Every format ever released can be restored, and a data directory of an older one is brought up to date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import { readMemorySnapshot } from '../../src/store/memory-snapshot.ts';
import { restoreSnapshot } from '../../src/store/restore.ts';
import type { Store } from '../../src/store/store.ts';
import {
  goldenBusy,
  goldenChannel,
  goldenDeliveries,
  goldenInstallation,
  goldenLoud,
  goldenProjects,
  goldenState,
} from '../support/golden-facts.ts';
import { appendAll, deliveryOf, type Loaded, loaded } from '../support/store-facts.ts';
import { lmdbOptions, testNowMs } from '../support/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

const snapshots = new URL('../../snapshots/', import.meta.url);
const opened: Store[] = [];

async function open(dataDir: string): Promise<{ store: Store; facts: Loaded }> {
  const store = await openLmdbStore(lmdbOptions(dataDir));
  opened.push(store);
  return { store, facts: loaded(store) };
}

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** What every golden file holds. */
function expectGolden({ store, facts }: { store: Store; facts: Loaded }): void {
  expect(facts.singles.installation).toEqual(goldenInstallation);
  expect([...facts.projects.values()]).toEqual(goldenProjects);
  expect(facts.channels.get(goldenChannel.id)).toEqual(goldenChannel);
  expect(facts.checks.size).toBe(2);
  expect(facts.checks.get(goldenBusy.id)).toEqual({ ...goldenBusy, state: goldenState });
  expect(store.pings(goldenBusy.id, 10).map(({ n }) => n)).toEqual([3, 2, 1]);
  expect(Buffer.from(store.body(goldenBusy.id, 3) ?? []).toString()).toBe('third');
  const changes = store.changes(goldenBusy.id, { fromMs: 0, untilMs: testNowMs });
  expect(changes.map(({ from, to }) => [from, to])).toEqual([['up', 'down']]);
}

test.each([
  { format: 1, deliveries: [] },
  { format: 2, deliveries: goldenDeliveries },
])('the golden snapshot of format $format is restored, into either store', async ({ format, deliveries }) => {
  const file = fileURLToPath(new URL(`format-${format}.knell`, snapshots));
  const target = join(tempDir(), 'data');
  await restoreSnapshot(file, target, () => {});
  const restored = await open(target);
  expectGolden(restored);
  expect([...restored.facts.outbox.values()]).toEqual(deliveries);
  expect(restored.facts.channels.get(goldenLoud.id)).toEqual(format > 1 ? goldenLoud : undefined);
  expect([...readMemorySnapshot(file).outbox.values()]).toEqual(deliveries);
});

test('a data directory of format 1, half of it not folded, is migrated and owes nothing', async () => {
  const dataDir = join(tempDir(), 'data');
  for (const name of ['history', 'journal']) {
    mkdirSync(join(dataDir, name), { recursive: true });
    const packed = readFileSync(new URL(`format-1/${name}.mdb.gz`, import.meta.url));
    writeFileSync(join(dataDir, name, 'data.mdb'), gunzipSync(packed));
  }
  writeFileSync(join(dataDir, 'format'), 'knell data format 1\n');
  const migrated = await open(dataDir);
  expectGolden(migrated);
  expect(migrated.facts.outbox.size).toBe(0);
  expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe('knell data format 2\n');
  await migrated.store.folded();
  await appendAll(migrated.store, [{ type: 'delivery', delivery: deliveryOf(1) }]);
  await opened.pop()?.close();
  const again = await open(dataDir);
  expectGolden(again);
  expect(again.facts.outbox.size).toBe(1);
});
