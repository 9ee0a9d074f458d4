/** The bytes of a journal batch: what goes in comes out, and damage is parts from data. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnellError } from '../../../src/lib/errors.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { readState } from '../../../src/store/codec/check.ts';
import { readDeliveries } from '../../../src/store/codec/delivery.ts';
import { createIntern } from '../../../src/store/codec/intern.ts';
import { readChange, readPing } from '../../../src/store/codec/ping.ts';
import { auditRow, endingRow, notificationRow, rows } from '../../../src/store/codec/rows.ts';
import { RecordGrouper } from '../../../src/store/history/fold/fold-groups.ts';
import { BatchCursor } from '../../../src/store/journal/batch-cursor.ts';
import { beginBatch, recordTypes, writeRecord } from '../../../src/store/journal/records.ts';
import { configKinds, kindOf, kinds, removedKindOf } from '../../../src/store/kinds.ts';
import { deliveryEndings, type JournalRecord } from '../../../src/store/store.ts';
import { anyRecord } from '../../support/engine/arbitraries.ts';
import { checkOf, countRecords, pingOf } from '../../support/store/store-facts.ts';

function encode(records: readonly JournalRecord[]): Buffer {
  const writer = new ByteWriter(16);
  beginBatch(writer);
  for (const record of records) writeRecord(writer, record);
  return writer.copy();
}

/** What a batch says, in the shape of `summary` below. */
function decode(bytes: Buffer): readonly unknown[] {
  const cursor = new BatchCursor().open(bytes);
  const found: unknown[] = [];
  while (cursor.next()) found.push(decodeOne(cursor));
  return found;
}

const intern = createIntern();

function decodeOne(cursor: BatchCursor): unknown {
  const reader = cursor.reader.window(cursor.start, cursor.end);
  const kind = kindOf(cursor.type);
  if (kind) return kinds[kind].row.read(cursor.row());
  const removed = removedKindOf(cursor.type);
  if (removed) return kinds[removed].id.text(cursor.row());
  switch (cursor.type) {
    case recordTypes.ping:
    case recordTypes.state:
    case recordTypes.check:
      return decodeCheckRecord(cursor);
    case recordTypes.notification:
      return { checkId: reader.uuid(), notification: notificationRow.read(cursor.rowOfCheck()) };
    case recordTypes['run-ending']:
      return { checkId: reader.uuid(), ending: endingRow.read(cursor.rowOfCheck()) };
    case recordTypes.delivery:
      return rows.delivery.read(cursor.row());
    case recordTypes.audit:
      return auditRow.read(cursor.auditRow());
    case recordTypes.asked:
      return `${reader.u32()}.${reader.f64()}`;
    case recordTypes.alive:
      return reader.f64();
    case recordTypes['delivery-ended']:
      return { id: reader.uuid(), ending: reader.oneOf(deliveryEndings, reader.u8()) };
    default:
      return reader.uuid();
  }
}

function decodeCheckRecord(cursor: BatchCursor): unknown {
  const reader = cursor.reader;
  const id = asCheckId(reader.uuid());
  const state = readState(reader);
  const changes = Array.from({ length: reader.u8() }, () => readChange(reader));
  const deliveries = cursor.toDeliveries() ? readDeliveries(reader, id) : [];
  const parts = { id, changes, deliveries };
  if (cursor.type === recordTypes.state) return { state, ...parts };
  if (cursor.type === recordTypes.check)
    return { check: { id: checkOf(1).id, ...rows.check.read(cursor.row(), intern), state }, ...parts };
  const ping = readPing(reader, 0);
  return { state, ...parts, ping, body: [...reader.raw(reader.left)] };
}

/** What must come out of a record. */
function summary(record: JournalRecord): unknown {
  switch (record.type) {
    case 'ping': {
      const { check, changes, deliveries = [], ping, body } = record;
      return { id: check.id, state: check.state, changes, deliveries, ping, body: [...body] };
    }
    case 'state': {
      const { check, changes, deliveries = [] } = record;
      return { id: check.id, state: check.state, changes, deliveries };
    }
    case 'check': {
      const { check, changes, deliveries = [] } = record;
      return { id: check.id, changes, deliveries, check: { ...check, id: checkOf(1).id } };
    }
    case 'put':
      return record.fact;
    case 'audit':
      return record.entry;
    case 'asked':
      return `${record.client}.${record.number}`;
    case 'alive':
      return record.atMs;
    case 'delivery':
      return record.delivery;
    case 'notification':
      return { checkId: record.checkId, notification: record.notification };
    case 'run-ending':
      return { checkId: record.checkId, ending: record.ending };
    case 'delivery-ended':
      return { id: record.id, ending: record.ending };
    default:
      return record.id;
  }
}

/** Damage must surface as this error or not at all; anything else is a bug in the decoder. */
function decodesOrIsDamaged(bytes: Buffer): void {
  for (const read of [() => decode(bytes), () => new RecordGrouper().add(bytes, 1)]) {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(KnellError);
      expect(error).toMatchObject({ code: 'store-broken' });
    }
  }
}

test('every type of record has a number of its own', () => {
  const ofKinds = configKinds.flatMap((kind) => [kinds[kind].number, kinds[kind].number + 1]);
  const numbers = [...Object.values(recordTypes), ...ofKinds];
  expect(new Set<number>(numbers).size).toBe(numbers.length);
});

describe('a journal batch', () => {
  test('gives back every record as it was, the deadlines excepted', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 8 }), (records) => {
        const bytes = encode(records);
        expect(decode(bytes)).toEqual(records.map(summary));
        expect(countRecords(bytes)).toBe(records.length);
      }),
    );
  });

  test('cut anywhere is either damaged or shorter by whole records', () => {
    const property = fc.property(
      fc.array(anyRecord, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (records, cut) => {
        const bytes = encode(records);
        decodesOrIsDamaged(bytes.subarray(0, cut % bytes.length));
      },
    );
    fc.assert(property);
  });

  test('with any byte changed never breaks the decoder in another way', () => {
    const property = fc.property(
      fc.array(anyRecord, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (records, where, flip) => {
        const bytes = encode(records);
        const at = where % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        decodesOrIsDamaged(bytes);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  test('of an unknown format is damaged', () => {
    expect(() => countRecords(Buffer.of(5))).toThrow('unknown format');
    expect(() => countRecords(Buffer.alloc(0))).toThrow(KnellError);
  });

  test('keeps a usual ping within 110 bytes', () => {
    const [one, two] = [1, 2].map(
      (count) => encode(Array.from({ length: count }, () => pingOf(checkOf(1), 5))).length,
    );
    expect((two ?? 0) - (one ?? 0)).toBeLessThan(110);
  });

  test('refuses an id that is no UUID', () => {
    const bad = { type: 'check-deleted', id: checkOf(1).id.replace('c', 'g') } as JournalRecord;
    expect(() => encode([bad])).toThrow('not a UUID');
  });
});
