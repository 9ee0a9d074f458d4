/**
 * Says of a snapshot whether it can be restored, by reading all of it; and of many, at a glance, what they say of themselves.
 * Just after it was written, a file is read out of the page cache: what the disk itself has lost shows only later.
 * Invariant: what verifies is exactly what `restore` takes: both read by `readSnapshotFile`.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Progress, SnapshotSummary } from '../store.ts';
import { readSnapshotFile } from './file.ts';
import { frameHeadBytes, frameKinds, type SnapshotCounts, snapshotTrailBytes } from './format.ts';

/** Reads `file` to its end. Throws a KnellError that says what is wrong with it. */
export function verifySnapshot(file: string, progress: Progress): SnapshotSummary {
  const counts = readSnapshotFile(file, () => {}, progress);
  return { file, bytes: statSync(file).size, ...counts };
}

/** The payload of the last frame: two counts of six bytes. */
const endBytes = 12;

/** The counts at the end of `file`, unchecked; null where there is no such end. */
export function readSnapshotCounts(file: string): SnapshotCounts | null {
  const tail = readTail(file, frameHeadBytes + endBytes + snapshotTrailBytes);
  if (tail?.readUInt8(0) !== frameKinds.end || tail.readUInt32LE(1) !== endBytes) return null;
  return {
    checks: tail.readUIntLE(frameHeadBytes, 6),
    pings: tail.readUIntLE(frameHeadBytes + 6, 6),
  };
}

function readTail(file: string, bytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const tail = Buffer.alloc(bytes);
    const { size } = fstatSync(fd);
    return size >= bytes && readSync(fd, tail, 0, bytes, size - bytes) === bytes ? tail : null;
  } finally {
    closeSync(fd);
  }
}
