/** When a gathering batch is due. */
import { expect, test } from 'vitest';
import { GatherWindow } from '../../../src/store/journal/gather-window.ts';

test('a lone record never waits', () => {
  const window = new GatherWindow();
  for (let commit = 0; commit < 100; commit++) {
    expect(window.isDue(1, 0)).toBe(true);
    window.committed(1, 0.3);
  }
});

test('under load a batch waits for as many records as there were lately', () => {
  const window = new GatherWindow();
  for (let commit = 0; commit < 100; commit++) window.committed(64, 0.3);
  expect(window.isDue(32, 0.1)).toBe(false);
  expect(window.isDue(64, 0.1)).toBe(true);
});

test('no batch waits longer than a commit takes, 0.4 ms at least and 0.8 ms at most', () => {
  const window = new GatherWindow();
  for (let commit = 0; commit < 100; commit++) window.committed(64, 0.1);
  expect(window.isDue(2, 0.39)).toBe(false);
  expect(window.isDue(2, 0.41)).toBe(true);
  for (let commit = 0; commit < 100; commit++) window.committed(64, 5);
  expect(window.isDue(2, 0.79)).toBe(false);
  expect(window.isDue(2, 0.81)).toBe(true);
});

test('after a burst a lone record waits for a few commits only', () => {
  const window = new GatherWindow();
  for (let commit = 0; commit < 100; commit++) window.committed(256, 0.3);
  let commits = 0;
  while (!window.isDue(1, 0)) {
    window.committed(1, 0.3);
    commits++;
  }
  expect(commits).toBeLessThan(60);
});

test('the typical commit time is a median, which one stall does not move', () => {
  const window = new GatherWindow();
  for (let commit = 0; commit < 20; commit++) window.committed(1, 0.3);
  window.committed(1, 500);
  expect(window.commitMs).toBe(0.3);
  for (let commit = 0; commit < 8; commit++) window.committed(1, 3);
  expect(window.commitMs).toBe(3);
});
