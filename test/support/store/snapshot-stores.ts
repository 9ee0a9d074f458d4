/** Stores that tests of snapshots open and restore; the golden snapshot of today's format. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { openStore, type StoreOptions } from '../../../src/store/open/open-store.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import type { Store } from '../../../src/store/store.ts';
import { tempDir } from '../temp-dirs.ts';
import { goldenNowMs } from './golden-facts.ts';
import { simulatedPlace, storeOptions } from './stores.ts';

const snapshots = fileURLToPath(new URL('../../../snapshots/', import.meta.url));

export const current = 'format-1';
export const fileOf = (name: string): string => join(snapshots, `${name}.knell`);
export const goldenFile = fileOf(current);
export const quiet = (): void => {};

/** For the tests of one file: each one's stores are closed when it ends. */
export function snapshotStores() {
  const opened: Store[] = [];

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function open(dataDir: string, options: Partial<StoreOptions> = {}): Promise<Store> {
    const store = await openStore(storeOptions(dataDir, { nowMs: () => goldenNowMs, ...options }));
    opened.push(store);
    return store;
  }

  async function restored(file: string): Promise<Store> {
    const dataDir = join(tempDir(), 'data');
    await restoreSnapshot(file, dataDir, quiet);
    return open(dataDir);
  }

  /** What `file` holds, in a store over a simulated disk. */
  async function restoredSimulated(file: string): Promise<Store> {
    const store = await (await simulatedPlace().restored(file)).open();
    opened.push(store);
    return store;
  }

  return { open, restored, restoredSimulated };
}
