/**
 * A disk in memory behind the `Disk` contract, as unforgiving as POSIX allows: what was not synced is gone after a crash, or
 * half there; names whose directory was not synced are gone; it fills up, stalls, and answers EIO.
 * Not here: the history's tables (`memory-env`), which keep what they committed on the same disk.
 *
 * Invariant: everything that happens by chance comes from `random`, so that a seed gives the same disk.
 */
import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../../../src/store/disk/disk.ts';

interface FileData {
  /** As programs see it. */
  content: Buffer;
  /** What is on the platters. */
  durable: Buffer;
  /** Written and not yet synced: any part of them may reach the platters at a crash. */
  pending: { readonly at: number; readonly bytes: Buffer }[];
}

function systemError(code: 'ENOSPC' | 'EIO' | 'EEXIST', errno: number): Error {
  return Object.assign(new Error(`${code}: simulated`), { code, errno: -errno });
}

const pageBytes = 512;

export interface SimulatedDiskOptions {
  /** 0 to 1; decides which unsynced pages survive a crash. */
  random?(): number;
  readonly capacityBytes?: number;
}

/** Thrown into whatever runs when the machine dies at a sync. */
export class PowerCut extends Error {
  override readonly name = 'PowerCut';
}

export class SimulatedDisk implements Disk {
  /** Called before each sync takes effect; may call `crash` or throw. */
  onSync: (what: string) => void = () => {};
  /** Syncs so far, of files and directories. */
  syncs = 0;
  /** While true, every sync and write fails with EIO. */
  isBroken = false;
  /** While true, syncs succeed and do nothing: what a disk that lies, or a forgotten fsync, amounts to. */
  ignoresSyncs = false;
  readonly #random: () => number;
  readonly #capacityBytes: number;
  #names = new Map<string, FileData>();
  #durableNames = new Map<string, FileData>();
  #dirs = new Set<string>(['/']);
  #durableDirs = new Set<string>(['/']);
  #ballast = 0;
  #isStalled = false;
  #stalled: (() => void)[] = [];
  /** Raised by every crash: what a dead process still holds open does nothing any more. */
  #life = 0;

  constructor({ random = () => 0.5, capacityBytes = 1e9 }: SimulatedDiskOptions = {}) {
    this.#random = random;
    this.#capacityBytes = capacityBytes;
  }

  /** The machine loses power: unsynced pages survive each by chance, unsynced names not at all. */
  crash(): void {
    this.#life++;
    for (const file of new Set([...this.#names.values(), ...this.#durableNames.values()])) this.#settle(file);
    this.#names = new Map(this.#durableNames);
    this.#dirs = new Set(this.#durableDirs);
    this.isBroken = false;
    this.resume();
  }

  /** A process is killed: the page cache stays, open files are gone. */
  kill(): void {
    this.#life++;
    this.resume();
  }

  #settle(file: FileData): void {
    const content = Buffer.from(file.durable);
    let kept: Buffer = content;
    for (const { at, bytes } of file.pending) {
      for (let from = 0; from < bytes.length; from += pageBytes) {
        if (this.#random() < 0.5) continue;
        const part = bytes.subarray(from, from + pageBytes);
        kept = grown(kept, at + from + part.length);
        part.copy(kept, at + from);
      }
    }
    file.content = kept;
    file.durable = Buffer.from(kept);
    file.pending = [];
  }

  /** Leaves not a byte. */
  fill(): void {
    this.#ballast = this.#capacityBytes;
  }

  free(): void {
    this.#ballast = 0;
  }

  get isFull(): boolean {
    return this.#ballast > 0;
  }

  /** Asynchronous calls wait until `resume`. */
  stall(): void {
    this.#isStalled = true;
  }

  resume(): void {
    this.#isStalled = false;
    for (const go of this.#stalled.splice(0)) go();
  }

  /** All bytes that a crash would leave for certain, in the order of their names: two runs of a seed have the same. */
  image(): readonly (readonly [string, Buffer])[] {
    return [...this.#durableNames.entries()]
      .map(([name, { durable }]) => [name, durable] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Another disk with what a power cut at this moment leaves of this one at the least: nothing that was not synced. */
  durableCopy(options?: SimulatedDiskOptions): SimulatedDisk {
    const copy = new SimulatedDisk(options);
    for (const [name, { durable }] of this.#durableNames) {
      const data = { content: Buffer.from(durable), durable: Buffer.from(durable), pending: [] };
      copy.#names.set(name, data);
      copy.#durableNames.set(name, data);
    }
    copy.#dirs = new Set(this.#durableDirs);
    copy.#durableDirs = new Set(this.#durableDirs);
    return copy;
  }

  /** Changes what is on the platters and in the cache, as a damaged sector does. */
  damage(file: string, change: (bytes: Buffer) => Buffer | undefined): void {
    const data = this.#names.get(file);
    if (!data) throw new Error(`no file ${file}`);
    const bytes = Buffer.from(data.content);
    data.content = change(bytes) ?? bytes;
    data.durable = Buffer.from(data.content);
    data.pending = [];
  }

  createDir(dir: string): void {
    if (this.#dirs.has(dir)) return;
    this.createDir(dirname(dir));
    this.#dirs.add(dir);
    this.syncDir(dirname(dir));
  }

  list(dir: string): readonly string[] {
    return [...this.#names.keys()]
      .filter((name) => dirname(name) === dir)
      .map((name) => name.slice(dir.length + 1))
      .sort();
  }

  open(file: string): DiskFile | null {
    const data = this.#names.get(file);
    return data ? this.#handle(file, data) : null;
  }

  create(file: string): DiskFile {
    if (this.#names.has(file)) throw systemError('EEXIST', 17);
    const data: FileData = { content: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] };
    this.#names.set(file, data);
    return this.#handle(file, data);
  }

  async createAsync(file: string): Promise<DiskFile> {
    await this.#turn();
    return this.create(file);
  }

  remove(file: string): void {
    this.#names.delete(file);
  }

  async removeAsync(file: string): Promise<void> {
    await this.#turn();
    this.remove(file);
  }

  rename(from: string, to: string): void {
    const data = this.#names.get(from);
    if (!data) throw new Error(`no file ${from}`);
    this.#names.delete(from);
    this.#names.set(to, data);
  }

  syncDir(dir: string): void {
    this.#sync(dir, () => {
      for (const name of this.#durableNames.keys()) {
        if (dirname(name) === dir && !this.#names.has(name)) this.#durableNames.delete(name);
      }
      for (const [name, data] of this.#names) if (dirname(name) === dir) this.#durableNames.set(name, data);
      for (const name of this.#dirs) if (dirname(name) === dir) this.#durableDirs.add(name);
    });
  }

  async syncDirAsync(dir: string): Promise<void> {
    await this.#turn();
    this.syncDir(dir);
  }

  freeBytes(): number {
    const used = [...this.#names.values()].reduce((sum, { content }) => sum + content.length, this.#ballast);
    return Math.max(0, this.#capacityBytes - used);
  }

  async freeBytesAsync(): Promise<number> {
    await this.#turn();
    return this.freeBytes();
  }

  /** For what else lives on this disk: a commit of so many bytes, durable or an error. */
  commit(what: string, apply: () => void): void {
    if (this.isBroken) throw systemError('EIO', 5);
    if (this.isFull) throw systemError('ENOSPC', 28);
    this.#sync(what, apply);
  }

  /** Distinguishes a process that has died from the one that lives: what this returns is false after a crash or kill. */
  lease(): () => boolean {
    const life = this.#life;
    return () => life === this.#life;
  }

  #sync(what: string, apply: () => void): void {
    if (this.isBroken) throw systemError('EIO', 5);
    this.syncs++;
    this.onSync(what);
    if (!this.ignoresSyncs) apply();
  }

  #turn(): Promise<void> {
    if (!this.#isStalled) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stalled.push(resolve);
    });
  }

  #handle(name: string, data: FileData): DiskFile {
    const isAlive = this.lease();
    const alive = (): void => {
      if (!isAlive()) throw new PowerCut('the process that opened this file is dead');
    };
    const write = (buffers: readonly Buffer[], at: number): void => {
      alive();
      if (this.isBroken) throw systemError('EIO', 5);
      const bytes = Buffer.concat(buffers);
      const grows = Math.max(0, at + bytes.length - data.content.length);
      const fitting = Math.min(grows, this.freeBytes());
      const fits = bytes.subarray(0, bytes.length - (grows - fitting));
      data.content = grown(data.content, at + fits.length);
      fits.copy(data.content, at);
      data.pending.push({ at, bytes: Buffer.from(fits) });
      if (fits.length < bytes.length) throw systemError('ENOSPC', 28);
    };
    const sync = (): void => {
      alive();
      this.#sync(name, () => {
        for (const { at, bytes } of data.pending.splice(0)) {
          data.durable = grown(data.durable, at + bytes.length);
          bytes.copy(data.durable, at);
        }
      });
    };
    return {
      size: () => data.content.length,
      read: (target, at) => data.content.subarray(at, at + target.length).copy(target),
      write,
      writeAsync: async (buffers, at) => {
        await this.#turn();
        write(buffers, at);
      },
      sync,
      syncAsync: async () => {
        await this.#turn();
        sync();
      },
      truncate: (bytes) => {
        data.content = Buffer.from(data.content.subarray(0, bytes));
        data.durable = Buffer.from(data.content);
        data.pending = [];
      },
      close: () => {},
    };
  }
}

function grown(bytes: Buffer, size: number): Buffer {
  if (size <= bytes.length) return bytes;
  const larger = Buffer.alloc(size);
  bytes.copy(larger);
  return larger;
}
