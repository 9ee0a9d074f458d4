/** Every store against a model of retention: whatever is appended, folded and opened again, they list the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check/check.ts';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import type { Store } from '../../src/store/store.ts';
import { appendAll, checkOf, loaded, pingOf, projectOf } from '../support/store/store-facts.ts';
import { type ModelRecord, StoreModel } from '../support/store/store-model.ts';
import { bodyBudgetBytes, storeKinds, testNowMs } from '../support/store/stores.ts';

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

  begin(): readonly ModelRecord[] {
    return [{ type: 'put', kind: 'project', fact: projectOf(1) }, ...this.#checks.map(created)];
  }

  records(given: Step): readonly ModelRecord[] {
    switch (given.kind) {
      case 'pings':
        return this.#pings(given);
      case 'change':
        return [{ type: 'state', check: this.#at(given.check), changes: [changeOf(given.daysAgo)] }];
      case 'delete':
        return this.#replace(given.check);
      case 'downgrade':
        return [{ type: 'put', kind: 'project', fact: projectOf(1, { plan: 'free' }) }];
      default:
        return [];
    }
  }

  #at(slot: number): Check {
    return this.#checks[slot] ?? checkOf(slot);
  }

  #pings({ check: slot, count, bodyBytes }: Extract<Step, { kind: 'pings' }>): readonly ModelRecord[] {
    return Array.from({ length: count }, (_, index) => {
      const before = this.#at(slot);
      const body = new Uint8Array(bodyBytes[index % bodyBytes.length] ?? 0).fill(index);
      const record = pingOf(before, before.state.nPings + 1, { body });
      this.#checks[slot] = record.check;
      return record;
    });
  }

  #replace(slot: number): readonly ModelRecord[] {
    const gone = this.#at(slot);
    const fresh = checkOf(this.#next++);
    this.#checks[slot] = fresh;
    this.everyCheck.push(fresh);
    return [{ type: 'check-deleted', id: gone.id }, created(fresh)];
  }
}

function created(fresh: Check): ModelRecord {
  return { type: 'check', check: fresh, changes: [] };
}

function changeOf(daysAgo: number): StatusChange {
  return { atMs: testNowMs - daysAgo * 86_400_000, from: 'up', to: 'down', cause: 'timeout' };
}

/** What a store lists, and what the model does. */
function listedBy(listing: Listing, checks: readonly Check[]): unknown {
  return checks.map(({ id }) => {
    const pings = listing.pings(id);
    const bodies = pings.map(({ n }) => Buffer.from(listing.body(id, n) ?? []).toString('hex'));
    return { pings, bodies, changes: listing.changes(id) };
  });
}

type Listing = Pick<StoreModel, 'pings' | 'body' | 'changes'>;

function listingOf(store: Store): Listing {
  return {
    pings: (id) => store.pings(id, 2000),
    body: (id, n) => store.body(id, n),
    changes: (id) => store.changes(id, { fromMs: 0, untilMs: testNowMs + 1 }),
  };
}

/** A real disk and the threads take most of the time of a run; the simulated one shares all code with them but LMDB's. */
const runs: Readonly<Record<string, number>> = { lmdb: 4, file: 4, simulated: 40 };

test.each(storeKinds)(
  'after any history, folded anywhere, the store over the $name log lists what the model lists',
  async ({ name, create }) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
      const place = create();
      const scenario = new Scenario();
      const model = new StoreModel({ bodyBudgetBytes, nowMs: testNowMs });
      let store = await place.open();
      const record = async (records: readonly ModelRecord[]): Promise<void> => {
        for (const one of records) model.apply(one);
        await appendAll(store, records);
      };
      await record(scenario.begin());
      for (const given of [...steps, { kind: 'fold' } as const]) {
        await record(scenario.records(given));
        if (given.kind === 'reopen') {
          await store.close();
          store = await place.open();
        }
        if (given.kind !== 'fold') continue;
        await store.folded();
        expect(listedBy(listingOf(store), scenario.everyCheck)).toEqual(listedBy(model, scenario.everyCheck));
      }
      expect(await loaded(store)).toEqual(model.facts);
      await store.close();
    });
    await fc.assert(property, { numRuns: runs[name] ?? 0 });
  },
);
