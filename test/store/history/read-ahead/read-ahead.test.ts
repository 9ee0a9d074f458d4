/** A load that threads read ahead of is held against one that does everything by itself, on a real disk. */
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Check, freshState } from '../../../../src/domain/check/check.ts';
import { createMeter } from '../../../../src/lib/meter.ts';
import { checkRow } from '../../../../src/store/codec/check.ts';
import type { CheckPart } from '../../../../src/store/codec/check-part.ts';
import { bytesOfUuid } from '../../../../src/store/codec/uuid.ts';
import { type LmdbEnv, openEnv } from '../../../../src/store/disk/lmdb-env.ts';
import { load } from '../../../../src/store/history/load.ts';
import { type ReadAhead, readAheadInThreads } from '../../../../src/store/history/read-ahead/read-ahead.ts';
import {
  counterBytes,
  type HistoryTables,
  openHistoryTables,
} from '../../../../src/store/history/rows/tables.ts';
import { openStore } from '../../../../src/store/open/open-store.ts';
import { anyStoredCheck } from '../../../support/engine/arbitraries.ts';
import { stateBytes } from '../../../support/engine/check-parts.ts';
import { builtUrl } from '../../../support/process/built.ts';
import { append, checkOf, Loaded, projectOf } from '../../../support/store/store-facts.ts';
import { storeOptions } from '../../../support/store/stores.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

/** Takes parts, and counts what came in them. */
class LoadedParts extends Loaded {
  parts = 0;
  inParts = 0;
  readonly counts: number[] = [];

  part(part: CheckPart): void {
    this.parts++;
    for (let place = 0; place < part.count; place++) {
      part.seek(place);
      this.check(part.id, part.row, part.state);
      this.inParts++;
    }
  }

  override progress(count = 0): void {
    this.counts.push(count);
  }
}

const workerUrl = builtUrl('store/history/read-ahead/read-ahead-worker.js');
const patienceMs = 30_000;
let dataDir: string;

beforeEach(() => {
  dataDir = join(tempDir(), 'data');
});

function put(env: LmdbEnv, checks: Iterable<Check>): void {
  const { checks: rows, states } = openHistoryTables(env);
  env.write(() => {
    for (const check of checks) {
      rows.put(bytesOfUuid(check.id), checkRow.write(check));
      states.put(bytesOfUuid(check.id), Buffer.concat([Buffer.alloc(counterBytes), stateBytes(check.state)]));
    }
  });
}

/** Random ones, the same each time. */
function someChecks(numRuns: number): readonly Check[] {
  return fc.sample(anyStoredCheck, { numRuns, seed: 20 });
}

function start(url = workerUrl, waitMs = patienceMs): ReadAhead {
  const ahead = readAheadInThreads(url, dataDir, waitMs)();
  if (ahead === null) throw new Error('this machine has one processor');
  return ahead;
}

async function loadedAhead(tables: HistoryTables, ahead: ReadAhead): Promise<LoadedParts> {
  const loaded = new LoadedParts();
  try {
    load(tables, [], loaded, ahead.ranges);
  } finally {
    await ahead.stop();
  }
  return loaded;
}

async function withEnv<T>(work: (env: LmdbEnv, tables: HistoryTables) => Promise<T>): Promise<T> {
  const env = openEnv(dataDir, 'history');
  try {
    return await work(env, openHistoryTables(env));
  } finally {
    await env.close();
  }
}

describe('a load that is read ahead', () => {
  test('says the same, and all of it comes from the threads', async () => {
    await withEnv(async (env, tables) => {
      put(env, someChecks(3000));
      const alone = new LoadedParts();
      load(tables, [], alone);
      const ahead = await loadedAhead(tables, start());
      expect(ahead.checks).toEqual(alone.checks);
      expect(ahead.inParts).toBe(alone.checks.size);
      expect([alone.parts, ahead.counts.at(-1)]).toEqual([0, alone.counts.at(-1)]);
    });
  });

  test.each([0, 1])('of %i checks too', async (count) => {
    await withEnv(async (env, tables) => {
      put(env, someChecks(count));
      expect((await loadedAhead(tables, start())).checks.size).toBe(count);
    });
  });

  test('takes more than the memory between the threads holds', async () => {
    const long = 'x'.repeat(50_000);
    const checks = someChecks(400).map((check) => ({ ...check, config: { ...check.config, desc: long } }));
    await withEnv(async (env, tables) => {
      put(env, checks);
      const { parts, inParts, checks: loaded } = await loadedAhead(tables, start());
      expect(inParts).toBe(loaded.size);
      expect(loaded.size).toBe(new Set(checks.map(({ id }) => id)).size);
      expect(parts).toBeGreaterThan(2 * 6);
    });
  });

  test('goes on alone behind a row that is longer than a part', async () => {
    const checks = someChecks(300);
    const [one] = checks;
    if (!one) throw new Error('no check');
    await withEnv(async (env, tables) => {
      put(env, [...checks, { ...one, config: { ...one.config, desc: 'x'.repeat(1_100_000) } }]);
      const alone = new Loaded();
      load(tables, [], alone);
      const ahead = await loadedAhead(tables, start());
      expect(ahead.checks).toEqual(alone.checks);
      expect(ahead.inParts).toBeLessThan(alone.checks.size);
    });
  });

  test.each([
    ['no row', (tables: HistoryTables, id: Buffer) => tables.checks.put(id, Buffer.from('no row'))],
    ['a check without a state', (tables: HistoryTables, id: Buffer) => tables.states.remove(id)],
    ['a state without a check', (tables: HistoryTables, id: Buffer) => tables.checks.remove(id)],
    [
      'a state that is cut',
      (tables: HistoryTables, id: Buffer) => tables.states.put(id, Buffer.alloc(30, 7)),
    ],
  ])('says what is damaged as one alone does: %s', async (_what, damage) => {
    const checks = someChecks(500);
    await withEnv(async (env, tables) => {
      put(env, checks);
      env.write(() => damage(tables, bytesOfUuid(checks[250]?.id ?? '')));
      const errorOf = (work: () => void): string => {
        try {
          work();
          return '';
        } catch (error) {
          return String(error);
        }
      };
      const ahead = start();
      const found = errorOf(() => load(tables, [], new LoadedParts(), ahead.ranges));
      await ahead.stop();
      expect(found).toContain('the stored data is damaged');
      expect(found).toBe(errorOf(() => load(tables, [], new Loaded())));
    });
  });

  test('does without threads that do not begin', async () => {
    await withEnv(async (env, tables) => {
      put(env, someChecks(50));
      const ahead = start(new URL('no-such-file.js', workerUrl), 100);
      const { checks, parts } = await loadedAhead(tables, ahead);
      expect([checks.size, parts]).toEqual([50, 0]);
    });
  });

  test('ends its threads when it fails in the middle', async () => {
    await withEnv(async (env, tables) => {
      const long = 'x'.repeat(50_000);
      put(
        env,
        someChecks(400).map((check) => ({ ...check, config: { ...check.config, desc: long } })),
      );
      const ahead = start();
      const failing = new LoadedParts();
      failing.check = () => {
        throw new Error('no more');
      };
      expect(() => load(tables, [], failing, ahead.ranges)).toThrow('no more');
      await ahead.stop();
    });
  });
});

test('a store reads ahead for a sink that takes parts, and adds its journal', async () => {
  const options = storeOptions(dataDir, { limits: { readAheadFrom: 100 } });
  const store = await openStore(options);
  await store.load(new Loaded());
  const project = projectOf(1);
  await append(store, { type: 'put', kind: 'project', fact: project });
  const created = Array.from({ length: 200 }, (_, number) => checkOf(number, { projectId: project.id }));
  await Promise.all(created.map((check) => append(store, { type: 'check', check, changes: [] })));
  await store.folded();
  const [changed] = created;
  if (!changed) throw new Error('no check');
  const renamed = { ...changed, config: { ...changed.config, name: 'renamed' }, state: freshState };
  await append(store, { type: 'check', check: renamed, changes: [] });
  await store.close();
  const again = await openStore({ ...options, meter: createMeter() });
  const loaded = new LoadedParts();
  await again.load(loaded);
  expect(loaded.inParts).toBe(200);
  expect(loaded.checks.size).toBe(200);
  expect(loaded.checks.get(changed.id)?.config.name).toBe('renamed');
  await append(again, { type: 'alive', atMs: 5 });
  await again.close();
});
