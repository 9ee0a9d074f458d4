/**
 * The data directory as a whole: who may see it, which format it has, how an older one is brought up to date.
 * Not here: what lies in journal and history. Invariant: a directory of a newer format is refused untouched.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { KnellError, messageOf, systemCode } from '../lib/errors.ts';
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts';

/** The format that this Knell writes. */
export const dataFormat = 5;

/** Brings a locked data directory from one format to the next. */
type Migration = (dataDir: string) => void;

/**
 * By the format it starts from. From 1 to 2 no byte has to change: an outbox that is not there is empty, so flips from
 * before owe nothing, and journal batches say their own version. From 2 to 3 the journal becomes files: `journal-from-lmdb`
 * carries it over wherever it finds the environment. From 3 to 4 there may be records of new types. From 4 to 5 rows get
 * named fields: `history/migrate` rewrites them when the history is opened. The marker alone moves here,
 * so that an older Knell, which would lose deliveries or the journal, or take a record it does not know for damage, refuses
 * the directory.
 */
const migrations: ReadonlyMap<number, Migration> = new Map([
  [1, () => {}],
  [2, () => {}],
  [3, () => {}],
  [4, () => {}],
]);

const markerPattern = /^knell data format (\d+)\n$/;

/** Creates or checks `dataDir`, locks it and brings its format up to date. */
export function openDataDir(dataDir: string): DataDirLock {
  readFormat(dataDir);
  createDir(dataDir);
  const lock = lockDataDir(dataDir);
  try {
    bringUpToDate(dataDir);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Whether there is anything of Knell's in `dataDir`. Throws for what this Knell cannot read. */
export function holdsData(dataDir: string): boolean {
  return readFormat(dataDir) !== null;
}

/** The format of what is in `dataDir`; null when nothing of Knell's is. */
function readFormat(dataDir: string): number | null {
  const text = readMarker(dataDir);
  if (text === null) {
    if (!existsSync(join(dataDir, 'history')) && !existsSync(join(dataDir, 'journal'))) return null;
    throw unreadable(dataDir, 'it has no format marker (an interrupted restore?)');
  }
  const format = Number(markerPattern.exec(text)?.[1] ?? 0);
  if (format === 0) throw unreadable(dataDir, 'its format marker is damaged');
  if (format > dataFormat) {
    const message = `the data directory ${dataDir} has format ${format}; this Knell knows none above ${dataFormat}`;
    throw new KnellError('data-dir-newer', message);
  }
  return format;
}

function readMarker(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'format'), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw unreadable(dataDir, messageOf(error));
  }
}

/** Creates a directory that only its owner may enter. */
export function createDir(dir: string): void {
  try {
    makeDirs(dir);
  } catch (error) {
    throw unreadable(dir, messageOf(error));
  }
}

/** Not by Node's `recursive`: where a parent is there and takes no directory, such as /proc, that never ends. */
function makeDirs(dir: string): void {
  const parent = dirname(dir);
  if (existsSync(dir)) {
    if (!statSync(dir).isDirectory()) throw new Error('it is no directory');
    return;
  }
  if (parent !== dir) makeDirs(parent);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Under the lock, the format is read again: another process may have migrated it meanwhile. */
function bringUpToDate(dataDir: string): void {
  let format = readFormat(dataDir);
  if (format === null) {
    writeFormat(dataDir, dataFormat);
    return;
  }
  while (format < dataFormat) {
    const migrate = migrations.get(format);
    if (!migrate) throw unreadable(dataDir, `there is no way on from its format ${format}`);
    migrate(dataDir);
    format++;
    writeFormat(dataDir, format);
  }
}

export function writeFormat(dataDir: string, format: number): void {
  try {
    const partial = join(dataDir, 'format.partial');
    const fd = openSync(partial, 'w', 0o600);
    writeSync(fd, `knell data format ${format}\n`);
    fsyncSync(fd);
    closeSync(fd);
    renameSync(partial, join(dataDir, 'format'));
    syncDir(dataDir);
  } catch (error) {
    throw unreadable(dataDir, messageOf(error));
  }
}

/** Makes names created, renamed or removed in `dir` durable. */
export function syncDir(dir: string): void {
  const fd = openSync(dir, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

function unreadable(dataDir: string, why: string): KnellError {
  return new KnellError('data-dir-unreadable', `the data directory ${dataDir} cannot be used: ${why}`);
}
