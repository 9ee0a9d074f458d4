/**
 * Opens the store on a real disk: lock, history, journal, threads. What the store does is in `journaled-store`.
 * Invariants: nothing is opened before the data directory's lock is held, and the lock is released last. A new
 * directory is marked as one that holds data when history and journal are there and durable.
 */

import { existsSync, rmSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Meter } from '../../lib/meter.ts';
import { type LockedDataDir, openDataDir, writeFormat } from '../disk/data-dir.ts';
import { isDiskFull } from '../disk/disk-full.ts';
import { defaultLimits, type StoreLimits } from '../disk/limits.ts';
import { type LmdbEnv, openEnv } from '../disk/lmdb-env.ts';
import type { LogKind } from '../disk/log-kind.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { eventLoop } from '../disk/scheduler.ts';
import { unsynced } from '../disk/unsynced-disk.ts';
import { type Contents, contentsOf } from '../history/contents.ts';
import { foldInThread } from '../history/fold/fold-thread.ts';
import { clearJournalMark } from '../history/rows/journal-mark.ts';
import { readLogMark, writeLogMark } from '../history/rows/log-mark.ts';
import { type HistoryTables, openHistoryTables, readMeta } from '../history/rows/tables.ts';
import type { BatchLog, OpenedLog } from '../journal/batch-log.ts';
import { CommitTimes } from '../journal/commit-times.ts';
import { randomSalt, segmentBytesMax } from '../journal/segment.ts';
import type { Standby } from '../journal/standby.ts';
import { SnapshotThreads } from '../snapshot/thread.ts';
import type { Store } from '../store.ts';
import { JournaledStore } from './journaled-store.ts';
import { type OpenJournalOptions, openJournal } from './open-journal.ts';
import { historyMissing, refuseCutFile } from './probe-env.ts';

export interface StoreOptions {
  readonly dataDir: string;
  /** Which log keeps batches until they are folded. */
  readonly journal: LogKind;
  /** `relaxed`: records are acknowledged before they are on disk. */
  readonly durability: 'fsync' | 'relaxed';
  readonly bodyBudgetBytes: number;
  readonly limits?: Partial<StoreLimits>;
  /** A write failed in a way that leaves the store unknown: say so and end the process. Called once at most. */
  onBroken(error: unknown): void;
  readonly logger: Logger;
  readonly meter: Meter;
  nowMs(): number;
  /** Turns the local log into the spool of a cluster's log. Rejects with a KnellError when this node may not join. */
  readonly join?: (local: LocalLog) => Promise<JoinedLog>;
  /** Without `join`: whether data that were in a cluster go on outside it. Otherwise they are refused. */
  readonly leavesCluster?: boolean;
  /** The built `store/` folder, in which the entry points of the threads lie; by default where this file is. */
  readonly threadsUrl?: URL;
}

/** The data that a node of a cluster has before it joins. */
export interface LocalLog {
  readonly spool: OpenedLog;
  /** Incarnation of the log that its history belongs to; null when it was in no cluster. */
  readonly incarnation: string | null;
  /** When the latest was written of what the history has, to half a second; null for an empty one. */
  readonly foldedAtMs: number | null;
  /** Counts of its data, with the batches that are not folded yet. */
  readonly contents: Contents;
}

export interface JoinedLog {
  readonly incarnation: string;
  readonly journal: BatchLog & Standby;
}

/** Opens (or creates) the data directory. Rejects with a KnellError when it cannot be used. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const lock = openDataDir(options.dataDir);
  const limits = { ...defaultLimits, ...options.limits };
  const times = new CommitTimes();
  let historyEnv: LmdbEnv | null = null;
  let opened: OpenedLog | null = null;
  try {
    historyEnv = await openHistory(options, lock);
    opened = await openLog({ options, limits, times, env: historyEnv, isNew: lock.isNew });
    const joined = await joinCluster(options, historyEnv, opened);
    if (joined) opened = { ...opened, log: joined };
    return new JournaledStore({
      ...partsOf(options, limits),
      opened,
      standby: joined,
      historyEnv,
      times,
      limits,
      releaseLock: () => lock.release(),
    });
  } catch (error) {
    await opened?.log.close();
    await historyEnv?.close();
    lock.release();
    throw asKnellError(error, options.dataDir);
  }
}

/** Null without a cluster. The mark is written before anything of the log can be in the history. */
export async function joinCluster(
  { join, leavesCluster, logger }: Pick<StoreOptions, 'join' | 'leavesCluster' | 'logger'>,
  env: LmdbEnv,
  spool: OpenedLog,
): Promise<(BatchLog & Standby) | null> {
  const tables = openHistoryTables(env);
  const incarnation = readLogMark(tables);
  if (join) {
    const foldedAtMs = readMeta(tables, 'alive');
    const joined = await join({
      ...{ spool, incarnation, foldedAtMs },
      contents: contentsOf(tables, spool.tail),
    });
    writeLogMark(env, tables, joined.incarnation);
    return joined.journal;
  }
  if (incarnation === null) return null;
  if (!leavesCluster)
    throw new KnellError(
      'conflict',
      'this data directory belongs to a cluster: start its Knell, and run this again while it runs',
    );
  logger.warn('KNELL_CLUSTER is not set: this data directory leaves its cluster');
  writeLogMark(env, tables, null);
  return null;
}

/** Explains LMDB's error about a file that is not its own, or that it may not open. */
function asKnellError(error: unknown, dataDir: string): KnellError {
  if (error instanceof KnellError) return error;
  if (isDiskFull(error, dataDir))
    return new KnellError('store-full', `there is no space in ${dataDir}: free some and start again`, {
      cause: error,
    });
  const message = `the data directory ${dataDir} cannot be opened: ${messageOf(error)}`;
  return new KnellError('data-dir-unreadable', message, { cause: error });
}

async function openHistory(
  { dataDir, threadsUrl }: StoreOptions,
  { isNew }: LockedDataDir,
): Promise<LmdbEnv> {
  const file = joinPath(dataDir, 'history', 'data.mdb');
  // An interrupted creation left these: nothing was ever acknowledged.
  if (isNew)
    for (const name of ['history', 'journal'])
      rmSync(joinPath(dataDir, name), { recursive: true, force: true });
  else if (!existsSync(file)) throw historyMissing(file);
  const probeUrl = workerUrl('open/probe-process.js', threadsUrl);
  for (const part of ['history', 'journal'] as const) await refuseCutFile(dataDir, part, probeUrl);
  return openEnv(dataDir, 'history');
}

interface OpenLog {
  readonly options: StoreOptions;
  readonly limits: StoreLimits;
  readonly times: CommitTimes;
  readonly env: LmdbEnv;
  readonly isNew: boolean;
}

async function openLog({ options, limits, times, env, isNew }: OpenLog): Promise<OpenedLog> {
  const { dataDir, journal, bodyBudgetBytes, logger, threadsUrl, nowMs, join } = options;
  const tables = openHistoryTables(env);
  const journalOptions = {
    disk: join ? unsynced(nodeDisk) : nodeDisk,
    dataDir,
    kind: join ? ('file' as const) : journal,
    env,
    tables,
    limits,
    // The time that the network takes says nothing about this disk.
    times: join ? new CommitTimes() : times,
    fold: {
      bodyBudgetBytes,
      isDiskFull: (error: unknown) => isDiskFull(error, dataDir),
      scheduler: eventLoop,
    },
    commitWorkerUrl: workerUrl('journal/commit-worker.js', threadsUrl),
    segmentBytes: segmentBytesMax,
    newSalt: randomSalt,
    nowMs,
    inform: (line: string) => logger.info(line),
    warn: (line: string) => logger.warn(line),
  };
  const opened = await (join ? openSpool(journalOptions, env, tables) : openJournal(journalOptions));
  if (isNew) writeFormat(dataDir);
  return opened;
}

/** Opens the spool. If a power cut has damaged it, the log has its batches: it begins anew behind the history. */
export async function openSpool(
  options: OpenJournalOptions,
  env: LmdbEnv,
  tables: HistoryTables,
): Promise<OpenedLog> {
  try {
    return await openJournal(options);
  } catch (error) {
    if (!(error instanceof KnellError) || error.code !== 'journal-damaged' || readLogMark(tables) === null)
      throw error;
    options.warn(`${error.message}; it is fetched again from the cluster's log`);
    clearJournalMark(env, tables);
    return openJournal(options);
  }
}

function partsOf(options: StoreOptions, limits: StoreLimits) {
  const { dataDir, journal, durability, bodyBudgetBytes, logger, meter, threadsUrl, nowMs, onBroken, join } =
    options;
  const { foldBytesMax, foldFreeBytesMin } = limits;
  const kind = join ? 'file' : journal;
  const data = { dataDir, journal: kind, bodyBudgetBytes, foldBytesMax, foldFreeBytesMin } as const;
  return {
    reopenHistory: () => openEnv(dataDir, 'history'),
    startFold: foldInThread(workerUrl('history/fold/fold-worker.js', threadsUrl), data),
    snapshots: new SnapshotThreads(workerUrl('snapshot/worker.js', threadsUrl), dataDir),
    scheduler: eventLoop,
    isRelaxed: durability === 'relaxed',
    logger,
    meter,
    nowMs,
    onBroken,
  };
}

function workerUrl(path: string, threadsUrl: URL | undefined): URL {
  return new URL(`./${path}`, threadsUrl ?? new URL('../', import.meta.url));
}
