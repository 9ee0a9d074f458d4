/**
 * A file system small enough to fill: a tmpfs of its own. Needs the right to mount; tests skip where it is missing.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../../src/lib/errors.ts';
import { tempDir } from '../temp-dirs.ts';

export interface SmallDisk {
  readonly dir: string;
  /** Leaves not a byte. */
  fill(): void;
  free(): void;
}

/** Null when mounting is not allowed. Unmounted after the test file (`file-folder`). */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  const dir = tempDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const ballast = join(dir, 'ballast');
  return { dir, fill: () => fillFile(ballast), free: () => rmSync(ballast, { force: true }) };
}

function fillFile(file: string): void {
  const fd = openSync(file, 'a');
  try {
    for (const size of [65_536, 4096, 1]) writeUntilFull(fd, size);
  } finally {
    closeSync(fd);
  }
}

function writeUntilFull(fd: number, size: number): void {
  const bytes = Buffer.alloc(size, 1);
  try {
    while (writeSync(fd, bytes) === size);
  } catch (error) {
    if (systemCode(error) !== 'ENOSPC') throw error;
  }
}
