/**
 * The real store (group commit, codec, tail, fold, recovery, the file log) over a simulated disk, the fold inline.
 * Not here: the disk (`simulated-disk`), the history's tables (`memory-env`).
 *
 * Invariant: nothing of a store runs any more once its process is dead: after `crash` or `kill` open another one.
 */
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';
import type { Disk } from '../../../src/store/disk/disk.ts';
import { isDiskFull } from '../../../src/store/disk/disk-full.ts';
import { defaultLimits, type StoreLimits } from '../../../src/store/disk/limits.ts';
import type { LmdbEnv } from '../../../src/store/disk/lmdb-env.ts';
import type { Scheduler } from '../../../src/store/disk/scheduler.ts';
import { unsynced } from '../../../src/store/disk/unsynced-disk.ts';
import { FoldDriver } from '../../../src/store/history/fold/fold-driver.ts';
import type { StartFold } from '../../../src/store/history/fold/fold-runner.ts';
import { readJournalMark } from '../../../src/store/history/rows/journal-mark.ts';
import { openHistoryTables } from '../../../src/store/history/rows/tables.ts';
import { CommitTimes } from '../../../src/store/journal/commit-times.ts';
import { FileLogReader } from '../../../src/store/journal/file-log-reader.ts';
import { journalDir } from '../../../src/store/journal/log-reader.ts';
import { JournaledStore } from '../../../src/store/open/journaled-store.ts';
import { openJournal } from '../../../src/store/open/open-journal.ts';
import { joinCluster, openSpool, type StoreOptions } from '../../../src/store/open/open-store.ts';
import { writeSnapshotFile } from '../../../src/store/snapshot/file.ts';
import { writeHistory } from '../../../src/store/snapshot/source.ts';
import type { LoadSink, Store } from '../../../src/store/store.ts';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { copyTables, type MemoryTables, openMemoryEnv } from './memory-env.ts';
import { SimulatedDisk, type SimulatedDiskOptions } from './simulated-disk.ts';

const dataDir = '/data';
/** Small, so that a short life sees many files. */
const segmentBytesDefault = 16_384;

/** One machine: what outlives its processes. */
export class SimulatedMachine {
  readonly disk: SimulatedDisk;
  readonly tables: MemoryTables;
  /** Salts that its log has used. */
  salts = 0;

  constructor(options?: SimulatedDiskOptions, from: SimulatedMachine | null = null) {
    this.disk = from ? from.disk.durableCopy(options) : new SimulatedDisk(options);
    this.tables = from ? copyTables(from.tables) : new Map();
  }

  /** Another machine with what a power cut at this moment leaves of this one at the least. */
  afterPowerCut(options?: SimulatedDiskOptions): SimulatedMachine {
    return new SimulatedMachine(options, this);
  }
}

/** What is on the disk of `machine`: what a store finds on another machine after a power cut of this one. */
export async function loadDurable<Sink extends LoadSink>(
  machine: SimulatedMachine,
  sink: Sink,
): Promise<Sink> {
  const scheduler = new SimulatedClock(0);
  const store = await openSimulatedStore({ machine: machine.afterPowerCut(), scheduler, nowMs: () => 0 });
  await store.load(sink);
  return sink;
}

export interface SimulatedStoreOptions {
  readonly machine: SimulatedMachine;
  readonly scheduler: Scheduler;
  readonly durability?: 'fsync' | 'relaxed';
  readonly bodyBudgetBytes?: number;
  readonly limits?: Partial<StoreLimits>;
  readonly segmentBytes?: number;
  /** Salts of the log's files; by default counted up, so that a seed gives the same bytes. */
  newSalt?(): number;
  nowMs(): number;
  /** In a cluster: see `StoreOptions`. */
  readonly join?: StoreOptions['join'];
  /** A write failed for good: the process should end. By default thrown. */
  onBroken?(error: unknown): void;
}

/** Batches are committed at the end of the microtasks; nothing waits for real time. */
const simulatedLimits: StoreLimits = {
  ...defaultLimits,
  gatherMsMin: 0,
  gatherMsMax: 0,
  journalFreeBytesMin: 4000,
  foldFreeBytesMin: 1000,
};

export async function openSimulatedStore(options: SimulatedStoreOptions): Promise<Store> {
  const { machine, bodyBudgetBytes = 10_000_000, segmentBytes = segmentBytesDefault, nowMs } = options;
  const { disk } = machine;
  const limits = { ...simulatedLimits, ...options.limits };
  const scheduler = leased(options.scheduler, disk.lease());
  const env = openMemoryEnv(disk, machine.tables);
  const tables = openHistoryTables(env);
  const times = new CommitTimes();
  const journalOptions = {
    disk: options.join ? unsynced(plain(disk)) : disk,
    dataDir,
    kind: 'file' as const,
    format: readJournalMark(tables) === null ? ('new' as const) : 5,
    env,
    tables,
    limits,
    times,
    fold: { bodyBudgetBytes, isDiskFull: (error: unknown) => isDiskFull(error, '/'), scheduler },
    commitWorkerUrl: new URL('file:///none'),
    segmentBytes,
    newSalt: options.newSalt ?? (() => ++machine.salts),
    nowMs,
    inform: () => {},
    warn: () => {},
  };
  const spool = await (options.join ? openSpool(journalOptions, env, tables) : openJournal(journalOptions));
  const joining = { ...(options.join ? { join: options.join } : {}), logger: silentLogger };
  const joined = await joinCluster(joining, env, spool);
  return new JournaledStore({
    opened: joined ? { ...spool, log: joined } : spool,
    standby: joined,
    historyEnv: env,
    reopenHistory: () => openMemoryEnv(disk, machine.tables),
    startFold: foldInline({ machine, env, scheduler, limits, bodyBudgetBytes }),
    snapshots: inlineSnapshots(env),
    scheduler,
    times,
    limits,
    isRelaxed: options.durability === 'relaxed',
    logger: silentLogger,
    meter: createMeter(),
    nowMs,
    onBroken:
      options.onBroken ??
      ((error) => {
        throw error;
      }),
    releaseLock: () => {},
  });
}

/** Its methods as a plain object, which can be spread. */
function plain(disk: SimulatedDisk): Disk {
  return {
    createDir: (dir) => disk.createDir(dir),
    list: (dir) => disk.list(dir),
    open: (file) => disk.open(file),
    create: (file) => disk.create(file),
    createAsync: (file) => disk.createAsync(file),
    remove: (file) => disk.remove(file),
    removeAsync: (file) => disk.removeAsync(file),
    rename: (from, to) => disk.rename(from, to),
    syncDir: (dir) => disk.syncDir(dir),
    syncDirAsync: (dir) => disk.syncDirAsync(dir),
    freeBytes: () => disk.freeBytes(),
    freeBytesAsync: () => disk.freeBytesAsync(),
  };
}

/** What a dead process had scheduled never runs. */
function leased(scheduler: Scheduler, isAlive: () => boolean): Scheduler {
  const guarded = (run: () => void) => () => {
    if (isAlive()) run();
  };
  return {
    elapsedMs: () => scheduler.elapsedMs(),
    soon: (run) => scheduler.soon(guarded(run)),
    after: (delayMs, run) => scheduler.after(delayMs, guarded(run)),
  };
}

interface InlineFold {
  readonly machine: SimulatedMachine;
  readonly env: LmdbEnv;
  readonly scheduler: Scheduler;
  readonly limits: StoreLimits;
  readonly bodyBudgetBytes: number;
}

function foldInline({ machine, env, scheduler, limits, bodyBudgetBytes }: InlineFold): StartFold {
  return (receive) => {
    const driver = new FoldDriver({
      env,
      tables: openHistoryTables(env),
      reader: new FileLogReader(machine.disk, journalDir(dataDir)),
      scheduler,
      bodyBudgetBytes,
      foldBytesMax: limits.foldBytesMax,
      foldFreeBytesMin: limits.foldFreeBytesMin,
      freeBytes: () => machine.disk.freeBytes(),
      isDiskFull: (error) => isDiskFull(error, '/'),
      report: (message) => scheduler.soon(() => receive(message)),
    });
    return {
      send(message) {
        if (message.type === 'expedite') driver.expedite(message.isExpedited);
        else if (message.type === 'fold') scheduler.soon(() => driver.foldTo(message.seq, message.nowMs));
      },
      stop: async () => driver.stop(),
    };
  };
}

function inlineSnapshots(env: LmdbEnv) {
  return {
    write: async (file: string, progress: (fraction: number) => void) =>
      writeSnapshotFile(file, (sink) =>
        writeHistory(openHistoryTables(env), sink, { progress, isCancelled: () => false }),
      ),
    stop: async () => {},
  };
}
