/**
 * The store over each of its logs behind one face, for the suite that they share: open, open again, restore, fill the disk.
 */

import { join } from 'node:path';
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';
import type { LogKind } from '../../../src/store/disk/log-kind.ts';
import { eventLoop } from '../../../src/store/disk/scheduler.ts';
import { openHistoryTables } from '../../../src/store/history/rows/tables.ts';
import { openStore, type StoreOptions } from '../../../src/store/open/open-store.ts';
import { replicatedJournalLimits } from '../../../src/store/replicated/journal-limits.ts';
import { ReplicatedJournal } from '../../../src/store/replicated/replicated-journal.ts';
import { readSnapshotFile } from '../../../src/store/snapshot/file.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { RestoreBuilder } from '../../../src/store/snapshot/restore-builder.ts';
import type { Store } from '../../../src/store/store.ts';
import { builtUrl } from '../process/built.ts';
import { tempDir } from '../temp-dirs.ts';
import { openMemoryEnv } from './memory-env.ts';
import { MemoryCluster } from './memory-log.ts';
import { openSimulatedStore, SimulatedMachine } from './simulated-store.ts';
import { mountSmallDisk } from './small-disk.ts';

export const bodyBudgetBytes = 1000;
/** 2024-06-15. */
export const testNowMs = Date.UTC(2024, 5, 15);

/** Options that tests override in part; a broken store fails the test. */
export function storeOptions(dataDir: string, options: Partial<StoreOptions> = {}): StoreOptions {
  return {
    dataDir,
    journal: 'lmdb',
    durability: 'fsync',
    bodyBudgetBytes,
    onBroken: (error) => {
      throw error;
    },
    logger: silentLogger,
    meter: createMeter(),
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

/** In milliseconds. Looks soon whether a full disk has space again: a second otherwise. */
const limits = { fullProbeMs: 20 };

function realPlace(journal: LogKind, dataDir: string): StorePlace {
  return {
    open: () => openStore(storeOptions(dataDir, { journal, limits })),
    restored: async (file) => {
      const target = join(tempDir(), 'data');
      await restoreSnapshot(file, target, () => {});
      return realPlace(journal, target);
    },
  };
}

const smallDiskBytes = 40_000_000;

function fillableRealPlace(journal: LogKind): FillablePlace | null {
  const disk = mountSmallDisk(smallDiskBytes);
  return disk && { ...realPlace(journal, join(disk.dir, 'data')), fill: disk.fill, free: disk.free };
}

export function simulatedPlace(
  machine = new SimulatedMachine({ capacityBytes: smallDiskBytes }),
): FillablePlace {
  const { disk } = machine;
  return {
    open: () =>
      openSimulatedStore({ machine, scheduler: eventLoop, bodyBudgetBytes, limits, nowMs: () => testNowMs }),
    async restored(file) {
      const target = new SimulatedMachine();
      const env = openMemoryEnv(target.disk, target.tables);
      const builder = new RestoreBuilder(env, openHistoryTables(env));
      readSnapshotFile(
        file,
        (kind, payload) => builder.frame(kind, payload),
        () => {},
      );
      builder.finish();
      return simulatedPlace(target);
    },
    fill: () => disk.fill(),
    free: () => disk.free(),
  };
}

/** Timers of milliseconds: nobody else is there to wait for. */
const aloneLimits = {
  ...replicatedJournalLimits,
  heartbeatMs: 3_600_000,
  silenceMs: 20,
  jitterMs: 0,
  lookEveryMs: 5,
  handOverMs: 5,
};

/** The only node of a cluster whose stream is in memory. */
function replicatedPlace(dataDir: string): FillablePlace {
  let cluster: MemoryCluster | null = null;
  return {
    open: () =>
      openStore(
        storeOptions(dataDir, {
          limits,
          join: async ({ spool }) => {
            // Behind what is there already, as "knell cluster rebuild" does.
            cluster ??= new MemoryCluster({
              scheduler: eventLoop,
              random: Math.random,
              firstSeq: spool.lastSeq + 1,
            });
            const log = cluster.nodeLog('a');
            const journal = new ReplicatedJournal({
              log,
              spool: spool.log,
              scheduler: eventLoop,
              limits: aloneLimits,
              logger: silentLogger,
              chance: Math.random,
              nowMs: () => Date.now(),
              leaderIs: () => {},
            });
            return { incarnation: log.incarnation, journal };
          },
        }),
      ),
    async restored(file) {
      const target = join(tempDir(), 'data');
      await restoreSnapshot(file, target, () => {});
      return replicatedPlace(target);
    },
    fill: () => cluster?.fill(),
    free: () => cluster?.free(),
  };
}

export const storeKinds: readonly StoreKind[] = [
  ...(['lmdb', 'file'] as const).map((journal) => ({
    name: journal,
    create: () => realPlace(journal, join(tempDir(), 'data')),
    createFillable: () => fillableRealPlace(journal),
  })),
  {
    name: 'replicated',
    create: () => replicatedPlace(join(tempDir(), 'data')),
    createFillable: () => replicatedPlace(join(tempDir(), 'data')),
  },
  { name: 'simulated', create: () => simulatedPlace(), createFillable: () => simulatedPlace() },
];
