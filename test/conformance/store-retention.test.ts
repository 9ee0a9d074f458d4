/** The store's contract, held over every log: what of a check is kept, and for how long. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import { day } from '../../src/lib/units.ts';
import type { Store } from '../../src/store/store.ts';
import { append, appendAll, checkOf, loaded, pingOf, projectOf } from '../support/store/store-facts.ts';
import { always, numbers, storeSuite, suiteKinds } from '../support/store/store-suite.ts';
import { bodyBudgetBytes, testNowMs } from '../support/store/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

describe.each(suiteKinds)('the store over the $name log', (kind) => {
  const { create, longTest, open, started } = storeSuite(kind);

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

  test('status changes of this month and the two before it stay, older ones go', async () => {
    const store = await started();
    const check = checkOf(1);
    const at = (atMs: number): StatusChange => ({ atMs, from: 'up', to: 'down', cause: 'fail' });
    const oldest = Date.UTC(2024, 3, 1);
    await appendAll(store, [{ type: 'state', check, changes: [at(oldest - 1), at(oldest), at(testNowMs)] }]);
    await store.folded();
    expect(store.changes(check.id, always).map((change) => change.atMs)).toEqual([testNowMs, oldest]);
  });
});
