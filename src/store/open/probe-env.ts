/**
 * Looks at an LMDB file before it is opened. LMDB maps its file: pages that the file does not have end the process with SIGBUS,
 * without a word. A file can be shorter than its meta page says for a good reason too (pages that were freed in the transaction
 * that added them are never written), so a shorter one is read in a process of its own, whose end is the answer.
 * Invariant: a file of full length costs one small read.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KnellError } from '../../lib/errors.ts';
import { refused } from '../journal/damage.ts';

/** Offset of the magic number in LMDB's meta pages, the first two of a file. */
const magicAt = 24;
const magic = 0xbeefc0de;
const pageSizeAt = 48;
const lastPageAt = 144;
const transactionAt = 152;
const metaBytes = 160;

/** The two environments of a data directory. */
export type EnvPart = 'history' | 'journal';

interface Meta {
  readonly lastPage: number;
  readonly transaction: number;
}

/** Rejects with a KnellError for a file that is none of LMDB, or that has lost its end. */
export async function refuseCutFile(dataDir: string, part: EnvPart, probeUrl: URL): Promise<void> {
  const file = join(dataDir, part, 'data.mdb');
  const missing = missingBytes(file);
  if (missing <= 0 || (await isReadable(dirname(file), probeUrl))) return;
  const what = `${file} is damaged: its last ${missing} bytes are missing`;
  if (part === 'journal') throw refused(what);
  const advice = 'restore the latest snapshot into a new data directory ("knell restore")';
  throw new KnellError('history-damaged', `${what}; ${advice}`);
}

export function historyMissing(file: string): KnellError {
  const advice =
    'nothing was changed; restore the latest snapshot into a new data directory ("knell restore")';
  return new KnellError('history-damaged', `the history is missing: ${file} is not there; ${advice}`);
}

/** Bytes that the newer meta page counts and the file does not have; 0 for no file or an empty one. */
function missingBytes(file: string): number {
  if (!existsSync(file)) return 0;
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    if (size === 0) return 0;
    const first = pageAt(fd, 0);
    const pageBytes = first.readUInt32LE(pageSizeAt);
    const metas = [first, pageAt(fd, pageBytes)].map(metaOf);
    const newest = metas.reduce((a, b) => (a && b && a.transaction > b.transaction ? a : b));
    if (!newest || metas.includes(null)) throw foreign(file);
    return (newest.lastPage + 1) * pageBytes - size;
  } finally {
    closeSync(fd);
  }
}

/** LMDB ends the process with a segmentation fault when a file has no valid meta pages. */
function foreign(file: string): KnellError {
  return new KnellError('data-dir-unreadable', `${file} is damaged or no file of Knell's`);
}

function pageAt(fd: number, at: number): Buffer {
  const page = Buffer.alloc(metaBytes);
  readSync(fd, page, 0, metaBytes, at);
  return page;
}

function metaOf(page: Buffer): Meta | null {
  if (page.readUInt32LE(magicAt) !== magic) return null;
  return {
    lastPage: Number(page.readBigUInt64LE(lastPageAt)),
    transaction: Number(page.readBigUInt64LE(transactionAt)),
  };
}

/** Whether another process can read every row of the environment. */
function isReadable(path: string, probeUrl: URL): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(probeUrl), path], { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (status) => resolve(status === 0));
  });
}
