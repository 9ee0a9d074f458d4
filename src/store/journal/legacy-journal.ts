/**
 * Journals of the data formats 1 to 4, read once so that they can be folded: an LMDB environment without checksums (1, 2), or
 * files without a manifest (3, 4). Not for writing. Invariant: nothing is changed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { highestKey, lowestKey, openEnv } from '../disk/lmdb-env.ts';
import type { NumberedBatch } from './batch-log.ts';
import { damaged } from './damage.ts';
import { seqOfKey } from './lmdb-batches.ts';
import { journalDir } from './log-reader.ts';
import { readSegmentHead, SegmentReader } from './segment.ts';

/** The batches above `foldedSeq`, in order. Throws a KnellError `journal-damaged`. */
export async function readLegacyJournal(
  disk: Disk,
  dataDir: string,
  foldedSeq: number,
): Promise<readonly NumberedBatch[]> {
  const dir = journalDir(dataDir);
  // While format 3 carried a journal over, both were there; the files counted only when the environment was gone.
  const isLmdb = existsSync(join(dir, 'data.mdb'));
  const batches = isLmdb ? await readEnv(dataDir) : readFiles(disk, dir, foldedSeq);
  const tail = batches.filter(({ seq }) => seq > foldedSeq);
  for (const [index, { seq }] of tail.entries()) {
    const wanted = foldedSeq + 1 + index;
    if (seq !== wanted) throw damaged({ file: dir, why: 'does not hold them', from: wanted, to: seq - 1 });
  }
  return tail;
}

async function readEnv(dataDir: string): Promise<NumberedBatch[]> {
  const env = openEnv(dataDir, 'journal');
  const batches: NumberedBatch[] = [];
  env.table('batches').scan({ start: lowestKey, end: highestKey }, (key, bytes) => {
    batches.push({ seq: seqOfKey(key), bytes: Buffer.from(bytes) });
  });
  await env.close();
  return batches;
}

/** A file ends where the next one begins: behind that, frames of a write that was given up may stand. */
function readFiles(disk: Disk, dir: string, foldedSeq: number): NumberedBatch[] {
  const names = disk.list(dir).filter((name) => name.endsWith('.log'));
  const files = names.flatMap((name) => {
    const file = disk.open(join(dir, name));
    const head = file && readSegmentHead(file);
    if (file && typeof head === 'object' && head !== null) return [{ name, file, head }];
    file?.close();
    return [];
  });
  files.sort((a, b) => a.head.firstSeq - b.head.firstSeq);
  const batches: NumberedBatch[] = [];
  for (const [index, { name, file, head }] of files.entries()) {
    const until = (files[index + 1]?.head.firstSeq ?? Number.POSITIVE_INFINITY) - 1;
    const reader = new SegmentReader(file, head);
    for (let isMore = true; isMore; ) {
      for (let batch = reader.next(); batch && batch.seq <= until; batch = reader.next()) batches.push(batch);
      const from = reader.seq;
      isMore = from <= until && reader.resync();
      if (isMore && reader.seq - 1 > foldedSeq)
        throw damaged({ file: join(dir, name), why: 'is damaged', from, to: reader.seq - 1 });
    }
    file.close();
  }
  return batches;
}
