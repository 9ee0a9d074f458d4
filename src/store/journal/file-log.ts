/**
 * The journal on disk: files that are filled with zeros beforehand and used again and again, so that a commit changes no
 * metadata: one write and one fdatasync, a quarter of the time of an LMDB commit (measured: 0.12 ms and 0.45 ms).
 * Not here: the bytes of a file (`segment`), reading (`file-log-reader`), when a batch is due (`group-commit`).
 *
 * Invariants: a batch is on disk when `commit` returns or `commitElsewhere` resolves. Numbers are consecutive. A file is
 * written again only when the history holds all that is in it. A batch that could not be written has left nothing behind
 * that counts: the next one, of the same number, takes the very same place.
 */
import {
  close,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  open,
  openSync,
  type StatsFs,
  statfs,
  statfsSync,
  unlink,
  write,
  writeSync,
  writev,
  writevSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert, KnellError } from '../../lib/errors.ts';
import { kB } from '../../lib/units.ts';
import { createDir, syncDir } from '../data-dir.ts';
import { JournalReader, segmentName, segmentNames } from './file-log-reader.ts';
import {
  encodeFrameHead,
  encodeSegmentHead,
  frameHeadBytes,
  type NumberedBatch,
  newSegmentHead,
  readSegmentHead,
  segmentBytes,
  segmentHeadBytes,
} from './segment.ts';

/** Files kept for later use beyond those in use: what the fold frees at once under the heaviest load comes back soon. */
const spareFilesMax = 8;
/** Some pages: as little as a fold can do with. */
const freeBytesMin = 64 * kB;
const zeros = Buffer.alloc(segmentBytes / 16);

interface Segment {
  readonly file: string;
  readonly fd: number;
  salt: number;
  /** Where the next frame goes; 0 before the head is written. */
  at: number;
  lastSeq: number;
}

interface Place {
  readonly segment: Segment;
  readonly buffers: Buffer[];
  readonly bytes: number;
  readonly salt: number;
}

export class JournalLog {
  /** The number of the latest batch. */
  lastSeq: number;
  readonly #dir: string;
  /** The one that is written to is the last. */
  readonly #used: Segment[] = [];
  readonly #spare: Segment[] = [];
  #nextNumber = 1;
  #preparing: Promise<void> | null = null;

  private constructor(dir: string, lastSeq: number) {
    this.#dir = dir;
    this.lastSeq = lastSeq;
  }

  /**
   * Opens (or creates) the journal in `dir`. `tail` has the batches above `foldedSeq`, all that the history does not hold.
   * Throws a KnellError `data-dir-unreadable` when some that must be there are not.
   */
  static open(dir: string, foldedSeq: number): { log: JournalLog; tail: readonly NumberedBatch[] } {
    createDir(dir);
    const reader = new JournalReader(dir);
    const tail = reader.readAfter(foldedSeq, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    reader.close();
    const log = new JournalLog(dir, tail.at(-1)?.seq ?? foldedSeq);
    log.#openFiles(foldedSeq);
    return { log, tail };
  }

  commit(batch: NumberedBatch): void {
    refuseIfFull(statfsSync(this.#dir));
    const place = this.#place(batch);
    try {
      writeWhole(place);
      fdatasyncSync(place.segment.fd);
    } catch (error) {
      blank(place.segment);
      throw error;
    }
    this.#committed(place, batch);
  }

  /** The same in the thread pool, for slow disks. One batch at a time. */
  async commitElsewhere(batch: NumberedBatch): Promise<void> {
    refuseIfFull(await inPool.statfs(this.#dir));
    const place = this.#place(batch);
    try {
      await writeWholeElsewhere(place);
      await inPool.fdatasync(place.segment.fd);
    } catch (error) {
      blank(place.segment);
      throw error;
    }
    this.#committed(place, batch);
  }

  /** The history holds everything up to `foldedSeq`: files that hold no more than that may be written again. */
  release(foldedSeq: number): void {
    while (this.#used.length > 1 && (this.#used[0]?.lastSeq ?? 0) <= foldedSeq) {
      const segment = this.#used.shift();
      if (segment) this.#setAside(segment);
    }
  }

  async close(): Promise<void> {
    await this.#preparing;
    for (const { fd } of [...this.#used.splice(0), ...this.#spare.splice(0)]) closeSync(fd);
  }

  #openFiles(foldedSeq: number): void {
    const found: { readonly segment: Segment; readonly firstSeq: number }[] = [];
    for (const name of segmentNames(this.#dir)) {
      const file = join(this.#dir, name);
      const fd = openSync(file, 'r+');
      const firstSeq = readSegmentHead(fd)?.firstSeq ?? 0;
      found.push({ segment: { file, fd, salt: 0, at: 0, lastSeq: 0 }, firstSeq });
      this.#nextNumber = Math.max(this.#nextNumber, Number.parseInt(name, 10) + 1);
    }
    found.sort((a, b) => a.firstSeq - b.firstSeq);
    for (const [index, { segment, firstSeq }] of found.entries()) {
      if (firstSeq > this.lastSeq + 1) throw this.#damaged(firstSeq);
      const next = found[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
      segment.lastSeq = Math.min(next - 1, this.lastSeq);
      if (firstSeq > 0 && firstSeq <= this.lastSeq && segment.lastSeq > foldedSeq) {
        // Written is not yet synced, if a kill came between: what follows must not outlive it.
        fdatasyncSync(segment.fd);
        this.#used.push(segment);
        continue;
      }
      // Its first write was cut off: two files must never claim to begin with the same batch.
      if (firstSeq > this.lastSeq) eraseHead(segment.fd);
      this.#setAside(segment);
    }
    // What was written last is never written on: behind its last frame may stand the rest of one that was cut off.
    const fresh = this.#spare.pop() ?? this.#createFilled();
    fresh.lastSeq = this.lastSeq;
    this.#used.push(fresh);
  }

  #damaged(firstSeq: number): KnellError {
    const message = `the journal in ${this.#dir} is damaged: batch ${this.lastSeq + 1} cannot be read, though ${firstSeq} is there`;
    return new KnellError('data-dir-unreadable', message);
  }

  #place(batch: NumberedBatch): Place {
    assert(batch.seq === this.lastSeq + 1, 'batches are numbered without a gap');
    const size = frameHeadBytes + batch.bytes.length;
    let segment = this.#used.at(-1);
    if (!segment || segment.at + size > segmentBytes) {
      // From here on the old file is left alone, even if this batch fails and the next one would fit into it.
      segment = this.#spare.pop() ?? this.#create();
      segment.at = 0;
      segment.lastSeq = this.lastSeq;
      this.#used.push(segment);
    }
    if (segment.at > 0) {
      const buffers = [encodeFrameHead(batch, segment.salt), batch.bytes];
      return { segment, buffers, bytes: size, salt: segment.salt };
    }
    const head = newSegmentHead(batch.seq);
    const buffers = [encodeSegmentHead(head), encodeFrameHead(batch, head.salt), batch.bytes];
    return { segment, buffers, bytes: segmentHeadBytes + size, salt: head.salt };
  }

  #committed({ segment, bytes, salt }: Place, { seq }: NumberedBatch): void {
    segment.salt = salt;
    segment.at += bytes;
    segment.lastSeq = seq;
    this.lastSeq = seq;
    if (segment.at > segmentBytes / 2 && this.#spare.length === 0) this.#preparing ??= this.#prepare();
  }

  /** A new file that grows as it is written: slower, but nobody waits for it to be filled. */
  #create(): Segment {
    const file = this.#nextFile();
    const fd = openSync(file, 'wx+', 0o600);
    syncDir(this.#dir);
    return { file, fd, salt: 0, at: 0, lastSeq: 0 };
  }

  /** A file that is filled with zeros before anybody is served. On a full disk it grows as it is written, or fails to. */
  #createFilled(): Segment {
    const segment = this.#create();
    try {
      for (let at = 0; at < segmentBytes; at += zeros.length)
        writeSync(segment.fd, zeros, 0, zeros.length, at);
      fsyncSync(segment.fd);
    } catch {
      ftruncateSync(segment.fd);
    }
    return segment;
  }

  /** A spare file, made in the thread pool. Without one a file grows; what is wrong with the disk, the next commit tells. */
  async #prepare(): Promise<void> {
    const file = this.#nextFile();
    try {
      const fd = await inPool.open(file, 'wx+', 0o600);
      try {
        for (let at = 0; at < segmentBytes; at += zeros.length)
          await inPool.write(fd, zeros, 0, zeros.length, at);
        await inPool.fsync(fd);
        await syncDirElsewhere(this.#dir);
        this.#spare.push({ file, fd, salt: 0, at: 0, lastSeq: 0 });
      } catch {
        await inPool.close(fd);
        await inPool.unlink(file);
      }
    } catch {
      // Nothing depends on a spare file, nor on the removal of one.
    }
    this.#preparing = null;
  }

  #nextFile(): string {
    return join(this.#dir, segmentName(this.#nextNumber++));
  }

  #setAside(segment: Segment): void {
    segment.at = 0;
    if (this.#spare.length < spareFilesMax) {
      this.#spare.push(segment);
      return;
    }
    // Neither has to succeed: a file that is there is a spare one after the next start.
    close(segment.fd, () => {});
    unlink(segment.file, () => {});
  }
}

const inPool = {
  open: promisify(open),
  close: promisify(close),
  unlink: promisify(unlink),
  write: promisify(write),
  writev: promisify(writev),
  fsync: promisify(fsync),
  fdatasync: promisify(fdatasync),
  statfs: promisify(statfs),
};

async function syncDirElsewhere(dir: string): Promise<void> {
  const fd = await inPool.open(dir, 'r');
  try {
    await inPool.fsync(fd);
  } finally {
    await inPool.close(fd);
  }
}

/** The superuser may use what a file system keeps in reserve. */
const mayUseReserve = process.getuid?.() === 0;

/**
 * The journal has room of its own on a full disk, but what it takes must find room in the history too: to go on would
 * be to promise what soon cannot be kept, and to hide from the owner that the disk is full.
 */
function refuseIfFull({ bsize, bfree, bavail }: StatsFs): void {
  if ((mayUseReserve ? bfree : bavail) * bsize >= freeBytesMin) return;
  throw Object.assign(new Error('ENOSPC: no space left on device'), {
    code: 'ENOSPC',
    errno: -constants.errno.ENOSPC,
  });
}

/** A full disk shows as a short write first: the rest is tried, and that fails with the reason. */
function writeWhole({ segment: { fd, at }, buffers, bytes }: Place): void {
  let written = writevSync(fd, buffers, at);
  if (written === bytes) return;
  const whole = Buffer.concat(buffers);
  while (written < bytes) written += writeSync(fd, whole, written, bytes - written, at + written);
}

async function writeWholeElsewhere({ segment: { fd, at }, buffers, bytes }: Place): Promise<void> {
  let written = (await inPool.writev(fd, buffers, at)).bytesWritten;
  const whole = written < bytes ? Buffer.concat(buffers) : zeros;
  while (written < bytes) {
    written += (await inPool.write(fd, whole, written, bytes - written, at + written)).bytesWritten;
  }
}

function eraseHead(fd: number): void {
  writeSync(fd, zeros, 0, segmentHeadBytes, 0);
  fdatasyncSync(fd);
}

/** What a failed write left must not be found after a crash: its senders were told that it was in vain. */
function blank({ fd, at }: Segment): void {
  try {
    writeSync(fd, zeros, 0, segmentHeadBytes + frameHeadBytes, at);
  } catch {
    // Then it may come back, whole or not at all: a ping that was refused may still be counted.
  }
}
