/**
 * The one file that touches `lmdb`: environments, tables, transactions, in the few forms that the store uses.
 *
 * Invariants: `write` has the data on disk (fdatasync and meta page) when it returns. Keys and values handed to callers are
 * views that the next read overwrites: copy what is to stay.
 *
 * lmdb's own `putSync` and its default `overlappingSync` acknowledge before the disk has it, `put` outside of a
 * transaction reports errors in ways that end the process: none of them is used.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { createDir, syncDir } from './data-dir.ts';
import { mapBytes, prefetchMsMax, tablesMax, viewedBytesMax } from './limits.ts';

export interface ScanRange {
  /** The first key to visit: the lowest, or with `reverse` the highest. Inclusive. */
  readonly start: Uint8Array;
  /** Exclusive. */
  readonly end: Uint8Array;
  readonly reverse?: boolean;
}

/** Answers `false` to stop. */
export type Visit = (key: Buffer, value: Buffer) => unknown;

export interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

export interface Table {
  get(key: Uint8Array): Buffer | null;
  /** Inside `write` only. */
  put(key: Uint8Array, value: Uint8Array): void;
  /** Inside `write` only. */
  remove(key: Uint8Array): void;
  /** Must not write to this environment meanwhile. */
  scan(range: ScanRange, visit: Visit): void;
  /**
   * Reads the same rows as `scan`, for walking two tables side by side. If it is not read to its end, `return` gives the cursor
   * back.
   */
  rows(range: ScanRange): Iterator<Row, undefined>;
  /** Has a thread read these rows from the disk, so that the next reads of them find them in memory. Never rejects. */
  prefetch(keys: readonly Uint8Array[]): Promise<void>;
  /** Rows in the table, as its own bookkeeping has it: a scan that finds fewer has met damage. */
  count(): number;
}

export interface LmdbEnv {
  table(name: string): Table;
  /** Runs `work` in one durable transaction; an error undoes all of it and is thrown on. */
  write(work: () => void): void;
  /** Lets the next read see the latest commit, whichever thread made it. */
  refresh(): void;
  close(): Promise<void>;
}

type EnvName = keyof typeof mapBytes;

/** Sorts before every key and after every key that the store uses. */
export const lowestKey = Buffer.of(0);
export const highestKey = Buffer.alloc(40, 255);

export function openEnv(dataDir: string, name: EnvName): LmdbEnv {
  const path = join(dataDir, name);
  createDir(path);
  const isNew = !existsSync(join(path, 'data.mdb'));
  const options = {
    path,
    mapSize: mapBytes[name],
    overlappingSync: false,
    permissionsMode: 0o600,
    maxDbs: tablesMax,
  };
  const root = open(options);
  if (isNew) syncDir(path);
  return {
    table: (tableName) => tableOf(root.openDB<Buffer, Buffer>({ name: tableName, ...rawBytes }), root),
    write: (work) => root.transactionSync(work),
    refresh: () => root.resetReadTxn(),
    close: () => root.close(),
  };
}

/** Reads every row of the environment in `path` and writes nothing; resolves with their number. Damage may end the process. */
export async function readEveryRow(path: string): Promise<number> {
  const root = open({ path, readOnly: true, maxDbs: tablesMax });
  const names = [...root.getKeys()].map(String);
  let rows = 0;
  for (const name of names) {
    for (const { key, value } of root.openDB<Buffer, Buffer>({ name, ...rawBytes }).getRange({})) {
      if ((key as Buffer).length + value.length > 0) rows++;
    }
  }
  await root.close();
  return rows;
}

/** Views of lmdb's key buffer by their bounds; it is one buffer for the life of the thread. */
const keyViews = new Map<number, Buffer>();

/** Views of lmdb's value buffer by their length. The buffer is another one after a read of a value that did not fit. */
let valueSource: Buffer | null = null;
let valueViews: (Buffer | undefined)[] = [];

function valueView(source: Buffer, size: number): Buffer {
  if (size > viewedBytesMax) return source.subarray(0, size);
  if (source !== valueSource) {
    valueSource = source;
    valueViews = new Array(viewedBytesMax + 1);
  }
  let view = valueViews[size];
  if (view === undefined) {
    view = source.subarray(0, size);
    valueViews[size] = view;
  }
  return view;
}

/** Keys and values as they are, without a copy for each row: reading a million rows takes a third of the time. */
const rawBytes = {
  encoder: {
    encode: (value: Buffer) => value,
    decode: valueView,
  },
  keyEncoder: {
    writeKey: (key: Uint8Array, target: Buffer, start: number) => {
      target.set(key, start);
      return start + key.length;
    },
    readKey: (source: Buffer, start: number, end: number) => {
      const known = keyViews.get(end);
      if (known && known.byteOffset === source.byteOffset + start) return known;
      const view = source.subarray(start, end);
      keyViews.set(end, view);
      return view;
    },
  },
};

/**
 * After a failed read every later one through that transaction fails too. It is ended here, so that the next read begins
 * another one: a transaction that is merely reset keeps its error.
 */
function endReadTransaction(root: RootDatabase): void {
  const transaction = root.useReadTransaction();
  root.resetReadTxn();
  transaction.done();
}

function tableOf(db: Database<Buffer, Uint8Array>, root: RootDatabase): Table {
  return {
    get: (key) => {
      try {
        const value = db.getBinaryFast(key);
        return value ? value.subarray(0, value.length) : null;
      } catch (error) {
        endReadTransaction(root);
        throw error;
      }
    },
    put: (key, value) => {
      db.put(
        key,
        Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      );
    },
    remove: (key) => {
      db.remove(key);
    },
    scan: (range, visit) => {
      const rows = db.getRange(range)[Symbol.iterator]();
      try {
        for (let row = rows.next(); !row.done; row = rows.next()) {
          if (visit(row.value.key as Buffer, row.value.value) === false) break;
        }
      } catch (error) {
        endReadTransaction(root);
        throw error;
      } finally {
        // Gives the cursor back, also where it was not read to its end.
        rows.return?.();
      }
    },
    rows: (range) => db.getRange(range)[Symbol.iterator]() as Iterator<Row, undefined>,
    prefetch: (keys) => withinMs(db.prefetch([...keys]), prefetchMsMax),
    count: () => (db.getStats() as { readonly entryCount: number }).entryCount,
  };
}

/** Resolves with `work`, at the latest after `ms`: lmdb does not report that it could not read ahead. The read itself does. */
function withinMs(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}
