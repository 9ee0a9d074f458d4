/** The store's contract, held by every implementation. */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { AuditEntry, AuditPlace } from '../../src/domain/accounts/audit.ts';
import type { User } from '../../src/domain/accounts/user.ts';
import { type Check, defaultConfig } from '../../src/domain/check/check.ts';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import type { RunEnding } from '../../src/domain/runs/run-ending.ts';
import { asAuditId, asChannelId, asCheckId, asKeyId, asRunId, asUserId } from '../../src/lib/ids.ts';
import { day } from '../../src/lib/units.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { openSimulatedStore, SimulatedMachine } from '../support/store/simulated-store.ts';
import {
  append,
  appendAll,
  checkOf,
  deliveryOf,
  incidentOf,
  Loaded,
  loaded,
  maintenanceOf,
  notificationOf,
  type PingFacts,
  pingOf,
  projectOf,
  statusPageOf,
  uuidOf,
} from '../support/store/store-facts.ts';
import { bodyBudgetBytes, type StorePlace, storeKinds, testNowMs } from '../support/store/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

const always = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

/** Fills what space a nearly full disk has left. */
const noise = new Uint8Array(100_000).fill(1);

/** Appends until there is no space left for more. */
async function untilFull(store: Store): Promise<void> {
  for (let number = 1; number < 100 && !store.full; number++) {
    const desc = 'x'.repeat(100_000);
    await append(store, {
      type: 'check',
      check: checkOf(2, { config: { ...defaultConfig, desc } }),
      changes: [],
    });
  }
  expect(store.full).toBe(true);
}

// Usual and simulated in `npm test`, all in `npm run test:long`.
const kinds = storeKinds.filter(({ name }) => isLong || name === 'lmdb' || name === 'simulated');

describe.each(kinds)('the store over the $name log', ({ name, create, createFillable }) => {
  /** A second or two over LMDB, where little but the time is another: `npm test` has them over the simulated disk. */
  const longTest = test.skipIf(!isLong && name === 'lmdb');

  const opened: Store[] = [];

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
  /** In the tail, folded, in another opening and restored from a snapshot. Closes the store. */
  async function holdsThroughout(
    store: Store,
    place: ReturnType<typeof create>,
    holds: (one: Store) => void,
  ): Promise<void> {
    holds(store);
    await store.folded();
    holds(store);
    const file = join(tempDir(), 'all.knell');
    await store.writeSnapshot(file, () => {});
    await close(store);
    for (const where of [place, await place.restored(file)]) {
      const again = await open(where);
      await loaded(again);
      holds(again);
    }
  }

  async function started(place = create(), checks: readonly Check[] = [checkOf(1)]): Promise<Store> {
    const store = await open(place);
    await loaded(store);
    const records = checks.map((check): JournalRecord => ({ type: 'check', check, changes: [] }));
    await appendAll(store, [{ type: 'put', kind: 'project', fact: projectOf(1) }, ...records]);
    return store;
  }

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  const numbers = (store: Store, check: Check, limit = 2000) =>
    store.pings(check.id, limit).map((ping) => ping.n);

  test('an empty store reports nothing', async () => {
    expect(await loaded(await open(create()))).toEqual(new Loaded());
  });

  test('waiters are called in the order of their records, a barrier among them', async () => {
    const store = await started();
    const outcomes: string[] = [];
    const waiter = (name: string) => ({
      durable: () => outcomes.push(name),
      rolledBack: () => outcomes.push(`not ${name}`),
    });
    for (let n = 1; n <= 5; n++) store.append(pingOf(checkOf(1), n), waiter(`${n}`));
    await new Promise<void>((resolve) => {
      store.barrier(waiter('barrier'));
      store.barrier({ durable: resolve, rolledBack: resolve });
    });
    expect(outcomes).toEqual(['1', '2', '3', '4', '5', 'barrier']);
  });

  test('what is appended is neither answered nor read before it is durable', async () => {
    const store = await started();
    const outcomes: string[] = [];
    const waiter = {
      durable: () => outcomes.push('durable'),
      rolledBack: () => outcomes.push('rolled back'),
    };
    store.append(pingOf(checkOf(1), 1, { body: 'b' }), waiter);
    expect([outcomes, numbers(store, checkOf(1)), store.body(checkOf(1).id, 1)]).toEqual([[], [], null]);
    await new Promise<void>((resolve) => store.barrier({ durable: resolve, rolledBack: resolve }));
    expect([outcomes, numbers(store, checkOf(1))]).toEqual([['durable'], [1]]);
  });

  test('a barrier of a store with nothing pending answers at once', async () => {
    const store = await started();
    let outcomes = false;
    const durable = () => {
      outcomes = true;
    };
    store.barrier({ durable, rolledBack: () => {} });
    expect(outcomes).toBe(true);
  });

  test('pings are listed newest first, with every field, before and after the fold', async () => {
    const store = await started();
    const check = checkOf(1);
    const fields = {
      signal: 'fail',
      scheme: 'email',
      remoteAddr: '2001:db8::1',
      method: 'PROPFIND',
      ua: 'Ünïcode 🛎',
      byHand: true,
      rid: asRunId(uuidOf(7, 7)),
      host: 'db-1',
      note: 'result',
      figures: [1_699_999_999_000],
      about: 'bytes B',
      results: [
        { name: 'files', value: 142 },
        { name: 'bytes', value: 8.1e9 },
      ],
      exitStatus: 255,
      atMs: 1_700_000_000_000.25,
    } as const;
    await appendAll(store, [pingOf(check, 1), pingOf(check, 2, { ...fields, body: 'out' })]);
    const before = store.pings(check.id, 10);
    expect(before[0]).toEqual({ n: 2, bodyBytes: 3, ...fields });
    expect(before.map((ping) => ping.n)).toEqual([2, 1]);
    await store.folded();
    expect(store.pings(check.id, 10)).toEqual(before);
    expect(store.pings(check.id, 1)).toEqual(before.slice(0, 1));
    expect(store.pings(check.id, 0)).toEqual([]);
  });

  test('reads merge what is folded with what is not', async () => {
    const store = await started();
    const check = checkOf(1);
    await appendAll(store, [pingOf(check, 1, { body: 'a' }), pingOf(check, 2)]);
    await store.folded();
    await appendAll(store, [pingOf(check, 3), pingOf(check, 4, { body: 'd' })]);
    expect(numbers(store, check)).toEqual([4, 3, 2, 1]);
    expect(numbers(store, check, 3)).toEqual([4, 3, 2]);
    expect(Buffer.from(store.body(check.id, 1) ?? []).toString()).toBe('a');
    expect(Buffer.from(store.body(check.id, 4) ?? []).toString()).toBe('d');
    expect(store.body(check.id, 2)).toBeNull();
    expect(store.body(check.id, 5)).toBeNull();
  });

  test('an unknown check has no pings, no bodies and no changes', async () => {
    const store = await started();
    expect(store.pings(checkOf(9).id, 10)).toEqual([]);
    expect(store.body(checkOf(9).id, 1)).toBeNull();
    expect(store.changes(checkOf(9).id, always)).toEqual([]);
  });

  test('pings of one check never show up at another', async () => {
    const store = await started(create(), [checkOf(1), checkOf(2)]);
    for (const _round of [1, 2]) {
      const n = (store.pings(checkOf(1).id, 1)[0]?.n ?? 0) + 1;
      await appendAll(store, [pingOf(checkOf(1), n), pingOf(checkOf(2), n, { ua: 'other' })]);
      expect(store.pings(checkOf(1).id, 100).every((ping) => ping.ua !== 'other')).toBe(true);
      expect(store.pings(checkOf(2).id, 100).every((ping) => ping.ua === 'other')).toBe(true);
      await store.folded();
    }
  });

  longTest('a paid project keeps the newest 1000 pings of a check, a free one 100', async () => {
    const free = projectOf(2, { plan: 'free' });
    const checks = [checkOf(1), checkOf(2, { projectId: free.id })];
    const store = await started();
    await appendAll(store, [{ type: 'put', kind: 'project', fact: free }]);
    for (const check of checks) await appendAll(store, [{ type: 'check', check, changes: [] }]);
    for (let n = 1; n <= 1300; n += 100) {
      const hundred = Array.from({ length: 100 }, (_, index) => n + index);
      await appendAll(
        store,
        checks.flatMap((check) => hundred.map((k) => pingOf(check, k, { body: 'x' }))),
      );
      if (n % 300 === 1) await store.folded();
    }
    await store.folded();
    const [paid, poor] = checks.map((check) => numbers(store, check));
    expect([paid?.length, paid?.[0], paid?.at(-1)]).toEqual([1000, 1300, 301]);
    expect([poor?.length, poor?.[0], poor?.at(-1)]).toEqual([100, 1300, 1201]);
    expect(store.body(checkOf(2).id, 1200)).toBeNull();
    expect(store.body(checkOf(2).id, 1201)).not.toBeNull();
  });

  test('a changed plan changes what is kept', async () => {
    const store = await started();
    await appendAll(
      store,
      Array.from({ length: 150 }, (_, index) => pingOf(checkOf(1), index + 1)),
    );
    await store.folded();
    await appendAll(store, [{ type: 'put', kind: 'project', fact: projectOf(1, { plan: 'free' }) }]);
    await store.folded();
    expect(numbers(store, checkOf(1)).length).toBe(100);
  });

  longTest(
    'what rules of retention drop is not listed, is removed by the folds, and is in no snapshot',
    async () => {
      const place = create();
      const rules = 'pings last 4\nfailures 1 year\nbodies of successes 1 day';
      const check = checkOf(1, { config: { ...defaultConfig, retention: rules } });
      const store = await started(place, [check]);
      const signalOf = (n: number) => (n === 2 ? 'fail' : 'success');
      for (let n = 1; n <= 8; n++) {
        const record = pingOf(check, n, { body: `body ${n}` });
        const ping = { ...record.ping, signal: signalOf(n), atMs: testNowMs + n * day } as const;
        await appendAll(store, [
          { ...record, ping },
          { type: 'alive', atMs: ping.atMs },
        ]);
        if (n % 3 === 0) await store.folded();
      }
      const retention = { rules, former: [], aliveMs: testNowMs + 8 * day, nPings: 8, pingsMax: 1000 };
      const shown = (one: Store) =>
        one.pings(check.id, 2000, retention).map(({ n, bodyBytes }) => `${n} ${bodyBytes}`);
      const expected = ['8 6', '7 6', '6 0', '5 0', '2 6'];
      expect(shown(store)).toEqual(expected);
      // After each fold, the rules are applied to one of sixteen parts.
      for (let fold = 0; fold < 18; fold++) {
        await append(store, { type: 'alive', atMs: testNowMs + 8 * day });
        await store.folded();
      }
      expect(shown(store)).toEqual(expected);
      expect([1, 2, 3, 6, 8].map((n) => store.body(check.id, n)?.length ?? 0)).toEqual([0, 6, 0, 0, 6]);
      const file = join(tempDir(), 'all.knell');
      expect(await store.writeSnapshot(file, () => {})).toMatchObject({ checks: 1, pings: 5 });
      const restored = await open(await place.restored(file));
      expect((await loaded(restored)).checks.get(check.id)?.config.retention).toBe(rules);
      expect(shown(restored)).toEqual(expected);
      expect(await append(restored, pingOf(check, 9))).toBe('durable');
    },
  );

  test('bodies over the budget go, the oldest first, and their pings say so', async () => {
    const store = await started();
    const check = checkOf(1);
    const body = new Uint8Array(bodyBudgetBytes / 4).fill(7);
    for (let n = 1; n <= 6; n++) {
      await appendAll(store, [pingOf(check, n, { body })]);
      if (n % 2 === 0) await store.folded();
    }
    const kept = store.pings(check.id, 10).map((ping) => ping.bodyBytes > 0);
    expect(kept).toEqual([true, true, true, true, false, false]);
    expect(store.body(check.id, 2)).toBeNull();
    expect(Buffer.from(store.body(check.id, 3) ?? [])).toEqual(Buffer.from(body));
  });

  test('the newest body stays even when it alone exceeds the budget', async () => {
    const store = await started();
    const check = checkOf(1);
    await appendAll(store, [pingOf(check, 1, { body: 'small' })]);
    await appendAll(store, [pingOf(check, 2, { body: new Uint8Array(bodyBudgetBytes + 1) })]);
    await appendAll(store, [pingOf(check, 3)]);
    await store.folded();
    expect(store.body(check.id, 1)).toBeNull();
    expect(store.body(check.id, 2)?.length).toBe(bodyBudgetBytes + 1);
    await appendAll(store, [pingOf(check, 4, { body: 'next' })]);
    await store.folded();
    expect(store.body(check.id, 2)).toBeNull();
    expect(store.pings(check.id, 10).map((ping) => ping.bodyBytes)).toEqual([4, 0, 0, 0]);
  });

  test('status changes are listed newest first within a range that excludes its end', async () => {
    const store = await started();
    const check = checkOf(1);
    const change = (days: number, to: 'up' | 'down'): StatusChange => {
      return { atMs: testNowMs - days * 86_400_000, from: to === 'up' ? 'down' : 'up', to, cause: 'timeout' };
    };
    const changes = [change(3, 'down'), change(2, 'up'), change(1, 'down')];
    await appendAll(store, [{ type: 'state', check, changes: changes.slice(0, 2) }]);
    await store.folded();
    await appendAll(store, [pingOf(check, 1, { changes: changes.slice(2) })]);
    expect(store.changes(check.id, always)).toEqual([...changes].reverse());
    const range = { fromMs: testNowMs - 3 * 86_400_000, untilMs: testNowMs - 86_400_000 };
    expect(store.changes(check.id, range)).toEqual(changes.slice(0, 2).reverse());
    expect(store.changes(check.id, always, 2)).toEqual([...changes].reverse().slice(0, 2));
    await store.folded();
    expect(store.changes(check.id, range)).toEqual(changes.slice(0, 2).reverse());
    expect(store.changes(check.id, always, 2)).toEqual([...changes].reverse().slice(0, 2));
    expect(store.changes(check.id, range, 1)).toEqual(changes.slice(1, 2));
  });

  test('the last status change is the newest one, folded or not, and none of a deleted check', async () => {
    const store = await started(create(), [checkOf(1), checkOf(2)]);
    const check = checkOf(1);
    const [down, up] = [
      { atMs: testNowMs, from: 'up', to: 'down', cause: 'fail' },
      { atMs: testNowMs + 1, from: 'down', to: 'up', cause: 'success' },
    ] as const;
    expect(store.lastChange(check.id)).toBeNull();
    await appendAll(store, [{ type: 'state', check, changes: [down] }]);
    expect(store.lastChange(check.id)).toEqual(down);
    await store.folded();
    expect([store.lastChange(check.id), store.lastChange(checkOf(2).id)]).toEqual([down, null]);
    await appendAll(store, [pingOf(check, 1, { changes: [up] })]);
    expect(store.lastChange(check.id)).toEqual(up);
    await store.folded();
    expect(store.lastChange(check.id)).toEqual(up);
    await appendAll(store, [{ type: 'check-deleted', id: check.id }]);
    expect(store.lastChange(check.id)).toBeNull();
    await store.folded();
    expect(store.lastChange(check.id)).toBeNull();
  });

  test('the latest runs are the same in the tail, in runs and in rows, and a check that is gone has none', async () => {
    const store = await started();
    const check = checkOf(1);
    const at = (n: number) => testNowMs + 60_000 * n;
    const ping = (n: number, facts: PingFacts = {}) => pingOf(check, n, { ...facts, atMs: at(n) });
    const due: StatusChange = { atMs: at(2), from: 'up', to: 'grace', cause: 'timeout' };
    const late: StatusChange = { atMs: at(3), from: 'grace', to: 'up', cause: 'success' };
    const runs = () => store.latestRuns(check.id, 2);
    const expected = [
      {
        atMs: at(3),
        startedMs: null,
        durationMs: null,
        outcome: 'late',
        exitStatus: null,
        n: 3,
        results: [],
      },
      {
        atMs: at(5),
        startedMs: at(4),
        durationMs: 60_000,
        outcome: 'failed',
        exitStatus: 2,
        n: 5,
        results: [],
      },
    ];
    await appendAll(store, [
      ping(1),
      ping(2, { signal: 'log', changes: [due] }),
      ping(3, { changes: [late] }),
    ]);
    await store.folded();
    await appendAll(store, [ping(4, { signal: 'start' }), ping(5, { signal: 'fail', exitStatus: 2 })]);
    expect(runs()).toEqual(expected);
    await store.folded();
    expect(runs()).toEqual(expected);
    // Many at once go into rows; of a job that only logs, no more than some hundred are looked at.
    await appendAll(
      store,
      Array.from({ length: 200 }, (_, more) => ping(6 + more, { signal: 'log' })),
    );
    await store.folded();
    expect(runs()).toEqual(expected);
    await appendAll(store, [{ type: 'check-deleted', id: check.id }]);
    expect(runs()).toEqual([]);
    await store.folded();
    expect(runs()).toEqual([]);
  });

  test('two changes of one instant are both kept, in their order', async () => {
    const store = await started();
    const check = checkOf(1);
    const changes: StatusChange[] = [
      { atMs: testNowMs, from: 'up', to: 'grace', cause: 'timeout' },
      { atMs: testNowMs, from: 'grace', to: 'down', cause: 'timeout' },
    ];
    await appendAll(store, [{ type: 'state', check, changes }]);
    expect(store.changes(check.id, always)).toEqual([...changes].reverse());
    await store.folded();
    expect(store.changes(check.id, always)).toEqual([...changes].reverse());
  });

  test('status changes of this month and the two before it stay, older ones go', async () => {
    const store = await started();
    const check = checkOf(1);
    const at = (atMs: number): StatusChange => ({ atMs, from: 'up', to: 'down', cause: 'fail' });
    const oldest = Date.UTC(2024, 3, 1);
    await appendAll(store, [{ type: 'state', check, changes: [at(oldest - 1), at(oldest), at(testNowMs)] }]);
    await store.folded();
    expect(store.changes(check.id, always).map((change) => change.atMs)).toEqual([testNowMs, oldest]);
  });

  test('a full disk takes back what is not durable, newest first, and writing resumes by itself', async (context) => {
    const place = createFillable();
    if (!place)
      return context.skip('this needs a small file system of its own: mounting tmpfs is not allowed here');
    const store = await started(place);
    expect(await append(store, pingOf(checkOf(1), 1))).toBe('durable');
    place.fill();
    await untilFull(store);
    const outcomes: string[] = [];
    const waiter = (name: string) => ({
      durable: () => outcomes.push(`${name} durable`),
      rolledBack: () => outcomes.push(name),
    });
    const last = new Promise<void>((resolve) => {
      store.append(pingOf(checkOf(1), 2), { durable: resolve, rolledBack: resolve });
    });
    for (const n of [3, 4]) store.append(pingOf(checkOf(1), n, { body: noise }), waiter(`${n}`));
    store.barrier(waiter('barrier'));
    await last;
    expect(outcomes).toEqual(['barrier', '4', '3']);
    expect(numbers(store, checkOf(1))).toEqual([1]);
    place.free();
    await eventually(() => expect(store.full).toBe(false));
    expect(await append(store, pingOf(checkOf(1), 2))).toBe('durable');
    await store.folded();
    expect(numbers(store, checkOf(1))).toEqual([2, 1]);
  });

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
    const file = join(tempDir(), 'snapshot');
    await store.writeSnapshot(file, () => {});
    await close(store);
    for (const where of [place, await place.restored(file)]) {
      const again = await open(where);
      await loaded(again);
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

  test('runs that ended without a ping are listed, newest first, none lost and none twice', async () => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    const ending = (number: number, atMs = testNowMs): RunEnding => ({
      ...{ atMs, outcome: 'hung', startedMs: atMs - 1000, host: 'db-1', limitS: 60 },
      rid: asRunId(uuidOf(0x71, number)),
    });
    const entry = (number: number, atMs?: number): JournalRecord => ({
      type: 'run-ending',
      checkId: checkOf(1).id,
      ending: ending(number, atMs),
    });
    const missed = {
      ...ending(9),
      outcome: 'missed',
      rid: null,
      startedMs: null,
      host: '',
      limitS: 0,
    } as const;
    await appendAll(store, [entry(1), entry(2), entry(3, testNowMs - 93 * day)]);
    await store.folded();
    await appendAll(store, [entry(4, testNowMs + 1), entry(5, testNowMs + 2)]);
    const listed = (from: Store, limit = 10) =>
      from.runEndings(checkOf(1).id, always, limit).map(({ atMs }) => atMs - testNowMs);
    expect(listed(store)).toEqual([2, 1, 0, 0]);
    expect(listed(store, 1)).toEqual([2]);
    expect(store.runEndings(checkOf(2).id, always, 10)).toEqual([]);
    await appendAll(store, [{ type: 'run-ending', checkId: checkOf(2).id, ending: missed }]);
    const file = join(tempDir(), 'snapshot');
    await store.writeSnapshot(file, () => {});
    await close(store);
    for (const where of [place, await place.restored(file)]) {
      const again = await open(where);
      await loaded(again);
      expect(listed(again)).toEqual([2, 1, 0, 0]);
      expect(again.runEndings(checkOf(1).id, always, 1)).toEqual([ending(5, testNowMs + 2)]);
      expect(again.runEndings(checkOf(2).id, always, 1)).toEqual([missed]);
      await appendAll(again, [{ type: 'check-deleted', id: checkOf(1).id }]);
      expect(listed(again)).toEqual([]);
      await again.folded();
      expect(listed(again)).toEqual([]);
    }
  });

  test('a deleted check is gone, at once and after the fold', async () => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    const change: StatusChange = { atMs: testNowMs, from: 'new', to: 'up', cause: 'success' };
    for (const number of [1, 2]) {
      const notification = notificationOf(number, { atMs: testNowMs });
      await appendAll(store, [
        pingOf(checkOf(number), 1, { body: 'b', changes: [change] }),
        { type: 'notification', checkId: checkOf(number).id, notification },
      ]);
    }
    await store.folded();
    await appendAll(store, [{ type: 'check-deleted', id: checkOf(1).id }]);
    const gone = () => [
      store.pings(checkOf(1).id, 10),
      store.body(checkOf(1).id, 1),
      store.changes(checkOf(1).id, always),
      store.notifications(checkOf(1).id, always, 10),
    ];
    expect(gone()).toEqual([[], null, [], []]);
    await store.folded();
    expect(gone()).toEqual([[], null, [], []]);
    expect(numbers(store, checkOf(2))).toEqual([1]);
    await close(store);
    expect([...(await loaded(await open(place))).checks.keys()]).toEqual([checkOf(2).id]);
  });

  longTest(
    'a deleted project takes its keys, integrations and status pages with it, and nothing of another',
    async () => {
      const place = create();
      const store = await started(place);
      await appendAll(store, [{ type: 'put', kind: 'project', fact: projectOf(2) }]);
      for (const number of [1, 2]) {
        const projectId = projectOf(number).id;
        const common = { projectId, createdAtMs: 3 };
        await appendAll(store, [
          {
            type: 'put',
            kind: 'key',
            fact: { ...common, id: asKeyId(`k${number}`), scope: 'ping', hash: 'ab'.repeat(32), clear: 'c' },
          },
          {
            type: 'put',
            kind: 'channel',
            fact: {
              ...common,
              id: asChannelId(uuidOf(0xe0, number)),
              kind: 'email',
              name: 'a',
              value: 'a@b.c',
            },
          },
          { type: 'put', kind: 'status-page', fact: statusPageOf(number, { projectId }) },
          { type: 'put', kind: 'incident', fact: incidentOf(number, { projectId }) },
          { type: 'put', kind: 'maintenance', fact: maintenanceOf(number, { projectId }) },
        ]);
      }
      await store.folded();
      await appendAll(store, [
        { type: 'removed', kind: 'project', id: projectOf(1).id },
        { type: 'check-deleted', id: checkOf(1).id },
      ]);
      const left = {
        projects: [projectOf(2).id],
        keys: ['k2'],
        channels: [uuidOf(0xe0, 2)],
        statusPages: [statusPageOf(2).id],
        incidents: [incidentOf(2).id],
        maintenance: [maintenanceOf(2).id],
        checks: [] as string[],
      };
      const foundIn = (facts: Loaded) => ({
        projects: [...facts.projects.keys()],
        keys: [...facts.keys.keys()],
        channels: [...facts.channels.keys()],
        statusPages: [...facts.statusPages.keys()],
        incidents: [...facts.incidents.keys()],
        maintenance: [...facts.maintenance.keys()],
        checks: [...facts.checks.keys()],
      });
      await close(store);
      const again = await open(place);
      expect(foundIn(await loaded(again)), 'from the journal').toEqual(left);
      await again.folded();
      const file = join(tempDir(), 'all.knell');
      await again.writeSnapshot(file, () => {});
      await close(again);
      expect(foundIn(await loaded(await open(place))), 'from the history').toEqual(left);
      expect(foundIn(await loaded(await open(await place.restored(file)))), 'from a snapshot').toEqual(left);
    },
  );

  const auditOf = (number: number, atMs: number): AuditEntry => ({
    id: asAuditId(uuidOf(0xad, number)),
    atMs,
    actor: { kind: 'member', id: 'u1', name: 'Ärne', address: '192.0.2.1' },
    action: 'changed',
    subject: 'check',
    subjectId: checkOf(1).id,
    name: `check ${number}`,
    projectId: projectOf(1).id,
    projectName: 'pröject',
    fields: ['name', 'grace'],
    changes: [{ field: 'grace', before: '60', after: '' }],
    detail: '',
  });

  const auditIn = (store: Store, before: AuditPlace | null = null, limit = 100) =>
    store.audit(before, limit).map(({ name }) => Number(name.split(' ')[1]));

  longTest(
    'the audit log is read newest first, in the tail, folded, across openings and snapshots',
    async () => {
      const place = create();
      const store = await started(place);
      const entries = Array.from({ length: 7 }, (_, at) => auditOf(at, testNowMs - 10 + Math.floor(at / 2)));
      const record = (entry: AuditEntry): JournalRecord => ({ type: 'audit', entry });
      await appendAll(store, entries.slice(0, 4).map(record));
      expect(auditIn(store)).toEqual([3, 2, 1, 0]);
      await store.folded();
      await appendAll(store, entries.slice(4).map(record));
      const holdsAll = (one: Store): void => {
        expect(one.audit(null, 100)).toEqual([...entries].reverse());
        expect(auditIn(one, null, 3)).toEqual([6, 5, 4]);
        expect(auditIn(one, entries[4], 3)).toEqual([3, 2, 1]);
        expect(auditIn(one, entries[2], 2)).toEqual([1, 0]);
        expect(auditIn(one, entries[0])).toEqual([]);
      };
      await holdsThroughout(store, place, holdsAll);
    },
  );

  longTest(
    'of the audit log, the steps of snoozing a check are found by check, in the tail, folded, across openings and snapshots',
    async () => {
      const place = create();
      const store = await started(place);
      const [mine, other] = [checkOf(1).id, checkOf(2).id];
      const steps = (['acknowledged', 'unacknowledged', 'snoozed', 'unsnoozed'] as const).map(
        (action, at) => ({
          ...auditOf(at, testNowMs - 100 + at),
          action,
        }),
      );
      const others = [
        auditOf(10, testNowMs - 99),
        { ...auditOf(11, testNowMs - 98), action: 'snoozed' as const, subjectId: other },
        { ...auditOf(12, testNowMs - 97), subject: 'integration' as const, name: 'snoozed' },
        { ...auditOf(13, testNowMs - 91 * day), action: 'snoozed' as const },
      ];
      const record = (entry: AuditEntry): JournalRecord => ({ type: 'audit', entry });
      const whole = { fromMs: 0, untilMs: testNowMs };
      await appendAll(store, [...others, ...steps.slice(0, 2)].map(record));
      expect(store.snoozeAudit(mine, whole, 10)).toHaveLength(3);
      await store.folded();
      await appendAll(store, steps.slice(2).map(record));
      const holdsAll = (one: Store): void => {
        expect(one.snoozeAudit(mine, whole, 10)).toEqual([...steps].reverse());
        expect(one.snoozeAudit(mine, whole, 3)).toEqual([...steps].reverse().slice(0, 3));
        const range = { fromMs: testNowMs - 99, untilMs: testNowMs - 97 };
        expect(one.snoozeAudit(mine, range, 10)).toEqual([steps[2], steps[1]]);
        expect(one.snoozeAudit(other, whole, 10)).toEqual([others[1]]);
        expect(one.snoozeAudit(checkOf(3).id, whole, 10)).toEqual([]);
      };
      await holdsThroughout(store, place, holdsAll);
    },
  );

  longTest(
    'more entries than a slice of the fold takes, and those that are over 90 days old go',
    async () => {
      const place = create();
      const store = await started(place);
      const count = 2300;
      const old = Array.from({ length: 3 }, (_, at) => auditOf(9000 + at, testNowMs - 91 * day));
      const young = Array.from({ length: count }, (_, at) => auditOf(at, testNowMs - count + at));
      await appendAll(
        store,
        [...old, ...young].map((entry): JournalRecord => ({ type: 'audit', entry })),
      );
      expect(auditIn(store, null, 3000)).toHaveLength(count + 3);
      await store.folded();
      expect(auditIn(store, null, 3000)).toEqual(young.map((_, at) => count - 1 - at));
    },
  );

  const userOf = (number: number, role: 'owner' | 'editor'): User => ({
    id: asUserId(uuidOf(0xf0, number)),
    name: 'Ärne',
    role,
    passwordHash: 'scrypt$1$2',
    createdAtMs: 6,
  });

  const ended = (user: number, id: string, untilMs: number, endedAtMs = 60): JournalRecord => ({
    type: 'put',
    kind: 'ended-session',
    fact: { userId: userOf(user, 'owner').id, id, untilMs, endedAtMs },
  });

  /** Every kind of record, some of them twice. */
  async function fill(store: Store): Promise<void> {
    const keyOf = (id: string, clear: string | null) => ({
      id: asKeyId(id),
      projectId: projectOf(1).id,
      scope: 'ping' as const,
      hash: 'ab'.repeat(32),
      clear,
      createdAtMs: 3,
    });
    const channelOf = (number: number) => ({
      id: asChannelId(uuidOf(0xe0, number)),
      projectId: projectOf(1).id,
      kind: 'webhook' as const,
      name: 'höök',
      value: '{"url":"https://example.org"}',
      createdAtMs: 4,
    });
    const config = {
      ...defaultConfig,
      tags: 'a b',
      desc: 'long\ntext',
      channels: [channelOf(1).id, channelOf(2).id],
    };
    await appendAll(store, [
      { type: 'put', kind: 'installation', fact: { badgeSecret: 'cd'.repeat(32), createdAtMs: 5 } },
      { type: 'put', kind: 'key', fact: keyOf('k1', 'clear') },
      { type: 'put', kind: 'key', fact: keyOf('k2', null) },
      { type: 'removed', kind: 'key', id: asKeyId('k1') },
      { type: 'put', kind: 'user', fact: userOf(1, 'owner') },
      { type: 'put', kind: 'user', fact: userOf(2, 'owner') },
      { type: 'put', kind: 'user', fact: userOf(2, 'editor') },
      ...[ended(1, 'of one who goes', 80), ended(2, 'runs out', 70), ended(2, 'stays', 75)],
      ended(2, 'newest', 80, 74),
      { type: 'removed', kind: 'user', id: userOf(1, 'owner').id },
      { type: 'put', kind: 'channel', fact: channelOf(1) },
      { type: 'put', kind: 'channel', fact: channelOf(2) },
      { type: 'removed', kind: 'channel', id: asChannelId(uuidOf(0xe0, 2)) },
      {
        type: 'put',
        kind: 'status-page',
        fact: statusPageOf(1, { slug: 'before', services: [], notices: [], logo: '' }),
      },
      { type: 'put', kind: 'status-page', fact: statusPageOf(1) },
      { type: 'put', kind: 'status-page', fact: statusPageOf(2) },
      { type: 'removed', kind: 'status-page', id: statusPageOf(2).id },
      { type: 'put', kind: 'maintenance', fact: maintenanceOf(1, { name: 'before', tags: [], except: [] }) },
      { type: 'put', kind: 'maintenance', fact: maintenanceOf(1) },
      { type: 'put', kind: 'maintenance', fact: maintenanceOf(2) },
      { type: 'removed', kind: 'maintenance', id: maintenanceOf(2).id },
      { type: 'check', check: checkOf(1, { config }), changes: [] },
      pingOf(checkOf(1), 1, { body: new Uint8Array([0, 255, 10]) }),
      pingOf(checkOf(2), 1),
      pingOf(checkOf(2), 2, { changes: [{ atMs: testNowMs, from: 'new', to: 'up', cause: 'success' }] }),
      { type: 'alive', atMs: 77 },
    ]);
  }

  /** All that can be read of a store, as one value. */
  async function everything(store: Store) {
    const facts = await loaded(store);
    const details = [...facts.checks.keys()]
      .sort()
      .map(asCheckId)
      .map((id) => {
        const pings = store.pings(id, 2000);
        const bodies = pings.map((ping) => store.body(id, ping.n)).map((body) => body && [...body]);
        const outputs = store.outputs(id, Number.POSITIVE_INFINITY, 2000);
        expect(
          outputs.map(({ n, atMs, signal, scheme, bodyBytes }) => ({ n, atMs, signal, scheme, bodyBytes })),
        ).toEqual(
          pings
            .filter(({ bodyBytes }) => bodyBytes > 0)
            .map(({ n, atMs, signal, scheme, bodyBytes }) => ({ n, atMs, signal, scheme, bodyBytes })),
        );
        for (const [at, { n }] of pings.entries())
          expect(store.lookAtBody(id, n, (body) => [...body])).toEqual(bodies[at]);
        return { id, pings, bodies, changes: store.changes(id, always) };
      });
    return { facts, details };
  }

  longTest.each([true, false])(
    'a new password forgets the sessions signed out of, a new role does not (folded between: %s)',
    async (isFolded) => {
      const place = create();
      const store = await started(place);
      await appendAll(store, [
        { type: 'put', kind: 'user', fact: userOf(1, 'owner') },
        ended(1, 'a', 90),
        ended(1, 'b', 80),
      ]);
      if (isFolded) await store.folded();
      await appendAll(store, [{ type: 'put', kind: 'user', fact: userOf(1, 'editor') }]);
      if (isFolded) await store.folded();
      await close(store);
      const again = await open(place);
      const facts = await loaded(again);
      expect(facts.endedSessions.map(({ id }) => id).sort()).toEqual(['a', 'b']);
      await appendAll(again, [
        { type: 'put', kind: 'user', fact: { ...userOf(1, 'owner'), passwordHash: 'other' } },
        ended(1, 'c', 85),
      ]);
      if (isFolded) await again.folded();
      await close(again);
      expect((await loaded(await open(place))).endedSessions.map(({ id }) => id)).toEqual(['c']);
    },
  );

  test.each([true, false])('opening again gives the same (folded before: %s)', async (isFolded) => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    await fill(store);
    if (isFolded) await store.folded();
    await close(store);
    const again = await open(place);
    const { facts, details } = await everything(again);
    expect([...facts.keys.keys()]).toEqual(['k2']);
    expect([...facts.users.values()]).toEqual([userOf(2, 'editor')]);
    expect(facts.endedSessions.map(({ id }) => id)).toEqual(['stays', 'newest']);
    expect([...facts.channels.keys()]).toEqual([uuidOf(0xe0, 1)]);
    expect([...facts.statusPages.values()]).toEqual([statusPageOf(1)]);
    expect([...facts.maintenance.values()]).toEqual([maintenanceOf(1)]);
    expect(facts.singles.aliveMs).toBe(77);
    expect(facts.checks.get(checkOf(1).id)?.config.tags).toBe('a b');
    expect(facts.checks.get(checkOf(2).id)?.state).toMatchObject({
      status: 'up',
      nPings: 2,
      lastPingMs: 2000,
    });
    expect(details.map((detail) => detail.pings.length)).toEqual([1, 2]);
    expect(details[0]?.bodies).toEqual([[0, 255, 10]]);
    await close(again);
    expect(await everything(await open(place))).toEqual({ facts, details });
  });

  test('a restored snapshot equals what was written into it', async () => {
    const place = create();
    const store = await started(place, [checkOf(1), checkOf(2)]);
    await fill(store);
    const file = join(tempDir(), 'all.knell');
    const fractions: number[] = [];
    const summary = await store.writeSnapshot(file, (fraction) => fractions.push(fraction));
    expect(summary).toMatchObject({ file, checks: 2, pings: 3 });
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
    await close(store);
    const original = await everything(await open(place));
    const restored = await open(await place.restored(file));
    expect(await everything(restored)).toEqual(original);
    expect(await append(restored, pingOf(checkOf(1), 2))).toBe('durable');
    expect(numbers(restored, checkOf(1))).toEqual([2, 1]);
  });

  test('what is appended before closing is there after opening', async () => {
    const place = create();
    const store = await started(place);
    const outcomes: string[] = [];
    store.append(pingOf(checkOf(1), 1), { durable: () => outcomes.push('durable'), rolledBack: () => {} });
    await close(store);
    expect(outcomes).toEqual(['durable']);
    const again = await open(place);
    expect((await loaded(again)).checks.get(checkOf(1).id)?.state.nPings).toBe(1);
    expect(numbers(again, checkOf(1))).toEqual([1]);
  });
});

describe('a store whose commits hang', () => {
  const numbers = (store: Store) => store.pings(checkOf(1).id, 10).map(({ n }) => n);

  /** A loaded store on `machine` whose commits go to a thread each, as on a slow disk. */
  async function slowStore(machine: SimulatedMachine): Promise<Store> {
    const store = await openSimulatedStore({
      machine,
      scheduler: new SimulatedClock(0),
      limits: { slowCommitMs: -1 },
      nowMs: () => testNowMs,
      onBroken: () => {},
    });
    await store.load(new Loaded());
    return store;
  }

  /** With ping 1 on disk, and ping 2 in a commit that hangs. */
  async function hanging() {
    const machine = new SimulatedMachine({ random: () => 0 });
    const store = await slowStore(machine);
    await appendAll(store, [{ type: 'check', check: checkOf(1), changes: [] }, pingOf(checkOf(1), 1)]);
    machine.disk.stall();
    const outcomes: string[] = [];
    const second = append(store, pingOf(checkOf(1), 2)).finally(() => outcomes.push('second'));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    return { machine, store, second, outcomes };
  }

  test('answers nothing and shows nothing until they are done', async () => {
    const { machine, store, second, outcomes } = await hanging();
    expect([outcomes, numbers(store)]).toEqual([[], [1]]);
    machine.disk.resume();
    expect(await second).toBe('durable');
    expect(numbers(store)).toEqual([2, 1]);
  });

  test.each(['kill', 'crash'] as const)(
    'writes nothing after a %s, and the next store has what was answered',
    async (death) => {
      const { machine, outcomes } = await hanging();
      machine.disk[death]();
      const again = await slowStore(machine);
      expect(numbers(again)).toEqual([1]);
      expect(await append(again, pingOf(checkOf(1), 2, { ua: 'second life' }))).toBe('durable');
      expect((await loaded(again)).checks.get(checkOf(1).id)?.state.nPings).toBe(2);
      expect(again.pings(checkOf(1).id, 1)[0]?.ua).toBe('second life');
      expect(outcomes).toEqual([]);
    },
  );
});
