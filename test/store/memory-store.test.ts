/** What simulations rely on: crashes and faults on demand. */
import { expect, test } from 'vitest';
import { createMemoryDisk } from '../../src/store/memory-disk.ts';
import { MemoryFaults } from '../../src/store/memory-faults.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { append, appendAll, checkOf, loaded, pingOf } from '../support/store-facts.ts';

const numbers = (store: Store) => store.pings(checkOf(1).id, 100).map((ping) => ping.n);

async function started() {
  const disk = createMemoryDisk();
  const faults = new MemoryFaults();
  const store = createMemoryStore({ disk, faults });
  await appendAll(store, [{ type: 'check', check: checkOf(1), changes: [] }]);
  return { disk, faults, store };
}

test('while commits are held nothing is durable and nobody hears', async () => {
  const { faults, store } = await started();
  faults.hold();
  const fate = append(store, pingOf(checkOf(1), 1));
  await Promise.resolve();
  expect(numbers(store)).toEqual([]);
  faults.release();
  expect(await fate).toBe('durable');
  expect(numbers(store)).toEqual([1]);
});

test('a crash loses what is not durable, and the store before it can no longer write', async () => {
  const { disk, faults, store } = await started();
  expect(await append(store, pingOf(checkOf(1), 1))).toBe('durable');
  faults.hold();
  void append(store, pingOf(checkOf(1), 2));
  const again = createMemoryStore({ disk });
  faults.release();
  await Promise.resolve();
  expect((await loaded(again)).checks.get(checkOf(1).id)?.state.nPings).toBe(1);
  expect(await append(again, pingOf(checkOf(1), 2, { ua: 'second life' }))).toBe('durable');
  expect(again.pings(checkOf(1).id, 1)[0]?.ua).toBe('second life');
});

test('as many commits fail as were asked for', async () => {
  const { faults, store } = await started();
  faults.fail(2);
  expect(await append(store, pingOf(checkOf(1), 1))).toBe('rolledBack');
  expect(store.full).toBe(true);
  expect(await append(store, pingOf(checkOf(1), 1))).toBe('rolledBack');
  expect(await append(store, pingOf(checkOf(1), 1))).toBe('durable');
  expect(store.full).toBe(false);
});
