/**
 * The directory `snapshots/` of a data directory: which snapshots lie there, how new ones are named, which may go.
 * Not when one is written (`engine/start/snapshot-schedule`).
 * Invariants: only files that Knell named itself are ever deleted. A file under the name of an automatic snapshot was read
 * back whole before it got that name.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { createDir, syncDir } from '../disk/data-dir.ts';
import { snapshotAheadMsMax } from '../disk/limits.ts';

export interface SnapshotFile {
  readonly file: string;
  readonly name: string;
  /** Time in the file's name, if Knell named it; else when it was last changed. */
  readonly atMs: number;
  readonly bytes: number;
  /** Written by the schedule, and deleted by it when it is too old. */
  readonly isAutomatic: boolean;
}

/** The two kinds of names that Knell gives: its own schedule's, and those of `knell snapshot` without a file. */
type SnapshotOrigin = 'knell' | 'manual';

const namePattern = /^(knell|manual)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.snapshot$/;
/** An automatic one that was not read back yet. */
const unverifiedPattern = /^knell-\d{8}T\d{6}Z\.snapshot\.unverified$/;
/** One that was being written when Knell ended. */
const cutOffPattern = /^knell-\d{8}T\d{6}Z\.snapshot\.unverified\.[0-9a-f]{12}\.partial$/;
/** Name that `file` gives to a file while it is written. */
const partialPattern = /\.[0-9a-f]{12}\.partial$/;

export function snapshotsDir(dataDir: string): string {
  return join(dataDir, 'snapshots');
}

/** The directory, created if it is not there. */
export function openSnapshotsDir(dataDir: string): string {
  const dir = snapshotsDir(dataDir);
  const isNew = !existsSync(dir);
  createDir(dir);
  if (isNew) syncDir(dataDir);
  return dir;
}

/** A path that no file has yet; its name is the instant, to the second, or the first free one after it. */
export function newSnapshotFile(dir: string, origin: SnapshotOrigin, nowMs: number): string {
  for (let atMs = nowMs; ; atMs += 1000) {
    const stamp = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const file = join(dir, `${origin}-${stamp}.snapshot`);
    if (!existsSync(file)) return file;
  }
}

export function unverified(file: string): string {
  return `${file}.unverified`;
}

/**
 * The snapshots in `dir`, newest first: files named `*.snapshot`, or `*.knell` as Knell used to name them. Those from a
 * clock that was wrong come last. An absent directory holds none.
 */
export async function listSnapshots(dir: string, nowMs: number): Promise<readonly SnapshotFile[]> {
  const found: SnapshotFile[] = [];
  for (const name of await namesIn(dir)) {
    const one = /\.(snapshot|knell)$/.test(name) ? await snapshotAt(join(dir, name), name) : null;
    if (one) found.push(one);
  }
  const isAhead = ({ atMs }: SnapshotFile): number => (atMs > nowMs + snapshotAheadMsMax ? 1 : 0);
  return found.sort((a, b) => isAhead(a) - isAhead(b) || b.atMs - a.atMs || (a.name < b.name ? 1 : -1));
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new KnellError('data-dir-unreadable', `${dir} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function snapshotAt(file: string, name: string): Promise<SnapshotFile | null> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return null;
    const isAutomatic = namePattern.exec(name)?.[1] === 'knell';
    return { file, name, atMs: dateIn(name) ?? stats.mtimeMs, bytes: stats.size, isAutomatic };
  } catch (error) {
    // Deleted meanwhile, or a link that leads nowhere.
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function dateIn(name: string): number | null {
  const [, , year, month, date, hours, minutes, seconds] = namePattern.exec(name) ?? [];
  if (year === undefined) return null;
  const atMs = Date.parse(`${year}-${month}-${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(atMs) ? null : atMs;
}

/** Deletes all automatic snapshots but the newest `kept`, of which `latest` is one whatever its date. */
export async function pruneSnapshots(
  files: readonly SnapshotFile[],
  kept: number,
  latest: string,
): Promise<void> {
  const older = files.filter(({ isAutomatic, file }) => isAutomatic && file !== latest).slice(kept - 1);
  try {
    for (const { file } of older) await rm(file, { force: true });
  } catch (error) {
    const message = `an older snapshot cannot be deleted: ${messageOf(error)}`;
    throw new KnellError('snapshot-unwritable', message, { cause: error });
  }
}

/**
 * Deletes what a killed Knell left half written. Only while nothing is being written: Knell holds the data directory, so
 * before it takes the first command. True if Knell ended in the middle of writing an automatic one: one that is asked to end
 * leaves nothing of the kind.
 */
export function removeLeftovers(dir: string): boolean {
  if (!existsSync(dir)) return false;
  const names = readdirSync(dir);
  for (const name of names) {
    if (partialPattern.test(name) || unverifiedPattern.test(name)) rmSync(join(dir, name), { force: true });
  }
  return names.some((name) => cutOffPattern.test(name));
}

/** Rejects with `store-full` where a snapshot of about the size of the latest would leave less than `freeBytesMin`. */
export async function assertSpace(
  dataDir: string,
  latest: SnapshotFile | undefined,
  freeBytesMin: number,
): Promise<void> {
  const dir = snapshotsDir(dataDir);
  const { bavail, blocks, bsize } = await statfs(dir);
  const wanted = latest ? latest.bytes * 1.25 : await historyBytes(dataDir);
  const free = bavail * bsize;
  if (free - wanted >= Math.min(freeBytesMin, (blocks * bsize) / 20)) return;
  const sizes = `${Math.floor(free / 1e6)} MB are free, ${Math.ceil(wanted / 1e6)} MB are needed`;
  throw new KnellError('store-full', `there is not enough space for a snapshot in ${dir}: ${sizes}`);
}

/** Bytes that the history takes on the disk: no snapshot of it is larger. */
async function historyBytes(dataDir: string): Promise<number> {
  try {
    return (await stat(join(dataDir, 'history', 'data.mdb'))).blocks * 512;
  } catch {
    return 0;
  }
}
