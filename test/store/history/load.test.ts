/** What a load makes of the tail: the latest state of each check, and all deliveries on the way there. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshState } from '../../../src/domain/check/check.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { stateBytesMax, writeState } from '../../../src/store/codec/check.ts';
import { rows } from '../../../src/store/codec/rows.ts';
import { bytesOfUuid } from '../../../src/store/codec/uuid.ts';
import { openEnv } from '../../../src/store/disk/lmdb-env.ts';
import { load } from '../../../src/store/history/load.ts';
import { counterBytes, openHistoryTables } from '../../../src/store/history/rows/tables.ts';
import { beginBatch, writeRecord } from '../../../src/store/journal/records.ts';
import type { JournalRecord } from '../../../src/store/store.ts';
import { checkOf, deliveryOf, Loaded, pingOf, projectOf, uuidOf } from '../../support/store/store-facts.ts';
import { tempDir } from '../../support/temp-dirs.ts';

/** Counts how many states it was given. */
class Counted extends Loaded {
  states = 0;

  override state(...given: Parameters<Loaded['state']>): void {
    this.states++;
    super.state(...given);
  }
}

async function loadedFrom(batches: readonly (readonly JournalRecord[])[]): Promise<Counted> {
  const env = openEnv(join(tempDir(), 'data'), 'history');
  const tail = batches.map((records, at) => {
    const writer = new ByteWriter(64);
    beginBatch(writer);
    for (const record of records) writeRecord(writer, record);
    return { seq: at + 1, bytes: writer.copy() };
  });
  const facts = new Counted();
  load(openHistoryTables(env), tail, facts);
  await env.close();
  return facts;
}

const change = { atMs: 5000, from: 'up', to: 'down', cause: 'fail' } as const;

function recordsOf(ids: readonly string[]): readonly (readonly JournalRecord[])[] {
  const checks = ids.map((id, number) => checkOf(number, { id: asCheckId(id) }));
  return [
    [
      { type: 'put', kind: 'project', fact: projectOf(1) },
      ...checks.map((check): JournalRecord => ({ type: 'check', check, changes: [] })),
    ],
    checks.map((check, number) => {
      return pingOf(check, 1, {
        changes: [change],
        deliveries: [deliveryOf(number, { checkId: check.id, change })],
      });
    }),
    checks.map((check) => pingOf(check, 2)),
    checks.map((check) => pingOf(check, 3)),
  ];
}

test('of each check the latest state alone is decoded, and no delivery is lost', async () => {
  const ids = Array.from({ length: 200 }, () => randomUUID());
  const facts = await loadedFrom(recordsOf(ids));
  expect(facts.states).toBe(ids.length);
  expect([...facts.checks.values()].map(({ state }) => state.nPings)).toEqual(ids.map(() => 3));
  expect(facts.outbox.size).toBe(ids.length);
  expect([...facts.outbox.values()].map(({ checkId }) => checkId).sort()).toEqual([...ids].sort());
});

test('a check without a state, and a state without a check, are damage', async () => {
  const uuids = [1, 2, 3].map((number) => bytesOfUuid(uuidOf(0xc0, number)));
  const state = Buffer.alloc(counterBytes + stateBytesMax);
  const writer = new ByteWriter(stateBytesMax);
  writeState(writer, freshState);
  state.set(writer.copy(), counterBytes);
  for (const table of ['checks', 'states'] as const) {
    for (const missing of uuids) {
      const env = openEnv(join(tempDir(), 'data'), 'history');
      const tables = openHistoryTables(env);
      env.write(() => {
        for (const uuid of uuids) {
          tables.checks.put(uuid, rows.check.write(checkOf(1)));
          tables.states.put(uuid, state.subarray(0, counterBytes + writer.length));
        }
        tables[table].remove(missing);
      });
      expect(() => load(tables, [], new Loaded())).toThrow('without a');
      await env.close();
    }
  }
});

test('checks whose ids begin alike do not hide one another', async () => {
  const ids = Array.from({ length: 20 }, (_, number) => uuidOf(0xc0, number));
  const facts = await loadedFrom(recordsOf(ids));
  expect([...facts.checks.values()].map(({ state }) => state.nPings)).toEqual(ids.map(() => 3));
  expect(facts.outbox.size).toBe(ids.length);
});
