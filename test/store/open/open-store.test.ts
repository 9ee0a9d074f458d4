/** What the store on disk does beyond the contract: slow disks, full disks, broken ones, a fold that lags. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { StoreLimits } from '../../../src/store/disk/limits.ts';
import { openEnv } from '../../../src/store/disk/lmdb-env.ts';
import { batchesTable } from '../../../src/store/journal/lmdb-batches.ts';
import { openLmdbLog, readLmdbLog } from '../../../src/store/journal/lmdb-log.ts';
import { openStore, type StoreOptions } from '../../../src/store/open/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eventually } from '../../support/patience.ts';
import { mountSmallDisk } from '../../support/store/small-disk.ts';
import { append, appendAll, checkOf, loaded, pingOf, projectOf } from '../../support/store/store-facts.ts';
import { storeOptions } from '../../support/store/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(dataDir: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore(storeOptions(dataDir, options));
  opened.push(store);
  await loaded(store);
  return store;
}

async function started(dataDir: string, limits: Partial<StoreLimits> = {}): Promise<Store> {
  const store = await open(dataDir, { limits });
  await appendAll(store, [
    { type: 'put', kind: 'project', fact: projectOf(1) },
    { type: 'check', check: checkOf(1), changes: [] },
  ]);
  return store;
}

async function close(store: Store): Promise<void> {
  opened.splice(opened.indexOf(store), 1);
  await store.close();
}

const numbers = (store: Store) => store.pings(checkOf(1).id, 2000).map((ping) => ping.n);
const downFrom = (n: number) => Array.from({ length: n }, (_, index) => n - index);

test('on a slow disk commits go through the thread pool and are as durable', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await started(dataDir, { slowCommitMs: -1 });
  for (let n = 1; n <= 50; n++) expect(await append(store, pingOf(checkOf(1), n))).toBe('durable');
  expect(numbers(store)).toEqual(downFrom(50));
  await close(store);
  expect(numbers(await open(dataDir))).toEqual(downFrom(50));
});

test('while the fold lags, commits wait for it and nothing is lost', async () => {
  const store = await started(join(tempDir(), 'data'), { tailRecordsMax: 10, foldDelayMs: 2 });
  for (let n = 1; n <= 300; n += 30) {
    await appendAll(
      store,
      Array.from({ length: 30 }, (_, index) => pingOf(checkOf(1), n + index)),
    );
  }
  expect(numbers(store)).toEqual(downFrom(300));
});

test('batch numbers go on growing across restarts though the journal is trimmed', async () => {
  const dataDir = join(tempDir(), 'data');
  await close(await started(dataDir));
  for (let n = 1; n <= 120; n += 20) {
    const store = await open(dataDir);
    for (let k = n; k < n + 20; k++) expect(await append(store, pingOf(checkOf(1), k))).toBe('durable');
    await store.folded();
    expect(numbers(store)).toEqual(downFrom(n + 19));
    await close(store);
  }
  const env = openEnv(dataDir, 'journal');
  const { lastSeq, firstSeq } = readLmdbLog(env.table(batchesTable), 'data.mdb', 0);
  await env.close();
  expect(lastSeq).toBeGreaterThanOrEqual(121);
  expect(firstSeq).toBeGreaterThan(lastSeq - 64);
});

test('relaxed answers before the commit, shows what it accepted, and has it after closing', async () => {
  const dataDir = join(tempDir(), 'data');
  await close(await started(dataDir));
  const store = await open(dataDir, { durability: 'relaxed', limits: { relaxedDelayMs: 60_000 } });
  await appendAll(store, [pingOf(checkOf(1), 1), pingOf(checkOf(1), 2, { body: 'kept' })]);
  expect(numbers(store)).toEqual([2, 1]);
  expect(Buffer.from(store.body(checkOf(1).id, 2) ?? []).toString()).toBe('kept');
  await close(store);
  expect(numbers(await open(dataDir))).toEqual([2, 1]);
});

test('folded() with relaxed writes and folds what was accepted', async () => {
  const dataDir = join(tempDir(), 'data');
  await close(await started(dataDir));
  const store = await open(dataDir, { durability: 'relaxed', limits: { relaxedDelayMs: 60_000 } });
  await appendAll(store, [pingOf(checkOf(1), 1)]);
  await store.folded();
  expect(numbers(store)).toEqual([1]);
});

test('the rows of many deleted checks are swept in the end', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await started(dataDir);
  const checks = Array.from({ length: 12 }, (_, number) => checkOf(number + 2));
  await appendAll(
    store,
    checks.map((check) => ({ type: 'check', check, changes: [] })),
  );
  for (const check of checks) {
    await appendAll(
      store,
      Array.from({ length: 500 }, (_, index) => pingOf(check, index + 1, { body: 'b' })),
    );
    await store.folded();
  }
  await appendAll(
    store,
    checks.map((check) => ({ type: 'check-deleted', id: check.id })),
  );
  await store.folded();
  await close(store);
  const env = openEnv(dataDir, 'history');
  const rows = ['pings', 'bodies', 'tombstones', 'states'].map((name) => {
    let count = 0;
    env.table(name).scan({ start: Buffer.of(0), end: Buffer.alloc(40, 255) }, () => {
      count++;
    });
    return count;
  });
  await env.close();
  expect(rows.at(-1)).toBe(1);
  expect(rows.slice(0, 3).every((count) => count < 4000)).toBe(true);
});

describe('a broken store', () => {
  async function brokenBy(
    options: Partial<StoreOptions>,
    dataDir = join(tempDir(), 'data'),
  ): Promise<unknown> {
    let report: (error: unknown) => void = () => {};
    const broken = new Promise<unknown>((resolve) => {
      report = resolve;
    });
    const store = await openStore(storeOptions(dataDir, { onBroken: (error) => report(error), ...options }));
    opened.push(store);
    store.append({ type: 'alive', atMs: 1 }, null);
    void store.folded().catch(() => {});
    return broken;
  }

  test.each([
    ['throws', 'throw new Error("out of order");', 'out of order'],
    ['ends', 'process.exit(0);', 'ended by itself'],
  ])('is reported when the fold thread %s', async (_how, code, message) => {
    const threads = tempDir();
    mkdirSync(join(threads, 'history/fold'), { recursive: true });
    writeFileSync(join(threads, 'history/fold/fold-worker.js'), code);
    const error = await brokenBy({ threadsUrl: pathToFileURL(join(threads, '/')) });
    expect(String(error)).toContain(message);
  });

  test('is refused at opening when a record of the journal is damaged', async () => {
    const dataDir = join(tempDir(), 'data');
    await close(await started(dataDir));
    const slowCommits = { commit: async () => 'unknown' as const, stop: async () => {} };
    const { log, lastSeq } = await openLmdbLog({
      dataDir,
      foldedSeq: 0,
      freeBytesMin: 0,
      freeBytes: () => 1e9,
      isSlow: () => false,
      slowCommits,
    });
    await log.append({ seq: lastSeq + 1, bytes: Buffer.from([1, 1, 255, 255]) });
    await log.close();
    await expect(openStore(storeOptions(dataDir))).rejects.toMatchObject({ code: 'store-broken' });
    await expect(openStore(storeOptions(dataDir))).rejects.toMatchObject({ code: 'store-broken' });
  });

  test('is refused at opening when a file is none of LMDB', async () => {
    const dataDir = join(tempDir(), 'data');
    await close(await started(dataDir));
    writeFileSync(join(dataDir, 'history', 'data.mdb'), 'x'.repeat(10_000));
    await expect(openStore(storeOptions(dataDir))).rejects.toMatchObject({ code: 'data-dir-unreadable' });
  });
});

const noMount = 'this needs a small file system of its own: mounting tmpfs is not allowed here';

describe('on a full disk', () => {
  test.for<[string, Partial<StoreLimits>]>([
    ['on the main thread', {}],
    ['in the thread pool', { slowCommitMs: -1 }],
  ])(
    'commits %s are rolled back, reads go on, and writing resumes by itself',
    async ([_where, limits], { skip }) => {
      const disk = mountSmallDisk(8_000_000);
      if (!disk) return skip(noMount);
      const store = await started(join(disk.dir, 'data'), limits);
      await appendAll(store, [pingOf(checkOf(1), 1, { body: 'kept' })]);
      await store.folded();
      disk.fill();
      let n = 2;
      while ((await append(store, pingOf(checkOf(1), n, { body: 'x'.repeat(90_000) }))) === 'durable') n++;
      expect(store.full).toBe(true);
      expect(await append(store, pingOf(checkOf(1), n, { body: 'y'.repeat(90_000) }))).toBe('rolledBack');
      expect(numbers(store)).toEqual(downFrom(n - 1));
      expect(Buffer.from(store.body(checkOf(1).id, 1) ?? []).toString()).toBe('kept');
      disk.free();
      await eventually(() => expect(store.full).toBe(false));
      expect(await append(store, pingOf(checkOf(1), n))).toBe('durable');
      await store.folded();
      expect(numbers(store)).toEqual(downFrom(n));
    },
  );

  test('a fold without space is tried again until there is some', async ({ skip }) => {
    const disk = mountSmallDisk(8_000_000);
    if (!disk) return skip(noMount);
    const limits = { tailRecordsMax: 20, foldDelayMs: 60_000, foldBytesMin: 1e9 };
    const store = await started(join(disk.dir, 'data'), limits);
    const body = 'x'.repeat(50_000);
    for (let n = 1; n <= 18; n++) await appendAll(store, [pingOf(checkOf(1), n, { body })]);
    disk.fill();
    const folded = store.folded();
    // Beyond its limit the tail waits for the fold; once the fold is stuck too, nobody is kept waiting.
    let n = 19;
    while ((await append(store, pingOf(checkOf(1), n))) === 'durable') n++;
    expect(n).toBeLessThan(23);
    expect(numbers(store)).toEqual(downFrom(n - 1));
    disk.free();
    await folded;
    await eventually(() => expect(store.full).toBe(false));
    expect(await append(store, pingOf(checkOf(1), n))).toBe('durable');
    expect(numbers(store)).toEqual(downFrom(n));
  });
});

test('a snapshot that is asked for while the store closes is refused, not forgotten', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await started(dataDir);
  store.append(pingOf(checkOf(1), 1), null);
  const closed = close(store);
  const asked = store.writeSnapshot(join(tempDir(), 'late.snapshot'), () => {});
  await expect(asked).rejects.toMatchObject({ code: 'store-broken' });
  await closed;
});
