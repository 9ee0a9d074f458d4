/** The store on disk against the one in memory: whatever is appended, both tell the same. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { StatusChange } from '../../src/domain/flip.ts';
import { createMemoryDisk } from '../../src/store/memory-disk.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { JournalRecord, Store } from '../../src/store/store.ts';
import { appendAll, checkOf, loaded, pingOf, projectOf } from '../support/store-facts.ts';
import { bodyBudgetBytes, storeOptions, testNowMs } from '../support/stores.ts';
import { tempDir } from '../support/temp-dirs.ts';

const checksMax = 3;

type Step =
  | {
      readonly kind: 'pings';
      readonly check: number;
      readonly count: number;
      readonly bodyBytes: readonly number[];
    }
  | { readonly kind: 'change'; readonly check: number; readonly daysAgo: number }
  | { readonly kind: 'delete'; readonly check: number }
  /** Down only: what is left to list after an upgrade is whatever was not swept yet. */
  | { readonly kind: 'downgrade' }
  | { readonly kind: 'fold' }
  | { readonly kind: 'reopen' };

const check = fc.nat(checksMax - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pings' as const),
      check,
      count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 50, max: 250 })),
      bodyBytes: fc.array(fc.oneof(fc.constant(0), fc.nat(400), fc.nat(1500)), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  fc.record({ kind: fc.constant('change' as const), check, daysAgo: fc.nat(120) }),
  fc.record({ kind: fc.constant('delete' as const), check }),
  fc.record({ kind: fc.constant('downgrade' as const) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
  fc.record({ kind: fc.constant('reopen' as const) }),
);

/** Turns steps into records: who exists, and which n is next. */
class Scenario {
  /** By slot; a deleted check's slot gets a new one. */
  #checks = Array.from({ length: checksMax }, (_, number) => checkOf(number));
  #next = checksMax;
  readonly everyCheck: Check[] = [...this.#checks];

  begin(): readonly JournalRecord[] {
    return [{ type: 'project', project: projectOf(1) }, ...this.#checks.map(created)];
  }

  records(given: Step): readonly JournalRecord[] {
    switch (given.kind) {
      case 'pings':
        return this.#pings(given);
      case 'change':
        return [{ type: 'state', check: this.#at(given.check), changes: [changeOf(given.daysAgo)] }];
      case 'delete':
        return this.#replace(given.check);
      case 'downgrade':
        return [{ type: 'project', project: projectOf(1, { plan: 'free' }) }];
      default:
        return [];
    }
  }

  #at(slot: number): Check {
    return this.#checks[slot] ?? checkOf(slot);
  }

  #pings({ check: slot, count, bodyBytes }: Extract<Step, { kind: 'pings' }>): readonly JournalRecord[] {
    return Array.from({ length: count }, (_, index) => {
      const before = this.#at(slot);
      const body = new Uint8Array(bodyBytes[index % bodyBytes.length] ?? 0).fill(index);
      const record = pingOf(before, before.state.nPings + 1, { body });
      if (record.type === 'ping') this.#checks[slot] = record.check;
      return record;
    });
  }

  #replace(slot: number): readonly JournalRecord[] {
    const gone = this.#at(slot);
    const fresh = checkOf(this.#next++);
    this.#checks[slot] = fresh;
    this.everyCheck.push(fresh);
    return [{ type: 'check-deleted', id: gone.id }, created(fresh)];
  }
}

function created(fresh: Check): JournalRecord {
  return { type: 'check', check: fresh, changes: [] };
}

function changeOf(daysAgo: number): StatusChange {
  return { atMs: testNowMs - daysAgo * 86_400_000, from: 'up', to: 'down', cause: 'timeout' };
}

function tell(store: Store, checks: readonly Check[]): unknown {
  return checks.map(({ id }) => {
    const pings = store.pings(id, 2000);
    const bodies = pings.map((ping) => store.body(id, ping.n)?.length ?? 0);
    return { pings, bodies, changes: store.changes(id, { fromMs: 0, untilMs: testNowMs + 1 }) };
  });
}

test('after any history, folded anywhere, both stores list the same pings, bodies and changes', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
    const dataDir = join(tempDir(), 'data');
    const options = storeOptions(dataDir, { limits: { foldDelayMs: 60_000 } });
    const scenario = new Scenario();
    const model = createMemoryStore({ disk: createMemoryDisk(), bodyBudgetBytes, nowMs: () => testNowMs });
    let store = await openStore(options);
    const begin = scenario.begin();
    await Promise.all([appendAll(store, begin), appendAll(model, begin)]);
    for (const given of [...steps, { kind: 'fold' } as const]) {
      const records = scenario.records(given);
      await Promise.all([appendAll(store, records), appendAll(model, records)]);
      if (given.kind === 'reopen') {
        await store.close();
        store = await openStore(options);
      }
      if (given.kind !== 'fold') continue;
      await store.folded();
      expect(tell(store, scenario.everyCheck)).toEqual(tell(model, scenario.everyCheck));
    }
    expect(await loaded(store)).toEqual(await loaded(model));
    await store.close();
  });
  await fc.assert(property, { numRuns: 25 });
}, 60_000);
