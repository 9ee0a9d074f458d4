/** The store's contract, held over every log: deliveries that are not over, and what was sent. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { day } from '../../src/lib/units.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import {
  appendAll,
  checkOf,
  deliveryOf,
  loaded,
  notificationOf,
  pingOf,
} from '../support/store/store-facts.ts';
import { always, storeSuite, suiteKinds } from '../support/store/store-suite.ts';
import { testNowMs } from '../support/store/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

describe.each(suiteKinds)('the store over the $name log', (kind) => {
  const { close, create, open, openedAgain, started } = storeSuite(kind);

  test('a delivery of a change is there until it is over, across openings, snapshots and folds', async () => {
    const place = create();
    const store = await started(place);
    const change: StatusChange = { atMs: 5000, from: 'up', to: 'down', cause: 'timeout' };
    const [first, second, third, fourth] = [1, 2, 3, 4].map((number) => deliveryOf(number)) as [
      Delivery,
      Delivery,
      Delivery,
      Delivery,
    ];
    await appendAll(store, [
      { type: 'state', check: checkOf(1), changes: [change], deliveries: [first, second] },
      pingOf(checkOf(1), 1, { changes: [change], deliveries: [third], body: 'body' }),
    ]);
    await store.folded();
    const failed: Delivery = { ...second, attempts: 1, notBeforeMs: 9000, error: 'status 500' };
    await appendAll(store, [
      { type: 'delivery', delivery: failed },
      { type: 'delivery', delivery: fourth },
      { type: 'delivery-ended', id: first.id, ending: 'delivered' },
      { type: 'delivery-ended', id: third.id, ending: 'dropped' },
    ]);
    const file = join(tempDir(), 'snapshot');
    await store.writeSnapshot(file, () => {});
    await close(store);
    for (const where of [place, await place.restored(file)]) {
      const facts = await loaded(await open(where));
      expect(facts.outbox).toEqual(
        new Map([
          [failed.id, failed],
          [fourth.id, fourth],
        ]),
      );
    }
  });

  test('a delivery of a change is there again though nothing of it was folded', async () => {
    const place = create();
    const store = await started(place);
    const change: StatusChange = { atMs: 5000, from: 'up', to: 'down', cause: 'timeout' };
    const deliveries = [deliveryOf(1), deliveryOf(2, { notBeforeMs: 70_000 })];
    await appendAll(store, [
      { type: 'check', check: checkOf(1), changes: [change], deliveries },
      { type: 'delivery-ended', id: deliveryOf(1).id, ending: 'delivered' },
    ]);
    await close(store);
    expect([...(await loaded(await open(place))).outbox.values()]).toEqual([deliveries[1]]);
  });

  test('what was sent is listed, newest first, in the tail and folded, across openings and snapshots', async () => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    const entry = (number: number, checkId = checkOf(1).id): JournalRecord => ({
      type: 'notification',
      checkId,
      notification: notificationOf(number, { atMs: testNowMs + number }),
    });
    const listed = (from: Store, limit = 10) =>
      from.notifications(checkOf(1).id, always, limit).map(({ atMs }) => atMs - testNowMs);
    await appendAll(store, [entry(1), entry(2), entry(9, checkOf(2).id)]);
    expect(listed(store)).toEqual([2, 1]);
    await store.folded();
    await appendAll(store, [entry(3), entry(4), pingOf(checkOf(1), 1)]);
    expect(listed(store)).toEqual([4, 3, 2, 1]);
    expect(listed(store, 3)).toEqual([4, 3, 2]);
    const range = { fromMs: testNowMs + 2, untilMs: testNowMs + 4 };
    const [newest] = store.notifications(checkOf(1).id, range, 10);
    expect(newest).toEqual(notificationOf(3, { atMs: testNowMs + 3 }));
    expect(store.notifications(checkOf(1).id, range, 10)).toHaveLength(2);
    for await (const again of openedAgain(store, place)) {
      expect(listed(again)).toEqual([4, 3, 2, 1]);
    }
  });

  test('what was sent is kept as long as status changes are', async () => {
    const place = create();
    const store = await started(place, [checkOf(1)]);
    const days = (count: number): JournalRecord => ({
      type: 'notification',
      checkId: checkOf(1).id,
      notification: notificationOf(count, { atMs: testNowMs - count * day }),
    });
    await appendAll(store, [days(200), days(93), days(20)]);
    await store.folded();
    expect(store.notifications(checkOf(1).id, always, 10)).toEqual([
      notificationOf(20, { atMs: testNowMs - 20 * day }),
    ]);
  });
});
