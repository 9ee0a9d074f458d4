/** What the suite that every store passes does with the stores of one kind: each test has its own, closed when it ends. */
import { join } from 'node:path';
import { afterEach, test } from 'vitest';
import type { Check } from '../../../src/domain/check/check.ts';
import type { JournalRecord, Store } from '../../../src/store/store.ts';
import { isLong } from '../long.ts';
import { tempDir } from '../temp-dirs.ts';
import { appendAll, checkOf, loaded, projectOf } from './store-facts.ts';
import { type StoreKind, type StorePlace, storeKinds } from './stores.ts';

export const always = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

/** Usual and simulated in `npm test`, all in `npm run test:long`. */
export const suiteKinds = storeKinds.filter(({ name }) => isLong || name === 'lmdb' || name === 'simulated');

/** Of the pings of `check`, newest first. */
export const numbers = (store: Store, check: Check, limit = 2000): readonly number[] =>
  store.pings(check.id, limit).map((ping) => ping.n);

/** For one `describe` of each of `suiteKinds`. */
export function storeSuite({ name, create, createFillable }: StoreKind) {
  /** A second or two over LMDB, where little but the time is another: `npm test` has them over the simulated disk. */
  const longTest = test.skipIf(!isLong && name === 'lmdb');
  const opened: Store[] = [];

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function open(place: StorePlace): Promise<Store> {
    const store = await place.open();
    opened.push(store);
    return store;
  }

  async function close(store: Store): Promise<void> {
    opened.splice(opened.indexOf(store), 1);
    await store.close();
  }

  /** An open, loaded store with one project (number 1) and its checks. */
  async function started(place = create(), checks: readonly Check[] = [checkOf(1)]): Promise<Store> {
    const store = await open(place);
    await loaded(store);
    const records = checks.map((check): JournalRecord => ({ type: 'check', check, changes: [] }));
    await appendAll(store, [{ type: 'put', kind: 'project', fact: projectOf(1) }, ...records]);
    return store;
  }

  /** Closes the store, and opens it again: where it is, then restored from a snapshot. */
  async function* openedAgain(store: Store, place: StorePlace): AsyncGenerator<Store> {
    const file = join(tempDir(), 'all.knell');
    await store.writeSnapshot(file, () => {});
    await close(store);
    for (const where of [place, await place.restored(file)]) {
      const again = await open(where);
      await loaded(again);
      yield again;
    }
  }

  /** In the tail, folded, in another opening and restored from a snapshot. Closes the store. */
  async function holdsThroughout(
    store: Store,
    place: StorePlace,
    holds: (one: Store) => void,
  ): Promise<void> {
    holds(store);
    await store.folded();
    holds(store);
    for await (const again of openedAgain(store, place)) holds(again);
  }

  return { close, create, createFillable, holdsThroughout, longTest, open, openedAgain, started };
}
