/** Fields of a newer version, through the whole store: going back to an older Knell loses no setting. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { unknownFields } from '../../src/domain/check/unknown-fields.ts';
import { configAfter } from '../../src/spec/apply-spec.ts';
import { parseSpec } from '../../src/spec/check-spec.ts';
import { openStore } from '../../src/store/open/open-store.ts';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import type { Store } from '../../src/store/store.ts';
import {
  appendAll,
  checkOf,
  deliveryOf,
  type Loaded,
  loaded,
  projectOf,
} from '../support/store/store-facts.ts';
import { storeOptions } from '../support/store/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

const newer = { [unknownFields]: { newer_flag: true, newer_list: [1, { deep: 'value' }] } };
const check = checkOf(1, { config: { ...defaultConfig, name: 'one', ...newer } });
const project = projectOf(1, newer);
const delivery = deliveryOf(1, newer);

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(dataDir: string): Promise<Store> {
  const store = await openStore(storeOptions(dataDir));
  opened.push(store);
  return store;
}

function kept({ checks, projects, outbox }: Loaded): readonly unknown[] {
  const config = checks.get(check.id)?.config;
  return [config, projects.get(project.id), outbox.get(delivery.id)].map((fact) => fact?.[unknownFields]);
}

const all = [newer, newer, newer].map((fact) => fact[unknownFields]);

test('they are kept in the journal, in the history, in a snapshot and by an update', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await open(dataDir);
  await appendAll(store, [
    { type: 'put', kind: 'project', fact: project },
    { type: 'check', check, changes: [] },
    { type: 'delivery', delivery },
  ]);
  await opened.pop()?.close();
  const fromJournal = await open(dataDir);
  expect(kept(await loaded(fromJournal))).toEqual(all);
  await fromJournal.folded();
  await opened.pop()?.close();
  const fromHistory = await open(dataDir);
  expect(kept(await loaded(fromHistory))).toEqual(all);

  const parsed = parseSpec({ name: 'two' });
  const config = parsed.ok ? configAfter(check.config, parsed.spec, 3, undefined) : defaultConfig;
  await appendAll(fromHistory, [{ type: 'check', check: { ...check, config }, changes: [] }]);
  const file = join(tempDir(), 'newer.knell');
  await fromHistory.writeSnapshot(file, () => {});
  const copy = join(tempDir(), 'copy');
  await restoreSnapshot(file, copy, () => {});
  const restored = await loaded(await open(copy));
  expect(kept(restored)).toEqual(all);
  expect(restored.checks.get(check.id)?.config.name).toBe('two');
});
