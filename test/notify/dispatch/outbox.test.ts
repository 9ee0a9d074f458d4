/** Thousands of records of deliveries at once: in their order, some in each turn, and none left behind where Knell ends. */
import { expect, test } from 'vitest';
import { asDeliveryId, systemIds } from '../../../src/lib/ids.ts';
import { second } from '../../../src/lib/units.ts';
import { writtenPerTurn } from '../../../src/notify/contract/limits.ts';
import { Outbox } from '../../../src/notify/dispatch/outbox.ts';
import type { Store } from '../../../src/store/store.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { loadDurable, openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { checkOf, deliveryOf, Loaded } from '../../support/store/store-facts.ts';

const count = 3 * writtenPerTurn + 7;

async function begin() {
  const clock = new SimulatedClock(Date.UTC(2024, 5, 15));
  const machine = new SimulatedMachine();
  const nowMs = () => clock.nowMs();
  const store = await openSimulatedStore({ machine, scheduler: clock, nowMs });
  await store.load(new Loaded());
  store.append({ type: 'check', check: checkOf(1), changes: [] }, null);
  /** How many the journal got in each turn. */
  const turns: number[] = [];
  const order: string[] = [];
  const append: Store['append'] = (record, waiter) => {
    turns.push((turns.pop() ?? 0) + 1);
    if (record.type === 'delivery') order.push(record.delivery.id);
    return store.append(record, waiter);
  };
  const outbox = new Outbox({ store: { append }, deliveries: [], clock, rewriteMs: second, gatherMs: 5 });
  const ids = Array.from({ length: count }, () => systemIds.newUuid());
  const deliveries = ids.map((id) => deliveryOf(1, { id: asDeliveryId(id) }));
  for (const delivery of deliveries) outbox.put(delivery);
  return { clock, machine, store, outbox, turns, order, ids };
}

test('they go to the journal in their order, a bounded number in each turn', async () => {
  const { clock, machine, store, turns, order, ids } = await begin();
  await clock.advance(100, async () => void turns.push(0));
  expect(Math.max(...turns)).toBe(writtenPerTurn);
  expect(order).toEqual(ids);
  await store.close();
  const loaded = await loadDurable(machine, new Loaded());
  expect(loaded.outbox.size).toBe(count);
});

test('what was not written when it closes is written then', async () => {
  const { machine, store, outbox, order, ids } = await begin();
  outbox.close();
  expect(order).toEqual(ids);
  await store.close();
  const loaded = await loadDurable(machine, new Loaded());
  expect(loaded.outbox.size).toBe(count);
});

test('a delivery that is over is still known until its record is written, and again where that is undone', async () => {
  const clock = new SimulatedClock(Date.UTC(2024, 5, 15));
  const written: { readonly type: string; readonly undo: () => void }[] = [];
  const append = ((record: { readonly type: string }, waiter: { rolledBack(): void } | null) => {
    written.push({ type: record.type, undo: () => waiter?.rolledBack() });
  }) as Store['append'];
  const delivery = deliveryOf(1, { id: asDeliveryId(systemIds.newUuid()) });
  const outbox = new Outbox({
    ...{ store: { append }, deliveries: [delivery], clock, rewriteMs: second, gatherMs: 5 },
  });
  const known = () => [[...outbox.all()].length, [...outbox.withSettling()].length];
  expect(known()).toEqual([1, 1]);
  outbox.end(delivery.id, 'delivered');
  expect([known(), written.length]).toEqual([[0, 1], 0]);
  await clock.advance(5);
  expect([known(), written.map(({ type }) => type)]).toEqual([[0, 0], ['delivery-ended']]);
  written[0]?.undo();
  expect(known()).toEqual([0, 1]);
  await clock.advance(second);
  expect([known(), written.length]).toEqual([[0, 0], 2]);
  // One that is sent again is one, not two.
  outbox.add(delivery);
  outbox.end(delivery.id, 'delivered');
  outbox.add(delivery);
  expect(known()).toEqual([1, 1]);
});
