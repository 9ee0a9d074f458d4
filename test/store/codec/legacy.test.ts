/** Rows from before they had named fields: what was written then says the same today. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { legacyRows, toNamed } from '../../../src/store/codec/legacy.ts';
import { rows } from '../../../src/store/codec/rows.ts';
import { numbersPerPing, RecordGrouper } from '../../../src/store/history/fold/fold-groups.ts';
import { rowsOfBatch } from '../../support/store/batch-rows.ts';
import { goldenRecords3 } from '../../support/store/golden-facts.ts';
import { batchOf } from '../../support/store/store-facts.ts';

/** A journal batch of version 2 as the last version wrote it that wrote such: all facts of the golden snapshots. */
const oldBatch = Buffer.from(
  readFileSync(new URL('batch-2.hex', import.meta.url), 'utf8').replaceAll('\n', ''),
  'hex',
);

test('the golden batch has rows of every kind that there was', () => {
  const kinds = new Set(rowsOfBatch(oldBatch).map(({ kind }) => kind));
  const since: readonly string[] = ['status-page'];
  expect([...kinds].sort()).toEqual(
    Object.keys(rows)
      .filter((kind) => !since.includes(kind))
      .sort(),
  );
});

describe('a row of a batch of version 2', () => {
  test('says what was written, and is the same row once it is rewritten', () => {
    const today = rowsOfBatch(batchOf(goldenRecords3));
    expect(today.map(({ kind }) => kind)).toEqual(rowsOfBatch(oldBatch).map(({ kind }) => kind));
    for (const [at, { kind, bytes }] of rowsOfBatch(oldBatch).entries()) {
      const named = today[at]?.bytes ?? Buffer.alloc(0);
      expect(legacyRows[kind].read(bytes)).toEqual(rows[kind].read(named));
      expect(toNamed[kind](bytes).equals(named), kind).toBe(true);
    }
  });

  test('that is longer or shorter than what it says is damaged', () => {
    for (const { kind, bytes } of rowsOfBatch(oldBatch)) {
      const longer = Buffer.concat([bytes, Buffer.of(0)]);
      for (const wrong of [longer, bytes.subarray(0, -1), Buffer.alloc(0)]) {
        expect(() => toNamed[kind](wrong), kind).toThrow(expect.objectContaining({ code: 'store-broken' }));
      }
    }
  });
});

test('the fold takes from a batch of version 2 what it takes from one of today', () => {
  const gathered = [oldBatch, batchOf(goldenRecords3)].map((batch) => {
    const grouper = new RecordGrouper();
    grouper.add(batch);
    const { groups, config, aliveMs, outbox } = grouper.grouped;
    return {
      rows: groups.map(({ row, changes, bodies, deleted }) => ({
        row: row?.toString('hex'),
        changes: changes.map((bytes) => bytes.toString('hex')),
        bodies: bodies.map(({ n, bytes }) => [n, bytes.toString('hex')]),
        deleted,
      })),
      pings: groups.map(({ pings }) => pings.filter((_, at) => at % numbersPerPing === 3)),
      config: config.map(({ type, parts }) => [type, parts.toString('hex')]),
      aliveMs,
      outbox: [...outbox].map(([id, row]) => [id, row?.toString('hex')]),
    };
  });
  expect(gathered[0]).toEqual(gathered[1]);
});
