/**
 * The real file system behind the `Disk` contract. Synchronous calls for quick disks, `Async` ones in Node's thread pool.
 * Invariant: a short write is continued until all is written or the reason for it is known.
 */
import {
  close,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  ftruncateSync,
  open,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type StatsFs,
  statfs,
  statfsSync,
  unlink,
  write,
  writeSync,
  writev,
  writevSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from '../../lib/errors.ts';
import { createDir, syncDir } from './data-dir.ts';
import type { Disk, DiskFile } from './disk.ts';

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

export const nodeDisk: Disk = {
  createDir,
  list: (dir) => orNull(() => readdirSync(dir)) ?? [],
  open: (file) => {
    const fd = orNull(() => openSync(file, 'r+'));
    return fd === null ? null : new NodeFile(fd);
  },
  create: (file) => new NodeFile(openSync(file, 'wx+', 0o600)),
  createAsync: async (file) => new NodeFile(await inPool.open(file, 'wx+', 0o600)),
  remove: (file) => rmSync(file, { force: true }),
  async removeAsync(file) {
    try {
      await inPool.unlink(file);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  },
  rename: (from, to) => renameSync(from, to),
  syncDir,
  async syncDirAsync(dir) {
    const fd = await inPool.open(dir, 'r');
    try {
      await inPool.fsync(fd);
    } finally {
      await inPool.close(fd);
    }
  },
  freeBytes: (dir) => usableBytes(statfsSync(dir)),
  freeBytesAsync: async (dir) => usableBytes(await inPool.statfs(dir)),
};

/** The superuser may use what a file system keeps in reserve. */
const mayUseReserve = process.getuid?.() === 0;

function usableBytes({ bsize, bfree, bavail }: StatsFs): number {
  return (mayUseReserve ? bfree : bavail) * bsize;
}

function orNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

class NodeFile implements DiskFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  size(): number {
    return fstatSync(this.#fd).size;
  }

  read(target: Buffer, at: number): number {
    let done = 0;
    while (done < target.length) {
      const count = readSync(this.#fd, target, done, target.length - done, at + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  /** A full disk shows as a short write first: the rest is tried, and that fails with the reason. */
  write(buffers: readonly Buffer[], at: number): void {
    const bytes = lengthOf(buffers);
    let written = writevSync(this.#fd, buffers, at);
    if (written === bytes) return;
    const whole = Buffer.concat(buffers);
    while (written < bytes) written += writeSync(this.#fd, whole, written, bytes - written, at + written);
  }

  async writeAsync(buffers: readonly Buffer[], at: number): Promise<void> {
    const bytes = lengthOf(buffers);
    let written = (await inPool.writev(this.#fd, [...buffers], at)).bytesWritten;
    if (written === bytes) return;
    const whole = Buffer.concat(buffers);
    while (written < bytes) {
      const rest = await inPool.write(this.#fd, whole, written, bytes - written, at + written);
      written += rest.bytesWritten;
    }
  }

  sync(): void {
    fdatasyncSync(this.#fd);
  }

  async syncAsync(): Promise<void> {
    await inPool.fdatasync(this.#fd);
  }

  truncate(bytes: number): void {
    ftruncateSync(this.#fd, bytes);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function lengthOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}
