/**
 * Distinguishes a full disk, which passes, from a broken one, which must end the process.
 * LMDB reports short writes as EIO, so EIO counts as full while the file system nearly is.
 */
import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { KnellError } from '../../lib/errors.ts';
import { nearlyFullBytes } from './limits.ts';

/** Recognizes errors of LMDB and of files. */
export function isDiskFull(error: unknown, dataDir: string): boolean {
  if (error instanceof KnellError && error.code === 'store-full') return true;
  return isNoSpace(error) || (errnoOf(error) === constants.errno.EIO && isNearlyFull(dataDir));
}

/** Only of files, where a short write is no error yet and EIO means what it says. */
export function isNoSpace(error: unknown): boolean {
  const code = errnoOf(error);
  return code === constants.errno.ENOSPC || code === constants.errno.EDQUOT;
}

/** The system's number of an error, 0 for none: lmdb sets `code` to it, `node:fs` sets `errno` to its negative. */
function errnoOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ('errno' in error && typeof error.errno === 'number') return Math.abs(error.errno);
  if ('code' in error && typeof error.code === 'number') return error.code;
  return 0;
}

function isNearlyFull(dataDir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize < nearlyFullBytes;
  } catch {
    return false;
  }
}
