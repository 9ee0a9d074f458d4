/**
 * Writes changed files: each with a copy of what it was, by a rename, with owner and mode as before.
 * Invariants: a file that has changed since it was read is not written; at every instant it is the old one or the new one.
 * Copies begin with a dot: neither cron nor run-parts reads them.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileChange } from '../../domain/discover/file-changes.ts';
import { pingVariablesFile } from '../../domain/discover/timers.ts';
import { KnellError, systemCode } from '../../lib/errors.ts';
import type { MachineFiles } from './machine-files.ts';

export interface WriteOptions {
  readonly files: MachineFiles;
  /** Of the copies: `20300504T021000Z`. */
  readonly stamp: string;
}

/** What was written, in words. Throws a KnellError that names the file, which then is as it was. */
export function writeChange(change: FileChange, { files, stamp }: WriteOptions): string {
  const path = files.pathOf(change.file);
  try {
    return change.before === null
      ? created(change, path)
      : replaced(change, files.realPathOf(change.file), stamp);
  } catch (cause) {
    if (/^(?:EACCES|ENOENT)$/.test(systemCode(cause)) && isOwnCrontab(change.file, path))
      return installed(change, stamp);
    if (cause instanceof KnellError) throw cause;
    const code = systemCode(cause);
    throw new KnellError('conflict', `cannot write ${change.file} (${code}): try as root`, { cause });
  }
}

function created({ file, after }: FileChange, path: string): string {
  if (existsSync(path)) throw changedMeanwhile(file);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  // The file of variables holds a key.
  writeWhole(path, after, { mode: file === pingVariablesFile ? 0o600 : 0o644, uid: null, gid: null });
  return `created ${file}`;
}

function replaced({ file, before, after }: FileChange, path: string, stamp: string): string {
  if (readFileSync(path, 'utf8') !== before) throw changedMeanwhile(file);
  const { mode, uid, gid } = statSync(path);
  const backup = join(dirname(path), `.${basename(path)}.knell-backup-${stamp}`);
  copyFileSync(path, backup, constants.COPYFILE_EXCL);
  const copy = openSync(backup, 'r+');
  try {
    fchownSync(copy, uid, gid);
    // A copy that can be executed would be one more script.
    fchmodSync(copy, mode & 0o666);
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
  writeWhole(path, after, { mode, uid, gid });
  return `changed ${file}, which was ${basename(backup)}`;
}

interface Ownership {
  readonly mode: number;
  /** Null for the one who writes. */
  readonly uid: number | null;
  readonly gid: number | null;
}

function writeWhole(path: string, text: string, { mode, uid, gid }: Ownership): void {
  const next = join(dirname(path), `.${basename(path)}.knell-new-${process.pid}`);
  try {
    const file = openSync(next, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      if (uid !== null && gid !== null) fchownSync(file, uid, gid);
      fchmodSync(file, mode & 0o7777);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
    const folder = openSync(dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** One that only `crontab` may write. */
function isOwnCrontab(file: string, path: string): boolean {
  return file === path && file.startsWith('/var/spool/cron/');
}

function installed({ file, before, after }: FileChange, stamp: string): string {
  const read = spawnSync('crontab', ['-l'], { encoding: 'utf8' });
  if (read.stdout !== before) throw changedMeanwhile(file);
  const backup = join(process.env.HOME ?? '.', `.crontab.knell-backup-${stamp}`);
  writeFileSync(backup, before, { mode: 0o600, flag: 'wx' });
  const { status, stderr } = spawnSync('crontab', ['-'], { input: after, encoding: 'utf8' });
  if (status !== 0)
    throw new KnellError(
      'conflict',
      `crontab does not take the new one: ${stderr.trim().replaceAll('\n', ' ')}`,
    );
  return `changed ${file}, which was ${backup}`;
}

function changedMeanwhile(file: string): KnellError {
  return new KnellError('conflict', `${file} has changed since it was read: run it again`);
}
