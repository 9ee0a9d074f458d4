/** Snapshot files: the golden ones stay readable for ever, damaged ones are refused and change nothing. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { asCheckId } from '../../../src/lib/ids.ts';
import { createMemoryDisk } from '../../../src/store/memory-disk.ts';
import { readMemorySnapshot } from '../../../src/store/memory-snapshot.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { snapshotHeadBytes } from '../../../src/store/snapshot/format.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import type { Store } from '../../../src/store/store.ts';
import { goldenNowMs, goldenRecords3, goldenUsers } from '../../support/golden-facts.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import {
  append,
  appendAll,
  checkOf,
  deliveryOf,
  loaded,
  pingOf,
  projectOf,
} from '../../support/store-facts.ts';
import { storeOptions } from '../../support/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const snapshots = fileURLToPath(new URL('../../../snapshots/', import.meta.url));
/** The newest format, with what its golden holds. */
const current = { format: 3, records: goldenRecords3 };
const fileOf = (name: string | number): string => join(snapshots, `format-${name}.knell`);
const goldenFile = fileOf(current.format);
/** All that lie there: the second of format 2 has users too, before the deliveries, where that version wrote them. */
const goldens = [1, 2, '2-users', 3] as const;
const quiet = () => {};

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(dataDir: string): Promise<Store> {
  const store = await openStore(storeOptions(dataDir, { nowMs: () => goldenNowMs }));
  opened.push(store);
  return store;
}

/** All that a store tells, as plain JSON: bodies in base64, maps as lists. */
async function tell(store: Store): Promise<unknown> {
  const facts = await loaded(store);
  const byId = (map: ReadonlyMap<string, unknown>) => [...map.keys()].sort().map((id) => map.get(id));
  const checks = [...facts.checks.keys()]
    .sort()
    .map(asCheckId)
    .map((id) => {
      const { expectedAtMs, downAtMs, ...state } = facts.checks.get(id)?.state ?? checkOf(1).state;
      const pings = store.pings(id, 2000).map((ping) => {
        const body = store.body(id, ping.n);
        return body ? { ...ping, body: Buffer.from(body).toString('base64') } : ping;
      });
      const changes = store.changes(id, { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER });
      return {
        ...facts.checks.get(id),
        state,
        deadlines: [expectedAtMs, downAtMs].map(String),
        pings,
        changes,
      };
    });
  return {
    ...facts.singles,
    projects: byId(facts.projects),
    keys: byId(facts.keys),
    channels: byId(facts.channels),
    checks,
    ...(facts.outbox.size > 0 ? { deliveries: byId(facts.outbox) } : {}),
    ...(facts.users.size > 0 ? { users: byId(facts.users) } : {}),
    ...(facts.endedSessions.length > 0 ? { endedSessions: facts.endedSessions } : {}),
  };
}

function memoryStore(disk = createMemoryDisk()): Store {
  return createMemoryStore({ disk, nowMs: () => goldenNowMs });
}

/** `KNELL_WRITE_GOLDEN=1` makes the current format's golden files anew. Only ever for one that was not released. */
async function writeGolden(): Promise<void> {
  const store = await open(join(tempDir(), 'data'));
  await loaded(store);
  await appendAll(store, current.records);
  await store.writeSnapshot(goldenFile, quiet);
  writeFileSync(
    goldenFile.replace('.knell', '.json'),
    `${JSON.stringify(await tell(memoryStore(readMemorySnapshot(goldenFile))), null, 2)}\n`,
  );
}

async function restored(file: string): Promise<Store> {
  const dataDir = join(tempDir(), 'data');
  await restoreSnapshot(file, dataDir, quiet);
  return open(dataDir);
}

describe('the golden snapshots', () => {
  test.each(goldens)('of format %s restores to what is written beside it', async (name) => {
    if (process.env.KNELL_WRITE_GOLDEN === '1' && name === current.format) await writeGolden();
    const file = fileOf(name);
    const expected = JSON.parse(readFileSync(file.replace('.knell', '.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(await tell(await restored(file))))).toEqual(expected);
    expect(JSON.parse(JSON.stringify(await tell(memoryStore(readMemorySnapshot(file)))))).toEqual(expected);
  });

  test('of format 2 that hold users say the same as the one without, and who they are', () => {
    const said = (name: string | number) =>
      JSON.parse(readFileSync(fileOf(name).replace('.knell', '.json'), 'utf8'));
    const users = goldenUsers.map((record) => record.type === 'user' && record.user);
    expect(said('2-users')).toEqual({ ...said(2), users });
    expect(said(3)).toMatchObject({ ...said(2), users });
    expect(said(3).endedSessions).toHaveLength(3);
  });

  test('of the newest format is still what both stores write today', async () => {
    const golden = readFileSync(goldenFile);
    const file = join(tempDir(), 'again.knell');
    await memoryStore(readMemorySnapshot(goldenFile)).writeSnapshot(file, quiet);
    expect(readFileSync(file).equals(golden)).toBe(true);
    const store = await restored(goldenFile);
    await store.writeSnapshot(file, quiet);
    expect(readFileSync(file).equals(golden)).toBe(true);
  });
});

test('a data directory of format 1, half of it not folded, is migrated and owes nothing', async () => {
  const dataDir = join(tempDir(), 'data');
  for (const name of ['history', 'journal']) {
    mkdirSync(join(dataDir, name), { recursive: true });
    const packed = readFileSync(new URL(`../data-dirs/format-1/${name}.mdb.gz`, import.meta.url));
    writeFileSync(join(dataDir, name, 'data.mdb'), gunzipSync(packed));
  }
  writeFileSync(join(dataDir, 'format'), 'knell data format 1\n');
  const expected = JSON.parse(readFileSync(join(snapshots, 'format-1.json'), 'utf8'));
  const migrated = await open(dataDir);
  expect(JSON.parse(JSON.stringify(await tell(migrated)))).toEqual(expected);
  expect(readFileSync(join(dataDir, 'format'), 'utf8')).toBe('knell data format 5\n');
  await migrated.folded();
  await appendAll(migrated, [{ type: 'delivery', delivery: deliveryOf(1) }]);
  await opened.pop()?.close();
  const again = JSON.parse(JSON.stringify(await tell(await open(dataDir))));
  expect(again).toEqual({ ...expected, deliveries: [deliveryOf(1)] });
});

describe('a snapshot', () => {
  test('is refused wherever a byte of it is changed, and nothing is created', async () => {
    const golden = readFileSync(goldenFile);
    const dir = tempDir();
    const file = join(dir, 'damaged.knell');
    for (let at = 0; at < golden.length; at++) {
      const bytes = Buffer.from(golden);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, bytes);
      // A number that turned into that of an older format is found out by the checksum.
      const isKnown = bytes.readUInt32LE(snapshotHeadBytes - 4) <= current.format;
      const code = at < snapshotHeadBytes && !(isKnown && at >= 8) ? 'snapshot-foreign' : 'snapshot-damaged';
      const attempt = restoreSnapshot(file, join(dir, 'data'), quiet);
      await expect(attempt, `byte ${at}`).rejects.toMatchObject({ code });
    }
    expect(readdirSync(dir)).toEqual(['damaged.knell']);
  });

  test('is refused wherever it is cut, and with anything behind its end', async () => {
    const golden = readFileSync(goldenFile);
    const dir = tempDir();
    const file = join(dir, 'cut.knell');
    const versions = Array.from(golden, (_, length) => golden.subarray(0, length));
    for (const bytes of [
      ...versions,
      Buffer.concat([golden, Buffer.of(0)]),
      Buffer.concat([golden, golden]),
    ]) {
      writeFileSync(file, bytes);
      await expect(restoreSnapshot(file, join(dir, 'data'), quiet)).rejects.toMatchObject({
        code: expect.stringMatching(/^snapshot-(damaged|foreign)$/),
      });
    }
    expect(readdirSync(dir)).toEqual(['cut.knell']);
  });

  test('that does not exist, or is a directory, is refused in one line', async () => {
    const dir = tempDir();
    const target = join(dir, 'data');
    await expect(restoreSnapshot(join(dir, 'none'), target, quiet)).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(restoreSnapshot(dir, target, quiet)).rejects.toMatchObject({ code: 'snapshot-foreign' });
  });

  test('restores only into an empty or absent directory', async () => {
    const dir = tempDir();
    const target = join(dir, 'deep', 'data');
    await restoreSnapshot(goldenFile, target, quiet);
    await expect(restoreSnapshot(goldenFile, target, quiet)).rejects.toMatchObject({
      code: 'data-dir-not-empty',
    });
    const empty = join(dir, 'empty');
    mkdirSync(empty);
    await restoreSnapshot(goldenFile, empty, quiet);
    expect(readdirSync(dir).sort()).toEqual(['deep', 'empty']);
    expect(existsSync(join(empty, 'format'))).toBe(true);
  });

  test('restores into a mount point, which cannot be replaced', async ({ skip }) => {
    const disk = mountSmallDisk(16_000_000);
    if (!disk) return skip('this needs a file system of its own: mounting tmpfs is not allowed here');
    await restoreSnapshot(goldenFile, disk.dir, quiet);
    expect(readdirSync(disk.dir).sort()).toEqual(['format', 'history']);
    expect(await tell(await open(disk.dir))).toEqual(await tell(await restored(goldenFile)));
  });

  test('that does not fit leaves the directory as it was', async ({ skip }) => {
    const disk = mountSmallDisk(4_000_000);
    if (!disk) return skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
    const file = join(tempDir(), 'large.knell');
    const store = memoryStore();
    const noise = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    await appendAll(store, [
      { type: 'check', check: checkOf(1), changes: [] },
      ...Array.from({ length: 60 }, (_, index) => pingOf(checkOf(1), index + 1, { body: noise })),
    ]);
    await store.writeSnapshot(file, quiet);
    for (const target of [disk.dir, join(disk.dir, 'data')]) {
      await expect(restoreSnapshot(file, target, quiet)).rejects.toMatchObject({ code: 'store-full' });
      expect(readdirSync(disk.dir)).toEqual([]);
    }
  });

  test('is written while pings go on, and holds what was durable when it began', async () => {
    const store = await open(join(tempDir(), 'data'));
    await loaded(store);
    await appendAll(store, [
      { type: 'project', project: projectOf(1) },
      ...Array.from({ length: 3000 }, (_, number) => ({
        type: 'check' as const,
        check: checkOf(number),
        changes: [],
      })),
      pingOf(checkOf(1), 1),
    ]);
    const file = join(tempDir(), 'hot.knell');
    let isWritten = false;
    const writing = store.writeSnapshot(file, quiet).finally(() => {
      isWritten = true;
    });
    let n = 2;
    for (; !isWritten; n++) expect(await append(store, pingOf(checkOf(1), n))).toBe('durable');
    expect(await writing).toMatchObject({ checks: 3000 });
    const pings = (await restored(file)).pings(checkOf(1).id, 2000).map((ping) => ping.n);
    expect(pings.length).toBeGreaterThan(0);
    expect(pings).toEqual(Array.from(pings, (_, index) => pings.length - index));
  });

  test('that cannot be written says so and leaves nothing behind', async () => {
    const store = await open(join(tempDir(), 'data'));
    const dir = tempDir();
    await expect(store.writeSnapshot(join(dir, 'none', 'file'), quiet)).rejects.toMatchObject({
      code: 'snapshot-unwritable',
    });
    mkdirSync(join(dir, 'taken'));
    await expect(store.writeSnapshot(join(dir, 'taken'), quiet)).rejects.toMatchObject({
      code: 'snapshot-unwritable',
    });
    expect(readdirSync(dir)).toEqual(['taken']);
  });

  test('replaces an older file of its name', async () => {
    const store = await open(join(tempDir(), 'data'));
    const file = join(tempDir(), 'latest.knell');
    writeFileSync(file, 'older');
    const summary = await store.writeSnapshot(file, quiet);
    expect(readFileSync(file).length).toBe(summary.bytes);
  });
});
