/**
 * The kinds of batch log that a data directory can have, and how the fold's thread reads each.
 * Not here: opening one for appending, or changing from one to the other (`open-journal`).
 */
import { join } from 'node:path';
import { nodeDisk } from '../node-disk.ts';
import type { BatchReader } from './batch-log.ts';
import { FileLogReader } from './file-log-reader.ts';
import { LmdbLogReader } from './lmdb-log.ts';

export const logKinds = ['lmdb', 'file'] as const;
export type LogKind = (typeof logKinds)[number];

export function journalDir(dataDir: string): string {
  return join(dataDir, 'journal');
}

export function openLogReader(kind: LogKind, dataDir: string): BatchReader {
  return kind === 'lmdb' ? new LmdbLogReader(dataDir) : new FileLogReader(nodeDisk, journalDir(dataDir));
}
