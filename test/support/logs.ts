/**
 * Every batch log behind one face, for the suite that they share: open, open again as after a crash, read as the fold does.
 */
import { join } from 'node:path';
import type { Disk } from '../../src/store/disk/disk.ts';
import { nodeDisk } from '../../src/store/disk/node-disk.ts';
import type { BatchReader, OpenedLog } from '../../src/store/journal/batch-log.ts';
import { FileLogReader } from '../../src/store/journal/file-log-reader.ts';
import { LmdbLogReader, openLmdbLog } from '../../src/store/journal/lmdb-log.ts';
import { manifestName } from '../../src/store/journal/manifest.ts';
import { createFileLog, openFileLog } from '../../src/store/journal/open-file-log.ts';
import { randomSalt, segmentBytesMax } from '../../src/store/journal/segment.ts';
import { SlowCommitThread } from '../../src/store/journal/slow-commits.ts';
import { builtUrl } from './process/built.ts';
import { SimulatedDisk } from './store/simulated-disk.ts';
import { mountSmallDisk } from './store/small-disk.ts';
import { tempDir } from './temp-dirs.ts';

/** One place where a log is kept, and the logs opened on it one after the other. */
export interface LogPlace {
  open(foldedSeq: number): Promise<OpenedLog>;
  reader(): BatchReader;
  /** From now on appends are handed to a thread, or not. */
  setSlow(isSlow: boolean): void;
}

/** A place whose disk can be filled and freed again. */
export interface FillableLogPlace extends LogPlace {
  fill(): void;
  free(): void;
}

export interface LogKindOfTest {
  readonly name: string;
  create(): LogPlace;
  /** Null where this machine cannot have one. */
  createFillable(): FillableLogPlace | null;
}

const freeBytesMin = 100_000;
export const filesMax = 20;

export function fileLogPlace(disk: Disk, dir: string, segmentBytes = segmentBytesMax): LogPlace {
  let isSlow = false;
  return {
    async open(foldedSeq) {
      const options = {
        disk,
        dir,
        foldedSeq,
        segmentBytes,
        filesMax,
        freeBytesMin,
        newSalt: randomSalt,
        isSlow: () => isSlow,
      };
      return disk.list(dir).includes(manifestName) ? openFileLog(options) : createFileLog(options);
    },
    reader: () => new FileLogReader(disk, dir),
    setSlow: (value) => {
      isSlow = value;
    },
  };
}

function lmdbPlace(dataDir: string): LogPlace {
  let isSlow = false;
  return {
    open: (foldedSeq) =>
      openLmdbLog({
        dataDir,
        foldedSeq,
        freeBytesMin,
        freeBytes: () => nodeDisk.freeBytes(dataDir),
        isSlow: () => isSlow,
        slowCommits: new SlowCommitThread(builtUrl('store/journal/commit-worker.js'), { dataDir }),
      }),
    reader: () => new LmdbLogReader(dataDir),
    setSlow: (value) => {
      isSlow = value;
    },
  };
}

const smallDiskBytes = 24_000_000;

function onSmallDisk(placeIn: (dir: string) => LogPlace): FillableLogPlace | null {
  const disk = mountSmallDisk(smallDiskBytes);
  return disk && { ...placeIn(disk.dir), fill: disk.fill, free: disk.free };
}

function simulatedPlace(): FillableLogPlace {
  const disk = new SimulatedDisk({ capacityBytes: smallDiskBytes });
  const place = fileLogPlace(disk, '/journal', 64_000);
  return { ...place, fill: () => disk.fill(), free: () => disk.free() };
}

export const logsOfTest: readonly LogKindOfTest[] = [
  { name: 'lmdb', create: () => lmdbPlace(tempDir()), createFillable: () => onSmallDisk(lmdbPlace) },
  {
    name: 'file',
    create: () => fileLogPlace(nodeDisk, join(tempDir(), 'journal')),
    createFillable: () => onSmallDisk((dir) => fileLogPlace(nodeDisk, join(dir, 'journal'))),
  },
  { name: 'simulated', create: simulatedPlace, createFillable: simulatedPlace },
];
