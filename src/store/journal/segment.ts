/**
 * The bytes of one file of the file log: a head, then batches, each in a frame of its own. `manifest` and `file-log` know
 * which files there are, `batch-log` computes a frame's checksum, and `codec/records` says what a batch contains.
 *
 *     head    `knelljnl`, version u32, salt u32, number of the first batch f64, CRC-32 of the bytes before it u32, 4 bytes 0
 *     frame   length of the batch u32, its number f64, checksum u32; the batch
 *
 * Invariant: behind the last whole frame nothing counts, whatever it is: the rest of a write that was cut off, zeros of the
 * preallocation, frames of an earlier use of the file. None of them can pass for a batch: the salt is new with each use.
 */
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { kB, MB } from '../../lib/units.ts';
import type { DiskFile } from '../disk/disk.ts';
import { frameHeadBytes, isWholeFrame, type NumberedBatch, readFrameHead } from './batch-log.ts';

/** The largest a file can be. Small: a fresh installation has one file. */
export const segmentBytesMax = 4 * MB;
export const segmentHeadBytes = 32;

const magic = Buffer.from('knelljnl');
const version = 1;
const windowBytes = 256 * kB;
/** Compared at once with what may be the rest of the preallocation. */
const zeros = Buffer.alloc(4 * kB);
/** Of the length with which a frame begins. */
const lengthBytes = 4;

export interface SegmentHead {
  readonly salt: number;
  /** The number of the batch in its first frame. */
  readonly firstSeq: number;
}

/** Known to nobody outside, so that no body of a ping can hold a frame. */
export function randomSalt(): number {
  return randomInt(2 ** 32);
}

export function encodeSegmentHead({ salt, firstSeq }: SegmentHead): Buffer {
  const bytes = Buffer.alloc(segmentHeadBytes);
  magic.copy(bytes);
  bytes.writeUInt32LE(version, 8);
  bytes.writeUInt32LE(salt, 12);
  bytes.writeDoubleLE(firstSeq, 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 24)), 24);
  return bytes;
}

/** `empty`: never used, all zeros or too short. `damaged`: something else than a head. */
export function readSegmentHead(file: DiskFile): SegmentHead | 'empty' | 'damaged' {
  const bytes = Buffer.alloc(segmentHeadBytes);
  if (file.read(bytes, 0) < segmentHeadBytes || bytes.every((byte) => byte === 0)) return 'empty';
  const isHead =
    bytes.compare(magic, 0, magic.length, 0, magic.length) === 0 &&
    bytes.readUInt32LE(8) === version &&
    bytes.readUInt32LE(24) === crc32(bytes.subarray(0, 24));
  return isHead ? { salt: bytes.readUInt32LE(12), firstSeq: bytes.readDoubleLE(16) } : 'damaged';
}

/** Reads the batches of one file in order. Reads ahead: what is appended later is seen only after `refresh`. */
export class SegmentReader {
  /** The number of the batch that `next` would give. */
  seq: number;
  /** Offset behind the last frame that was read. */
  at = segmentHeadBytes;
  readonly #file: DiskFile;
  readonly #salt: number;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;

  constructor(file: DiskFile, head: SegmentHead) {
    this.#file = file;
    this.#salt = head.salt;
    this.seq = head.firstSeq;
  }

  refresh(): void {
    this.#window = Buffer.alloc(0);
  }

  /** Null where no whole frame of the next number follows: behind the last one, or at damage. */
  next(): NumberedBatch | null {
    const head = this.#read(this.at, frameHeadBytes);
    if (!head) return null;
    const { size, seq } = readFrameHead(head, 0);
    if (seq !== this.seq || !isPlausible(size)) return null;
    const frame = this.#read(this.at, frameHeadBytes + size);
    if (!frame || !isWholeFrame(frame, 0, this.#salt)) return null;
    this.at += frame.length;
    return { seq: this.seq++, bytes: frame.subarray(frameHeadBytes) };
  }

  /**
   * Goes to the next whole frame behind this place, whose number is higher than the one that `next` failed to read; false when
   * there is none. Frames are synced one after the other: behind a write that was cut off no whole frame can follow, so
   * finding one means that what lies before it was damaged after it was durable.
   */
  resync(): boolean {
    const rest = Buffer.allocUnsafeSlow(Math.max(0, this.#file.size() - this.at));
    const bytes = rest.subarray(0, this.#file.read(rest, this.at));
    for (let at = 1; at + frameHeadBytes <= bytes.length; at++) {
      const { size, seq } = readFrameHead(bytes, at);
      if (size === 0) at = lastWithoutFrame(bytes, at);
      if (!isPlausible(size) || at + frameHeadBytes + size > bytes.length) continue;
      if (!(seq > this.seq && Number.isSafeInteger(seq)) || !isWholeFrame(bytes, at, this.#salt)) continue;
      this.at += at;
      this.seq = seq;
      return true;
    }
    return false;
  }

  /** Null where the file is shorter. */
  #read(at: number, size: number): Buffer | null {
    const start = at - this.#windowAt;
    if (start >= 0 && start + size <= this.#window.length) return this.#window.subarray(start, start + size);
    // Not the old window again: what was read from it is still in use.
    const window = Buffer.allocUnsafeSlow(Math.max(windowBytes, size));
    this.#window = window.subarray(0, this.#file.read(window, at));
    this.#windowAt = at;
    return this.#window.length < size ? null : this.#window.subarray(0, size);
  }
}

/**
 * From an offset at which the length of a frame would be 0, the last one that is known to be like it. A file is filled with zeros
 * beforehand: to try each of its four million offsets was most of the time of an open.
 */
function lastWithoutFrame(bytes: Buffer, at: number): number {
  let next = at + 1;
  while (next + zeros.length <= bytes.length && zeros.equals(bytes.subarray(next, next + zeros.length)))
    next += zeros.length - lengthBytes + 1;
  return next - 1;
}

function isPlausible(size: number): boolean {
  return size > 0 && size <= segmentBytesMax - segmentHeadBytes - frameHeadBytes;
}
