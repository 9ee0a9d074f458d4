/**
 * The rows of the LMDB log, and the one transaction that appends. Shared by the log and by the thread that takes slow commits.
 * Invariant: keys are numbers of batches, big-endian, so that they sort by them.
 */
import type { LmdbEnv, Table } from '../disk/lmdb-env.ts';

export const batchesTable = 'log';

export function keyOf(seq: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeUIntBE(seq, 2, 6);
  return key;
}

export function seqOfKey(key: Buffer): number {
  return key.readUIntBE(2, 6);
}

/** The content of one append, which is one transaction. */
export interface LmdbAppend {
  readonly seq: number;
  readonly frame: Uint8Array;
  /** Released batches that go with it: from, inclusive, to, exclusive. */
  readonly trimFrom: number;
  readonly trimTo: number;
}

export function applyAppend(env: LmdbEnv, table: Table, { seq, frame, trimFrom, trimTo }: LmdbAppend): void {
  env.write(() => {
    table.put(keyOf(seq), frame);
    for (let old = trimFrom; old < trimTo; old++) table.remove(keyOf(old));
  });
}
