/** Snapshot files: the golden ones stay readable, and restore where nothing is that they would replace. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultChannelSettings } from '../../../src/domain/accounts/project.ts';
import { statusPageFieldNames, statusPageFields } from '../../../src/domain/accounts/status-page-fields.ts';
import type { EndedSession } from '../../../src/domain/accounts/user.ts';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import type { RunEnding } from '../../../src/domain/runs/run-ending.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { lockDataDir } from '../../../src/store/disk/data-dir-lock.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import type { Store } from '../../../src/store/store.ts';
import { goldenRecords, goldenStatistics } from '../../support/store/golden-facts.ts';
import { mountSmallDisk } from '../../support/store/small-disk.ts';
import { current, fileOf, goldenFile, quiet, snapshotStores } from '../../support/store/snapshot-stores.ts';
import { appendAll, checkOf, loaded } from '../../support/store/store-facts.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const { open, restored, restoredSimulated } = snapshotStores();

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

describe('a snapshot', () => {
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
});
