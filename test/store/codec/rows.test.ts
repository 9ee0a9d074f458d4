/** Fields that a record did not have from the beginning: what lacks them is read as it was, and what has them is kept. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiKey } from '../../../src/domain/accounts/project.ts';
import { asKeyId, asProjectId } from '../../../src/lib/ids.ts';
import { packRecord } from '../../../src/store/codec/named-record.ts';
import { rows } from '../../../src/store/codec/rows.ts';
import { uuidBytes } from '../../../src/store/codec/uuid.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { appendAll, loaded, projectOf } from '../../support/store/store-facts.ts';
import { storeOptions } from '../../support/store/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const projectId = asProjectId(projectOf(1).id);

function keyOf(id: string, facts: Partial<ApiKey> = {}): ApiKey {
  const rest = { projectId, scope: 'read-only', clear: null, createdAtMs: 5 } as const;
  return { id: asKeyId(id), hash: id.repeat(32), ...rest, ...facts };
}

const old = keyOf('aa');
const keys = [old, keyOf('bb', { usedDay: null }), keyOf('cc', { usedDay: 20769 })];

test('a key of an earlier version has no day of its last use, and is written as it was', () => {
  const stored = { id: 'aa', project: uuidOf(projectId), scope: 'read-only', hash: old.hash, created: 5 };
  const bytes = packRecord(stored);
  expect(rows.key.read(bytes)).toStrictEqual(old);
  expect(rows.key.write(old)).toEqual(bytes);
});

test('a day that is none is damage', () => {
  const [, , used] = keys;
  if (!used) throw new Error('there are three');
  const bytes = rows.key.write({ ...used, usedDay: -1 });
  expect(() => rows.key.read(bytes)).toThrow('used_day holds something else');
});

test('the day of the last use is kept in the journal, in the history and in a snapshot', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await openStore(storeOptions(dataDir));
  await loaded(store);
  await appendAll(store, [
    { type: 'put', kind: 'project', fact: projectOf(1) },
    ...keys.map((fact) => ({ type: 'put', kind: 'key', fact }) as const),
  ]);
  await store.close();
  const fromJournal = await openStore(storeOptions(dataDir));
  expect([...(await loaded(fromJournal)).keys.values()]).toStrictEqual(keys);
  await fromJournal.folded();
  const file = join(tempDir(), 'keys.knell');
  await fromJournal.writeSnapshot(file, () => {});
  await fromJournal.close();
  const fromHistory = await openStore(storeOptions(dataDir));
  expect([...(await loaded(fromHistory)).keys.values()]).toStrictEqual(keys);
  await fromHistory.close();
  const copy = join(tempDir(), 'copy');
  await restoreSnapshot(file, copy, () => {});
  const restored = await openStore(storeOptions(copy));
  expect([...(await loaded(restored)).keys.values()]).toStrictEqual(keys);
  await restored.close();
});

function uuidOf(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex').subarray(0, uuidBytes);
}
