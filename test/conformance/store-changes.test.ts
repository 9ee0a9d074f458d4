/** The store's contract, held over every log: status changes and runs. */
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import type { RunEnding } from '../../src/domain/runs/run-ending.ts';
import { asRunId } from '../../src/lib/ids.ts';
import { day } from '../../src/lib/units.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import { appendAll, checkOf, type PingFacts, pingOf, uuidOf } from '../support/store/store-facts.ts';
import { always, storeSuite, suiteKinds } from '../support/store/store-suite.ts';
import { testNowMs } from '../support/store/stores.ts';

describe.each(suiteKinds)('the store over the $name log', (kind) => {
  const { create, openedAgain, started } = storeSuite(kind);

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
    for await (const again of openedAgain(store, place)) {
      expect(listed(again)).toEqual([2, 1, 0, 0]);
      expect(again.runEndings(checkOf(1).id, always, 1)).toEqual([ending(5, testNowMs + 2)]);
      expect(again.runEndings(checkOf(2).id, always, 1)).toEqual([missed]);
      await appendAll(again, [{ type: 'check-deleted', id: checkOf(1).id }]);
      expect(listed(again)).toEqual([]);
      await again.folded();
      expect(listed(again)).toEqual([]);
    }
  });
});
