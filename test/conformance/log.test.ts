/** The batch log's contract, held by every implementation. */
import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { BatchLog, BatchReader, NumberedBatch, OpenedLog } from '../../src/store/journal/batch-log.ts';
import { type LogPlace, logsOfTest } from '../support/logs.ts';

/** A batch whose bytes say its number. */
function batchOf(seq: number, size = 100): NumberedBatch {
  return { seq, bytes: Buffer.alloc(size, seq % 251) };
}

describe.each(logsOfTest)('the $name log', ({ create, createFillable }) => {
  const closers: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const { close } of closers.splice(0)) await close();
  });

  async function open(place: LogPlace, foldedSeq = 0): Promise<OpenedLog> {
    const opened = await place.open(foldedSeq);
    closers.push({ close: () => opened.log.close() });
    return opened;
  }

  async function reopen(place: LogPlace, foldedSeq = 0): Promise<OpenedLog> {
    for (const { close } of closers.splice(0)) await close();
    return open(place, foldedSeq);
  }

  function readerOf(place: LogPlace): BatchReader {
    const reader = place.reader();
    closers.unshift({ close: () => reader.close() });
    return reader;
  }

  async function append(log: BatchLog, from: number, to: number, size?: number): Promise<void> {
    for (let seq = from; seq <= to; seq++) expect(await log.append(batchOf(seq, size))).toBe('written');
  }

  /** Number, length and checksum: comparing large buffers byte by byte takes seconds. */
  const digests = (batches: readonly NumberedBatch[]) =>
    batches.map(({ seq, bytes }) => [seq, bytes.length, crc32(bytes)]);
  const seqs = (batches: readonly NumberedBatch[]) => batches.map(({ seq }) => seq);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

  test('a new one is empty and goes on behind what is folded', async () => {
    const { tail, lastSeq, log, warnings } = await open(create(), 41);
    expect({ tail, lastSeq, warnings, last: await log.lastNumber() }).toEqual({
      tail: [],
      lastSeq: 41,
      warnings: [],
      last: 41,
    });
    await append(log, 42, 43);
    expect(await log.lastNumber()).toBe(43);
  });

  test('what was appended is there after opening again, byte for byte, small and large', async () => {
    const place = create();
    const { log } = await open(place);
    await append(log, 1, 3);
    await append(log, 4, 9, 40_000);
    await append(log, 10, 10, 1);
    const again = await reopen(place);
    expect(digests(again.tail)).toEqual(
      digests([
        ...range(1, 3).map((seq) => batchOf(seq)),
        ...range(4, 9).map((seq) => batchOf(seq, 40_000)),
        batchOf(10, 1),
      ]),
    );
    await append(again.log, 11, 12);
    expect(seqs((await reopen(place)).tail)).toEqual(range(1, 12));
  });

  test('opening gives only what the history does not hold', async () => {
    const place = create();
    await append((await open(place)).log, 1, 20, 9000);
    expect(seqs((await reopen(place, 15)).tail)).toEqual(range(16, 20));
    const all = await reopen(place, 20);
    expect([all.tail, all.lastSeq]).toEqual([[], 20]);
  });

  test('appends by a thread are as durable, and mix with the others', async () => {
    const place = create();
    const { log } = await open(place);
    await append(log, 1, 2);
    place.setSlow(true);
    await append(log, 3, 12, 9000);
    place.setSlow(false);
    await append(log, 13, 14);
    expect(seqs((await reopen(place)).tail)).toEqual(range(1, 14));
  });

  test('the reader follows the writer, in order, as far as it is asked and about as much', async () => {
    const place = create();
    const { log } = await open(place);
    await append(log, 1, 3);
    const reader = readerOf(place);
    expect(seqs(reader.readAfter(0, 2, 1e9))).toEqual([1, 2]);
    await append(log, 4, 5);
    expect(seqs(reader.readAfter(2, 5, 1e9))).toEqual([3, 4, 5]);
    expect(seqs(reader.readAfter(1, 5, 150))).toEqual([2, 3]);
    expect(seqs(reader.readAfter(5, 5, 1e9))).toEqual([]);
    await append(log, 6, 30, 20_000);
    expect(digests(reader.readAfter(5, 30, 1e9))).toEqual(
      digests(range(6, 30).map((seq) => batchOf(seq, 20_000))),
    );
  });

  test('what is released makes way, what is not stays readable, for as long as one goes on', async () => {
    const place = create();
    const { log } = await open(place);
    const reader = readerOf(place);
    for (let round = 0; round < 30; round++) {
      const last = round * 10;
      await append(log, last + 1, last + 10, 9000);
      expect(seqs(reader.readAfter(Math.max(0, last - 5), last + 10, 1e9))).toEqual(
        range(Math.max(1, last - 4), last + 10),
      );
      log.release(Math.max(0, last - 5));
    }
    expect(seqs((await reopen(place, 285)).tail)).toEqual(range(286, 300));
  });

  test('a full disk refuses the batch and keeps nothing of it; the same number goes in when there is space', async (context) => {
    const place = createFillable();
    if (!place)
      return context.skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
    const { log } = await open(place);
    await append(log, 1, 2);
    place.fill();
    expect(await log.append(batchOf(3))).toBe('disk-full');
    place.setSlow(true);
    expect(await log.append(batchOf(3, 50_000))).toBe('disk-full');
    place.setSlow(false);
    expect(await log.lastNumber()).toBe(2);
    place.free();
    await append(log, 3, 4, 5000);
    expect(digests((await reopen(place)).tail)).toEqual(
      digests([batchOf(1), batchOf(2), batchOf(3, 5000), batchOf(4, 5000)]),
    );
  });

  test('a number that does not follow the last is a bug of the caller', async () => {
    const { log } = await open(create());
    await append(log, 1, 1);
    await expect((async () => log.append(batchOf(3)))()).rejects.toThrow('without a gap');
  });
});
