/** When the fold works and when it rests: over a simulated disk and clock. */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/store/codec/byte-writer.ts';
import { isDiskFull } from '../../../../src/store/disk/disk-full.ts';
import { FoldDriver, type FoldDriverOptions } from '../../../../src/store/history/fold/fold-driver.ts';
import { openHistoryTables, readMeta } from '../../../../src/store/history/rows/tables.ts';
import type { NumberedBatch } from '../../../../src/store/journal/batch-log.ts';
import { beginBatch, writeRecord } from '../../../../src/store/journal/records.ts';
import type { JournalRecord } from '../../../../src/store/store.ts';
import type { FromFold } from '../../../../src/store/threads.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type MemoryTables, openMemoryEnv } from '../../../support/store/memory-env.ts';
import { countPingRows } from '../../../support/store/ping-rows.ts';
import { SimulatedDisk } from '../../../support/store/simulated-disk.ts';
import { checkOf, pingOf, projectOf } from '../../../support/store/store-facts.ts';

function batchOf(seq: number, ...records: readonly JournalRecord[]): NumberedBatch {
  const writer = new ByteWriter(1000);
  beginBatch(writer);
  for (const record of records) writeRecord(writer, record);
  return { seq, bytes: writer.copy() };
}

/** More than go into one transaction, whatever space there is. */
const checksCount = 600;

/** A fold of some batches, on a disk whose free space the test sets. */
class Bench {
  readonly clock = new SimulatedClock(0);
  readonly disk = new SimulatedDisk();
  readonly tables: MemoryTables = new Map();
  readonly env = openMemoryEnv(this.disk, this.tables);
  readonly batches: NumberedBatch[] = [
    batchOf(
      1,
      { type: 'put', kind: 'project', fact: projectOf(1) },
      ...Array.from(
        { length: checksCount },
        (_, at): JournalRecord => ({ type: 'check', check: checkOf(at + 1), changes: [] }),
      ),
    ),
    batchOf(2, pingOf(checkOf(1), 1, { body: 'x'.repeat(1000) })),
  ];
  readonly reports: { readonly atMs: number; readonly type: FromFold['type'] }[] = [];
  freeBytes = 1e9;
  readonly driver: FoldDriver;

  constructor(options: Partial<FoldDriverOptions> = {}) {
    this.driver = new FoldDriver({
      env: this.env,
      tables: openHistoryTables(this.env),
      reader: {
        readAfter: (seq, untilSeq) =>
          this.batches.filter((batch) => batch.seq > seq && batch.seq <= untilSeq),
        close: async () => {},
      },
      scheduler: this.clock,
      bodyBudgetBytes: 1e6,
      foldBytesMax: 1e7,
      foldFreeBytesMin: 1e6,
      freeBytes: () => this.freeBytes,
      isDiskFull: (error) => isDiskFull(error, '/'),
      report: ({ type }) => this.reports.push({ atMs: this.clock.elapsedMs(), type }),
      ...options,
    });
  }

  get folded(): number {
    return readMeta(openHistoryTables(this.env), 'folded') ?? 0;
  }
}

describe('on a disk without space', () => {
  test('no slice begins, so that nothing of LMDB fails in the middle', async () => {
    const bench = new Bench();
    bench.freeBytes = 2e6;
    const before = bench.disk.syncs;
    bench.driver.foldTo(2, 1);
    await bench.clock.advance(20_000);
    expect([bench.disk.syncs, bench.folded]).toEqual([before, 0]);
    expect(new Set(bench.reports.map(({ type }) => type))).toEqual(new Set(['full']));
  });

  test('it backs off from a tenth of a second to five, and goes on when there is space', async () => {
    const bench = new Bench();
    bench.freeBytes = 0;
    bench.driver.foldTo(2, 1);
    await bench.clock.advance(30_000);
    const waits = bench.reports.map(({ atMs }, at) => atMs - (bench.reports[at - 1]?.atMs ?? 0)).slice(1);
    expect(waits.slice(0, 7)).toEqual([100, 200, 400, 800, 1600, 3200, 5000]);
    expect(bench.reports.length).toBeLessThan(13);
    bench.freeBytes = 1e9;
    await bench.clock.advance(5000);
    expect(bench.folded).toBe(2);
    expect(bench.reports.at(-1)?.type).toBe('folded');
  });

  test('a transaction is as large as fits: eight slices only while commits wait and there is space for them', async () => {
    const transactions = async (freeBytes: number, isExpedited: boolean): Promise<number> => {
      const bench = new Bench();
      bench.freeBytes = freeBytes;
      bench.driver.expedite(isExpedited);
      const before = bench.disk.syncs;
      bench.driver.foldTo(2, 1);
      await bench.clock.advance(1000);
      expect(bench.folded).toBe(2);
      return bench.disk.syncs - before;
    };
    // The one ping is then moved out of its run, and the run removed.
    const compaction = 2;
    expect(await transactions(1e9, true)).toBe(2 + compaction);
    expect(await transactions(1e9, false)).toBe(3 + compaction);
    expect(await transactions(3.7e6, true)).toBe(10 + compaction);
  });

  test('a fold that must be done at once is refused with a sentence, and what was folded stays', () => {
    const bench = new Bench();
    bench.freeBytes = 0;
    expect(() => bench.driver.foldAllTo(2, 1)).toThrow(expect.objectContaining({ code: 'store-full' }));
    bench.freeBytes = 1e9;
    bench.driver.foldAllTo(2, 1);
    expect(bench.folded).toBe(2);
  });
});

test('a fold that is cut off after any slice goes on where it was, in another process', async () => {
  // Three transactions of the fold, two of the compaction.
  for (let cutAt = 1; cutAt <= 5; cutAt++) {
    const bench = new Bench();
    let left = cutAt;
    bench.disk.onSync = () => {
      if (left-- === 0) bench.disk.kill();
    };
    bench.driver.foldTo(2, 1);
    await bench.clock.advance(1000);
    bench.disk.onSync = () => {};
    const env = openMemoryEnv(bench.disk, bench.tables);
    const tables = openHistoryTables(env);
    const { batches, clock } = bench;
    const next = new FoldDriver({
      env,
      tables,
      reader: { readAfter: (seq) => batches.filter((batch) => batch.seq > seq), close: async () => {} },
      scheduler: clock,
      bodyBudgetBytes: 1e6,
      foldBytesMax: 1e7,
      foldFreeBytesMin: 0,
      freeBytes: () => 1e9,
      isDiskFull: () => false,
      report: () => {},
    });
    next.foldTo(2, 1);
    await clock.advance(1000);
    expect(readMeta(tables, 'folded')).toBe(2);
    expect(tables.checks.count()).toBe(checksCount);
    expect(countPingRows(tables)).toBe(1);
  }
});
