/** The journal's files: what a crash, a full disk or a damaged file may do to them, and what not. */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { JournalLog } from '../../../src/store/journal/file-log.ts';
import { JournalReader } from '../../../src/store/journal/file-log-reader.ts';
import {
  encodeFrameHead,
  encodeSegmentHead,
  frameHeadBytes,
  type NumberedBatch,
  newSegmentHead,
  readSegmentHead,
  segmentBytes,
  segmentHeadBytes,
} from '../../../src/store/journal/segment.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const opened: JournalLog[] = [];

afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

function open(dir: string, foldedSeq = 0): { log: JournalLog; tail: readonly NumberedBatch[] } {
  const { log, tail } = JournalLog.open(dir, foldedSeq);
  opened.push(log);
  return { log, tail };
}

async function close(log: JournalLog): Promise<void> {
  opened.splice(opened.indexOf(log), 1);
  await log.close();
}

/** A batch whose bytes tell its number. */
function batchOf(seq: number, size = 100): NumberedBatch {
  return { seq, bytes: Buffer.alloc(size, seq % 251) };
}

function write(log: JournalLog, count: number, size?: number): void {
  for (let left = count; left > 0; left--) log.commit(batchOf(log.lastSeq + 1, size));
}

const large = 200_000;
const perFile = Math.floor((segmentBytes - segmentHeadBytes) / (large + frameHeadBytes));

test('what was committed is there after opening again, across files, restarts and both ways of writing', async () => {
  const dir = join(tempDir(), 'journal');
  const { log, tail } = open(dir);
  expect(tail).toEqual([]);
  write(log, 3);
  await log.commitElsewhere(batchOf(4));
  write(log, perFile + 2, large);
  await close(log);
  const again = open(dir);
  await again.log.commitElsewhere(batchOf(again.log.lastSeq + 1, large));
  await close(again.log);
  const last = perFile + 7;
  expect(open(dir).tail).toEqual([
    ...Array.from({ length: 4 }, (_, index) => batchOf(index + 1)),
    ...Array.from({ length: last - 4 }, (_, index) => batchOf(index + 5, large)),
  ]);
  expect(readdirSync(dir).length).toBeGreaterThan(2);
});

test('files are used again once they are folded, and old batches in them do not come back', async () => {
  const dir = join(tempDir(), 'journal');
  let { log } = open(dir);
  for (let round = 0; round < 12; round++) {
    write(log, perFile, large);
    log.release(log.lastSeq - 1);
  }
  const files = readdirSync(dir);
  expect(files.length).toBeLessThan(5);
  const folded = log.lastSeq;
  write(log, 2);
  await close(log);
  const again = open(dir, folded);
  expect(again.tail).toEqual([batchOf(folded + 1), batchOf(folded + 2)]);
  log = again.log;
  write(log, 1);
  await close(log);
  expect(open(dir, folded).tail.map(({ seq }) => seq)).toEqual([folded + 1, folded + 2, folded + 3]);
  expect(readdirSync(dir).length).toBeLessThan(6);
});

test('a fold that lags makes more files, and most of them go when it has caught up', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  write(log, perFile * 15, large);
  expect(readdirSync(dir).length).toBeGreaterThan(14);
  log.release(log.lastSeq);
  await close(log);
  expect(readdirSync(dir).length).toBeLessThan(12);
});

test('wherever a write was cut off, whole batches before it are there and the next one takes its number', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  write(log, 5);
  await close(log);
  const [name = ''] = readdirSync(dir);
  const whole = readFileSync(join(dir, name));
  const frame = frameHeadBytes + 100;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: segmentHeadBytes + 5 * frame }),
      fc.constantFrom('truncated', 'zeros', 'noise'),
      async (at, how) => {
        const copy = join(tempDir(), 'journal');
        mkdirSync(copy);
        const bytes = Buffer.from(whole);
        if (how === 'zeros') bytes.fill(0, at);
        if (how === 'noise') bytes.fill(171, at);
        writeFileSync(join(copy, name), how === 'truncated' ? bytes.subarray(0, at) : bytes);
        const kept = Math.max(0, Math.floor((at - segmentHeadBytes) / frame));
        const cut = open(copy);
        expect(cut.tail).toEqual(Array.from({ length: kept }, (_, index) => batchOf(index + 1)));
        cut.log.commit(batchOf(kept + 1, 7));
        await close(cut.log);
        const again = open(copy);
        expect(again.tail.at(-1)).toEqual(batchOf(kept + 1, 7));
        expect(again.tail.length).toBe(kept + 1);
        await close(again.log);
      },
    ),
    { numRuns: 60 },
  );
}, 30_000);

test('a batch that is damaged before others that are whole is no crash: opening is refused', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  write(log, perFile + 3, large);
  await close(log);
  const file = join(dir, readdirSync(dir).sort()[0] ?? '');
  const bytes = readFileSync(file);
  bytes[segmentHeadBytes + 3 * large] = 1;
  writeFileSync(file, bytes);
  expect(() => JournalLog.open(dir, 0)).toThrow(expect.objectContaining({ code: 'data-dir-unreadable' }));
  // What the history holds is not needed any more.
  expect(open(dir, perFile).tail.length).toBe(3);
});

test('a frame inside a body is not taken for a batch', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  const inner = batchOf(2, 50);
  const body = Buffer.concat([encodeFrameHead(inner, 0), inner.bytes]);
  log.commit({ seq: 1, bytes: Buffer.concat([Buffer.alloc(40), body]) });
  await close(log);
  const file = join(dir, readdirSync(dir)[0] ?? '');
  // As if the first batch had been written over by a shorter one: the body now stands where a frame would.
  const bytes = readFileSync(file);
  body.copy(bytes, segmentHeadBytes + frameHeadBytes + 40 + body.length);
  writeFileSync(file, bytes);
  expect(open(dir).tail.map(({ seq }) => seq)).toEqual([1]);
});

test('the reader of the fold follows the writer, and goes no further than it is told', () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  const reader = new JournalReader(dir);
  const seqs = (after: number, until: number, bytesMax = 1e9) =>
    reader.readAfter(after, until, bytesMax).map(({ seq }) => seq);
  write(log, 3);
  expect(seqs(0, 2)).toEqual([1, 2]);
  write(log, 2);
  expect(seqs(2, 5)).toEqual([3, 4, 5]);
  expect(seqs(1, 5, 150)).toEqual([2, 3]);
  write(log, perFile * 3, large);
  expect(seqs(5, log.lastSeq).length).toBe(perFile * 3);
  expect(seqs(log.lastSeq, log.lastSeq)).toEqual([]);
  log.release(log.lastSeq - 2);
  write(log, perFile * 2, large);
  expect(seqs(log.lastSeq - 3, log.lastSeq).length).toBe(3);
  reader.close();
});

test('the files are filled beforehand, so that a commit changes no size', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  const sizes = () => readdirSync(dir).map((name) => statSync(join(dir, name)).size);
  expect(sizes()).toEqual([segmentBytes]);
  write(log, Math.ceil(perFile / 2) + 1, large);
  await close(log);
  expect(sizes()).toEqual([segmentBytes, segmentBytes]);
});

test('on a full disk a batch that does not fit leaves nothing, and the next one takes its place', async ({
  skip,
}) => {
  const disk = mountSmallDisk(6_000_000);
  if (!disk) return skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
  const dir = join(disk.dir, 'journal');
  const { log } = open(dir);
  write(log, perFile, large);
  writeFileSync(join(disk.dir, 'ballast'), Buffer.alloc(6_000_000 - segmentBytes - 150_000));
  const full = expect.objectContaining({ code: 'ENOSPC' });
  expect(() => write(log, 1, large)).toThrow(full);
  await expect(log.commitElsewhere(batchOf(perFile + 1, large))).rejects.toThrow(full);
  expect(log.lastSeq).toBe(perFile);
  const copy = tempDir();
  for (const name of readdirSync(dir)) copyFileSync(join(dir, name), join(copy, name));
  expect(open(copy).tail.length).toBe(perFile);
  disk.free();
  write(log, 2);
  disk.fill();
  expect(() => write(log, 1)).toThrow(full);
  await close(log);
  expect(open(dir).tail.slice(perFile)).toEqual([batchOf(perFile + 1), batchOf(perFile + 2)]);
});

test('a spare file that was cut off while it was filled is used all the same', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  await close(log);
  truncateSync(join(dir, readdirSync(dir)[0] ?? ''), 1000);
  const again = open(dir);
  write(again.log, 5, large);
  await close(again.log);
  expect(open(dir).tail.length).toBe(5);
});

test('a file whose first write was cut off is never taken for the one that holds the batch', async () => {
  const dir = join(tempDir(), 'journal');
  const { log } = open(dir);
  write(log, 3);
  await close(log);
  // Two torn files that begin with batch 4, one sorted before and one behind the file that will hold it.
  for (const name of ['000000.log', '000009.log'])
    writeFileSync(join(dir, name), encodeSegmentHead(newSegmentHead(4)));
  for (let round = 0; round < 4; round++) {
    const again = open(dir);
    expect(again.tail.map(({ seq }) => seq)).toEqual(Array.from({ length: 3 + round }, (_, at) => at + 1));
    write(again.log, 1);
    again.log.release(1);
    await close(again.log);
    const heads = readdirSync(dir).map((name) => {
      const fd = openSync(join(dir, name), 'r');
      const head = readSegmentHead(fd);
      closeSync(fd);
      return head?.firstSeq ?? 0;
    });
    expect(heads.filter((firstSeq) => firstSeq === 4 + round).length).toBe(1);
  }
});
