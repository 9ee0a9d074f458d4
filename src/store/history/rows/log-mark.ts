/**
 * Which cluster's log a history belongs to: noted in it before the first entry of that log is, so that no other log under the
 * same name is taken for it.
 */
import type { LmdbEnv } from '../../disk/lmdb-env.ts';
import type { HistoryTables } from './tables.ts';

const key = Buffer.from('log');

/** The incarnation of the log; null for a history that is in no cluster. */
export function readLogMark({ meta }: HistoryTables): string | null {
  return meta.get(key)?.toString('utf8') ?? null;
}

/** Null: the history is in no cluster any more. */
export function writeLogMark(env: LmdbEnv, { meta }: HistoryTables, incarnation: string | null): void {
  env.write(() => {
    if (incarnation === null) meta.remove(key);
    else meta.put(key, Buffer.from(incarnation));
  });
}
