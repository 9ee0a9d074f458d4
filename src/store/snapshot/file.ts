/**
 * Snapshot files: framed writing beside and renaming into place, checked reading. Both stream: memory stays bounded.
 * Invariants: a file under its final name is whole and on disk. A reader has seen the checksum hold before its caller changes
 * anything, since it reads the whole file first.
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import { MB } from '../../lib/units.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import { syncDir } from '../disk/data-dir.ts';
import { isDiskFull } from '../disk/disk-full.ts';
import { snapshotSyncEveryBytes } from '../disk/limits.ts';
import { frameSinceRelease, isPreReleaseSnapshot } from '../disk/pre-release.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import {
  FrameChecker,
  frameBytesMax,
  frameHeadBytes,
  frameKinds,
  type SnapshotCounts,
  snapshotDamaged,
  snapshotFormat,
  snapshotHeadBytes,
  snapshotMagic,
  snapshotTrailBytes,
} from './format.ts';

const bufferBytes = MB;

/** Takes frames; `write` fills in the payload. */
export interface FrameSink {
  frame(kind: number, write: (writer: ByteWriter) => void): void;
}

/** Writes the frames that `source` gives, which returns what it gave, into `file`. */
export function writeSnapshotFile(
  file: string,
  source: (sink: FrameSink) => SnapshotCounts,
): SnapshotSummary {
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`;
  try {
    const summary = writePartial(partial, file, source);
    renameSync(partial, file);
    syncDir(dirname(file));
    return summary;
  } catch (error) {
    rmSync(partial, { force: true });
    throw asKnellError(error, file);
  }
}

function writePartial(
  partial: string,
  file: string,
  source: (sink: FrameSink) => SnapshotCounts,
): SnapshotSummary {
  const fd = openSync(partial, 'wx', 0o600);
  try {
    const output = new FrameOutput(fd);
    const counts = source(output);
    output.frame(frameKinds.end, (writer) => {
      writer.reserve(12);
      writer.u48(counts.checks);
      writer.u48(counts.pings);
    });
    return { file, bytes: output.finish(), ...counts };
  } finally {
    closeSync(fd);
  }
}

function asKnellError(error: unknown, file: string): unknown {
  if (error instanceof KnellError || systemCode(error) === '') return error;
  const isFull = isDiskFull(error, dirname(file));
  const message = `the snapshot ${file} cannot be written: ${messageOf(error)}`;
  return new KnellError(isFull ? 'store-full' : 'snapshot-unwritable', message, { cause: error });
}

class FrameOutput implements FrameSink {
  readonly #fd: number;
  readonly #hash = createHash('sha256');
  readonly #writer = new ByteWriter(2 * bufferBytes);
  #written = 0;
  #syncedAt = 0;

  constructor(fd: number) {
    this.#fd = fd;
    this.#writer.raw(snapshotMagic);
    this.#writer.u32(snapshotFormat);
  }

  frame(kind: number, write: (writer: ByteWriter) => void): void {
    const writer = this.#writer;
    const start = writer.length;
    writer.reserve(frameHeadBytes);
    writer.u8(kind);
    writer.u32(0);
    write(writer);
    writer.patchU32(start + 1, writer.length - start - frameHeadBytes);
    if (writer.length >= bufferBytes) this.#flush();
  }

  /** The length of the whole file, which is on disk then. */
  finish(): number {
    this.#flush();
    this.#put(this.#hash.digest());
    fsyncSync(this.#fd);
    return this.#written;
  }

  #flush(): void {
    const bytes = this.#writer.view();
    this.#hash.update(bytes);
    this.#put(bytes);
    this.#writer.clear();
    if (this.#written - this.#syncedAt < snapshotSyncEveryBytes) return;
    fsyncSync(this.#fd);
    this.#syncedAt = this.#written;
  }

  #put(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at += writeSync(this.#fd, bytes, at);
    this.#written += bytes.length;
  }
}

/** Receives one frame; the payload is gone with the next. */
type FrameVisit = (kind: number, payload: Buffer) => void;

/** Reads `file` to its end and checks all of it, the checksum too, after `visit` was called with the frames. */
export function readSnapshotFile(file: string, visit: FrameVisit, progress: Progress): SnapshotCounts {
  const input = new FrameInput(file);
  try {
    input.readHead();
    const checker = new FrameChecker();
    const reader = new ByteReader();
    while (input.left > 0) {
      const { kind, payload } = input.readFrame();
      orDamaged(() => checker.check(kind, reader.open(payload)));
      visit(kind, payload);
      if (input.turnedBuffer()) progress(input.fraction);
    }
    if (!checker.ended) throw snapshotDamaged('its end is missing');
    input.checkTrail();
    progress(1);
    return checker.counts;
  } finally {
    input.close();
  }
}

interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
}

/** Runs `decode`; bytes that cannot be decoded are damage of the snapshot. */
function orDamaged<Result>(decode: () => Result): Result {
  try {
    return decode();
  } catch (error) {
    if (error instanceof KnellError && error.code === 'store-broken') throw snapshotDamaged(error.message);
    throw error;
  }
}

class FrameInput {
  readonly #file: string;
  readonly #fd: number;
  readonly #size: number;
  readonly #hash = createHash('sha256');
  #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  /** Read into the buffer: from `#at` to `#filled` is still to be used. */
  #at = 0;
  #filled = 0;
  #read = 0;
  #turned = false;
  #isPreRelease = false;

  constructor(file: string) {
    this.#file = file;
    try {
      this.#fd = openSync(file, 'r');
    } catch (error) {
      throw new KnellError('not-found', `the snapshot ${file} cannot be read: ${messageOf(error)}`);
    }
    const stats = fstatSync(this.#fd);
    this.#size = stats.isFile() ? stats.size : 0;
  }

  /** Bytes of frames that are still to come. */
  get left(): number {
    return this.#size - snapshotTrailBytes - this.#read + (this.#filled - this.#at);
  }

  get fraction(): number {
    return this.#read / this.#size;
  }

  turnedBuffer(): boolean {
    const turned = this.#turned;
    this.#turned = false;
    return turned;
  }

  readHead(): void {
    const isLongEnough = this.#size >= snapshotHeadBytes + snapshotTrailBytes;
    const head = isLongEnough ? this.#take(snapshotHeadBytes) : null;
    this.#isPreRelease = head !== null && isPreReleaseSnapshot(head);
    if (this.#isPreRelease) return;
    if (!head?.subarray(0, snapshotMagic.length).equals(snapshotMagic)) {
      throw new KnellError('snapshot-foreign', `${this.#file} is no Knell snapshot`);
    }
    const format = head.readUInt32LE(snapshotMagic.length);
    if (format !== snapshotFormat) {
      const message = `${this.#file} has snapshot format ${format}; this Knell knows none above ${snapshotFormat}`;
      throw new KnellError('snapshot-foreign', message);
    }
  }

  readFrame(): Frame {
    const head = this.#take(frameHeadBytes);
    const written = head.readUInt8(0);
    const kind = this.#isPreRelease ? frameSinceRelease(written) : written;
    const size = head.readUInt32LE(1);
    if (size > frameBytesMax) throw snapshotDamaged('a frame is too long');
    return { kind, payload: this.#take(size) };
  }

  checkTrail(): void {
    const trail = Buffer.alloc(snapshotTrailBytes);
    this.#fill(trail);
    if (!trail.equals(this.#hash.digest())) throw snapshotDamaged('its checksum does not match');
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** The next `size` bytes, in place. */
  #take(size: number): Buffer {
    if (size > this.left) throw snapshotDamaged('it ends too early');
    if (this.#filled - this.#at < size) this.#refill(size);
    this.#at += size;
    return this.#buffer.subarray(this.#at - size, this.#at);
  }

  #refill(size: number): void {
    const rest = this.#filled - this.#at;
    const target = size > this.#buffer.length ? Buffer.allocUnsafeSlow(size) : this.#buffer;
    this.#buffer.copy(target, 0, this.#at, this.#filled);
    this.#buffer = target;
    const space = Math.min(target.length - rest, this.#size - snapshotTrailBytes - this.#read);
    this.#fill(target.subarray(rest, rest + space));
    this.#hash.update(target.subarray(rest, rest + space));
    this.#at = 0;
    this.#filled = rest + space;
    this.#turned = true;
  }

  /** Fills `target` from the current position. */
  #fill(target: Buffer): void {
    let done = 0;
    while (done < target.length) {
      const count = readPart(this.#fd, target, done);
      if (count === 0) throw snapshotDamaged('it ends too early');
      done += count;
    }
    this.#read += done;
  }
}

/** A disk that cannot give back what was written has damaged the file, as far as can be known. */
function readPart(fd: number, target: Buffer, from: number): number {
  try {
    return readSync(fd, target, from, target.length - from, null);
  } catch (error) {
    throw snapshotDamaged(`it cannot be read: ${messageOf(error)}`);
  }
}
