/** Snapshot files: the golden ones stay readable, damaged ones are refused and change nothing. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { defaultChannelSettings } from '../../../src/domain/accounts/project.ts';
import { statusPageFieldNames, statusPageFields } from '../../../src/domain/accounts/status-page-fields.ts';
import type { EndedSession } from '../../../src/domain/accounts/user.ts';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { RunEnding } from '../../../src/domain/runs/run-ending.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { lockDataDir } from '../../../src/store/disk/data-dir-lock.ts';
import { openStore, type StoreOptions } from '../../../src/store/open/open-store.ts';
import { snapshotHeadBytes } from '../../../src/store/snapshot/format.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { verifySnapshot } from '../../../src/store/snapshot/verify.ts';
import type { Store } from '../../../src/store/store.ts';
import { isLong } from '../../support/long.ts';
import { damagedSnapshots } from '../../support/store/damaged-snapshots.ts';
import { goldenNowMs, goldenRecords, goldenStatistics } from '../../support/store/golden-facts.ts';
import { mountSmallDisk } from '../../support/store/small-disk.ts';
import { append, appendAll, checkOf, loaded, pingOf, projectOf } from '../../support/store/store-facts.ts';
import { simulatedPlace, storeOptions } from '../../support/store/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const snapshots = fileURLToPath(new URL('../../../snapshots/', import.meta.url));
const current = 'format-1';
const fileOf = (name: string): string => join(snapshots, `${name}.knell`);
const goldenFile = fileOf(current);
const quiet = () => {};

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(dataDir: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore(storeOptions(dataDir, { nowMs: () => goldenNowMs, ...options }));
  opened.push(store);
  return store;
}

/** Of one instant, they are in any order. */
function byOutcome(endings: readonly RunEnding[]): readonly RunEnding[] {
  return [...endings].sort((one, other) => (one.outcome < other.outcome ? -1 : 1));
}

/** All that a store holds, as plain JSON: bodies in base64, maps as lists. */
async function contentOf(store: Store): Promise<unknown> {
  const facts = await loaded(store);
  const audit = store.audit(null, 1000);
  const byId = (map: ReadonlyMap<string, unknown>) => [...map.keys()].sort().map((id) => map.get(id));
  const checks = [...facts.checks.keys()]
    .sort()
    .map(asCheckId)
    .map((id) => {
      const { expectedAtMs, downAtMs, isWarned, ...plainState } =
        facts.checks.get(id)?.state ?? checkOf(1).state;
      const state = isWarned ? { ...plainState, isWarned } : plainState;
      // What pings have had since then is left out where it has its default, as in the records themselves.
      const pings = store.pings(id, 2000).map(({ host, note, figures, about, results, ...plain }) => {
        const numbers = figures.length === 0 ? {} : { figures };
        const noted = note === null ? {} : { note, ...numbers, ...(about === '' ? {} : { about }) };
        const reported = results.length === 0 ? {} : { results };
        const ping = { ...plain, ...(host === '' ? {} : { host }), ...noted, ...reported };
        const body = store.body(id, ping.n);
        return body ? { ...ping, body: Buffer.from(body).toString('base64') } : ping;
      });
      const always = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
      const changes = store.changes(id, always);
      const notifications = store.notifications(id, always, 1000);
      const endings = byOutcome(store.runEndings(id, always, 1000));
      return {
        ...facts.checks.get(id),
        state,
        deadlines: [expectedAtMs, downAtMs].map(String),
        pings,
        changes,
        ...(notifications.length > 0 ? { notifications } : {}),
        ...(endings.length > 0 ? { endings } : {}),
        ...goldenStatistics(store, id),
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
    ...(facts.endedSessions.length > 0 ? { endedSessions: [...facts.endedSessions].sort(byUserAndEnd) } : {}),
    ...(facts.statusPages.size > 0 ? { statusPages: byId(facts.statusPages) } : {}),
    ...(facts.incidents.size > 0 ? { incidents: byId(facts.incidents) } : {}),
    ...(facts.maintenance.size > 0 ? { maintenance: byId(facts.maintenance) } : {}),
    ...(audit.length > 0 ? { audit } : {}),
  };
}

function byUserAndEnd(a: EndedSession, b: EndedSession): number {
  if (a.userId !== b.userId) return a.userId < b.userId ? -1 : 1;
  return a.untilMs - b.untilMs;
}

/** What `file` holds, in a store over a simulated disk. */
async function restoredSimulated(file: string): Promise<Store> {
  const store = await (await simulatedPlace().restored(file)).open();
  opened.push(store);
  return store;
}

/** `KNELL_WRITE_GOLDEN=1` makes the current format's golden files anew. Only ever for one that was not released. */
async function writeGolden(): Promise<void> {
  const store = await open(join(tempDir(), 'data'));
  await loaded(store);
  await appendAll(store, goldenRecords);
  await store.writeSnapshot(goldenFile, quiet);
  writeFileSync(
    goldenFile.replace('.knell', '.json'),
    `${JSON.stringify(await contentOf(await restoredSimulated(goldenFile)), null, 2)}\n`,
  );
}

/** What is written beside a golden; fields that checks, integrations and status pages have got since have their defaults. */
function factsOf(name: string) {
  const facts = JSON.parse(readFileSync(fileOf(name).replace('.knell', '.json'), 'utf8'));
  for (const channel of facts.channels)
    if (channel.settings) channel.settings = { ...defaultChannelSettings, ...channel.settings };
  for (const check of facts.checks) check.config = { ...defaultConfig, ...check.config };
  facts.statusPages = facts.statusPages?.map((page: object) => ({ ...pageDefaults, ...page }));
  return facts;
}

const pageDefaults = Object.fromEntries(
  statusPageFieldNames.map((name) => [name, statusPageFields[name].default]),
);

async function restored(file: string): Promise<Store> {
  const dataDir = join(tempDir(), 'data');
  await restoreSnapshot(file, dataDir, quiet);
  return open(dataDir);
}

describe('the golden snapshots', () => {
  test.each([current, 'before-1.0'])('%s restores to what is written beside it', async (name) => {
    if (process.env.KNELL_WRITE_GOLDEN === '1' && name === current) await writeGolden();
    const file = fileOf(name);
    const expected = factsOf(name);
    for (const store of [await restored(file), await restoredSimulated(file)])
      expect(JSON.parse(JSON.stringify(await contentOf(store)))).toEqual(expected);
  });

  test('from before the first release holds what that of format 1 does, but for what it could not', () => {
    const { statusPages, maintenance, audit, incidents, ...same } = factsOf(current);
    expect([statusPages, maintenance, audit, incidents].every(({ length }) => length > 0)).toBe(true);
    const checks = same.checks.filter((check: object) => !('runs' in check || 'hold' in check));
    expect(checks.length).toBeLessThan(same.checks.length);
    expect(factsOf('before-1.0')).toEqual({ ...same, checks });
  });

  test('of the newest format is still what a store writes today, on a real disk and a simulated one', async () => {
    const golden = readFileSync(goldenFile);
    const file = join(tempDir(), 'again.knell');
    await (await restoredSimulated(goldenFile)).writeSnapshot(file, quiet);
    expect(readFileSync(file).equals(golden)).toBe(true);
    const store = await restored(goldenFile);
    await store.writeSnapshot(file, quiet);
    expect(readFileSync(file).equals(golden)).toBe(true);
  });
});

/** Verifying and restoring read a file by the same code; restoring also opens LMDB, which takes most of the time. */
/** Bytes from one that is tried to the next: a prime, so that all bits and parts are. */
const step = isLong ? 1 : 199;

const isRestoredToo = (at: number): boolean => at < snapshotHeadBytes || at % 7 === 0;

describe('a snapshot', () => {
  test('is refused wherever a byte of it is changed, and nothing is created', async () => {
    const golden = readFileSync(goldenFile);
    const dir = tempDir();
    const file = join(dir, 'damaged.knell');
    for (let at = 0; at < golden.length; at += step) {
      const bytes = Buffer.from(golden);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, bytes);
      const code = at < snapshotHeadBytes ? 'snapshot-foreign' : 'snapshot-damaged';
      expect(() => verifySnapshot(file, quiet), `byte ${at}`).toThrow(expect.objectContaining({ code }));
      if (!isRestoredToo(at)) continue;
      const attempt = restoreSnapshot(file, join(dir, 'data'), quiet);
      await expect(attempt, `byte ${at}`).rejects.toMatchObject({ code });
    }
    expect(readdirSync(dir)).toEqual(['damaged.knell']);
  });

  test('is refused for every other kind of damage, even where its checksum fits', async () => {
    const dir = tempDir();
    const file = join(dir, 'damaged.knell');
    for (const [what, bytes] of damagedSnapshots(readFileSync(goldenFile))) {
      writeFileSync(file, bytes);
      const code = expect.stringMatching(/^snapshot-(damaged|foreign)$/);
      const attempt = restoreSnapshot(file, join(dir, 'data'), quiet);
      await expect(attempt, what).rejects.toMatchObject({ code });
      expect(() => verifySnapshot(file, quiet), what).toThrow(expect.objectContaining({ code }));
    }
    expect(readdirSync(dir)).toEqual(['damaged.knell']);
  });

  test('is refused wherever it is cut, and with anything behind its end', async () => {
    const golden = readFileSync(goldenFile);
    const dir = tempDir();
    const file = join(dir, 'cut.knell');
    const versions = Array.from({ length: Math.ceil(golden.length / step) }, (_, at) =>
      golden.subarray(0, at * step),
    );
    const code = expect.stringMatching(/^snapshot-(damaged|foreign)$/);
    for (const bytes of [
      ...versions,
      Buffer.concat([golden, Buffer.of(0)]),
      Buffer.concat([golden, golden]),
    ]) {
      writeFileSync(file, bytes);
      const what = `${bytes.length} bytes`;
      expect(() => verifySnapshot(file, quiet), what).toThrow(expect.objectContaining({ code }));
      if (!isRestoredToo(bytes.length) && bytes.length < golden.length) continue;
      await expect(restoreSnapshot(file, join(dir, 'data'), quiet), what).rejects.toMatchObject({ code });
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

  test('restores beside the snapshots of the data directory, which stay where they are', async () => {
    const target = join(tempDir(), 'data');
    mkdirSync(join(target, 'snapshots'), { recursive: true });
    const file = join(target, 'snapshots', 'knell-20261122T031500Z.snapshot');
    copyFileSync(goldenFile, file);
    await restoreSnapshot(file, target, quiet);
    expect(readdirSync(target).sort()).toEqual(['format', 'history', 'lock', 'snapshots']);
    expect(readFileSync(file).equals(readFileSync(goldenFile))).toBe(true);
    expect(await contentOf(await open(target))).toEqual(await contentOf(await restored(goldenFile)));
  });

  test.each([
    ['while it was building', ['.data.0123456789ab.restoring/history/data.mdb']],
    ['after its history had moved', ['.data.0123456789ab.restoring/format', 'history/data.mdb']],
  ])('restores where a restore was killed %s', async (_when, left) => {
    const target = join(tempDir(), 'data');
    for (const path of [...left, 'snapshots/notes.txt']) {
      mkdirSync(join(target, dirname(path)), { recursive: true });
      writeFileSync(join(target, path), 'half');
    }
    await restoreSnapshot(goldenFile, target, quiet);
    expect(readdirSync(target).sort()).toEqual(['format', 'history', 'lock', 'snapshots']);
    expect(await contentOf(await open(target))).toEqual(await contentOf(await restored(goldenFile)));
  });

  test.each([
    ['a history of its own', ['history/data.mdb']],
    [
      'a history and a preparation that is not done',
      ['history/data.mdb', '.data.0123456789ab.restoring/history/x'],
    ],
    [
      'a whole one and what a killed restore prepared',
      ['format', 'history/data.mdb', '.data.0123456789ab.restoring/format'],
    ],
    ['a file of somebody', ['snapshots/x.snapshot', 'notes.txt']],
    ['a journal', ['journal/1.log', 'snapshots/x.snapshot']],
  ])('does not restore over %s', async (_what, there) => {
    const target = join(tempDir(), 'data');
    for (const path of there) {
      mkdirSync(join(target, dirname(path)), { recursive: true });
      writeFileSync(join(target, path), 'kept');
    }
    const attempt = restoreSnapshot(goldenFile, target, quiet);
    await expect(attempt).rejects.toMatchObject({ code: 'data-dir-not-empty' });
    for (const path of there) expect(readFileSync(join(target, path), 'utf8')).toBe('kept');
  });

  test('does not restore beside a Knell that holds the directory', async () => {
    const target = join(tempDir(), 'data');
    mkdirSync(join(target, 'snapshots'), { recursive: true });
    const lock = lockDataDir(target);
    await expect(restoreSnapshot(goldenFile, target, quiet)).rejects.toMatchObject({
      code: 'data-dir-locked',
    });
    lock.release();
    expect(readdirSync(target).sort()).toEqual(['lock', 'snapshots']);
  });

  test('restores into a mount point, which cannot be replaced', async ({ skip }) => {
    const disk = mountSmallDisk(16_000_000);
    if (!disk) return skip('this needs a file system of its own: mounting tmpfs is not allowed here');
    await restoreSnapshot(goldenFile, disk.dir, quiet);
    expect(readdirSync(disk.dir).sort()).toEqual(['format', 'history', 'lock']);
    expect(await contentOf(await open(disk.dir))).toEqual(await contentOf(await restored(goldenFile)));
  });

  test('that does not fit leaves the directory as it was', async ({ skip }) => {
    const disk = mountSmallDisk(4_000_000);
    if (!disk) return skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
    const file = join(tempDir(), 'large.knell');
    const store = await open(join(tempDir(), 'data'), { bodyBudgetBytes: 10_000_000 });
    await loaded(store);
    const noise = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    await appendAll(store, [
      { type: 'check', check: checkOf(1), changes: [] },
      ...Array.from({ length: 60 }, (_, index) => pingOf(checkOf(1), index + 1, { body: noise })),
    ]);
    await store.writeSnapshot(file, quiet);
    for (const target of [disk.dir, join(disk.dir, 'data')]) {
      await expect(restoreSnapshot(file, target, quiet)).rejects.toMatchObject({ code: 'store-full' });
      expect(readdirSync(disk.dir)).toEqual(['lock']);
    }
  });

  test('is written while pings go on, and holds what was durable when it began', async () => {
    const checks = isLong ? 3000 : 1000;
    const store = await open(join(tempDir(), 'data'));
    await loaded(store);
    await appendAll(store, [
      { type: 'put', kind: 'project', fact: projectOf(1) },
      ...Array.from({ length: checks }, (_, number) => ({
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
    expect(await writing).toMatchObject({ checks });
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
