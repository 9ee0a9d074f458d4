/**
 * The exclusive lock on a data directory: two Knells on one would acknowledge pings that the other cannot see.
 * Not a pid in a file, which lies in containers. Invariant: the kernel holds it, so it ends with the process, however
 * that ends.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { KnellError, messageOf } from '../../lib/errors.ts';

export interface DataDirLock {
  release(): void;
}

/** Takes the lock of `dataDir`, which must exist. */
export function lockDataDir(dataDir: string): DataDirLock {
  const fd = openLockFile(dataDir);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new KnellError('data-dir-locked', `another Knell is using the data directory ${dataDir}`);
  }
  let held = true;
  return {
    release: () => {
      if (held) closeSync(fd);
      held = false;
    },
  };
}

function openLockFile(dataDir: string): number {
  try {
    return openSync(join(dataDir, 'lock'), 'a', 0o600);
  } catch (error) {
    const message = `the data directory ${dataDir} cannot be written: ${messageOf(error)}`;
    throw new KnellError('data-dir-unreadable', message, { cause: error });
  }
}
