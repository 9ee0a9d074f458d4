/**
 * Which files of the file log are in use, from which batch on, and with which salt: one small file beside them. Written and
 * synced before the first batch goes into a file, so that a file that is missing, or whose head is damaged, is noticed.
 *
 * Two slots are written in turn, each with its generation and a checksum: a write that is cut off leaves the other one whole.
 *
 *     slot    `knellmft`, version u32, count u32, generation f64, last batch at closing f64 (0 while open), entries,
 *             CRC-32 of the bytes before it u32
 *     entry   number of the file u32, salt u32, number of its first batch f64
 *
 * Invariant: entries are in the order of their batches; the last one is the file that is written to.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../lib/errors.ts';
import { kB } from '../../lib/units.ts';
import type { Disk, DiskFile } from '../disk/disk.ts';
import type { SegmentHead } from './segment.ts';

export const manifestName = 'manifest';

export interface ManifestEntry extends SegmentHead {
  /** The number in the name of the file. */
  readonly file: number;
}

const magic = Buffer.from('knellmft');
const version = 1;
const slotBytes = 16 * kB;
const slotHeadBytes = 32;
const entryBytes = 16;

/** Far more files than the fold leaves in use; a start with many (`limits.journalFilesMax`) folds first. */
const manifestEntriesMax = Math.floor((slotBytes - slotHeadBytes - 4) / entryBytes);

interface Slot {
  readonly generation: number;
  readonly closedSeq: number;
  readonly entries: readonly ManifestEntry[];
}

export class Manifest {
  readonly #file: DiskFile;
  #generation: number;
  entries: readonly ManifestEntry[];
  /** The last batch when the log was closed; 0 when it was not closed, or written to since. */
  readonly closedSeq: number;

  private constructor(file: DiskFile, { generation, closedSeq, entries }: Slot) {
    this.#file = file;
    this.#generation = generation;
    this.closedSeq = closedSeq;
    this.entries = entries;
  }

  /** A new manifest without entries, durable. */
  static create(disk: Disk, dir: string, path: string): Manifest {
    const file = disk.create(path);
    file.write([Buffer.alloc(2 * slotBytes)], 0);
    const manifest = new Manifest(file, { generation: 0, closedSeq: 0, entries: [] });
    manifest.write([]);
    disk.syncDir(dir);
    return manifest;
  }

  /** Null when there is no such file; `damaged` when neither slot is whole. */
  static open(disk: Disk, path: string): Manifest | 'damaged' | null {
    const file = disk.open(path);
    if (!file) return null;
    const slots = readSlots(file);
    const newest = slots.reduce<Slot | null>(
      (best, slot) => (slot && slot.generation > (best?.generation ?? -1) ? slot : best),
      null,
    );
    if (newest) return new Manifest(file, newest);
    file.close();
    return 'damaged';
  }

  /** Durable when it returns. After an error the manifest is as it was. */
  write(entries: readonly ManifestEntry[], closedSeq = 0): void {
    const generation = this.#generation + 1;
    this.#file.write([encodeSlot({ generation, closedSeq, entries })], placeOf(generation));
    this.#file.sync();
    this.#wrote(generation, entries);
  }

  async writeAsync(entries: readonly ManifestEntry[]): Promise<void> {
    const generation = this.#generation + 1;
    await this.#file.writeAsync([encodeSlot({ generation, closedSeq: 0, entries })], placeOf(generation));
    await this.#file.syncAsync();
    this.#wrote(generation, entries);
  }

  close(): void {
    this.#file.close();
  }

  #wrote(generation: number, entries: readonly ManifestEntry[]): void {
    this.#generation = generation;
    this.entries = entries;
  }
}

function placeOf(generation: number): number {
  return (generation % 2) * slotBytes;
}

function encodeSlot({ generation, closedSeq, entries }: Slot): Buffer {
  assert(entries.length <= manifestEntriesMax, 'the log is folded before it has this many files');
  const bytes = Buffer.alloc(slotHeadBytes + entries.length * entryBytes + 4);
  magic.copy(bytes);
  bytes.writeUInt32LE(version, 8);
  bytes.writeUInt32LE(entries.length, 12);
  bytes.writeDoubleLE(generation, 16);
  bytes.writeDoubleLE(closedSeq, 24);
  let at = slotHeadBytes;
  for (const { file, salt, firstSeq } of entries) {
    bytes.writeUInt32LE(file, at);
    bytes.writeUInt32LE(salt, at + 4);
    bytes.writeDoubleLE(firstSeq, at + 8);
    at += entryBytes;
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(0, at)), at);
  return bytes;
}

function readSlots(file: DiskFile): (Slot | null)[] {
  return [0, 1].map((index) => {
    const bytes = Buffer.alloc(slotBytes);
    const found = file.read(bytes, index * slotBytes);
    return readSlot(bytes.subarray(0, found));
  });
}

function readSlot(bytes: Buffer): Slot | null {
  if (bytes.length < slotHeadBytes || bytes.compare(magic, 0, magic.length, 0, magic.length) !== 0)
    return null;
  const count = bytes.readUInt32LE(12);
  const end = slotHeadBytes + count * entryBytes;
  if (bytes.readUInt32LE(8) !== version || count > manifestEntriesMax || end + 4 > bytes.length) return null;
  if (bytes.readUInt32LE(end) !== crc32(bytes.subarray(0, end))) return null;
  const entries = Array.from({ length: count }, (_, index) => {
    const at = slotHeadBytes + index * entryBytes;
    return {
      file: bytes.readUInt32LE(at),
      salt: bytes.readUInt32LE(at + 4),
      firstSeq: bytes.readDoubleLE(at + 8),
    };
  });
  return { generation: bytes.readDoubleLE(16), closedSeq: bytes.readDoubleLE(24), entries };
}
