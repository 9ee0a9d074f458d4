import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asCheckId } from '../../../../src/lib/ids.ts';
import { ByteWriter } from '../../../../src/store/codec/byte-writer.ts';
import { numbersPerPing, RecordGrouper } from '../../../../src/store/history/fold/fold-groups.ts';
import { beginBatch, writeRecord } from '../../../../src/store/journal/records.ts';
import { checkOf, pingOf } from '../../../support/store/store-facts.ts';

/** Few first words, the largest among them: some groups share one. */
const uuid = fc
  .tuple(
    fc.constantFrom('00000000', '00000001', '7fffffff', '80000000', 'ffffffff'),
    fc.integer({ min: 0, max: 40 }),
  )
  .map(([word, number]) => `${word}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`);

test('groups come in the order of their UUIDs, each once, however the records come', () => {
  fc.assert(
    fc.property(fc.array(fc.array(uuid, { minLength: 1, maxLength: 30 }), { maxLength: 8 }), (batches) => {
      const grouper = new RecordGrouper();
      for (const [at, uuids] of batches.entries()) {
        const writer = new ByteWriter(100_000);
        beginBatch(writer);
        for (const id of uuids) writeRecord(writer, pingOf({ ...checkOf(1), id: asCheckId(id) }, 1));
        grouper.add(writer.copy(), at + 1);
      }
      const { groups } = grouper.grouped;
      const pings = new Map<string, number>();
      for (const id of batches.flat())
        pings.set(id.replaceAll('-', ''), (pings.get(id.replaceAll('-', '')) ?? 0) + 1);
      const expected = [...pings].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(
        groups.map((group) => [group.uuid.toString('hex'), group.pings.length / numbersPerPing]),
      ).toEqual(expected);
    }),
  );
});
