/**
 * Restores a snapshot into an empty data directory. Not while a server runs: the directory is empty, so none does.
 *
 * Invariant: the whole file has been read and checked before anything is created, and the directory appears under its name
 * only when all of it is on disk.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { createDir, dataFormat, syncDir, writeFormat } from '../data-dir.ts';
import { isDiskFull } from '../disk-full.ts';
import { openHistoryTables } from '../history/tables.ts';
import { openEnv } from '../lmdb-env.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import { readSnapshotFile } from './file.ts';
import { RestoreBuilder } from './restore-builder.ts';

/** What may lie in a directory that counts as empty: a file system's own, and a lock of nobody. */
const ignored: readonly string[] = ['lost+found', 'lock'];

export async function restoreSnapshot(
  file: string,
  dataDir: string,
  progress: Progress,
): Promise<SnapshotSummary> {
  const target = resolve(dataDir);
  refuseUnlessEmpty(target);
  const counts = readSnapshotFile(
    file,
    () => {},
    (fraction) => progress(fraction / 2),
  );
  try {
    await buildAndPlace(file, target, (fraction) => progress(0.5 + fraction / 2));
  } catch (error) {
    throw asKnellError(error, target);
  }
  return { file, bytes: statSync(file).size, ...counts };
}

function refuseUnlessEmpty(target: string): void {
  if (namesIn(target).length === 0) return;
  throw notEmpty(target);
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => !ignored.includes(name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw asKnellError(error, dir);
  }
}

async function buildAndPlace(file: string, target: string, progress: Progress): Promise<void> {
  const parent = dirname(target);
  createDir(parent);
  const isMount = existsSync(target) && statSync(target).dev !== statSync(parent).dev;
  const place = isMount ? target : parent;
  const staging = join(place, `.${basename(target)}.${randomBytes(6).toString('hex')}.restoring`);
  try {
    createDir(staging);
    await build(file, staging, progress);
    if (isMount) moveInto(staging, target);
    else moveOnto(staging, target);
  } catch (error) {
    // Told before the clean-up, which makes room on a full disk.
    const known = isDiskFull(error, place) ? storeFull(target, error) : error;
    rmSync(staging, { recursive: true, force: true });
    if (isMount) rmSync(join(target, 'history'), { recursive: true, force: true });
    throw known;
  }
}

async function build(file: string, dir: string, progress: Progress): Promise<void> {
  const env = openEnv(dir, 'history');
  try {
    const builder = new RestoreBuilder(env, openHistoryTables(env));
    readSnapshotFile(file, (kind, payload) => builder.frame(kind, payload), progress);
    builder.finish();
  } finally {
    await env.close();
  }
  writeFormat(dir, dataFormat);
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

/** A mount point cannot be replaced: its parts are moved in, the marker that makes them valid last. */
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

function notEmpty(target: string): KnellError {
  return new KnellError(
    'data-dir-not-empty',
    `restore wants an empty data directory; ${target} is not empty`,
  );
}

function asKnellError(error: unknown, target: string): unknown {
  const code = systemCode(error);
  if (error instanceof KnellError || code === '') return error;
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return notEmpty(target);
  const message = `the data directory ${target} cannot be written: ${messageOf(error)}`;
  return new KnellError('data-dir-unreadable', message, { cause: error });
}
