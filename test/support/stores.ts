/**
 * Both stores behind one face, for the suite that they share: open, open again, restore, fill the disk.
 */
import { join } from 'node:path';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMemoryDisk } from '../../src/store/memory-disk.ts';
import { MemoryFaults } from '../../src/store/memory-faults.ts';
import { readMemorySnapshot } from '../../src/store/memory-snapshot.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import type { Store } from '../../src/store/store.ts';
import { builtUrl } from './built.ts';
import { mountSmallDisk } from './small-disk.ts';
import { tempDir } from './temp-dirs.ts';

export const bodyBudgetBytes = 1000;
/** 2024-06-15. */
export const testNowMs = Date.UTC(2024, 5, 15);

/** Options that tests override in part; a broken store fails the test. */
export function storeOptions(dataDir: string, options: Partial<StoreOptions> = {}): StoreOptions {
  return {
    dataDir,
    durability: 'fsync',
    bodyBudgetBytes,
    onBroken: (error) => {
      throw error;
    },
    logger: silentLogger,
    nowMs: () => testNowMs,
    threadsUrl: builtUrl('store/'),
    ...options,
  };
}

/** One data directory or disk, and the stores opened on it one after the other. */
export interface StorePlace {
  open(): Promise<Store>;
  /** A place with what `file` holds. */
  restored(file: string): Promise<StorePlace>;
}

/** A place whose disk can be filled and freed again. */
export interface FillablePlace extends StorePlace {
  fill(): void;
  free(): void;
}

export interface StoreKind {
  readonly name: string;
  create(): StorePlace;
  /** Null where this machine cannot have one. */
  createFillable(): FillablePlace | null;
}

function lmdbPlace(dataDir: string): StorePlace {
  return {
    open: () => openStore(storeOptions(dataDir)),
    restored: async (file) => {
      const target = join(tempDir(), 'data');
      await restoreSnapshot(file, target, () => {});
      return lmdbPlace(target);
    },
  };
}

function memoryPlace(disk = createMemoryDisk(), faults = new MemoryFaults()): StorePlace {
  return {
    open: async () => createMemoryStore({ disk, faults, bodyBudgetBytes, nowMs: () => testNowMs }),
    restored: async (file) => memoryPlace(readMemorySnapshot(file)),
  };
}

function fillableLmdbPlace(): FillablePlace | null {
  const disk = mountSmallDisk(8_000_000);
  return disk && { ...lmdbPlace(join(disk.dir, 'data')), fill: disk.fill, free: disk.free };
}

function fillableMemoryPlace(): FillablePlace {
  const faults = new MemoryFaults();
  const fill = () => faults.fail(Number.POSITIVE_INFINITY);
  return { ...memoryPlace(createMemoryDisk(), faults), fill, free: () => faults.heal() };
}

export const storeKinds: readonly StoreKind[] = [
  {
    name: 'lmdb',
    create: () => lmdbPlace(join(tempDir(), 'data')),
    createFillable: fillableLmdbPlace,
  },
  { name: 'memory', create: () => memoryPlace(), createFillable: fillableMemoryPlace },
];
