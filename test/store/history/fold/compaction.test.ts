/** Runs and rows together against a model: whatever is folded, compacted and cut off, reads show what the model lists. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Plan, plans } from '../../../../src/domain/accounts/project.ts';
import type { Check } from '../../../../src/domain/check/check.ts';
import { asCheckId } from '../../../../src/lib/ids.ts';
import type { LmdbEnv } from '../../../../src/store/disk/lmdb-env.ts';
import { Compaction } from '../../../../src/store/history/fold/compaction.ts';
import { Fold } from '../../../../src/store/history/fold/fold.ts';
import { RecordGrouper } from '../../../../src/store/history/fold/fold-groups.ts';
import { createHistoryReads } from '../../../../src/store/history/read.ts';
import { runsOf } from '../../../../src/store/history/rows/runs.ts';
import {
  type HistoryTables,
  openHistoryTables,
  readMeta,
} from '../../../../src/store/history/rows/tables.ts';
import { Tail } from '../../../../src/store/journal/tail.ts';
import { writeHistory } from '../../../../src/store/snapshot/source.ts';
import { isLong } from '../../../support/long.ts';
import { openMemoryEnv } from '../../../support/store/memory-env.ts';
import { countPingRows } from '../../../support/store/ping-rows.ts';
import { SimulatedDisk } from '../../../support/store/simulated-disk.ts';
import { batchOf, checkOf, pingOf, projectOf } from '../../../support/store/store-facts.ts';
import { type ModelRecord, StoreModel } from '../../../support/store/store-model.ts';
import { testNowMs } from '../../../support/store/stores.ts';

/** Less than what goes into rows of its own. */
const bodyBudgetBytes = 2500;
const checksCount = 5;
/** One check at a time, so that there is something to cut off. */
const oneCheck = 1 / 64;

interface Pings {
  readonly kind: 'pings';
  readonly check: number;
  readonly count: number;
  readonly bodyBytes: readonly number[];
}

/** `cutAfter`: the work is given up after so many transactions and begun again, as by another process. */
type Step =
  | Pings
  | { readonly kind: 'delete'; readonly check: number }
  | { readonly kind: 'downgrade' }
  | { readonly kind: 'fold'; readonly cutAfter: number }
  | { readonly kind: 'compact'; readonly cutAfter: number; readonly partition: number };

/** Of the checks below. */
const usedPartitions = [1, 15] as const;

const check = fc.nat(checksCount - 1);
const cutAfter = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pings' as const),
      check,
      count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 30, max: 100 })),
      bodyBytes: fc.array(fc.oneof(fc.constant(0), fc.nat(400), fc.nat(1500), fc.nat(5000)), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), check }),
  fc.record({ kind: fc.constant('downgrade' as const) }),
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('fold' as const), cutAfter }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('compact' as const),
      cutAfter,
      partition: fc.constantFrom(...usedPartitions),
    }),
  },
);

/** Two of three have a partition in common. */
function spreadCheck(number: number): Check {
  const { id, ...rest } = checkOf(number);
  const first = ['10', '11', 'f0'][number % 3] ?? '';
  return { ...rest, id: asCheckId(first + id.slice(2)) };
}

class History {
  readonly env: LmdbEnv = openMemoryEnv(new SimulatedDisk(), new Map());
  readonly tables: HistoryTables = openHistoryTables(this.env);
  readonly model = new StoreModel({ bodyBudgetBytes, nowMs: testNowMs });
  readonly everyCheck: Check[] = Array.from({ length: checksCount }, (_, number) => spreadCheck(number));
  readonly #checks = [...this.everyCheck];
  #batches: Buffer[] = [];
  #seq = 0;

  begin(plan: Plan): void {
    const created = this.#checks.map((one): ModelRecord => ({ type: 'check', check: one, changes: [] }));
    this.#append([{ type: 'put', kind: 'project', fact: projectOf(1, { plan }) }, ...created]);
    this.fold(0);
  }

  take(given: Step): void {
    switch (given.kind) {
      case 'pings':
        this.#append(this.#pings(given));
        break;
      case 'delete':
        this.#append([{ type: 'check-deleted', id: this.#at(given.check).id }]);
        this.#checks[given.check] = spreadCheck(this.everyCheck.length);
        this.everyCheck.push(this.#at(given.check));
        this.#append([{ type: 'check', check: this.#at(given.check), changes: [] }]);
        break;
      case 'downgrade':
        this.#append([{ type: 'put', kind: 'project', fact: projectOf(1, { plan: 'free' }) }]);
        break;
      case 'fold':
        this.fold(given.cutAfter);
        break;
      case 'compact':
        this.compact(given.partition, given.cutAfter);
        break;
    }
  }

  fold(cutAfter: number): void {
    if (this.#batches.length === 0) return;
    const cutOff = this.#newFold();
    let isDone = false;
    for (let left = cutAfter; left > 0 && !isDone; left--) isDone = cutOff.slice(oneCheck);
    const rest = isDone ? null : this.#newFold();
    while (rest?.slice(oneCheck) === false);
    this.#batches = [];
    this.holds();
  }

  /** Reads see nothing of it. */
  compact(partition: number, cutAfter: number): void {
    const [before, snapshotBefore] = [this.listed(), this.#pingsOfSnapshot()];
    const cutOff = new Compaction(this.env, this.tables, partition, testNowMs);
    for (let left = cutAfter; left > 0 && !cutOff.slice(oneCheck); left--) {
      expect(this.listed()).toEqual(before);
      expect(this.#pingsOfSnapshot()).toBe(snapshotBefore);
    }
    const rest = new Compaction(this.env, this.tables, partition, testNowMs);
    while (!rest.slice(oneCheck)) expect(this.listed()).toEqual(before);
    expect(this.listed()).toEqual(before);
    expect(runsOf(this.tables.runs, partition)).toEqual([]);
  }

  holds(): void {
    expect(this.listed()).toEqual(listedBy(this.model, this.everyCheck));
    const pings = this.everyCheck.map(({ id }) => this.model.pings(id).length);
    expect(this.#pingsOfSnapshot()).toBe(pings.reduce((sum, count) => sum + count));
  }

  #pingsOfSnapshot(): number {
    const options = { progress: () => {}, isCancelled: () => false };
    return writeHistory(this.tables, { frame: () => {} }, options).pings;
  }

  listed(): unknown {
    const tail = new Tail(() => null);
    for (const [at, bytes] of this.#batches.entries())
      tail.push({ seq: this.#seq - this.#batches.length + 1 + at, bytes });
    const reads = createHistoryReads(this.tables, tail);
    return listedBy({ pings: (id) => reads.pings(id, 2000), body: reads.body }, this.everyCheck);
  }

  #newFold(): Fold {
    const grouper = new RecordGrouper();
    for (const [at, batch] of this.#batches.entries())
      grouper.add(batch, this.#seq - this.#batches.length + at + 1);
    const { grouped } = grouper;
    return new Fold(this.env, this.tables, {
      grouped,
      lastSeq: this.#seq,
      bodyBudgetBytes,
      nowMs: testNowMs,
    });
  }

  #append(records: readonly ModelRecord[]): void {
    for (const record of records) this.model.apply(record);
    this.#batches.push(batchOf(records));
    this.#seq++;
  }

  #at(slot: number): Check {
    return this.#checks[slot] ?? spreadCheck(slot);
  }

  #pings({ check: slot, count, bodyBytes }: Pings): readonly ModelRecord[] {
    return Array.from({ length: count }, (_, index) => {
      const before = this.#at(slot);
      const body = new Uint8Array(bodyBytes[index % bodyBytes.length] ?? 0).fill(index);
      const record = pingOf(before, before.state.nPings + 1, { body });
      this.#checks[slot] = record.check;
      return record;
    });
  }
}

function listedBy(listing: Pick<StoreModel, 'pings' | 'body'>, checks: readonly Check[]): unknown {
  return checks.map(({ id }) => {
    const pings = listing.pings(id);
    return { pings, bodies: pings.map(({ n }) => Buffer.from(listing.body(id, n) ?? []).toString('latin1')) };
  });
}

test('after any history, folded, compacted and cut off anywhere, reads show what the model lists', () => {
  const steps = fc.array(step, { minLength: 10, maxLength: 35 });
  const property = fc.property(fc.constantFrom(...plans), steps, (plan, given) => {
    const history = new History();
    history.begin(plan);
    for (const one of given) history.take(one);
    for (const partition of usedPartitions) history.compact(partition, 0);
    history.fold(0);
  });
  fc.assert(property, { numRuns: isLong ? 120 : 8 });
});

test('pings of several folds come into one row, and a large one into a row of its own', () => {
  const history = new History();
  history.begin('paid');
  const small: Step = { kind: 'pings', check: 0, count: 2, bodyBytes: [10] };
  for (let fold = 0; fold < 3; fold++) {
    history.take(small);
    history.fold(0);
  }
  expect(countPingRows(history.tables)).toBe(0);
  history.take({ kind: 'pings', check: 1, count: 1, bodyBytes: [5000] });
  history.fold(0);
  expect(countPingRows(history.tables)).toBe(1);
  history.compact(1, 0);
  expect([countPingRows(history.tables), history.tables.runs.count()]).toEqual([2, 0]);
});

test('after so many folds as there are partitions, each of them was due once', () => {
  const history = new History();
  history.begin('paid');
  const due = Array.from({ length: 16 }, () => {
    history.take({ kind: 'pings', check: 0, count: 1, bodyBytes: [0] });
    history.fold(0);
    return readMeta(history.tables, 'compacting');
  });
  expect(new Set(due).size).toBe(16);
});
