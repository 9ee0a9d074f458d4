/** The tail of the journal: what reads find in it is what was put in, whatever was dropped meanwhile. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { bytesOf } from '../../../src/store/history/read.ts';
import { beginBatch, writeRecord } from '../../../src/store/journal/records.ts';
import { Tail } from '../../../src/store/journal/tail.ts';
import type { JournalRecord } from '../../../src/store/store.ts';
import { checkOf, countRecords, pingOf, projectOf, uuidOf } from '../../support/store/store-facts.ts';

/** Some begin with the same word, and one with the word that means no check. */
const checks = [0, 1, 2, 3, 4].map((number) => {
  const kind = [0, 0xc0, 0xc0, 0xc0, 0xffffffff][number] ?? 0;
  return checkOf(number, { id: asCheckId(uuidOf(kind, number)) });
});

function encoded(records: readonly JournalRecord[]): Buffer {
  const writer = new ByteWriter(64);
  beginBatch(writer);
  for (const record of records) writeRecord(writer, record);
  return writer.copy();
}

/** A batch of pings by the numbers of their checks; -1 is a record about no check. */
const batch = fc.array(fc.integer({ min: -1, max: checks.length - 1 }), { minLength: 1, maxLength: 300 });
const step = fc.oneof({ weight: 4, arbitrary: batch }, fc.record({ dropTo: fc.double({ min: 0, max: 1 }) }));

test('a read finds the pings of its check above the number that it gives, whatever was dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const tail = new Tail(() => null);
      let kept: { readonly seq: number; readonly ofCheck: number; readonly n: number }[] = [];
      let seq = 10;
      let dropped = 10;
      for (const each of steps) {
        if (Array.isArray(each)) {
          seq++;
          const records = each.map((ofCheck, at): JournalRecord => {
            const check = checks[ofCheck];
            if (!check) return { type: 'put', kind: 'project', fact: projectOf(1) };
            kept.push({ seq, ofCheck, n: seq * 1000 + at });
            return pingOf(check, seq * 1000 + at);
          });
          tail.push({ seq, bytes: encoded(records) });
        } else {
          dropped = Math.floor(dropped + (seq - dropped) * each.dropTo);
          tail.dropUntil(dropped);
          kept = kept.filter((ping) => ping.seq > dropped);
        }
        for (const above of [dropped, Math.floor((dropped + seq) / 2), seq]) {
          for (const [number, check] of checks.entries()) {
            const found = tail.pings(bytesOf(check.id), above).items.map(({ n }) => n);
            const wanted = kept.filter((ping) => ping.ofCheck === number && ping.seq > above);
            expect(found).toEqual(wanted.map(({ n }) => n));
          }
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('a read forgets what came before a deletion', () => {
  const [, check, other] = checks;
  if (!check || !other) throw new Error('there are five');
  const tail = new Tail(() => null);
  const records = [pingOf(check, 1), pingOf(other, 1), { type: 'check-deleted', id: check.id } as const];
  tail.push({ seq: 1, bytes: encoded(records) });
  expect(tail.pings(bytesOf(check.id), 0)).toEqual({ deleted: true, items: [] });
  expect(tail.pings(bytesOf(other.id), 0)).toMatchObject({ deleted: false, items: [{ n: 1 }] });
});

test('what is acknowledged without a number yet is found too, behind the rest', () => {
  const [, check] = checks;
  if (!check) throw new Error('there are five');
  let open: Buffer | null = null;
  const tail = new Tail(() => open);
  tail.push({ seq: 1, bytes: encoded([pingOf(check, 1)]) });
  open = encoded([{ type: 'put', kind: 'project', fact: projectOf(1) }, pingOf(check, 2)]);
  expect(tail.pings(bytesOf(check.id), 0).items.map(({ n }) => n)).toEqual([1, 2]);
  expect(tail.pings(bytesOf(check.id), 1).items.map(({ n }) => n)).toEqual([2]);
});

/** Microseconds of the processor. */
function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('a read finds every status change, and none before a deletion', () => {
  const event = fc.record({
    ofCheck: fc.integer({ min: 0, max: checks.length - 1 }),
    what: fc.constantFrom('ping', 'change', 'two changes', 'deleted'),
  });
  fc.assert(
    fc.property(fc.array(fc.array(event, { minLength: 1, maxLength: 20 }), { maxLength: 20 }), (batches) => {
      const tail = new Tail(() => null);
      const wanted = checks.map(() => ({ deleted: false, atMs: [] as number[] }));
      let atMs = 0;
      for (const [at, events] of batches.entries()) {
        const records = events.map(({ ofCheck, what }): JournalRecord => {
          const check = checks[ofCheck] ?? checkOf(0);
          const count = { ping: 0, change: 1, 'two changes': 2, deleted: 0 }[what];
          const changes = Array.from({ length: count }, () => changeAt(++atMs));
          if (what !== 'deleted') wanted[ofCheck]?.atMs.push(...changes.map((change) => change.atMs));
          else wanted[ofCheck] = { deleted: true, atMs: [] };
          return what === 'deleted'
            ? { type: 'check-deleted', id: check.id }
            : pingOf(check, at + 1, { changes });
        });
        tail.push({ seq: at + 1, bytes: encoded(records) });
      }
      const found = checks.map(({ id }) => {
        const { deleted, items } = tail.changes(bytesOf(id), 0);
        return { deleted, atMs: items.map((change) => change.atMs) };
      });
      expect(found).toEqual(wanted);
    }),
  );
});

test('the newest pings come first, and no more than are taken', () => {
  const [, check] = checks;
  if (!check) throw new Error('there are five');
  const tail = new Tail(() => encoded([pingOf(check, 5), pingOf(check, 6)]));
  tail.push({ seq: 1, bytes: encoded([1, 2, 3].map((n) => pingOf(check, n))) });
  tail.push({ seq: 2, bytes: encoded([pingOf(check, 4)]) });
  const taken: number[] = [];
  const isThere = tail.eachPing(bytesOf(check.id), 0, ({ n }) => taken.push(n) < 4);
  expect({ isThere, taken }).toEqual({ isThere: true, taken: [6, 5, 4, 3] });
  expect(tail.pings(bytesOf(check.id), 0, 3).items.map(({ n }) => n)).toEqual([4, 5, 6]);
});

function changeAt(atMs: number): StatusChange {
  return { atMs, from: 'up', to: 'down', cause: 'timeout' };
}

test('a read among the most records that wait for a fold does not go through them', () => {
  const tail = new Tail(() => null);
  const bytes = encoded(Array.from({ length: 200 }, (_, at) => pingOf(checkOf(at, { id: anyId(at) }), 1)));
  for (let seq = 1; seq <= 4000; seq++) tail.push({ seq, bytes });
  expect(tail.records).toBe(800_000);
  const throughAllUs = costOf(() => {
    for (const batch of tail.batches) countRecords(batch.bytes);
  });
  const shares = Array.from({ length: 9 }, () => {
    const readUs = costOf(() => {
      for (let at = 0; at < 200; at++) tail.pings(bytesOf(anyId(at)), 0, 30);
    });
    return readUs / throughAllUs;
  });
  // Of all the 200 checks together. Measured: a half; one that went through all would have 15.
  expect(shares.sort((a, b) => a - b)[4]).toBeLessThan(3);
});

function anyId(number: number): ReturnType<typeof asCheckId> {
  return asCheckId(uuidOf(0x1000 + number, number));
}
