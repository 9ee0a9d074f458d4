/**
 * Handles data from before the first release: a data directory is refused with a sentence that helps, a snapshot of the last
 * format is taken over. Can be deleted, with the lines that name it, once nobody has such data any more.
 * Invariant: the payloads of the frames are those of format 1; only their numbers and the head differ.
 */
import { KnellError } from '../../lib/errors.ts';

const marker = /^knell data format \d+/;

/** Throws a KnellError `data-dir-unreadable` if `text` marks a data directory from before the first release. */
export function refusePreRelease(dataDir: string, text: string): void {
  if (!marker.test(text)) return;
  const advice =
    'write a snapshot with that version ("knell snapshot") and restore it with this one ("knell restore")';
  throw new KnellError(
    'data-dir-unreadable',
    `the data directory ${dataDir} is older than Knell 1.0: ${advice}`,
  );
}

const magic = Buffer.from('KNELLSNP');
const format = 6;

/** Maps the number that a frame had to its number in format 1. */
const frames: ReadonlyMap<number, number> = new Map([
  ...[[1, 1] as const, [2, 2] as const, [7, 3] as const, [8, 4] as const, [9, 5] as const],
  ...[[10, 6] as const, [12, 7] as const, [13, 8] as const, [22, 9] as const, [11, 10] as const],
  ...[[3, 0x10] as const, [4, 0x20] as const, [5, 0x30] as const, [6, 0x40] as const],
  ...[[20, 0x50] as const, [21, 0x60] as const, [30, 0x70] as const, [255, 255] as const],
]);

/** Whether a snapshot with this head (magic, then its format as u32) can be taken over. */
export function isPreReleaseSnapshot(head: Buffer): boolean {
  return head.subarray(0, magic.length).equals(magic) && head.readUInt32LE(magic.length) === format;
}

/** The number in format 1 of a frame of such a snapshot; 0, which is none, for one that was never written. */
export function frameSinceRelease(kind: number): number {
  return frames.get(kind) ?? 0;
}
