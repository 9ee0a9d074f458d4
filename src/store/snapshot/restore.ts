/**
 * Restores a snapshot into a data directory that is empty, but for `snapshots/` perhaps. Not while a server runs: without
 * data none does.
 *
 * Invariant: the whole file has been read and checked before anything is created, and what is restored becomes valid, by its
 * `format`, only when all of it is on disk. A restore that was killed leaves nothing that the next one does not remove.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { createDir, syncDir, writeFormat } from '../disk/data-dir.ts';
import { lockDataDir } from '../disk/data-dir-lock.ts';
import { isDiskFull } from '../disk/disk-full.ts';
import { openEnv } from '../disk/lmdb-env.ts';
import { writeLogMark } from '../history/rows/log-mark.ts';
import { openHistoryTables } from '../history/rows/tables.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import { readSnapshotFile } from './file.ts';
import { RestoreBuilder } from './restore-builder.ts';
import { verifySnapshot } from './verify.ts';

/**
 * Names that may be in a directory that counts as empty: a file system's own, an unused lock, and the snapshots to restore from.
 */
const ignored: readonly string[] = [
  ...['lost+found', 'lock', 'snapshots'],
  // A node's notes of the others (`cluster/status/remembered-nodes`).
  ...['cluster-nodes.json', 'cluster-nodes.json.new'],
];
/** The name of a directory in which a restore prepares its data; one that is left belongs to a restore that was killed. */
const stagingPattern = /^\..+\.[0-9a-f]{12}\.restoring$/;

export async function restoreSnapshot(
  file: string,
  dataDir: string,
  progress: Progress,
  /** Incarnation of the cluster's log that continues it; empty for none. */
  incarnation = '',
): Promise<SnapshotSummary> {
  const target = resolve(dataDir);
  refuseUnlessEmpty(target);
  const summary = verifySnapshot(file, (fraction) => progress(fraction / 2));
  try {
    await buildAndPlace({ file, incarnation }, target, (fraction) => progress(0.5 + fraction / 2));
  } catch (error) {
    throw asKnellError(error, target);
  }
  return summary;
}

function refuseUnlessEmpty(target: string): void {
  const left = leftBehind(target);
  const others = namesIn(target).filter((name) => !left.includes(name));
  if (others.length > 0) throw notEmpty(target, others);
}

/**
 * Files that a killed restore has left in `target`: the directory in which it prepared its data, and a history that it moved from
 * there. The history is its own as long as the `format` that it moves afterwards is still where it was prepared.
 */
function leftBehind(target: string): readonly string[] {
  const names = namesIn(target);
  const stagings = names.filter((name) => stagingPattern.test(name));
  const isHalfMoved = stagings.some((name) => {
    const prepared = namesIn(join(target, name));
    return prepared.includes('format') && !prepared.includes('history');
  });
  return isHalfMoved && !names.includes('format') ? [...stagings, 'history'] : stagings;
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => !ignored.includes(name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw asKnellError(error, dir);
  }
}

/** The snapshot to restore, and the log to which it belongs. */
interface Source {
  readonly file: string;
  readonly incarnation: string;
}

async function buildAndPlace(source: Source, target: string, progress: Progress): Promise<void> {
  const parent = dirname(target);
  createDir(parent);
  if (existsSync(target) && staysInPlace(target, parent)) return buildInPlace(source, target, progress);
  const staging = stagingIn(parent, target);
  try {
    createDir(staging);
    await build(source, staging, progress);
    moveOnto(staging, target);
  } catch (error) {
    // Asked before the clean-up, which frees space on a full disk.
    const known = isDiskFull(error, parent) ? storeFull(target, error) : error;
    rmSync(staging, { recursive: true, force: true });
    throw known;
  }
}

function stagingIn(dir: string, target: string): string {
  return join(dir, `.${basename(target)}.${randomBytes(6).toString('hex')}.restoring`);
}

/** A mount point cannot be replaced, and the snapshots that lie there should not be moved. */
function staysInPlace(target: string, parent: string): boolean {
  const isMount = statSync(target).dev !== statSync(parent).dev;
  return isMount || readdirSync(target).some((name) => name !== 'lock');
}

/** Under the lock of the directory, since here, too, a server could be started meanwhile, or another restore. */
async function buildInPlace(source: Source, target: string, progress: Progress): Promise<void> {
  const lock = lockDataDir(target);
  const staging = stagingIn(target, target);
  try {
    refuseUnlessEmpty(target);
    for (const name of leftBehind(target)) rmSync(join(target, name), { recursive: true });
    createDir(staging);
    await build(source, staging, progress);
    moveInto(staging, target);
  } catch (error) {
    const known = isDiskFull(error, target) ? storeFull(target, error) : error;
    undo(staging, target);
    throw known;
  } finally {
    lock.release();
  }
}

/** Only what was prepared here: where the directory was refused nothing was, and once it has its format it is whole. */
function undo(staging: string, target: string): void {
  if (!existsSync(staging) || existsSync(join(target, 'format'))) return;
  rmSync(staging, { recursive: true, force: true });
  rmSync(join(target, 'history'), { recursive: true, force: true });
}

async function build({ file, incarnation }: Source, dir: string, progress: Progress): Promise<void> {
  const env = openEnv(dir, 'history');
  try {
    const tables = openHistoryTables(env);
    const builder = new RestoreBuilder(env, tables);
    readSnapshotFile(file, (kind, payload) => builder.frame(kind, payload), progress);
    builder.finish();
    if (incarnation !== '') writeLogMark(env, tables, incarnation);
  } finally {
    await env.close();
  }
  writeFormat(dir);
  syncDir(join(dir, 'history'));
  syncDir(dir);
}

/** Takes the place of the empty directory in one step. */
function moveOnto(staging: string, target: string): void {
  if (existsSync(target)) {
    rmSync(join(target, 'lock'), { force: true });
    rmdirSync(target);
  }
  renameSync(staging, target);
  syncDir(dirname(target));
}

/** The parts one after the other, the marker that makes them valid last. */
function moveInto(staging: string, target: string): void {
  renameSync(join(staging, 'history'), join(target, 'history'));
  syncDir(target);
  renameSync(join(staging, 'format'), join(target, 'format'));
  rmSync(staging, { recursive: true, force: true });
  syncDir(target);
}

function storeFull(target: string, cause: unknown): KnellError {
  return new KnellError('store-full', `there is no space to restore into ${target}`, { cause });
}

function notEmpty(target: string, names: readonly string[]): KnellError {
  const shown = [...names.slice(0, 5), ...(names.length > 5 ? ['…'] : [])].join(', ');
  const message = `restore needs an empty data directory, or one with only snapshots/ in it: move the rest of ${target} away (${shown})`;
  return new KnellError('data-dir-not-empty', message);
}

function asKnellError(error: unknown, target: string): unknown {
  const code = systemCode(error);
  if (error instanceof KnellError || code === '') return error;
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return notEmpty(target, namesIn(target));
  const message = `the data directory ${target} cannot be written: ${messageOf(error)}`;
  return new KnellError('data-dir-unreadable', message, { cause: error });
}
