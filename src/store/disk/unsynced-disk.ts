/**
 * A disk whose files are never synced: for what is only a copy of something durable elsewhere. Names of files neither.
 * Invariant: after `kill -9` all that was written is there; after a power cut nothing is certain.
 */
import type { Disk, DiskFile } from './disk.ts';
import { freeSpaceKnownMs } from './limits.ts';

export function unsynced(disk: Disk): Disk {
  return {
    ...disk,
    open: (file) => {
      const opened = disk.open(file);
      return opened && new UnsyncedFile(opened);
    },
    create: (file) => new UnsyncedFile(disk.create(file)),
    createAsync: async (file) => new UnsyncedFile(await disk.createAsync(file)),
    syncDir: () => {},
    syncDirAsync: async () => {},
    freeBytes: freeBytesNowAndThen(disk),
  };
}

function freeBytesNowAndThen(disk: Disk): Disk['freeBytes'] {
  const asked = new Map<string, { readonly atMs: number; readonly bytes: number }>();
  return (dir) => {
    const atMs = performance.now();
    const latest = asked.get(dir);
    if (latest && atMs - latest.atMs < freeSpaceKnownMs) return latest.bytes;
    const bytes = disk.freeBytes(dir);
    asked.set(dir, { atMs, bytes });
    return bytes;
  };
}

class UnsyncedFile implements DiskFile {
  readonly #file: DiskFile;

  constructor(file: DiskFile) {
    this.#file = file;
  }

  size(): number {
    return this.#file.size();
  }

  read(target: Buffer, at: number): number {
    return this.#file.read(target, at);
  }

  write(buffers: readonly Buffer[], at: number): void {
    this.#file.write(buffers, at);
  }

  writeAsync(buffers: readonly Buffer[], at: number): Promise<void> {
    return this.#file.writeAsync(buffers, at);
  }

  sync(): void {}

  async syncAsync(): Promise<void> {}

  truncate(bytes: number): void {
    this.#file.truncate(bytes);
  }

  close(): void {
    this.#file.close();
  }
}
