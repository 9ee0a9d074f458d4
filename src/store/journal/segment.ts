/**
 * The bytes of one file of the journal: a head, then batches, each in a frame of its own. Not here: which files there are
 * (`file-log`), what a batch says (`records`).
 *
 *     head    `knelljnl`, version u32, salt u32, number of the first batch f64, CRC-32 of the bytes before it u32, 4 bytes 0
 *     frame   length of the batch u32, its number f64, CRC-32 of both and of the batch, begun with the salt, u32; the batch
 *
 * Invariant: what is behind the last whole frame counts for nothing, whatever it is: the rest of a write that was cut off,
 * zeros of the preallocation, frames of an earlier use of the file. Neither of them can pass for the next batch: its number
 * is known, and the salt is new with each use of the file and known to nobody, so no body of a ping can hold a frame.
 */
import { randomInt } from 'node:crypto';
import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { kB, MB } from '../../lib/units.ts';

/** A frame is put into the next file where it would go beyond this. Small: a fresh installation has one file. */
export const segmentBytes = 4 * MB;
export const segmentHeadBytes = 32;
export const frameHeadBytes = 16;

const magic = Buffer.from('knelljnl');
const version = 1;
const windowBytes = 256 * kB;

export interface NumberedBatch {
  readonly seq: number;
  readonly bytes: Buffer;
}

export interface SegmentHead {
  readonly salt: number;
  /** The number of the batch in its first frame. */
  readonly firstSeq: number;
}

export function newSegmentHead(firstSeq: number): SegmentHead {
  return { salt: randomInt(2 ** 32), firstSeq };
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

/** Null for a file that holds no batch: a spare one, or one whose first write was cut off. */
export function readSegmentHead(fd: number): SegmentHead | null {
  const bytes = Buffer.alloc(segmentHeadBytes);
  if (readSync(fd, bytes, 0, segmentHeadBytes, 0) < segmentHeadBytes) return null;
  if (bytes.compare(magic, 0, magic.length, 0, magic.length) !== 0) return null;
  if (bytes.readUInt32LE(8) !== version) return null;
  if (bytes.readUInt32LE(24) !== crc32(bytes.subarray(0, 24))) return null;
  return { salt: bytes.readUInt32LE(12), firstSeq: bytes.readDoubleLE(16) };
}

export function encodeFrameHead({ seq, bytes }: NumberedBatch, salt: number): Buffer {
  const head = Buffer.allocUnsafe(frameHeadBytes);
  head.writeUInt32LE(bytes.length, 0);
  head.writeDoubleLE(seq, 4);
  head.writeUInt32LE(checksum(head, bytes, salt), 12);
  return head;
}

function checksum(head: Buffer, batch: Buffer, salt: number): number {
  return crc32(batch, crc32(head.subarray(0, 12), salt));
}

/** Reads the batches of one file in order. Reads ahead: what is appended later is seen only after `refresh`. */
export class SegmentReader {
  /** The number of the batch that `next` would give. */
  seq: number;
  readonly #fd: number;
  readonly #salt: number;
  #at = segmentHeadBytes;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;

  constructor(fd: number, head: SegmentHead) {
    this.#fd = fd;
    this.#salt = head.salt;
    this.seq = head.firstSeq;
  }

  refresh(): void {
    this.#window = Buffer.alloc(0);
  }

  /** Null behind the last whole frame. */
  next(): NumberedBatch | null {
    const head = this.#read(this.#at, frameHeadBytes);
    if (!head) return null;
    const size = head.readUInt32LE(0);
    if (size === 0 || size > segmentBytes || head.readDoubleLE(4) !== this.seq) return null;
    const bytes = this.#read(this.#at + frameHeadBytes, size);
    if (!bytes || head.readUInt32LE(12) !== checksum(head, bytes, this.#salt)) return null;
    this.#at += frameHeadBytes + size;
    return { seq: this.seq++, bytes };
  }

  /** Null where the file is shorter. */
  #read(at: number, size: number): Buffer | null {
    const start = at - this.#windowAt;
    if (start >= 0 && start + size <= this.#window.length) return this.#window.subarray(start, start + size);
    // Not the old window again: what was read from it is still in use.
    const window = Buffer.allocUnsafeSlow(Math.max(windowBytes, size));
    const found = readSync(this.#fd, window, 0, window.length, at);
    this.#window = window.subarray(0, found);
    this.#windowAt = at;
    return found < size ? null : this.#window.subarray(0, size);
  }
}
