/**
 * Which kind of journal belongs to a history: noted in it once the journal exists, so that one that is missing is noticed.
 * Invariant: the journal that the mark names exists before the mark is written.
 */
import type { LmdbEnv } from '../../disk/lmdb-env.ts';
import type { HistoryTables } from './tables.ts';

const key = Buffer.from('journal');

/** Null: none belongs to it yet, as after a restore. */
export function readJournalMark({ meta }: HistoryTables): string | null {
  return meta.get(key)?.toString('utf8') ?? null;
}

export function writeJournalMark(env: LmdbEnv, { meta }: HistoryTables, kind: string): void {
  env.write(() => meta.put(key, Buffer.from(kind)));
}

/** No journal belongs to the history any more: the next start creates one. */
export function clearJournalMark(env: LmdbEnv, { meta }: HistoryTables): void {
  env.write(() => meta.remove(key));
}
