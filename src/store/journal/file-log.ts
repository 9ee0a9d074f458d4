/**
 * The batch log as files that are filled with zeros beforehand and used again and again, so that an append changes no
 * metadata: one write and one fdatasync, half the latency of an LMDB commit (`KNELL_JOURNAL=file`).
 * `segment` defines the bytes of a file, `manifest` says which files are in use, `open-file-log` opens the log, and
 * `file-log-reader` reads it for the fold.
 *
 * Invariants: a file is in the manifest before its first batch is written. A file is written again only when the history
 * holds all that is in it. A batch that could not be written leaves nothing behind that counts: the next one, of the same
 * number, takes the very same place. What opening read is never written on.
 */
import { join } from 'node:path';
import { assert } from '../../lib/errors.ts';
import type { Disk, DiskFile } from '../disk/disk.ts';
import { isNoSpace } from '../disk/disk-full.ts';
import { spareFilesMax } from '../disk/limits.ts';
import {
  type AppendOutcome,
  type BatchLog,
  encodeFrameHead,
  frameHeadBytes,
  type NumberedBatch,
} from './batch-log.ts';
import type { Manifest, ManifestEntry } from './manifest.ts';
import { encodeSegmentHead, segmentBytesMax, segmentHeadBytes } from './segment.ts';

/** Files are filled with zeros in steps of this. */
const zeros = Buffer.alloc(250_000);

export function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}.log`;
}

/** A file that can be written: the number in its name, and its open file. */
export interface SpareFile {
  readonly number: number;
  readonly file: DiskFile;
}

export interface UsedFile extends SpareFile {
  readonly entry: ManifestEntry;
  /** False: something in it was damaged. It is kept as evidence and never written again. */
  readonly mayBeReused: boolean;
  lastSeq: number;
}

/** The files that opening found: they hold batches that the history does not hold; the last of them by their numbers. */
interface FoundFiles {
  readonly used: readonly UsedFile[];
  readonly spare: readonly SpareFile[];
  readonly lastSeq: number;
  readonly nextNumber: number;
}

export interface FileLogOptions {
  readonly disk: Disk;
  readonly dir: string;
  readonly manifest: Manifest;
  /** A batch that would go beyond this is put into the next file; at most `segmentBytesMax`. */
  readonly segmentBytes: number;
  /** No append begins with less space than this, plus the batch. */
  readonly freeBytesMin: number;
  /** A number below 2^32 for each use of a file. */
  newSalt(): number;
  /** Whether commits have become so slow that they go to the thread pool. */
  isSlow(): boolean;
}

/** The file that is written to, and where its next frame goes; 0 before the head is written. */
interface Current {
  readonly used: UsedFile;
  at: number;
}

export class FileLog implements BatchLog {
  #lastSeq: number;
  readonly #options: FileLogOptions;
  readonly #used: UsedFile[];
  readonly #spare: SpareFile[];
  #nextNumber: number;
  #current: Current | null = null;
  #preparing: Promise<void> | null = null;

  constructor(options: FileLogOptions, found: FoundFiles) {
    this.#options = options;
    this.#used = [...found.used];
    this.#spare = [...found.spare];
    this.#lastSeq = found.lastSeq;
    this.#nextNumber = found.nextNumber;
    if (this.#spare.length === 0) this.#spare.push(this.#createFilled());
  }

  append(batch: NumberedBatch): AppendOutcome | Promise<AppendOutcome> {
    assert(batch.seq === this.#lastSeq + 1, 'batches are numbered without a gap');
    if (this.#options.isSlow()) return this.#appendAsync(batch).catch(diskFullOrThrow);
    try {
      return this.#append(batch);
    } catch (error) {
      return diskFullOrThrow(error);
    }
  }

  lastNumber(): number {
    return this.#lastSeq;
  }

  release(foldedSeq: number): void {
    while (this.#used.length > 1 && (this.#used[0]?.lastSeq ?? 0) <= foldedSeq) {
      const used = this.#used.shift();
      if (used) this.#setAside(used);
    }
  }

  async close(): Promise<void> {
    await this.#preparing;
    this.#noteEnd();
    for (const { file } of [...this.#used.splice(0), ...this.#spare.splice(0)]) file.close();
    this.#options.manifest.close();
  }

  /** So that a batch that is damaged while Knell is stopped is not taken for a write that was cut off. */
  #noteEnd(): void {
    const { manifest } = this.#options;
    if (this.#current === null) return;
    try {
      manifest.write(manifest.entries, this.#lastSeq);
    } catch {
      // Without the note only the last batch is less well guarded.
    }
  }

  #append(batch: NumberedBatch): AppendOutcome {
    const { disk, dir, manifest } = this.#options;
    if (disk.freeBytes(dir) < this.#bytesNeeded(batch)) return 'disk-full';
    if (!this.#fits(batch)) {
      const spare = this.#spare.pop() ?? this.#create();
      const used = this.#useFrom(batch, spare);
      try {
        manifest.write(this.#entriesWith(used));
      } catch (error) {
        this.#spare.push(spare);
        throw error;
      }
      this.#begin(used);
    }
    const { current, buffers } = this.#place(batch);
    try {
      current.used.file.write(buffers, current.at);
      current.used.file.sync();
    } catch (error) {
      blank(current);
      throw error;
    }
    return this.#written(batch, buffers);
  }

  /** The same in the thread pool. */
  async #appendAsync(batch: NumberedBatch): Promise<AppendOutcome> {
    const { disk, dir, manifest } = this.#options;
    if ((await disk.freeBytesAsync(dir)) < this.#bytesNeeded(batch)) return 'disk-full';
    if (!this.#fits(batch)) {
      const spare = this.#spare.pop() ?? (await this.#createAsync());
      const used = this.#useFrom(batch, spare);
      try {
        await manifest.writeAsync(this.#entriesWith(used));
      } catch (error) {
        this.#spare.push(spare);
        throw error;
      }
      this.#begin(used);
    }
    const { current, buffers } = this.#place(batch);
    try {
      await current.used.file.writeAsync(buffers, current.at);
      await current.used.file.syncAsync();
    } catch (error) {
      blank(current);
      throw error;
    }
    return this.#written(batch, buffers);
  }

  #bytesNeeded({ bytes }: NumberedBatch): number {
    return this.#options.freeBytesMin + bytes.length;
  }

  /**
   * False when the batch needs another file. From then on the old one is left alone, even if this batch fails: the manifest
   * on disk may say already that the number belongs to the next file.
   */
  #fits({ bytes }: NumberedBatch): boolean {
    if (!this.#current) return false;
    const size = frameHeadBytes + bytes.length;
    if ((this.#current.at || segmentHeadBytes) + size <= this.#options.segmentBytes) return true;
    this.#current = null;
    return false;
  }

  #entriesWith(used: UsedFile): readonly ManifestEntry[] {
    return [...this.#used, used].map(({ entry }) => entry);
  }

  #useFrom({ seq }: NumberedBatch, spare: SpareFile): UsedFile {
    const entry = { file: spare.number, salt: this.#options.newSalt(), firstSeq: seq };
    return { ...spare, entry, mayBeReused: true, lastSeq: seq - 1 };
  }

  #begin(used: UsedFile): void {
    this.#used.push(used);
    this.#current = { used, at: 0 };
  }

  #place(batch: NumberedBatch): { readonly current: Current; readonly buffers: readonly Buffer[] } {
    const current = this.#current;
    assert(current !== null, 'there is a file to write to');
    const { salt } = current.used.entry;
    const frame = [encodeFrameHead(batch, salt), batch.bytes];
    const buffers = current.at > 0 ? frame : [encodeSegmentHead(current.used.entry), ...frame];
    const end = buffers.reduce((sum, { length }) => sum + length, current.at);
    assert(end <= segmentBytesMax, 'a batch that could not be read back is never written');
    return { current, buffers };
  }

  #written({ seq }: NumberedBatch, buffers: readonly Buffer[]): AppendOutcome {
    const current = this.#current;
    assert(current !== null, 'the file that was written to is the current one');
    current.at += buffers.reduce((sum, { length }) => sum + length, 0);
    current.used.lastSeq = seq;
    this.#lastSeq = seq;
    if (current.at > this.#options.segmentBytes / 2 && this.#spare.length === 0)
      this.#preparing ??= this.#prepare();
    return 'written';
  }

  /** A new file that grows as it is written: slower, but nothing waits for it to be filled. */
  #create(): SpareFile {
    const { disk, dir } = this.#options;
    const number = this.#nextNumber++;
    const file = disk.create(join(dir, segmentName(number)));
    disk.syncDir(dir);
    return { number, file };
  }

  async #createAsync(): Promise<SpareFile> {
    const { disk, dir } = this.#options;
    const number = this.#nextNumber++;
    const file = await disk.createAsync(join(dir, segmentName(number)));
    await disk.syncDirAsync(dir);
    return { number, file };
  }

  /** A file filled with zeros before the listeners open. On a full disk it grows as it is written, or fails to. */
  #createFilled(): SpareFile {
    const spare = this.#create();
    try {
      for (const { at, bytes } of this.#fillings()) spare.file.write([bytes], at);
      spare.file.sync();
    } catch (error) {
      if (!isNoSpace(error)) throw error;
      spare.file.truncate(0);
    }
    return spare;
  }

  /** A spare file, filled in the thread pool. Without one a file grows; if the disk fails, the next append reports it. */
  async #prepare(): Promise<void> {
    const { disk, dir } = this.#options;
    try {
      const spare = await this.#createAsync();
      try {
        for (const { at, bytes } of this.#fillings()) await spare.file.writeAsync([bytes], at);
        await spare.file.syncAsync();
        this.#spare.push(spare);
      } catch {
        spare.file.close();
        await disk.removeAsync(join(dir, segmentName(spare.number)));
      }
    } catch {
      // Nothing depends on a spare file, nor on the removal of one.
    }
    this.#preparing = null;
  }

  *#fillings(): Generator<{ readonly at: number; readonly bytes: Buffer }> {
    const { segmentBytes } = this.#options;
    for (let at = 0; at < segmentBytes; at += zeros.length)
      yield { at, bytes: zeros.subarray(0, segmentBytes - at) };
  }

  #setAside({ number, file, mayBeReused }: UsedFile): void {
    if (mayBeReused && this.#spare.length < spareFilesMax) {
      this.#spare.push({ number, file });
      return;
    }
    file.close();
    if (!mayBeReused) return;
    const { disk, dir } = this.#options;
    // It does not have to succeed: a file that is there is a spare one after the next start.
    disk.removeAsync(join(dir, segmentName(number))).catch(() => {});
  }
}

function diskFullOrThrow(error: unknown): AppendOutcome {
  if (isNoSpace(error)) return 'disk-full';
  throw error;
}

/** Blanks what a failed write left, so that it is not found after a crash: its senders were answered that it was not recorded. */
function blank({ used, at }: Current): void {
  try {
    used.file.write([Buffer.alloc(segmentHeadBytes + frameHeadBytes)], at);
  } catch {
    // Then it may come back, whole or not at all: a ping that was refused may still be counted.
  }
}
