/** The file log beyond the contract: what a crash leaves, what damage looks like and how the two are distinguished. */

import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeFrameHead,
  frameHeadBytes,
  type NumberedBatch,
  type OpenedLog,
} from '../../../src/store/journal/batch-log.ts';
import { segmentName } from '../../../src/store/journal/file-log.ts';
import { Manifest, manifestName } from '../../../src/store/journal/manifest.ts';
import { openFileLog } from '../../../src/store/journal/open-file-log.ts';
import { encodeSegmentHead, SegmentReader, segmentHeadBytes } from '../../../src/store/journal/segment.ts';
import { fileLogPlace, filesMax } from '../../support/logs.ts';
import { isLong } from '../../support/long.ts';
import { PowerCut, SimulatedDisk } from '../../support/store/simulated-disk.ts';

const dir = '/journal';
const segmentBytes = 4096;
const size = 100;
const frameBytes = frameHeadBytes + size;
const perFile = Math.floor((segmentBytes - segmentHeadBytes) / frameBytes);
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

function batchOf(seq: number, bytes = size): NumberedBatch {
  return { seq, bytes: Buffer.alloc(bytes, seq % 251) };
}

/** A log on a disk of its own. */
class Bench {
  readonly disk: SimulatedDisk;
  #opened: OpenedLog | null = null;

  constructor(random?: () => number) {
    this.disk = new SimulatedDisk({ ...(random ? { random } : {}), capacityBytes: 1e7 });
  }

  async open(foldedSeq = 0): Promise<OpenedLog> {
    this.#opened = await fileLogPlace(this.disk, dir, segmentBytes).open(foldedSeq);
    return this.#opened;
  }

  append(from: number, to: number): void {
    for (let seq = from; seq <= to; seq++) expect(this.#opened?.log.append(batchOf(seq))).toBe('written');
  }

  /** The process is gone; the files are as they are. */
  kill(): void {
    this.disk.kill();
  }

  async seqs(foldedSeq = 0): Promise<readonly number[]> {
    this.kill();
    return (await this.open(foldedSeq)).tail.map(({ seq }) => seq);
  }

  file(number: number): string {
    return join(dir, segmentName(number));
  }

  /** The bytes of all files, to see that nothing was touched. */
  image(): string {
    return JSON.stringify(this.disk.image().map(([name, bytes]) => [name, bytes.toString('base64')]));
  }
}

async function filled(last: number): Promise<Bench> {
  const bench = new Bench();
  await bench.open();
  bench.append(1, last);
  bench.kill();
  return bench;
}

describe('a crash', () => {
  test('at any sync, with any unsynced page kept or lost, loses nothing that was acknowledged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async (cutAt, chance) => {
          const bench = new Bench(() => chance.next().value ?? 0);
          let acknowledged = 0;
          try {
            await bench.open();
            bench.disk.onSync = () => {
              if (bench.disk.syncs <= cutAt) return;
              bench.disk.onSync = () => {};
              bench.disk.crash();
              throw new PowerCut();
            };
            for (let seq = 1; seq <= 3 * perFile; seq++) {
              bench.append(seq, seq);
              acknowledged = seq;
            }
          } catch (error) {
            if (!(error instanceof PowerCut)) throw error;
          }
          bench.disk.onSync = () => {};
          const { tail, log } = await bench.open();
          const last = tail.length;
          expect(tail).toEqual(range(1, last).map((seq) => batchOf(seq)));
          expect(last).toBeGreaterThanOrEqual(acknowledged);
          expect(last).toBeLessThanOrEqual(acknowledged + 1);
          expect(log.append(batchOf(last + 1))).toBe('written');
          bench.disk.crash();
          expect((await bench.open()).tail.at(-1)).toEqual(batchOf(last + 1));
        },
      ),
      { numRuns: isLong ? 150 : 40 },
    );
  });

  test('is survived because each append was synced: on a disk that ignores syncs it is not', async () => {
    const bench = new Bench(() => 0);
    await bench.open();
    bench.disk.ignoresSyncs = true;
    bench.append(1, 5);
    bench.disk.crash();
    expect((await bench.open()).tail).toEqual([]);
  });

  test.each(['zeros', 'noise', 'cut'] as const)(
    'leaves a torn end (%s): whole batches before it are there',
    async (how) => {
      for (let at = segmentHeadBytes; at <= segmentHeadBytes + 5 * frameBytes; at += 13) {
        const bench = await filled(5);
        bench.disk.damage(bench.file(1), (torn) => {
          if (how === 'cut') return torn.subarray(0, at);
          return torn.fill(how === 'zeros' ? 0 : 171, at);
        });
        const kept = Math.floor((at - segmentHeadBytes) / frameBytes);
        expect(await bench.seqs()).toEqual(range(1, kept));
        bench.append(kept + 1, kept + 2);
        expect(await bench.seqs()).toEqual(range(1, kept + 2));
      }
    },
  );

  test('after a failed sync: what is read at the next start is written anew, so that the disk has it', async () => {
    const bench = await filled(3);
    const before = bench.disk.syncs;
    const written: string[] = [];
    bench.disk.onSync = (what) => written.push(what);
    await bench.open();
    expect(bench.disk.syncs).toBeGreaterThan(before);
    expect(written).toContain(bench.file(1));
  });
});

describe('damage', () => {
  const flip = (at: number) => (bytes: Buffer) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['a bit of a body', flip(segmentHeadBytes + 2 * frameBytes + frameHeadBytes + 50)],
    ['a bit of a length', flip(segmentHeadBytes + 2 * frameBytes)],
    ['a bit of a number', flip(segmentHeadBytes + 2 * frameBytes + 9)],
    ['a bit of a checksum', flip(segmentHeadBytes + 2 * frameBytes + 12)],
    [
      'a zeroed part',
      (bytes) => bytes.fill(0, segmentHeadBytes + 2 * frameBytes - 5, segmentHeadBytes + 3 * frameBytes - 5),
    ],
  ];

  test.each(damages)(
    'in the newest file (%s) is refused with the file and the numbers, and nothing is touched',
    async (_what, change) => {
      const bench = await filled(10);
      bench.disk.damage(bench.file(1), change);
      const before = bench.image();
      await expect(bench.open()).rejects.toMatchObject({
        code: 'journal-damaged',
        message: expect.stringMatching(/batch(es)? [23].*000001\.log is damaged/),
      });
      expect(bench.image()).toBe(before);
    },
  );

  test('a batch behind zeros, however many, is found: it may have been acknowledged', () => {
    const head = { salt: 7, firstSeq: 1 };
    // The first two bytes of this length are zeros, too.
    const batch = { seq: 2, bytes: Buffer.alloc(65_536, 1) };
    for (const zeros of [...range(1, 40), ...range(3_985, 4_015), ...range(7_985, 8_015)]) {
      const file = new SimulatedDisk().create('/journal');
      file.write([encodeSegmentHead(head), Buffer.alloc(zeros), encodeFrameHead(batch, 7), batch.bytes], 0);
      const reader = new SegmentReader(file, head);
      expect(reader.next()).toBeNull();
      expect(reader.resync()).toBe(true);
      expect(reader.at).toBe(segmentHeadBytes + zeros);
      const found = reader.next();
      expect(found?.seq).toBe(2);
      expect(found?.bytes.equals(batch.bytes)).toBe(true);
      expect(reader.resync()).toBe(false);
    }
  });

  test('among batches that the history holds already is no loss: the rest is read', async () => {
    const bench = await filled(10);
    bench.disk.damage(bench.file(1), flip(segmentHeadBytes + 2 * frameBytes + 40));
    const { tail, warnings } = await bench.open(3);
    expect(tail.map(({ seq }) => seq)).toEqual(range(4, 10));
    expect(warnings.join()).toContain('000001.log is damaged');
  });

  test('of the head loses nothing, since the manifest knows the salt; the file is never written again', async () => {
    const bench = await filled(10);
    bench.disk.damage(bench.file(1), flip(3));
    const { tail, warnings, log } = await bench.open();
    expect(tail.map(({ seq }) => seq)).toEqual(range(1, 10));
    expect(warnings.join()).toContain('head');
    const before = bench.disk.image().find(([name]) => name === bench.file(1))?.[1];
    bench.append(11, 11 + 6 * perFile);
    log.release(11 + 6 * perFile - 1);
    bench.append(12 + 6 * perFile, 12 + 12 * perFile);
    expect(bench.disk.image().find(([name]) => name === bench.file(1))?.[1]).toEqual(before);
  });

  test('of a file that is no longer in use is nothing', async () => {
    const bench = new Bench();
    const { log } = await bench.open();
    bench.append(1, 3 * perFile);
    log.release(3 * perFile - 1);
    bench.disk.damage(bench.file(1), (bytes) => bytes.fill(7));
    expect(await bench.seqs(2 * perFile)).toEqual(range(2 * perFile + 1, 3 * perFile));
  });

  test.each([0, 1, 2])('file %i of those in use missing is refused: it held batches', async (index) => {
    const bench = await filled(3 * perFile);
    const used = Manifest.open(bench.disk, join(dir, manifestName));
    const number = typeof used === 'object' ? (used?.entries[index]?.file ?? 0) : 0;
    bench.disk.remove(bench.file(number));
    await expect(bench.open()).rejects.toMatchObject({
      code: 'journal-damaged',
      message: expect.stringContaining(`${segmentName(number)} is missing`),
    });
  });

  test('of the newer half of the manifest is noticed: a file holds batches that it does not list', async () => {
    const bench = await filled(perFile + 3);
    // The third write is the one that listed the second file: generation 3, in the second slot.
    bench.disk.damage(join(dir, manifestName), (bytes) => flip(16_000 + 60)(bytes));
    await expect(bench.open()).rejects.toMatchObject({ code: 'journal-damaged' });
  });

  test.each([
    ['missing', (bench: Bench) => bench.disk.remove(join(dir, manifestName))],
    ['damaged', (bench: Bench) => bench.disk.damage(join(dir, manifestName), (bytes) => bytes.fill(1))],
  ] as const)('a manifest that is %s is refused, not taken for a new journal', async (_how, change) => {
    const bench = await filled(3);
    change(bench);
    const options = {
      disk: bench.disk,
      dir,
      segmentBytes,
      foldedSeq: 0,
      freeBytesMin: 0,
      newSalt: () => 1,
      filesMax,
      isSlow: () => false,
    };
    expect(() => openFileLog(options)).toThrow(expect.objectContaining({ code: 'journal-damaged' }));
  });

  test('of the last batch is noticed after an orderly end, when it cannot be a write that was cut off', async () => {
    const bench = new Bench();
    const { log } = await bench.open();
    bench.append(1, 5);
    await log.close();
    bench.disk.damage(bench.file(1), flip(segmentHeadBytes + 4 * frameBytes + 50));
    await expect(bench.open()).rejects.toMatchObject({
      message: expect.stringContaining('batch 5 cannot be read'),
    });
  });
});

describe('the files', () => {
  test('are used again once they are folded, and old batches in them do not come back', async () => {
    const bench = new Bench();
    const { log } = await bench.open();
    for (let round = 0; round < 20; round++) {
      const first = 1 + round * perFile;
      bench.append(first, first + perFile - 1);
      log.release(first + perFile - 2);
    }
    expect(bench.disk.list(dir).length).toBeLessThan(6);
    const last = 20 * perFile;
    expect(await bench.seqs(last)).toEqual([]);
    bench.append(last + 1, last + 2);
    expect(await bench.seqs(last)).toEqual([last + 1, last + 2]);
  });

  test('are kept as long as one of their batches is not folded', async () => {
    const bench = new Bench();
    const { log } = await bench.open();
    bench.append(1, 3 * perFile);
    log.release(perFile - 1);
    // What is not needed is written over by these.
    bench.append(3 * perFile + 1, 9 * perFile);
    expect(await bench.seqs(perFile - 1)).toEqual(
      Array.from({ length: 8 * perFile + 1 }, (_, at) => perFile + at),
    );
  });

  test('are filled beforehand, so that an append changes no size', async () => {
    const bench = new Bench();
    await bench.open();
    for (let seq = 1; seq <= perFile * 4; seq++) {
      bench.append(seq, seq);
      await new Promise(setImmediate);
    }
    const sizes = bench.disk
      .list(dir)
      .filter((name) => name.endsWith('.log'))
      .map((name) => bench.disk.open(join(dir, name))?.size());
    expect(new Set(sizes)).toEqual(new Set([segmentBytes]));
  });

  test('of a Knell that restarts in a loop are folded before they are too many', async () => {
    const bench = new Bench();
    for (let seq = 1; seq <= filesMax + 3; seq++) {
      const { foldFirst } = await bench.open();
      expect(foldFirst).toBe(seq - 1 > filesMax);
      bench.append(seq, seq);
      bench.kill();
    }
  });

  test('a frame inside a body is not taken for a batch', async () => {
    const bench = new Bench();
    const { log } = await bench.open();
    const inner = batchOf(2, 50);
    const body = Buffer.concat([encodeFrameHead(inner, 0), inner.bytes]);
    log.append({ seq: 1, bytes: Buffer.concat([Buffer.alloc(40), body]) });
    bench.kill();
    // As if a shorter batch had been written over the first one: the body lies where the next frame would.
    bench.disk.damage(bench.file(1), (bytes) => {
      body.copy(bytes, segmentHeadBytes + frameHeadBytes + 40 + body.length);
      return bytes;
    });
    expect(await bench.seqs()).toEqual([1]);
  });

  test('a batch that could not be read back is never written', async () => {
    const bench = new Bench();
    const { log } = await bench.open();
    expect(() => log.append(batchOf(1, 4_000_000))).toThrow('never written');
  });
});
