/** The store's contract, held over every log: what is durable and read when, a full disk, commits that hang. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { asRunId } from '../../src/lib/ids.ts';
import type { Store } from '../../src/store/store.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { eventually } from '../support/patience.ts';
import { openSimulatedStore, SimulatedMachine } from '../support/store/simulated-store.ts';
import { append, appendAll, checkOf, Loaded, loaded, pingOf, uuidOf } from '../support/store/store-facts.ts';
import { always, numbers, storeSuite, suiteKinds } from '../support/store/store-suite.ts';
import { testNowMs } from '../support/store/stores.ts';

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

describe.each(suiteKinds)('the store over the $name log', (kind) => {
  const { create, createFillable, open, started } = storeSuite(kind);

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
