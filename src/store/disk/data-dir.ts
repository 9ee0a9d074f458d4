/**
 * The data directory as a whole: who may see it, which format it has. It does not look into journal or history.
 *
 * Invariants: a directory of a newer format is refused untouched. The marker says `new` until history and journal are there:
 * where it says so nothing was ever acknowledged, and where it does not, both must be there.
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
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts';
import { dataFormat } from './formats.ts';
import { refusePreRelease } from './pre-release.ts';

const marker = `knell data directory, format ${dataFormat}\n`;
const newMarker = `knell data directory, format ${dataFormat}, new\n`;
const markerPattern = /^knell data directory, format (\d+)(, new)?\n$/;

export interface LockedDataDir extends DataDirLock {
  /** Whether it holds nothing yet. */
  readonly isNew: boolean;
}

/** Creates or checks `dataDir` and locks it. What is new is marked as such until `writeFormat`. */
export function openDataDir(dataDir: string): LockedDataDir {
  holdsData(dataDir);
  createDir(dataDir);
  const lock = lockDataDir(dataDir);
  try {
    // Under the lock, once more: another process may have changed it meanwhile.
    const isNew = !holdsData(dataDir);
    if (isNew) writeMarker(dataDir, newMarker);
    return { isNew, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** From now on `dataDir` counts as empty: what is in it is removed at the next start. */
export function markAsNew(dataDir: string): void {
  writeMarker(dataDir, newMarker);
}

/** Whether there is anything of Knell's in `dataDir`. Throws for what this Knell cannot read. */
export function holdsData(dataDir: string): boolean {
  const text = readMarker(dataDir);
  if (text === null) {
    if (!existsSync(join(dataDir, 'history')) && !existsSync(join(dataDir, 'journal'))) return false;
    throw unreadable(dataDir, 'it has no format marker (an interrupted restore?)');
  }
  refusePreRelease(dataDir, text);
  const [, number = 0, isNew] = markerPattern.exec(text) ?? [];
  const format = Number(number);
  if (format === 0) throw unreadable(dataDir, 'its format marker is damaged');
  if (format > dataFormat) {
    const message = `the data directory ${dataDir} has format ${format}; this Knell knows none above ${dataFormat}`;
    throw new KnellError('data-dir-newer', message);
  }
  return isNew === undefined;
}

function readMarker(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'format'), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw unreadable(dataDir, messageOf(error));
  }
}

/** Creates a directory that only its owner may enter, with its missing parents; their names are durable then. */
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
    // Another process may have created it meanwhile.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  syncParent(parent);
}

/** A directory that may be written but not read cannot be synced. */
function syncParent(parent: string): void {
  try {
    syncDir(parent);
  } catch (error) {
    if (systemCode(error) !== 'EACCES') throw error;
  }
}

/** From now on the directory counts as one that holds data: history and journal must be there and durable. */
export function writeFormat(dataDir: string): void {
  writeMarker(dataDir, marker);
}

function writeMarker(dataDir: string, text: string): void {
  try {
    const partial = join(dataDir, 'format.partial');
    const fd = openSync(partial, 'w', 0o600);
    writeSync(fd, text);
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
