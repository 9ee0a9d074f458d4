/**
 * The one file that touches `lmdb`: environments, tables, transactions, in the few forms that the store uses.
 *
 * Invariants: `write` has the data on disk (fdatasync and meta page) when it returns. Keys and values handed to callers are
 * views that the next read overwrites: copy what is to stay.
 *
 * lmdb's own `putSync` and its default `overlappingSync` acknowledge before the disk has it, `put` outside of a
 * transaction reports errors in ways that end the process: none of them is used.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { KnellError } from '../lib/errors.ts';
import { createDir } from './data-dir.ts';

export interface ScanRange {
  /** The first key to visit: the lowest, or with `reverse` the highest. Inclusive. */
  readonly start: Uint8Array;
  /** Exclusive. */
  readonly end: Uint8Array;
  readonly reverse?: boolean;
}

/** Answers `false` to stop. */
export type Visit = (key: Buffer, value: Buffer) => unknown;

export interface Table {
  get(key: Uint8Array): Buffer | null;
  /** Inside `write` only. */
  put(key: Uint8Array, value: Uint8Array): void;
  /** Inside `write` only. */
  remove(key: Uint8Array): void;
  /** Must not write to this environment meanwhile. */
  scan(range: ScanRange, visit: Visit): void;
}

export interface LmdbEnv {
  table(name: string): Table;
  /** Runs `work` in one durable transaction; an error undoes all of it and is thrown on. */
  write(work: () => void): void;
  /** Lets the next read see the latest commit, whichever thread made it. */
  refresh(): void;
  close(): Promise<void>;
}

/** Address space, not disk; both fit into the 512 GB that small ARM boards have. */
const mapBytes = { journal: 8 * 2 ** 30, history: 256 * 2 ** 30 } as const;

export type EnvName = keyof typeof mapBytes;

/** Sorts before every key and after every key that the store uses. */
export const lowestKey = Buffer.of(0);
export const highestKey = Buffer.alloc(40, 255);

export function openEnv(dataDir: string, name: EnvName): LmdbEnv {
  const path = join(dataDir, name);
  createDir(path);
  refuseForeignFile(join(path, 'data.mdb'));
  const options = {
    path,
    mapSize: mapBytes[name],
    overlappingSync: false,
    permissionsMode: 0o600,
    maxDbs: 12,
  };
  const root = open(options);
  return {
    table: (tableName) => tableOf(root.openDB<Buffer, Buffer>({ name: tableName, ...rawBytes })),
    write: (work) => root.transactionSync(work),
    refresh: () => root.resetReadTxn(),
    close: () => root.close(),
  };
}

/** Where LMDB's meta pages, the first two of a file, carry their magic number and the page size. */
const metaMagicAt = 24;
const metaMagic = 0xbeefc0de;
const pageSizeAt = 48;

/** lmdb ends the process with a segmentation fault when a file has no valid meta pages. */
function refuseForeignFile(file: string): void {
  if (!existsSync(file)) return;
  const fd = openSync(file, 'r');
  try {
    const head = Buffer.alloc(64);
    if (readSync(fd, head) === 0) return;
    const second = Buffer.alloc(64);
    readSync(fd, second, 0, 64, head.readUInt32LE(pageSizeAt));
    if ([head, second].some((page) => page.readUInt32LE(metaMagicAt) !== metaMagic)) {
      throw new KnellError('data-dir-unreadable', `${file} is damaged or no file of Knell's`);
    }
  } finally {
    closeSync(fd);
  }
}

/** Views of lmdb's key buffer by their bounds; it is one buffer for the life of the thread. */
const keyViews = new Map<number, Buffer>();

/** Keys and values as they are, without a copy for each row: reading a million rows takes a third of the time. */
const rawBytes = {
  encoder: {
    encode: (value: Buffer) => value,
    decode: (value: Buffer, size: number) => value.subarray(0, size),
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

function tableOf(db: Database<Buffer, Uint8Array>): Table {
  return {
    get: (key) => {
      const value = db.getBinaryFast(key);
      return value ? value.subarray(0, value.length) : null;
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
      for (const { key, value } of db.getRange(range)) {
        if (visit(key as Buffer, value) === false) break;
      }
    },
  };
}
