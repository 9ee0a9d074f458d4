/**
 * The few things that the file log asks of a file system, as a contract: `node-disk` is the real one, tests hand in a
 * simulated one that forgets what was not synced. LMDB does not use it for its own files.
 *
 * Invariant: nothing is durable before a sync: bytes by `sync` of their file, names by `syncDir` of their directory.
 */

export interface Disk {
  /** Creates `dir` and its missing parents, readable by their owner only, and makes their names durable. */
  createDir(dir: string): void;
  /** The names in `dir`, in no order; none when `dir` does not exist. */
  list(dir: string): readonly string[];
  /** Null when there is no such file. */
  open(file: string): DiskFile | null;
  /** Fails when the file exists. Its name is durable after `syncDir`. */
  create(file: string): DiskFile;
  createAsync(file: string): Promise<DiskFile>;
  /** No error when it is gone already. Not durable by itself. */
  remove(file: string): void;
  removeAsync(file: string): Promise<void>;
  rename(from: string, to: string): void;
  syncDir(dir: string): void;
  syncDirAsync(dir: string): Promise<void>;
  /** Bytes that this process may still use on the file system of `dir`. */
  freeBytes(dir: string): number;
  freeBytesAsync(dir: string): Promise<number>;
}

/** An open file. Errors carry the system's code and number, as those of `node:fs` do. */
export interface DiskFile {
  /** Bytes in the file. */
  size(): number;
  /** Fills `target` from `at` on; answers how many bytes there were. */
  read(target: Buffer, at: number): number;
  /** All bytes of `buffers`, one after the other, or an error; a part of them may be there after an error. */
  write(buffers: readonly Buffer[], at: number): void;
  writeAsync(buffers: readonly Buffer[], at: number): Promise<void>;
  sync(): void;
  syncAsync(): Promise<void>;
  truncate(bytes: number): void;
  close(): void;
}
