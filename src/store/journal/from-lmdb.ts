/**
 * Before data format 3 the journal was an LMDB environment. What it holds is carried over to files, once.
 * Invariant: until all of it is on disk anew, the environment stays; a carrying over that was cut off begins again.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncDir } from '../data-dir.ts';
import { highestKey, lowestKey, openEnv } from '../lmdb-env.ts';
import { JournalLog } from './file-log.ts';
import { segmentNames } from './file-log-reader.ts';
import type { NumberedBatch } from './segment.ts';

export async function carryOverJournal(dataDir: string): Promise<void> {
  const dir = join(dataDir, 'journal');
  if (!existsSync(join(dir, 'data.mdb'))) return;
  for (const name of segmentNames(dir)) rmSync(join(dir, name));
  const batches = await readBatches(dataDir);
  const first = batches[0];
  if (first) {
    const { log } = JournalLog.open(dir, first.seq - 1);
    for (const batch of batches) log.commit(batch);
    await log.close();
  }
  syncDir(dir);
  for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(dir, name), { force: true });
  syncDir(dir);
}

/** A row for each batch, by its number, big-endian. */
async function readBatches(dataDir: string): Promise<readonly NumberedBatch[]> {
  const env = openEnv(dataDir, 'journal');
  const batches: NumberedBatch[] = [];
  env.table('batches').scan({ start: lowestKey, end: highestKey }, (key, bytes) => {
    batches.push({ seq: key.readUInt32BE(0) * 2 ** 32 + key.readUInt32BE(4), bytes: Buffer.from(bytes) });
  });
  await env.close();
  return batches;
}
