/** When a gathering batch is due. */
import { expect, test } from 'vitest';
import { defaultLimits } from '../../../src/store/disk/limits.ts';
import { CommitTimes } from '../../../src/store/journal/commit-times.ts';
import { GatherWindow } from '../../../src/store/journal/gather-window.ts';

const commitMs = 0.3;

test('a lone record never waits', () => {
  const window = new GatherWindow(defaultLimits);
  for (let commit = 0; commit < 100; commit++) {
    expect(window.isDue(1, 0, commitMs)).toBe(true);
    window.committed(1);
  }
});

test('under load a batch waits for as many records as there were lately', () => {
  const window = new GatherWindow(defaultLimits);
  for (let commit = 0; commit < 100; commit++) window.committed(64);
  expect(window.isDue(32, 0.1, commitMs)).toBe(false);
  expect(window.isDue(64, 0.1, commitMs)).toBe(true);
});

test('no batch waits longer than a commit takes, 0.4 ms at least and 0.8 ms at most', () => {
  const window = new GatherWindow(defaultLimits);
  for (let commit = 0; commit < 100; commit++) window.committed(64);
  expect(window.isDue(2, 0.39, 0.1)).toBe(false);
  expect(window.isDue(2, 0.41, 0.1)).toBe(true);
  expect(window.isDue(2, 0.79, 5)).toBe(false);
  expect(window.isDue(2, 0.81, 5)).toBe(true);
});

test('after a burst a lone record waits for a few commits only', () => {
  const window = new GatherWindow(defaultLimits);
  for (let commit = 0; commit < 100; commit++) window.committed(256);
  let commits = 0;
  while (!window.isDue(1, 0, commitMs)) {
    window.committed(1);
    commits++;
  }
  expect(commits).toBeLessThan(60);
});

test('the typical commit time is a median, which one stall does not move', () => {
  const times = new CommitTimes();
  for (let commit = 0; commit < 20; commit++) times.add(0.3);
  times.add(500);
  expect(times.medianMs).toBe(0.3);
  for (let commit = 0; commit < 8; commit++) times.add(3);
  expect(times.medianMs).toBe(3);
});
