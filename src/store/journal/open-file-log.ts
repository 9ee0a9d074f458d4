/**
 * Opens the file log: reads what the history does not hold, distinguishes a torn end from damage, and makes sure that what was read is
 * on disk before anything builds on it. `file-log` appends.
 *
 * Invariant: nothing is written before everything has been read and found whole. Batches are written and synced one after the
 * other, so the only loss that a crash can leave is the end of the last file; anything else is damage, and is refused.
 */
import { join } from 'node:path';
import type { Disk, DiskFile } from '../disk/disk.ts';
import type { NumberedBatch, OpenedLog } from './batch-log.ts';
import { damaged, type LostBatches, refused } from './damage.ts';
import { FileLog, type FileLogOptions, type SpareFile, segmentName, type UsedFile } from './file-log.ts';
import { Manifest, type ManifestEntry, manifestName } from './manifest.ts';
import { readSegmentHead, SegmentReader } from './segment.ts';

/** The batches that the files hold above the folded ones, and the damage in the files. */
interface FileLogContents {
  readonly tail: readonly NumberedBatch[];
  readonly lost: readonly LostBatches[];
  readonly warnings: readonly string[];
  readonly lastSeq: number;
}

type OpenFileLogOptions = Omit<FileLogOptions, 'manifest'> & {
  readonly foldedSeq: number;
  /** Files that may be in use; with more, the caller folds first. */
  readonly filesMax: number;
};

/** Creates an empty log whose first batch will be `foldedSeq` + 1. */
export function createFileLog(options: OpenFileLogOptions): OpenedLog {
  const { disk, dir, foldedSeq } = options;
  disk.createDir(dir);
  const manifest = Manifest.create(disk, dir, join(dir, manifestName));
  const nextNumber = 1 + Math.max(0, ...numbersIn(disk, dir));
  const log = new FileLog({ ...options, manifest }, { used: [], spare: [], lastSeq: foldedSeq, nextNumber });
  return { log, tail: [], lastSeq: foldedSeq, foldFirst: false, warnings: [] };
}

/** Throws a KnellError `journal-damaged`, having changed nothing, when batches that were durable cannot be read. */
export function openFileLog(options: OpenFileLogOptions): OpenedLog {
  const { disk, dir, foldedSeq } = options;
  const manifest = openManifest(disk, dir);
  const files = new Files(disk, dir);
  try {
    const { tail, lost, warnings, lastSeq, used } = readFiles(files, manifest, foldedSeq);
    const [first] = lost;
    if (first) throw damaged(first);
    rewriteEnd(used.at(-1));
    // A spare file's name may be only in the cache: its Knell was killed between creating it and syncing the directory.
    disk.syncDir(dir);
    const spare = files.spare(new Set(used.map(({ number }) => number)));
    const { nextNumber } = files;
    const log = new FileLog({ ...options, manifest }, { used, spare, lastSeq, nextNumber });
    return { log, tail, lastSeq, foldFirst: used.length > options.filesMax, warnings };
  } catch (error) {
    files.close();
    manifest.close();
    throw error;
  }
}

/** Reads without changing anything, for `knell store`. Damage is reported, not thrown. */
export function inspectFileLog(disk: Disk, dir: string, foldedSeq: number): FileLogContents {
  const manifest = openManifest(disk, dir);
  const files = new Files(disk, dir);
  try {
    return readFiles(files, manifest, foldedSeq);
  } finally {
    files.close();
    manifest.close();
  }
}

function openManifest(disk: Disk, dir: string): Manifest {
  const path = join(dir, manifestName);
  const manifest = Manifest.open(disk, path);
  if (manifest === 'damaged') throw refused(`the journal's manifest ${path} is damaged`);
  if (manifest === null) throw refused(`the journal's manifest ${path} is missing`);
  return manifest;
}

interface Read extends FileLogContents {
  readonly used: readonly UsedFile[];
}

function readFiles(files: Files, { entries, closedSeq }: Manifest, foldedSeq: number): Read {
  const read = new ReadState(foldedSeq);
  for (const [index, entry] of entries.entries()) {
    const nextSeq = entries[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (nextSeq - 1 > foldedSeq) readFile(files, { entry, untilSeq: nextSeq - 1 }, read);
  }
  const listed = new Set(entries.map(({ file }) => file));
  for (const { number, head } of files.heads()) {
    if (listed.has(number) || head === 'empty' || head === 'damaged' || head.firstSeq <= read.lastSeq)
      continue;
    const why = 'holds them, but the manifest does not list it';
    read.lost.push({ file: files.path(number), why, from: head.firstSeq, to: Number.POSITIVE_INFINITY });
  }
  const last = entries.at(-1);
  if (last && closedSeq > read.lastSeq)
    read.missing(files.path(last.file), 'ends too early', read.lastSeq + 1, closedSeq);
  return read;
}

class ReadState implements Read {
  readonly tail: NumberedBatch[] = [];
  readonly lost: LostBatches[] = [];
  readonly warnings: string[] = [];
  readonly used: UsedFile[] = [];
  readonly foldedSeq: number;
  lastSeq: number;

  constructor(foldedSeq: number) {
    this.foldedSeq = foldedSeq;
    this.lastSeq = foldedSeq;
  }

  add(batch: NumberedBatch): void {
    if (batch.seq > this.foldedSeq) this.tail.push(batch);
    this.lastSeq = Math.max(this.lastSeq, batch.seq);
  }

  /** Batches `from` to `to` of `file` cannot be read: no loss as far as the history holds them. */
  missing(file: string, why: string, from: number, to: number): void {
    if (to <= this.foldedSeq)
      this.warnings.push(`${file} ${why}, among batches that the history holds already`);
    else this.lost.push({ file, why, from: Math.max(from, this.foldedSeq + 1), to });
  }
}

interface FileRange {
  readonly entry: ManifestEntry;
  /** The last batch that can be in the file; infinite for the one that is written to. */
  readonly untilSeq: number;
}

/** Reads the batches of one file that is in use. */
function readFile(files: Files, { entry, untilSeq }: FileRange, read: ReadState): void {
  const path = files.path(entry.file);
  const file = files.open(entry.file);
  if (!file) {
    read.missing(path, 'is missing', entry.firstSeq, untilSeq);
    return;
  }
  const reader = new SegmentReader(file, entry);
  const losses = read.lost.length + read.warnings.length;
  for (;;) {
    for (let batch = reader.next(); batch; batch = reader.next()) read.add(batch);
    const from = reader.seq;
    if (from > untilSeq || !reader.resync()) break;
    read.missing(path, 'is damaged', from, reader.seq - 1);
  }
  if (reader.seq <= untilSeq && untilSeq !== Number.POSITIVE_INFINITY)
    read.missing(path, 'ends too early', reader.seq, untilSeq);
  const isHeadWhole = isHeadOf(entry, readSegmentHead(file));
  if (!isHeadWhole && reader.seq > entry.firstSeq)
    read.warnings.push(`the head of ${path} is damaged; its batches are whole`);
  const mayBeReused = losses === read.lost.length + read.warnings.length;
  read.used.push({
    number: entry.file,
    file,
    entry,
    mayBeReused,
    lastSeq: Math.min(reader.seq - 1, untilSeq),
  });
}

function isHeadOf(entry: ManifestEntry, head: ReturnType<typeof readSegmentHead>): boolean {
  return typeof head === 'object' && head.salt === entry.salt && head.firstSeq === entry.firstSeq;
}

/**
 * Writes the last batches anew. The ones that were read may be only in the page cache: after a failed sync, a page that never
 * reached the disk can be marked clean, and no later sync writes it. Written anew and synced, the batches are on disk.
 */
function rewriteEnd(last: UsedFile | undefined): void {
  if (!last) return;
  const bytes = Buffer.allocUnsafeSlow(last.file.size());
  last.file.write([bytes.subarray(0, last.file.read(bytes, 0))], 0);
  last.file.sync();
}

const namePattern = /^(\d+)\.log$/;

function numbersIn(disk: Disk, dir: string): readonly number[] {
  return disk
    .list(dir)
    .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** The files of the directory, each opened once. */
class Files {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #numbers: readonly number[];
  readonly #opened = new Map<number, DiskFile>();

  constructor(disk: Disk, dir: string) {
    this.#disk = disk;
    this.#dir = dir;
    this.#numbers = numbersIn(disk, dir);
  }

  get nextNumber(): number {
    return 1 + Math.max(0, ...this.#numbers);
  }

  path(number: number): string {
    return join(this.#dir, segmentName(number));
  }

  /** Null when it is not there. */
  open(number: number): DiskFile | null {
    const known = this.#opened.get(number);
    if (known) return known;
    const file = this.#disk.open(this.path(number));
    if (file) this.#opened.set(number, file);
    return file;
  }

  *heads(): Generator<{ readonly number: number; readonly head: ReturnType<typeof readSegmentHead> }> {
    for (const number of this.#numbers) {
      const file = this.open(number);
      if (file) yield { number, head: readSegmentHead(file) };
    }
  }

  /** Files that are not in use and may be overwritten: not one whose head is neither empty nor whole. The rest is closed. */
  spare(used: ReadonlySet<number>): readonly SpareFile[] {
    const found: SpareFile[] = [];
    for (const { number, head } of this.heads()) {
      if (used.has(number)) continue;
      const file = this.#opened.get(number);
      if (file && head !== 'damaged') found.push({ number, file });
      else file?.close();
      this.#opened.delete(number);
    }
    return found;
  }

  close(): void {
    for (const file of this.#opened.values()) file.close();
    this.#opened.clear();
  }
}
