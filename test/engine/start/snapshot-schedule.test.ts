/** Snapshots that Knell writes by itself: days go by on a simulated clock, files, threads and the store are real. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import {
  SnapshotSchedule,
  type SnapshotScheduleOptions,
} from '../../../src/engine/start/snapshot-schedule.ts';
import { day, hour, minute } from '../../../src/lib/units.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { restoreSnapshot } from '../../../src/store/snapshot/restore.ts';
import { VerifyThreads } from '../../../src/store/snapshot/thread.ts';
import type { Store } from '../../../src/store/store.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { builtUrl } from '../../support/process/built.ts';
import { mountSmallDisk } from '../../support/store/small-disk.ts';
import { append, checkOf, loaded, pingOf } from '../../support/store/store-facts.ts';
import { storeOptions } from '../../support/store/stores.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const startMs = Date.UTC(2026, 10, 22, 3, 15);
let dataDir: string;
let store: Store;
let clock: SimulatedClock;
let threads: VerifyThreads;
let said: string[];
const stores: Store[] = [];

beforeEach(async () => {
  await openIn(tempDir());
});

afterEach(async () => {
  await threads.stop();
  for (const one of stores.splice(0)) await one.close();
});

async function openIn(dir: string): Promise<void> {
  dataDir = join(dir, 'data');
  store = await openStore(storeOptions(dataDir));
  stores.push(store);
  await loaded(store);
  await append(store, { type: 'check', check: checkOf(1), changes: [] });
  clock = new SimulatedClock(startMs);
  threads = new VerifyThreads(builtUrl('store/snapshot/verify-worker.js'));
  said = [];
}

function schedule(options: Partial<SnapshotScheduleOptions> = {}): SnapshotSchedule {
  const made = new SnapshotSchedule({
    dataDir,
    plan: { everyMs: day, kept: 7 },
    clock,
    logger: pino({ level: 'info', base: null }, { write: (line: string) => said.push(JSON.parse(line).msg) }),
    limits: limits.snapshots,
    write: (file) => store.writeSnapshot(file, () => {}),
    verify: (file) => threads.verify(file),
    ...options,
  });
  made.start();
  return made;
}

/** Lets time pass in steps of `stepMs`, and what is begun in each come to its end. */
async function pass(made: SnapshotSchedule, ms: number, stepMs: number = hour): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await clock.advance(stepMs);
    await made.idle();
  }
}

const folder = (): string => join(dataDir, 'snapshots');
const names = (): readonly string[] => (existsSync(folder()) ? readdirSync(folder()).sort() : []);
const days = (...numbers: number[]): readonly string[] =>
  numbers.map((number) => expect.stringMatching(new RegExp(`^knell-202611${number}T\\d{6}Z\\.snapshot$`)));

describe('a Knell that runs on', () => {
  test('writes one a day, the first a minute after its start, and keeps seven', async () => {
    const made = schedule();
    await pass(made, 59_000, 59_000);
    expect(names()).toEqual([]);
    await pass(made, 1000, 1000);
    expect(names()).toEqual(['knell-20261122T031600Z.snapshot']);
    await pass(made, 6 * day);
    expect(names()).toEqual(days(22, 23, 24, 25, 26, 27, 28));
    await pass(made, 2 * day);
    expect(names()).toEqual(days(24, 25, 26, 27, 28, 29, 30));
    made.stop();
    await pass(made, 2 * day);
    expect(names()).toHaveLength(7);
    expect(said).toEqual(Array.from({ length: 9 }, () => 'snapshot written'));
  });

  test('writes what restores', async () => {
    await append(store, pingOf(checkOf(1), 1, { body: 'kept' }));
    await pass(schedule(), minute, minute);
    const target = join(tempDir(), 'data');
    await restoreSnapshot(join(folder(), names()[0] ?? ''), target, () => {});
    const restored = await openStore(storeOptions(target));
    stores.push(restored);
    await loaded(restored);
    expect(Buffer.from(restored.body(checkOf(1).id, 1) ?? []).toString()).toBe('kept');
  });

  test('does so at the same time as somebody else writes one', async () => {
    const made = schedule();
    await clock.advance(minute);
    const mine = join(tempDir(), 'mine.snapshot');
    const [summary] = await Promise.all([store.writeSnapshot(mine, () => {}), made.idle()]);
    expect(summary.checks).toBe(1);
    expect([existsSync(mine), names()]).toEqual([true, days(22)]);
  });
});

describe('a restart', () => {
  test('every hour changes nothing: it is one a day', async () => {
    for (let restarts = 0; restarts < 26; restarts++) {
      const made = schedule();
      await pass(made, hour, 10 * minute);
      made.stop();
    }
    expect(names()).toEqual(days(22, 23));
  });

  test('after a week away catches up with one', async () => {
    const first = schedule();
    await pass(first, minute, minute);
    first.stop();
    await clock.advance(7 * day);
    await pass(schedule(), 12 * hour);
    expect(names()).toEqual(days(22, 29));
  });

  test('removes what a killed one left half written, and nothing else', async () => {
    mkdirSync(folder());
    const others = [
      'manual-20261101T000000Z.snapshot',
      'mine.partial',
      'notes.txt',
      '2026-11-01T000000Z.knell',
    ];
    const left = [
      'knell-20261121T000000Z.snapshot.unverified',
      'knell-20261121T000000Z.snapshot.unverified.0123456789ab.partial',
      'manual-20261121T000000Z.snapshot.0123456789ab.partial',
    ];
    for (const name of [...others, ...left]) writeFileSync(join(folder(), name), 'x');
    schedule();
    expect(names()).toEqual([...others].sort());
  });
});

test('after one that ended Knell itself the next waits an hour, and says so, but not after one that was not read back', async () => {
  mkdirSync(folder());
  writeFileSync(join(folder(), 'knell-20261121T000000Z.snapshot.unverified.0123456789ab.partial'), 'x');
  const made = schedule();
  expect(made.failure).toMatchObject({
    message: expect.stringContaining('ended while'),
    nextMs: startMs + hour,
  });
  await pass(made, 59 * minute, minute);
  expect(names()).toEqual([]);
  await pass(made, minute, minute);
  expect([names(), made.failure]).toEqual([days(22), null]);
  made.stop();

  writeFileSync(join(folder(), 'knell-20261121T000000Z.snapshot.unverified'), 'x');
  expect(schedule().failure).toBeNull();
});

test('no file of a user is ever deleted, nor counted', async () => {
  mkdirSync(folder());
  const mine = [
    'mine.snapshot',
    'manual-20260101T000000Z.snapshot',
    '2026-01-01T000000Z.knell',
    'knell-x.snapshot',
  ];
  for (const name of mine) {
    writeFileSync(join(folder(), name), 'x');
    utimesSync(join(folder(), name), startMs / 1000, startMs / 1000);
  }
  await pass(schedule({ plan: { everyMs: hour, kept: 2 } }), 5 * hour, 20 * minute);
  expect(names()).toEqual(expect.arrayContaining(mine));
  expect(names()).toHaveLength(mine.length + 2);
});

describe('when the wall clock jumps', () => {
  test('ten years ahead and back, there is one more at most, and then one a day', async () => {
    const made = schedule();
    await pass(made, 2 * day);
    clock.jump(3650 * day);
    await pass(made, 3 * hour);
    expect(names()).toEqual([...days(22, 23), expect.stringMatching(/^knell-2036/)]);
    clock.jump(-3650 * day);
    await pass(made, 2 * day + 2 * hour);
    expect(names()).toEqual([...days(22, 23, 24, 25, 26), expect.stringMatching(/^knell-2036/)]);
    await pass(made, 3 * day);
    expect(names()).toEqual(days(23, 24, 25, 26, 27, 28, 29));
  });

  test('back to 1970, as without a battery, the one of that time is kept beside the real ones, and it is one', async () => {
    const made = schedule({ plan: { everyMs: day, kept: 3 } });
    await pass(made, 3 * day);
    clock.jump(-startMs);
    await pass(made, 5 * hour);
    expect(names()).toEqual([expect.stringMatching(/^knell-1970/), ...days(23, 24)]);
    clock.jump(startMs);
    await pass(made, 2 * day + 2 * hour);
    expect(names()).toEqual(days(25, 26, 27));
  });

  test('back by an hour after each one, none is written early', async () => {
    const made = schedule();
    await pass(made, hour);
    clock.jump(-hour);
    await pass(made, 22 * hour);
    expect(names()).toEqual(days(22));
  });
});

describe('a failure', () => {
  test('says what to do, is tried again later and later, and is forgotten after a success', async () => {
    writeFileSync(folder(), 'in the way');
    const made = schedule();
    await pass(made, 8 * minute, minute);
    // After 1 minute, and then 1, 2 and 4 minutes later.
    const failures = (): readonly string[] => said.filter((line) => line.startsWith('snapshots: '));
    expect(failures()).toHaveLength(4);
    expect(failures().at(-1)).toMatch(
      /^snapshots: .*snapshots.*: see that .* is a directory that Knell may write to. Next attempt in 480 s$/,
    );
    await pass(made, 8 * minute, minute);
    expect(made.failure).toMatchObject({
      atMs: startMs + 16 * minute,
      nextMs: startMs + 32 * minute,
      message: expect.stringMatching(/cannot be read: ENOTDIR.*see that .* is a directory/),
    });
    await pass(made, day);
    expect(failures().length).toBeLessThan(32);
    rmSync(folder());
    await pass(made, hour);
    expect([made.failure, names().length]).toEqual([null, 1]);
  });

  test('without space leaves the disk its last bytes, and passes when there is space', async ({ skip }) => {
    const disk = mountSmallDisk(64_000_000);
    if (!disk) return skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
    await openIn(disk.dir);
    writeFileSync(join(disk.dir, 'others'), Buffer.alloc(30_000_000));
    const made = schedule({ limits: { ...limits.snapshots, freeBytesMin: 64_000_000 } });
    await pass(made, minute, minute);
    expect([made.failure, names()]).toEqual([null, days(22)]);
    disk.fill();
    await pass(made, day);
    expect(made.failure?.message).toMatch(
      /not enough space .* MB are free.*: free some space there, or keep fewer/,
    );
    disk.free();
    await pass(made, hour);
    expect([made.failure, names().length]).toEqual([null, 2]);
    await stores.pop()?.close();
  });

  test('of the reading back deletes no older one, and leaves nothing that counts as a snapshot', async () => {
    let isBad = false;
    const made = schedule({
      plan: { everyMs: day, kept: 1 },
      async write(file) {
        const summary = await store.writeSnapshot(file, () => {});
        const bytes = readFileSync(file);
        if (isBad) writeFileSync(file, bytes.fill(0, bytes.length - 1));
        return summary;
      },
    });
    await pass(made, minute, minute);
    const [first] = names();
    isBad = true;
    await pass(made, day + hour);
    expect(names()).toEqual([first]);
    expect(made.failure?.message).toMatch(/checksum.*could not be read back: check the disk and the memory/);
    isBad = false;
    await pass(made, hour);
    expect([names(), made.failure]).toEqual([days(23), null]);
  });
});

test('where snapshots/ is a link to another disk, they are written there', async () => {
  const elsewhere = tempDir();
  symlinkSync(elsewhere, folder());
  await pass(schedule(), minute, minute);
  expect(readdirSync(elsewhere)).toEqual(days(22));
});

describe('a stop', () => {
  test('while one is written or read back leaves none that was not read back, and says nothing', async () => {
    const made = schedule();
    await clock.advance(minute);
    made.stop();
    await threads.stop();
    await stores.pop()?.close();
    await made.idle();
    expect(names().filter((name) => name.endsWith('.snapshot'))).toEqual([]);
    expect(said).toEqual([]);
  });
});
