/** A fold that is cut off between its transactions: reads, loads and the fold that goes on notice nothing of it. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RunEnding } from '../../../../src/domain/runs/run-ending.ts';
import { ByteWriter } from '../../../../src/store/codec/byte-writer.ts';
import { type LmdbEnv, openEnv, type Table } from '../../../../src/store/disk/lmdb-env.ts';
import { Fold } from '../../../../src/store/history/fold/fold.ts';
import { RecordGrouper } from '../../../../src/store/history/fold/fold-groups.ts';
import { load } from '../../../../src/store/history/load.ts';
import { createHistoryReads } from '../../../../src/store/history/read.ts';
import {
  type HistoryTables,
  openHistoryTables,
  readMeta,
} from '../../../../src/store/history/rows/tables.ts';
import type { NumberedBatch } from '../../../../src/store/journal/batch-log.ts';
import { beginBatch, writeRecord } from '../../../../src/store/journal/records.ts';
import { Tail } from '../../../../src/store/journal/tail.ts';
import type { JournalRecord } from '../../../../src/store/store.ts';
import { isLong } from '../../../support/long.ts';
import { checkOf, Loaded, pingOf, projectOf } from '../../../support/store/store-facts.ts';
import { bodyBudgetBytes, testNowMs } from '../../../support/store/stores.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

const checks = Array.from({ length: 300 }, (_, number) => checkOf(number));
const deleted = checks.filter((_, index) => index % 100 === 0);
/** Those that are read each time: reading one looks through the batches of all. The deleted ones are among them. */
const read = isLong ? checks : checks.filter((_, index) => index % 4 === 0);
const envs: LmdbEnv[] = [];

afterEach(async () => {
  for (const env of envs.splice(0)) await env.close();
});

function batchOf(seq: number, records: readonly JournalRecord[]): NumberedBatch {
  const writer = new ByteWriter(64);
  beginBatch(writer);
  for (const record of records) writeRecord(writer, record);
  return { seq, bytes: writer.copy() };
}

const missed: RunEnding = {
  ...{ atMs: testNowMs, outcome: 'missed', rid: null },
  ...{ startedMs: null, host: 'db-1', limitS: 0 },
};

const batches: readonly NumberedBatch[] = [
  batchOf(1, [
    { type: 'put', kind: 'project', fact: projectOf(1) },
    ...checks.map((check): JournalRecord => ({ type: 'check', check, changes: [] })),
  ]),
  batchOf(
    2,
    checks.map((check) => pingOf(check, 1, { body: 'first' })),
  ),
  batchOf(
    3,
    checks.flatMap((check): JournalRecord[] => [
      pingOf(check, 2, { changes: [{ atMs: testNowMs, from: 'new', to: 'up', cause: 'success' }] }),
      { type: 'run-ending', checkId: check.id, ending: missed },
    ]),
  ),
  batchOf(
    4,
    deleted.map((check): JournalRecord => ({ type: 'check-deleted', id: check.id })),
  ),
  batchOf(5, [
    { type: 'put', kind: 'project', fact: projectOf(2) },
    { type: 'put', kind: 'project', fact: { ...projectOf(1), name: 'renamed' } },
    { type: 'removed', kind: 'project', id: projectOf(2).id },
  ]),
];

function openHistory(): { env: LmdbEnv; tables: HistoryTables } {
  const env = openEnv(join(tempDir(), 'data'), 'history');
  envs.push(env);
  return { env, tables: openHistoryTables(env) };
}

function foldOf(env: LmdbEnv, tables: HistoryTables): Fold {
  const grouper = new RecordGrouper();
  for (const { bytes, seq } of batches) grouper.add(bytes, seq);
  return new Fold(env, tables, {
    grouped: grouper.grouped,
    lastSeq: 5,
    bodyBudgetBytes,
    nowMs: testNowMs,
  });
}

/** What reads and a load return, with the tail that is still in the journal. */
function contentOf(env: LmdbEnv, tables: HistoryTables): unknown {
  env.refresh();
  const tail = new Tail(() => null);
  for (const batch of batches) {
    if (batch.seq > (readMeta(tables, 'folded') ?? 0)) tail.push(batch);
  }
  const reads = createHistoryReads(tables, tail);
  const details = read.map(({ id }) => {
    const changes = reads.changes(id, { fromMs: 0, untilMs: testNowMs + 1 });
    const endings = reads.runEndings(id, { fromMs: 0, untilMs: testNowMs + 1 }, 10);
    return { id, endings, pings: reads.pings(id, 10), body: reads.body(id, 1)?.length ?? 0, changes };
  });
  const facts = new Loaded();
  load(tables, tail.batches, facts);
  return { details, facts };
}

test('between any two of its slices everything reads as before and after it', () => {
  const { env, tables } = openHistory();
  const before = contentOf(env, tables);
  expect(before).toMatchObject({ details: expect.arrayContaining([expect.objectContaining({ body: 5 })]) });
  const fold = foldOf(env, tables);
  let count = 1;
  for (; !fold.slice(); count++) {
    expect(readMeta(tables, 'folded')).toBeNull();
    expect(contentOf(env, tables)).toEqual(before);
  }
  expect(count).toBe(5);
  expect(readMeta(tables, 'folded')).toBe(5);
  expect(contentOf(env, tables)).toEqual(before);
});

test('a larger slice takes as much as several', () => {
  const { env, tables } = openHistory();
  const before = contentOf(env, tables);
  const fold = foldOf(env, tables);
  expect(fold.slice(3)).toBe(false);
  expect(contentOf(env, tables)).toEqual(before);
  expect(fold.slice(3)).toBe(true);
  expect(contentOf(env, tables)).toEqual(before);
});

test.each([1, 3])('cut off after %i slices, another goes on where it was', (count) => {
  const { env, tables } = openHistory();
  const before = contentOf(env, tables);
  const cutOff = foldOf(env, tables);
  for (let slice = 0; slice < count; slice++) cutOff.slice();
  const rest = foldOf(env, tables);
  while (!rest.slice());
  expect(readMeta(tables, 'folded')).toBe(5);
  expect(contentOf(env, tables)).toEqual(before);
  for (const table of [tables.changes, tables.endings])
    expect(rowsIn(table)).toBe(checks.length - deleted.length);
});

test('what is left of deleted checks is swept', () => {
  const { env, tables } = openHistory();
  const whole = foldOf(env, tables);
  while (!whole.slice());
  const grouper = new RecordGrouper();
  const all = checks.map((check): JournalRecord => ({ type: 'check-deleted', id: check.id }));
  grouper.add(batchOf(6, all).bytes, 6);
  const input = { grouped: grouper.grouped, lastSeq: 6, bodyBudgetBytes, nowMs: testNowMs };
  for (
    let fold = new Fold(env, tables, input);
    ;
    fold = new Fold(env, tables, { ...input, grouped: noRecords })
  ) {
    while (!fold.slice());
    if (!fold.moreToSweep) break;
  }
  for (const table of [tables.pings, tables.changes, tables.endings]) expect(rowsIn(table)).toBe(0);
});

const noRecords = new RecordGrouper().grouped;

function rowsIn(table: Table): number {
  let rows = 0;
  table.scan({ start: Buffer.of(0), end: Buffer.alloc(40, 255) }, () => {
    rows++;
  });
  return rows;
}
