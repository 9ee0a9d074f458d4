/**
 * Restores the latest whole snapshot of the data directory's own. Invariant: a damaged one is passed over with a sentence,
 * never in silence; nothing else than damage is.
 */
import { KnellError } from '../../lib/errors.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import { listSnapshots, snapshotsDir } from './directory.ts';
import { restoreSnapshot } from './restore.ts';

interface RestoreLatestOptions {
  readonly nowMs: number;
  readonly progress: Progress;
  /** Called for each that is passed over. */
  damaged(file: string, error: KnellError): void;
}

export async function restoreLatest(
  dataDir: string,
  { nowMs, progress, damaged }: RestoreLatestOptions,
): Promise<SnapshotSummary> {
  const dir = snapshotsDir(dataDir);
  const files = await listSnapshots(dir, nowMs);
  if (files.length === 0) throw new KnellError('not-found', `there is no snapshot in ${dir}: name a file`);
  for (const { file } of files) {
    try {
      return await restoreSnapshot(file, dataDir, progress);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged(file, error);
    }
  }
  throw new KnellError('snapshot-damaged', `no snapshot in ${dir} is whole: name another file`);
}

function isDamage(error: unknown): error is KnellError {
  return error instanceof KnellError && ['snapshot-damaged', 'snapshot-foreign'].includes(error.code);
}
