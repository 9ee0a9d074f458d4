import { expect, test } from 'vitest';
import { AliveMarks } from '../../../src/engine/deadlines/alive-marks.ts';
import type { JournalRecord, Waiter } from '../../../src/store/store.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';

/** Marks on a store that keeps what is appended until the test settles it. */
function started() {
  const clock = new SimulatedClock(1_000_000);
  const written: JournalRecord[] = [];
  const waiters: (Waiter | null)[] = [];
  const store = {
    full: false,
    isLogSilent: false,
    append(record: JournalRecord, waiter: Waiter | null) {
      written.push(record);
      waiters.push(waiter);
    },
  };
  const scene = { mayMark: true, onMarks: 0, marked: [] as number[] };
  const marks = new AliveMarks({
    store,
    clock,
    everyMs: 10_000,
    mayMark: () => scene.mayMark,
    marked: (atMs) => scene.marked.push(atMs),
    onMark: () => scene.onMarks++,
  });
  marks.start();
  const settle = (): void => {
    for (const waiter of waiters.splice(0)) waiter?.durable();
  };
  const rollBack = (): void => {
    for (const waiter of waiters.splice(0)) waiter?.rolledBack();
  };
  return { rollBack, clock, store, marks, scene, written, settle };
}

test('marks are written at once, every so often, and at the stop', async () => {
  const { clock, marks, scene, written } = started();
  await clock.advance(25_000);
  marks.stop();
  await clock.advance(60_000);
  const at = (atMs: number) => ({ type: 'alive', atMs });
  expect(written).toEqual([at(1_000_000), at(1_010_000), at(1_020_000), at(1_025_000)]);
  expect(scene.onMarks).toBe(3);
});

test('a disk that takes nothing for three marks in a row is a problem, until it takes one', async () => {
  const { clock, marks, settle } = started();
  await clock.advance(10_000);
  expect(marks.health.problem()).toBeNull();
  await clock.advance(10_000);
  expect(marks.health.problem()).toBe('nothing could be written for more than 20 s');
  settle();
  expect(marks.health.problem()).toBeNull();
});

test('a full disk is a problem at once, and none as soon as there is space', async () => {
  const { clock, marks, store, rollBack } = started();
  store.full = true;
  expect(marks.health.problem()).toBe('the disk is full, pings are refused');
  await clock.advance(60_000);
  rollBack();
  store.full = false;
  expect(marks.health.problem()).toBeNull();
  // What it refuses meanwhile counts as on a full disk.
  Object.assign(store, { full: true, isLogSilent: true });
  expect(marks.health.problem()).toBe('the log of the cluster does not answer, pings are refused');
});

test('marks that must not be written are not missed', async () => {
  const { clock, marks, scene, written, settle } = started();
  settle();
  scene.mayMark = false;
  await clock.advance(60_000);
  expect(written).toHaveLength(1);
  expect(marks.health.problem()).toBeNull();
});
