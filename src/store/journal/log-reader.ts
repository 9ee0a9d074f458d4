/**
 * Finds the batch logs of a data directory, and reads one of each kind in the fold's thread.
 * `open-journal` opens a log for appending and changes from one kind to the other.
 */

import { join } from 'node:path';
import type { LogKind } from '../disk/log-kind.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import type { BatchReader } from './batch-log.ts';
import { FileLogReader } from './file-log-reader.ts';
import { LmdbLogReader } from './lmdb-log.ts';

export function journalDir(dataDir: string): string {
  return join(dataDir, 'journal');
}

export function openLogReader(kind: LogKind, dataDir: string): BatchReader {
  return kind === 'lmdb' ? new LmdbLogReader(dataDir) : new FileLogReader(nodeDisk, journalDir(dataDir));
}
