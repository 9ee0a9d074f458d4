/**
 * Statistics against a recount of everything that ever happened: whatever is folded, compacted and cut off, and however old it is.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Check, type Status, statuses } from '../../../../src/domain/check/check.ts';
import { type Cause, causes, type StatusChange } from '../../../../src/domain/check/flip.ts';
import { type Signal, signals } from '../../../../src/domain/check/ping.ts';
import { day, hour, minute } from '../../../../src/lib/units.ts';
import { bytesOfUuid } from '../../../../src/store/codec/uuid.ts';
import type { LmdbEnv } from '../../../../src/store/disk/lmdb-env.ts';
import { Compaction } from '../../../../src/store/history/fold/compaction.ts';
import { Fold } from '../../../../src/store/history/fold/fold.ts';
import { RecordGrouper } from '../../../../src/store/history/fold/fold-groups.ts';
import { createHistoryReads, type HistoryReads } from '../../../../src/store/history/read.ts';
import { keysOf } from '../../../../src/store/history/rows/statistics-layout.ts';
import { type HistoryTables, openHistoryTables } from '../../../../src/store/history/rows/tables.ts';
import { Tail } from '../../../../src/store/journal/tail.ts';
import type { JournalRecord } from '../../../../src/store/store.ts';
import { isLong } from '../../../support/long.ts';
import { openMemoryEnv } from '../../../support/store/memory-env.ts';
import { SimulatedDisk } from '../../../support/store/simulated-disk.ts';
import { type CountedPing, recounted, shownStatistics } from '../../../support/store/statistics-model.ts';
import { batchOf, checkOf, pingOf, projectOf } from '../../../support/store/store-facts.ts';

const startMs = Date.UTC(2026, 0, 10, 7, 20);
/** One check at a time, so that there is something to cut off. */
const oneCheck = 1 / 64;

interface Pinged {
  readonly kind: 'pings';
  readonly check: number;
  readonly count: number;
  readonly everyMs: number;
  readonly signal: Signal;
  readonly durationMs: number | null;
}

type Step =
  | Pinged
  | { readonly kind: 'change'; readonly check: number; readonly to: Status; readonly cause: Cause }
  | {
      readonly kind: 'grace-end';
      readonly check: number;
      readonly ms: number;
      readonly durationMs: number | null;
    }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'fold' | 'compact'; readonly cutAfter: number };

/** Of one most of the time. */
const check = fc.constantFrom(0, 0, 0, 1, 2);
const cutAfter = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 }));
const pings = fc.record({
  kind: fc.constant('pings' as const),
  check,
  count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 30, max: 60 }), fc.constant(300)),
  everyMs: fc.oneof(fc.constant(0), fc.nat(minute), fc.nat(3 * hour)),
  signal: fc.constantFrom<Signal>('success', 'success', ...signals),
  durationMs: fc.oneof(fc.constant(null), fc.nat(10), fc.nat(day)),
});
const change = fc.record({
  kind: fc.constant('change' as const),
  check,
  to: fc.constantFrom(...statuses),
  cause: fc.constantFrom(...causes),
});
/** A ping that ends the grace time, in time or not. */
const graceEnd = fc.record({
  kind: fc.constant('grace-end' as const),
  check,
  ms: fc.oneof(fc.constantFrom(0, minute - 1, minute, minute + 1), fc.nat(3 * hour)),
  durationMs: fc.oneof(fc.constant(null), fc.nat(2 * minute), fc.nat(3 * hour)),
});
/** Back, too: the clock may be set. */
const ms = fc.oneof(
  { weight: 6, arbitrary: fc.nat(5 * minute) },
  { weight: 6, arbitrary: fc.nat(9 * hour) },
  { weight: 4, arbitrary: fc.nat(5 * day) },
  { weight: 2, arbitrary: fc.integer({ min: -2 * day, max: 0 }) },
  { weight: 1, arbitrary: fc.nat(400 * day) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: pings },
  { weight: 6, arbitrary: change },
  { weight: 6, arbitrary: graceEnd },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('fold' as const), cutAfter }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('compact' as const), cutAfter }) },
);

class History {
  readonly env: LmdbEnv = openMemoryEnv(new SimulatedDisk(), new Map());
  readonly tables: HistoryTables = openHistoryTables(this.env);
  readonly checks: Check[] = [0, 1, 2].map((number) => checkOf(number));
  readonly pings: CountedPing[][] = [[], [], []];
  readonly changes: (StatusChange & { readonly durationMs?: number | null })[][] = [[], [], []];
  nowMs = startMs;
  #latestMs = startMs;
  #batches: Buffer[] = [];
  #seq = 0;

  constructor() {
    const created = this.checks.map((one): JournalRecord => ({ type: 'check', check: one, changes: [] }));
    this.#append([{ type: 'put', kind: 'project', fact: projectOf(1, { plan: 'free' }) }, ...created]);
  }

  take(given: Step): void {
    if (given.kind === 'pings') this.#ping(given);
    else if (given.kind === 'change') this.#change(given.check, given.to, given.cause);
    else if (given.kind === 'grace-end') this.#graceEnd(given);
    else if (given.kind === 'wait') this.nowMs = Math.max(startMs, this.nowMs + given.ms);
    else if (given.kind === 'fold') this.fold(given.cutAfter);
    else if (given.kind === 'compact') this.compact(given.cutAfter);
  }

  #ping({ check: slot, count, everyMs, signal, durationMs }: Pinged): void {
    const records = Array.from({ length: count }, (): JournalRecord => {
      this.nowMs += everyMs;
      const before = this.checks[slot] ?? checkOf(slot);
      const state = { ...before.state, lastDurationMs: durationMs };
      const record = pingOf({ ...before, state }, before.state.nPings + 1, { atMs: this.nowMs, signal });
      this.checks[slot] = { ...record.check, state: { ...record.check.state, status: before.state.status } };
      this.pings[slot]?.push({ atMs: this.nowMs, signal, durationMs });
      return { ...record, check: this.checks[slot] ?? record.check };
    });
    this.#append(records);
  }

  #change(slot: number, to: Status, cause: Cause): void {
    const before = this.checks[slot] ?? checkOf(slot);
    const made = { atMs: this.nowMs, from: before.state.status, to, cause };
    if (made.from === to) return;
    const after = { ...before, state: { ...before.state, status: to } };
    this.checks[slot] = after;
    this.changes[slot]?.push(made);
    this.#append([{ type: 'state', check: after, changes: [made], deliveries: [] }]);
  }

  /** The change into grace is in another batch: a fold may come between. */
  #graceEnd({ check: slot, ms, durationMs }: Extract<Step, { readonly kind: 'grace-end' }>): void {
    if (this.checks[slot]?.state.status !== 'grace') {
      this.#change(slot, 'grace', 'timeout');
      return;
    }
    this.nowMs += ms;
    const before = this.checks[slot] ?? checkOf(slot);
    const made = { atMs: this.nowMs, from: 'grace', to: 'up', cause: 'success' } as const;
    const state = { ...before.state, lastDurationMs: durationMs };
    const record = pingOf({ ...before, state }, before.state.nPings + 1, {
      atMs: made.atMs,
      changes: [made],
    });
    this.checks[slot] = record.check;
    this.pings[slot]?.push({ atMs: made.atMs, signal: 'success', durationMs });
    this.changes[slot]?.push({ ...made, durationMs });
    this.#append([record]);
  }

  #append(records: readonly JournalRecord[]): void {
    this.#batches.push(batchOf(records));
    this.#seq++;
  }

  /** Cut off after so many transactions and begun again. */
  fold(cutAfter = 0): void {
    if (this.#batches.length === 0) return;
    const cutOff = this.#newFold();
    let isDone = false;
    for (let left = cutAfter; left > 0 && !isDone; left--) {
      isDone = cutOff.slice(oneCheck);
      if (!isDone) this.holds();
    }
    const rest = isDone ? null : this.#newFold();
    while (rest?.slice(oneCheck) === false);
    this.#batches = [];
  }

  #newFold(): Fold {
    const grouper = new RecordGrouper();
    for (const [at, batch] of this.#batches.entries())
      grouper.add(batch, this.#seq - this.#batches.length + at + 1);
    const input = { grouped: grouper.grouped, lastSeq: this.#seq, bodyBudgetBytes: 1000, nowMs: this.nowMs };
    return new Fold(this.env, this.tables, input);
  }

  compact(cutAfter = 0): void {
    const cutOff = this.#newCompaction();
    for (let left = cutAfter; left > 0 && !cutOff.slice(oneCheck); left--) this.holds();
    const rest = this.#newCompaction();
    while (!rest.slice(oneCheck));
  }

  #newCompaction(): Compaction {
    return new Compaction(this.env, this.tables, 0, this.nowMs);
  }

  reads(): HistoryReads {
    const tail = new Tail(() => null);
    for (const [at, bytes] of this.#batches.entries())
      tail.push({ seq: this.#seq - this.#batches.length + 1 + at, bytes });
    return createHistoryReads(this.tables, tail);
  }

  holds(): void {
    const reads = this.reads();
    for (const slot of this.checks.keys())
      for (const edges of this.#edges()) this.#holdsOf(slot, reads, edges);
  }

  #holdsOf(slot: number, reads: HistoryReads, edges: readonly number[]): void {
    const { id } = checkOf(slot);
    const given = { pings: this.pings[slot] ?? [], changes: this.changes[slot] ?? [], nowMs: this.nowMs };
    const expected = edges.slice(1).map((untilMs, at) => recounted(given, edges[at] ?? 0, untilMs));
    const found = reads.statistics(id, edges, this.nowMs);
    expect(found.map(shownStatistics), `check ${slot}, ${edges.length} edges`).toEqual(expected);
    const [fromMs = 0, untilMs = 0] = [edges[0], edges.at(-1)];
    const [all] = [recounted(given, fromMs, untilMs)];
    const uptime = reads.uptimes(id, [{ fromMs, untilMs }], this.nowMs);
    const outages = Math.max(all.outages, all.downMs > 0 ? 1 : 0);
    expect(uptime).toEqual([{ downMs: all.downMs, watchedMs: all.watchedMs, outages }]);
  }

  /** The last 90 days by hours that begin no day; all time by days, which are all that is left of it. */
  #edges(): readonly (readonly number[])[] {
    this.#latestMs = Math.max(this.#latestMs, this.nowMs);
    const endMs = (Math.floor(this.#latestMs / hour) + 1) * hour;
    const hours = [90 * 24, 700, 49, 30, 24, 5, 1, 0].map((before) => endMs - before * hour);
    const lastDay = Math.floor(this.#latestMs / day) + 3;
    const days = [3000, 900, 400, 365, 91, 90, 60, 31, 7, 2, 0].map((before) => (lastDay - before) * day);
    return [hours, days];
  }

  /** As an older version left it: nothing is counted. */
  forget(): void {
    this.env.write(() => {
      for (const { id } of this.checks) {
        const uuid = bytesOfUuid(id);
        const keys: Buffer[] = [];
        const range = { start: keysOf.recent(uuid), end: Buffer.concat([uuid, Buffer.of(255, 255)]) };
        this.tables.pings.scan(range, (key) => {
          keys.push(Buffer.from(key));
        });
        for (const key of keys) this.tables.pings.remove(key);
      }
    });
  }
}

test('statistics are those of a recount, folded, compacted and cut off anywhere, whatever the clock does', () => {
  const property = fc.property(fc.array(step, { minLength: 25, maxLength: 60, size: 'max' }), (given) => {
    const history = new History();
    for (const one of given) {
      history.take(one);
      if (one.kind === 'fold' || one.kind === 'compact') history.holds();
    }
    history.fold();
    history.compact();
    history.holds();
  });
  fc.assert(property, { numRuns: isLong ? 120 : 6 });
});
