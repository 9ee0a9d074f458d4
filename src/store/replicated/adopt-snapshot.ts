/**
 * Takes a snapshot of another node in the place of what this one has. Not while a store is open.
 * Invariant: wherever a crash strikes, the data directory is empty, as far as Knell is concerned, or has all of the snapshot
 * and the mark of the log that it belongs to.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { markAsNew } from '../disk/data-dir.ts';
import { restoreSnapshot } from '../snapshot/restore.ts';
import type { Progress } from '../store.ts';

/** Rejects with a KnellError where the file is damaged or there is no space: nothing is left then. */
export async function adoptSnapshot(
  file: string,
  dataDir: string,
  incarnation: string,
  progress: Progress,
): Promise<void> {
  markAsNew(dataDir);
  for (const part of ['journal', 'history', 'format'])
    rmSync(join(dataDir, part), { recursive: true, force: true });
  await restoreSnapshot(file, dataDir, progress, incarnation);
}
