/**
 * Events of random journals: whatever was folded, in whatever slices, and wherever a reader begins, it gets what the journal has,
 * in its order, once; beyond the limits the oldest go and that is known.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { Fold } from '../../../src/store/history/fold/fold.ts';
import { RecordGrouper } from '../../../src/store/history/fold/fold-groups.ts';
import { createHistoryReads } from '../../../src/store/history/read.ts';
import { removeOldEvents } from '../../../src/store/history/rows/event-rows.ts';
import { openHistoryTables, readMeta } from '../../../src/store/history/rows/tables.ts';
import { beginBatch, writeRecord } from '../../../src/store/journal/records.ts';
import { Tail } from '../../../src/store/journal/tail.ts';
import type { EventPlace, JournalRecord, StoredEvent, WantedEvents } from '../../../src/store/store.ts';
import { openMemoryEnv } from '../../support/store/memory-env.ts';
import { SimulatedDisk } from '../../support/store/simulated-disk.ts';
import { checkOf, pingOf } from '../../support/store/store-facts.ts';

const everything = { pings: true, runs: true } as const;
const start: EventPlace = { seq: 0, place: 0 };

class Journal {
  readonly env = openMemoryEnv(new SimulatedDisk(), new Map());
  readonly tables = openHistoryTables(this.env);
  readonly tail = new Tail(() => null);
  readonly reads = createHistoryReads(this.tables, this.tail);
  readonly #pings = new Map<number, number>();
  seq = 0;

  constructor() {
    this.append(
      Array.from({ length: 3 }, (_, at) => ({ type: 'check', check: checkOf(at + 1), changes: [] })),
    );
  }

  append(records: readonly JournalRecord[]): void {
    const writer = new ByteWriter(1000);
    beginBatch(writer);
    for (const record of records) writeRecord(writer, record);
    this.tail.push({ seq: ++this.seq, bytes: writer.copy() });
  }

  ping(check: number, changes: boolean): JournalRecord {
    const n = (this.#pings.get(check) ?? 0) + 1;
    this.#pings.set(check, n);
    const change = { atMs: n, from: 'up', to: 'down', cause: 'fail' } as const;
    return pingOf(checkOf(check), n, changes ? { changes: [change] } : {});
  }

  /** Folds batches up to `seq`; stops after so many slices, and the next fold goes on. */
  fold(seq: number, slices = Number.POSITIVE_INFINITY): void {
    const grouper = new RecordGrouper();
    for (const batch of this.tail.batches) if (batch.seq <= seq) grouper.add(batch.bytes, batch.seq);
    const input = { grouped: grouper.grouped, lastSeq: seq, bodyBudgetBytes: 1000, nowMs: 1 };
    const fold = new Fold(this.env, this.tables, input);
    for (let left = slices; left > 0; left--) {
      if (!fold.slice()) continue;
      this.tail.dropUntil(seq);
      return;
    }
  }

  all(wanted: WantedEvents, after = start): readonly StoredEvent[] {
    const found: StoredEvent[] = [];
    for (let place = after; ; ) {
      const page = this.reads.events(place, wanted);
      found.push(...page.events);
      place = page.until;
      if (page.isAtEnd) return found;
    }
  }
}

const batches = fc.array(
  fc.array(fc.record({ check: fc.integer({ min: 1, max: 3 }), changes: fc.boolean() }), { maxLength: 5 }),
  { minLength: 1, maxLength: 12 },
);

test('are the same from the journal and from the history, wherever a fold is and a reader begins', () => {
  fc.assert(
    fc.property(
      batches,
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (all, folds, slices) => {
        const journal = new Journal();
        for (const batch of all)
          journal.append(batch.map(({ check, changes }) => journal.ping(check, changes)));
        const wanted = journal.all(everything);
        expect(wanted.filter(({ type }) => type === 'ping').length).toBe(all.flat().length);
        expect(wanted.filter(({ type }) => type === 'status').length).toBe(
          all.flat().filter(({ changes }) => changes).length,
        );
        journal.fold(Math.min(folds + 1, journal.seq), slices);
        expect(journal.all(everything)).toEqual(wanted);
        for (const { seq, place } of wanted) {
          const behind = wanted.filter((one) => one.seq > seq || (one.seq === seq && one.place > place));
          expect(journal.all(everything, { seq, place })).toEqual(behind);
        }
        const facts = wanted.filter(({ type }) => type !== 'ping' && type !== 'run');
        expect(journal.all({ pings: false, runs: false })).toEqual(facts);
      },
    ),
    { numRuns: 60 },
  );
});

test('of one batch with thousands of pings come in several pages', () => {
  const journal = new Journal();
  journal.append(Array.from({ length: 900 }, () => journal.ping(1, false)));
  journal.fold(journal.seq);
  const pages: number[] = [];
  for (let place = start, isAtEnd = false; !isAtEnd; ) {
    const page = journal.reads.events(place, everything);
    pages.push(page.events.length);
    ({ until: place, isAtEnd } = page);
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(journal.all(everything).map((event) => event.type === 'ping' && event.ping.n)).toEqual(
    Array.from({ length: 900 }, (_, at) => at + 1),
  );
});

test('that are too many go, the oldest first, and from where on they are kept is known', () => {
  const journal = new Journal();
  for (let at = 0; at < 20; at++) {
    journal.append([journal.ping(1, true)]);
    journal.fold(journal.seq);
    const bounds = { events: 5, pingBytes: 26 * 5, checks: 1 };
    journal.env.write(() => removeOldEvents(journal.tables, bounds));
  }
  const from = journal.reads.eventsFrom(everything);
  expect(from.seq).toBe(journal.seq - 5);
  expect(journal.all(everything, from).length).toBe(10);
  expect([journal.tables.events.count(), readMeta(journal.tables, 'eventPingBytes')]).toEqual([5, 26 * 5]);
});

test('of a journal that was folded before there were events begin where they begin', () => {
  const journal = new Journal();
  journal.append([journal.ping(1, true)]);
  expect(journal.reads.eventsFrom(everything).seq).toBe(0);
  journal.fold(2);
  expect(journal.reads.eventsFrom(everything).seq).toBe(0);
});
