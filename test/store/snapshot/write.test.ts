/** Snapshots are written while pings go on, whole or not at all. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { isLong } from '../../support/long.ts';
import { mountSmallDisk } from '../../support/store/small-disk.ts';
import { quiet, snapshotStores } from '../../support/store/snapshot-stores.ts';
import { append, appendAll, checkOf, loaded, pingOf, projectOf } from '../../support/store/store-facts.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const { open, restored } = snapshotStores();

describe('a snapshot', () => {
  test('that does not fit leaves the directory as it was', async ({ skip }) => {
    const disk = mountSmallDisk(4_000_000);
    if (!disk) return skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
    const file = join(tempDir(), 'large.knell');
    const store = await open(join(tempDir(), 'data'), { bodyBudgetBytes: 10_000_000 });
    await loaded(store);
    const noise = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    await appendAll(store, [
      { type: 'check', check: checkOf(1), changes: [] },
      ...Array.from({ length: 60 }, (_, index) => pingOf(checkOf(1), index + 1, { body: noise })),
    ]);
    await store.writeSnapshot(file, quiet);
    for (const target of [disk.dir, join(disk.dir, 'data')]) {
      await expect(restoreSnapshot(file, target, quiet)).rejects.toMatchObject({ code: 'store-full' });
      expect(readdirSync(disk.dir)).toEqual(['lock']);
    }
  });

  test('is written while pings go on, and holds what was durable when it began', async () => {
    const checks = isLong ? 3000 : 1000;
    const store = await open(join(tempDir(), 'data'));
    await loaded(store);
    await appendAll(store, [
      { type: 'put', kind: 'project', fact: projectOf(1) },
      ...Array.from({ length: checks }, (_, number) => ({
        type: 'check' as const,
        check: checkOf(number),
        changes: [],
      })),
      pingOf(checkOf(1), 1),
    ]);
    const file = join(tempDir(), 'hot.knell');
    let isWritten = false;
    const writing = store.writeSnapshot(file, quiet).finally(() => {
      isWritten = true;
    });
    let n = 2;
    for (; !isWritten; n++) expect(await append(store, pingOf(checkOf(1), n))).toBe('durable');
    expect(await writing).toMatchObject({ checks });
    const pings = (await restored(file)).pings(checkOf(1).id, 2000).map((ping) => ping.n);
    expect(pings.length).toBeGreaterThan(0);
    expect(pings).toEqual(Array.from(pings, (_, index) => pings.length - index));
  });

  test('that cannot be written says so and leaves nothing behind', async () => {
    const store = await open(join(tempDir(), 'data'));
    const dir = tempDir();
    await expect(store.writeSnapshot(join(dir, 'none', 'file'), quiet)).rejects.toMatchObject({
      code: 'snapshot-unwritable',
    });
    mkdirSync(join(dir, 'taken'));
    await expect(store.writeSnapshot(join(dir, 'taken'), quiet)).rejects.toMatchObject({
      code: 'snapshot-unwritable',
    });
    expect(readdirSync(dir)).toEqual(['taken']);
  });

  test('replaces an older file of its name', async () => {
    const store = await open(join(tempDir(), 'data'));
    const file = join(tempDir(), 'latest.knell');
    writeFileSync(file, 'older');
    const summary = await store.writeSnapshot(file, quiet);
    expect(readFileSync(file).length).toBe(summary.bytes);
  });
});
