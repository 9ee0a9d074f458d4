/**
 * Takes a snapshot of another node in the place of what this one has. Not while a store is open.
 * Invariants: what this node has stays as it is until all of the snapshot is on this disk, whole; only where the disk has no space
 * for both is it removed before, and then the snapshot was read to its end and is whole. Wherever a crash strikes, the data
 * directory has what it had, is empty, as far as Knell is concerned, or has all of the snapshot and the mark of its log.
 */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KnellError } from '../../lib/errors.ts';
import { markAsNew, syncDir } from '../disk/data-dir.ts';
import { restoreSnapshot } from '../snapshot/restore.ts';
import type { Progress } from '../store.ts';

/** Rejects with a KnellError where the file is damaged: what was there is left as it was; or there is no space. */
export async function adoptSnapshot(
  file: string,
  dataDir: string,
  incarnation: string,
  progress: Progress,
): Promise<void> {
  const beside = join(dataDir, '.adopted');
  rmSync(beside, { recursive: true, force: true });
  try {
    await restoreSnapshot(file, beside, progress, incarnation);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (!(error instanceof KnellError) || error.code !== 'store-full') throw error;
    removeData(dataDir);
    rmSync(join(dataDir, 'format'));
    await restoreSnapshot(file, dataDir, progress, incarnation);
    return;
  }
  removeData(dataDir);
  renameSync(join(beside, 'history'), join(dataDir, 'history'));
  syncDir(dataDir);
  renameSync(join(beside, 'format'), join(dataDir, 'format'));
  syncDir(dataDir);
  rmSync(beside, { recursive: true, force: true });
}

/** Removes the data; from here on the directory counts as empty. */
function removeData(dataDir: string): void {
  markAsNew(dataDir);
  for (const part of ['journal', 'history']) rmSync(join(dataDir, part), { recursive: true, force: true });
}
