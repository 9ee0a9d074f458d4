/**
 * Finds the journal that belongs to a history, opens it as the kind that is wanted, and folds first where that is another one
 * than the kind that is there.
 *
 * Invariants: the mark in the history names the journal that counts. A log is created before it is marked and removed after
 * another one is: wherever a crash strikes, the marked one has every batch that the history does not hold.
 */

import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import type { StoreLimits } from '../disk/limits.ts';
import type { LmdbEnv } from '../disk/lmdb-env.ts';
import type { LogKind } from '../disk/log-kind.ts';
import { logKinds } from '../disk/log-kind.ts';
import { FoldDriver, type FoldDriverOptions } from '../history/fold/fold-driver.ts';
import { readJournalMark, writeJournalMark } from '../history/rows/journal-mark.ts';
import { type HistoryTables, readMeta } from '../history/rows/tables.ts';
import type { BatchReader, NumberedBatch, OpenedLog } from '../journal/batch-log.ts';
import type { CommitTimes } from '../journal/commit-times.ts';
import { refused } from '../journal/damage.ts';
import { openLmdbLog } from '../journal/lmdb-log.ts';
import { journalDir } from '../journal/log-reader.ts';
import { manifestName } from '../journal/manifest.ts';
import { createFileLog, openFileLog } from '../journal/open-file-log.ts';
import { SlowCommitThread } from '../journal/slow-commits.ts';

export interface OpenJournalOptions {
  readonly disk: Disk;
  readonly dataDir: string;
  /** The kind that is wanted. */
  readonly kind: LogKind;
  readonly env: LmdbEnv;
  readonly tables: HistoryTables;
  readonly limits: StoreLimits;
  readonly times: CommitTimes;
  readonly fold: Pick<FoldDriverOptions, 'bodyBudgetBytes' | 'isDiskFull' | 'scheduler'>;
  readonly commitWorkerUrl: URL;
  readonly segmentBytes: number;
  newSalt(): number;
  nowMs(): number;
  /** Called with what takes a while, in one line. */
  inform(line: string): void;
  /** Called with what an owner should look at, in one line. */
  warn(line: string): void;
}

export async function openJournal(options: OpenJournalOptions): Promise<OpenedLog> {
  const { kind, tables, inform, warn } = options;
  const mark = readJournalMark(tables);
  if (mark === null) return created(options);
  const present = logKinds.find((one) => one === mark);
  if (present === undefined) throw refused(`the history names a journal of the unknown kind "${mark}"`);
  refuseMissing(options, present);
  const opened = await openLog(options, present);
  for (const warning of opened.warnings) warn(warning);
  if (present === kind && !opened.foldFirst) return afterRemovingOthers(options, opened);
  inform(
    present === kind
      ? 'folding a journal of many files'
      : `changing the journal from ${present} to ${kind}; ${opened.tail.length} batches are folded first`,
  );
  await opened.log.close();
  foldAll(options, opened.tail);
  return present === kind ? openLog(options, kind) : created(options);
}

/** A new log behind everything that the history holds, marked once it is there. */
async function created(options: OpenJournalOptions): Promise<OpenedLog> {
  const { disk, dataDir, kind, env, tables } = options;
  const dir = journalDir(dataDir);
  disk.createDir(dir);
  removeLog(options, kind);
  const opened = kind === 'lmdb' ? await openLog(options, kind) : createFileLog(fileOptions(options));
  disk.syncDir(dir);
  writeJournalMark(env, tables, kind);
  return afterRemovingOthers(options, opened);
}

function afterRemovingOthers(options: OpenJournalOptions, opened: OpenedLog): OpenedLog {
  for (const other of logKinds) if (other !== options.kind) removeLog(options, other);
  return opened;
}

function openLog(options: OpenJournalOptions, kind: LogKind): Promise<OpenedLog> | OpenedLog {
  if (kind === 'file') return openFileLog(fileOptions(options));
  const { disk, dataDir, tables, limits, times, commitWorkerUrl } = options;
  return openLmdbLog({
    dataDir,
    foldedSeq: readMeta(tables, 'folded') ?? 0,
    freeBytesMin: limits.journalFreeBytesMin,
    freeBytes: () => disk.freeBytes(dataDir),
    isSlow: () => times.medianMs > limits.slowCommitMs,
    slowCommits: new SlowCommitThread(commitWorkerUrl, { dataDir }),
  });
}

function fileOptions(options: OpenJournalOptions) {
  const { disk, dataDir, tables, limits, times, segmentBytes, newSalt } = options;
  return {
    disk,
    dir: journalDir(dataDir),
    segmentBytes,
    newSalt,
    foldedSeq: readMeta(tables, 'folded') ?? 0,
    filesMax: limits.journalFilesMax,
    freeBytesMin: limits.journalFreeBytesMin,
    isSlow: () => times.medianMs > limits.slowCommitMs,
  };
}

function foldAll(options: OpenJournalOptions, tail: readonly NumberedBatch[]): void {
  const { disk, env, tables, limits, fold, dataDir, nowMs } = options;
  const driver = new FoldDriver({
    ...fold,
    env,
    tables,
    reader: readerOf(tail),
    foldBytesMax: limits.foldBytesMax,
    foldFreeBytesMin: limits.foldFreeBytesMin,
    freeBytes: () => disk.freeBytes(dataDir),
    report: () => {},
  });
  driver.foldAllTo(tail.at(-1)?.seq ?? 0, nowMs());
}

function readerOf(tail: readonly NumberedBatch[]): BatchReader {
  return {
    readAfter: (seq, untilSeq) => tail.filter((batch) => batch.seq > seq && batch.seq <= untilSeq),
    close: async () => {},
  };
}

const lmdbNames: readonly string[] = ['data.mdb', 'lock.mdb'];

function refuseMissing({ disk, dataDir }: OpenJournalOptions, kind: LogKind): void {
  const dir = journalDir(dataDir);
  const name = kind === 'lmdb' ? 'data.mdb' : manifestName;
  if (!disk.list(dir).includes(name))
    throw refused(`the journal is missing: ${join(dir, name)} is not there`);
}

/** Removes the files of one kind of log. Only while they hold nothing that the history does not. */
function removeLog({ disk, dataDir }: OpenJournalOptions, kind: LogKind): void {
  const dir = journalDir(dataDir);
  const isOf = (name: string) =>
    kind === 'lmdb' ? lmdbNames.includes(name) : name === manifestName || name.endsWith('.log');
  const names = disk.list(dir).filter(isOf);
  for (const name of names) disk.remove(join(dir, name));
  if (names.length > 0) disk.syncDir(dir);
}
