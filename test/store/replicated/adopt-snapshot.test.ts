/** A snapshot of another node in the place of what a node has: what it had goes only for what is whole. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { markAsNew } from '../../../src/store/disk/data-dir.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { adoptSnapshot } from '../../../src/store/replicated/adopt-snapshot.ts';
import type { Store } from '../../../src/store/store.ts';
import { mountSmallDisk } from '../../support/store/small-disk.ts';
import { appendAll, checkOf, loaded, pingOf } from '../../support/store/store-facts.ts';
import { storeOptions } from '../../support/store/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const golden = fileURLToPath(new URL('../../../snapshots/format-1.knell', import.meta.url));
const own = checkOf(777);
const quiet = () => {};

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(dataDir: string): Promise<Store> {
  const store = await openStore(storeOptions(dataDir, { leavesCluster: true }));
  opened.push(store);
  return store;
}

/** With a check of its own, and so much beside it. */
async function nodeWithData(dataDir: string, bodies = 0): Promise<void> {
  const store = await open(dataDir);
  await loaded(store);
  await appendAll(store, [{ type: 'check', check: own, changes: [] }]);
  for (let n = 1; n <= bodies; n++)
    await appendAll(store, [pingOf(own, n, { body: new Uint8Array(100_000).fill(n % 251) })]);
  await opened.pop()?.close();
}

async function idsIn(dataDir: string): Promise<readonly string[]> {
  return [...(await loaded(await open(dataDir))).checks.keys()];
}

test('it replaces all that the node had, and leaves nothing else behind', async () => {
  const dataDir = join(tempDir(), 'data');
  await nodeWithData(dataDir);
  await adoptSnapshot(golden, dataDir, 'one', quiet);
  expect(readdirSync(dataDir).sort()).toEqual(['format', 'history', 'lock']);
  const ids = await idsIn(dataDir);
  expect(ids.length).toBe(14);
  expect(ids).not.toContain(own.id);
});

test('one that is damaged, cut or missing is refused, and the node keeps what it had', async () => {
  const dataDir = join(tempDir(), 'data');
  await nodeWithData(dataDir);
  const bytes = readFileSync(golden);
  const file = join(tempDir(), 'damaged.knell');
  for (const [damaged, code] of [
    [Buffer.from(bytes).fill(7, bytes.length >> 1, (bytes.length >> 1) + 9), 'snapshot-damaged'],
    [bytes.subarray(0, bytes.length - 40), 'snapshot-damaged'],
    [Buffer.from('no snapshot'), 'snapshot-foreign'],
  ] as const) {
    writeFileSync(file, damaged);
    await expect(adoptSnapshot(file, dataDir, 'one', quiet)).rejects.toMatchObject({ code });
  }
  await expect(adoptSnapshot(join(dataDir, 'none'), dataDir, 'one', quiet)).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(readdirSync(dataDir).sort()).toEqual(['format', 'history', 'journal', 'lock']);
  expect(await idsIn(dataDir)).toEqual([own.id]);
});

test('what a killed one has left is in nobody’s way: before, between and after the exchange', async () => {
  for (const [what, prepare] of [
    ['while it was building', () => undefined],
    ['once the old was to go', (dataDir: string) => markAsNew(dataDir)],
  ] as const) {
    const dataDir = join(tempDir(), 'data');
    await nodeWithData(dataDir);
    mkdirSync(join(dataDir, '.adopted', 'history'), { recursive: true });
    writeFileSync(join(dataDir, '.adopted', 'history', 'data.mdb'), 'half');
    prepare(dataDir);
    await adoptSnapshot(golden, dataDir, 'one', quiet);
    expect(existsSync(join(dataDir, '.adopted')), what).toBe(false);
    expect((await idsIn(dataDir)).length, what).toBe(14);
  }
});

test('on a disk without space for both, the old goes before the new is written', async ({ skip }) => {
  const disk = mountSmallDisk(9_000_000);
  if (!disk) return skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
  await nodeWithData(join(disk.dir, 'data'), 40);
  const { bavail, bsize } = statfsSync(disk.dir);
  writeFileSync(join(disk.dir, 'filler'), Buffer.alloc(bavail * bsize - 40_000));
  await adoptSnapshot(golden, join(disk.dir, 'data'), 'one', quiet);
  expect((await idsIn(join(disk.dir, 'data'))).length).toBe(14);
});
