/** Records of named fields: how they grow, and that damage is an error or a record, never a field of another type. */

import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/check/check.ts';
import { checkFieldNames, checkFields } from '../../../src/domain/check/check-fields.ts';
import { unknownFields } from '../../../src/domain/check/unknown-fields.ts';
import { PackedItems, packItem, packWithItems } from '../../../src/store/codec/named-record.ts';
import { type RowKind, rows } from '../../../src/store/codec/rows.ts';
import { anyRecord } from '../../support/engine/arbitraries.ts';
import { otherValueOf } from '../../support/engine/check-fields.ts';
import { isLong } from '../../support/long.ts';
import { rowsOfBatch } from '../../support/store/batch-rows.ts';
import { goldenRecords } from '../../support/store/golden-facts.ts';
import { batchOf, checkOf } from '../../support/store/store-facts.ts';

/** Another hand than the code's: what a newer Knell may write. */
const packr = new Packr({ useRecords: false });

/** Decoded and written again by this version. */
function again<Kind extends RowKind>(kind: Kind, bytes: Buffer): Buffer {
  const codec = rows[kind];
  return codec.write(codec.read(bytes) as never);
}

const golden = rowsOfBatch(batchOf(goldenRecords));
const kinds = Object.keys(rows) as RowKind[];
const rowOf = (kind: RowKind) => golden.find((row) => row.kind === kind)?.bytes ?? Buffer.alloc(0);

const newerFields = fc.dictionary(
  fc.stringMatching(/^newer_[a-z]{1,12}$/),
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    fc.constant(null),
    fc.array(fc.nat(), { maxLength: 5 }),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.record({ deeper: fc.string(), list: fc.array(fc.boolean(), { maxLength: 3 }) }),
  ),
  { minKeys: 1, maxKeys: 20 },
);

describe.each(kinds)('a record of kind %s', (kind) => {
  test('keeps the fields of a newer version', () => {
    fc.assert(
      fc.property(newerFields, (newer) => {
        const record = { ...packr.unpack(rowOf(kind)), ...newer };
        const bytes = packr.pack(record);
        expect(packr.unpack(again(kind, bytes))).toEqual(record);
      }),
    );
  });

  test('keeps them in memory of its own', () => {
    const bytes = packr.pack({ ...packr.unpack(rowOf(kind)), newer: Buffer.from('kept'), text: 'kept too' });
    const fact = rows[kind].read(bytes);
    bytes.fill(0);
    const kept = 'config' in fact ? fact.config[unknownFields] : fact[unknownFields];
    expect(Buffer.from(Object(kept).newer).toString()).toBe('kept');
    expect(Object(kept).text).toBe('kept too');
  });

  test('shows them to nobody', () => {
    const bytes = packr.pack({ ...packr.unpack(rowOf(kind)), newer: 'hidden' });
    expect(JSON.stringify(rows[kind].read(bytes))).not.toContain('hidden');
  });

  test('is the same bytes when nothing has changed', () => {
    for (const row of golden.filter((other) => other.kind === kind)) {
      expect(again(kind, row.bytes).equals(row.bytes)).toBe(true);
    }
  });

  test('cut anywhere, or with anything behind it, is damaged', () => {
    const bytes = rowOf(kind);
    const wrong = [...Array.from(bytes, (_, length) => bytes.subarray(0, length))];
    for (const one of [...wrong, Buffer.concat([bytes, Buffer.of(1)]), Buffer.concat([bytes, bytes])]) {
      expect(() => rows[kind].read(one)).toThrow(expect.objectContaining({ code: 'store-broken' }));
    }
  });

  test('does not read on into what lies behind it', () => {
    const bytes = rowOf(kind);
    const large = Buffer.concat([bytes, bytes, bytes]);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => rows[kind].read(large.subarray(bytes.length, bytes.length + length))).toThrow(
        expect.objectContaining({ code: 'store-broken' }),
      );
    }
  });

  test('with a field that holds something else is damaged', () => {
    const record = packr.unpack(rowOf(kind));
    for (const key of Object.keys(record)) {
      for (const other of [[1], { a: 1 }, new Date(0), Number.NaN, Buffer.alloc(3), undefined]) {
        if (other === undefined && record[key] === null) continue;
        const bytes = packr.pack({ ...record, [key]: other });
        expect(() => rows[kind].read(bytes), `${key}: ${other}`).toThrow(
          expect.objectContaining({ code: 'store-broken' }),
        );
      }
    }
  });

  test('that is no map is damaged', () => {
    for (const other of [null, 5, 'text', [1, 2], new Map([[1, 2]]), new Date(0), Buffer.alloc(20)]) {
      expect(() => rows[kind].read(packr.pack(other))).toThrow(
        expect.objectContaining({ code: 'store-broken' }),
      );
    }
  });
});

test('any record with any bytes changed is damaged, or a record with fields of the right types', () => {
  const property = fc.property(
    anyRecord,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
    (record, flips) => {
      for (const { kind, bytes } of rowsOfBatch(batchOf([record]))) {
        for (const [where, flip] of flips) {
          const at = where % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ flip;
        }
        try {
          // What is read can be written: no field holds what its type does not.
          again(kind, bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'store-broken' });
        }
      }
    },
  );
  fc.assert(property, { numRuns: isLong ? 2000 : 300 });
});

describe('the row of a check', () => {
  const bare = { project: Buffer.alloc(16, 1), badge: Buffer.alloc(16, 2), created: 5 };

  test('that lacks every field of the table has their defaults', () => {
    expect(rows.check.read(packr.pack(bare)).config).toEqual(defaultConfig);
    expect(packr.unpack(rows.check.write(rows.check.read(packr.pack(bare))))).toEqual(bare);
  });

  test.each(checkFieldNames)('keeps %s under its JSON name, and only where it is not the default', (name) => {
    const config = { ...defaultConfig, [name]: otherValueOf(name) };
    const bytes = rows.check.write({ ...checkOf(1), config });
    const keys = Object.keys(packr.unpack(bytes)).filter((key) => !(key in bare));
    expect(keys).toEqual([checkFields[name].json]);
    expect(rows.check.read(bytes).config).toEqual(config);
  });
});

/** As msgpack's shortest formats have it. */
const shortest = new Packr({ useRecords: false, variableMapSize: true, int64AsType: 'number' });

test.each([0, 1, 15, 16, 300])('lists of %d items that were packed before are as if packed now', (count) => {
  const read = rows.incident.read(rowOf('incident'));
  const [check] = read.checks;
  const checks = Array.from({ length: count }, (_, at) => ({ ...check, name: `check ${at}` }));
  const incident = { ...read, checks: checks as never, entries: [] };
  const first = rows.incident.write(incident);
  const before = Buffer.from(first);
  const another = { ...read, checks: [...incident.checks, { ...check, name: 'the last' } as never] };
  rows.incident.write(another);
  expect(first).toEqual(before);
  expect(rows.incident.write(incident)).toEqual(before);
  expect(Buffer.from(before)).toEqual(Buffer.from(shortest.pack(shortest.unpack(before))));
  expect(rows.incident.read(before)).toEqual(incident);
});

test('a list of very many items has a head of four bytes', () => {
  const items = Array.from({ length: 70_000 }, () => packItem({ a: 1 }));
  const bytes = packWithItems({ items: new PackedItems(items) });
  expect(bytes).toEqual(Buffer.from(shortest.pack({ items: items.map(() => ({ a: 1 })) })));
});
