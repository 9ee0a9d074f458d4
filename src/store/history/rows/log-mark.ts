/**
 * Which cluster's log a history belongs to: noted in it before the first entry of that log is, so that no other log under the
 * same name is taken for it.
 */
import { crc32 } from 'node:zlib';
import type { LmdbEnv } from '../../disk/lmdb-env.ts';
import { type HistoryTables, readMeta } from './tables.ts';

const key = Buffer.from('log');
/** Of the 32 bits of the checksum, 20 remain. */
const epochShift = 12;

/** The incarnation of the log; null for a history that is in no cluster. */
export function readLogMark({ meta }: HistoryTables): string | null {
  return meta.get(key)?.toString('utf8') ?? null;
}

/**
 * Five hexadecimal digits that distinguish the journal, whose batches have numbers, from that of another data directory or of
 * another cluster; the same on all nodes of one.
 */
export function epochOf(tables: HistoryTables): string {
  const name = readLogMark(tables) ?? String(readMeta(tables, 'since') ?? 0);
  return (crc32(name) >>> epochShift).toString(16).padStart(5, '0');
}

/** Null: the history is in no cluster any more. */
export function writeLogMark(env: LmdbEnv, { meta }: HistoryTables, incarnation: string | null): void {
  env.write(() => {
    if (incarnation === null) meta.remove(key);
    else meta.put(key, Buffer.from(incarnation));
  });
}
