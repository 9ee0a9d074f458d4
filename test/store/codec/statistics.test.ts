/** Statistics as bytes: what is written is read, and what is read again adds up. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addResults, type ResultSumsByName } from '../../../src/domain/results/result-sums.ts';
import { addDuration, emptyHistogram } from '../../../src/domain/runs/duration-histogram.ts';
import {
  addStatistics,
  emptyStatistics,
  type RunStatistics,
} from '../../../src/domain/runs/run-statistics.ts';
import { ByteReader } from '../../../src/store/codec/byte-reader.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import { addStored, readSpan, writeSpan, writeStatistics } from '../../../src/store/codec/statistics.ts';

const count = fc.oneof(fc.constant(0), fc.nat(300), fc.maxSafeNat());
const small = fc.oneof(fc.constant(0), fc.nat(2 ** 30));
const statistics: fc.Arbitrary<RunStatistics> = fc
  .record({
    ...{ successes: small, failures: small, late: small, missed: small, outages: small },
    ...{ downMs: small, watchedMs: small },
    durations: fc.array(fc.nat(2 ** 31), { maxLength: 20 }),
    results: fc.array(fc.record({ name: fc.constantFrom('files', 'bytes', 'größe'), value: fc.integer() }), {
      maxLength: 6,
    }),
  })
  .map(({ durations, results, watchedMs, downMs, ...rest }) => {
    const sums: ResultSumsByName = new Map();
    addResults(sums, results);
    const histogram = emptyHistogram();
    for (const one of durations) addDuration(histogram, one);
    return {
      ...rest,
      watchedMs: watchedMs + downMs,
      downMs,
      durations: durations.length > 0 ? histogram : null,
      results: sums.size > 0 ? sums : null,
    };
  });

function bytesOf(one: RunStatistics): Buffer {
  const writer = new ByteWriter(8);
  writeStatistics(writer, one);
  return writer.copy();
}

test('what is written is added as it was, and twice is the sum', () => {
  fc.assert(
    fc.property(statistics, statistics, (one, other) => {
      const found = emptyStatistics();
      const reader = new ByteReader(bytesOf(one));
      addStored(found, reader, 'all');
      expect(reader.left).toBe(0);
      expect(found).toEqual(one);
      addStored(found, new ByteReader(bytesOf(other)), 'all');
      const sum = emptyStatistics();
      addStatistics(sum, one);
      addStatistics(sum, other);
      expect(found).toEqual(sum);
    }),
  );
});

test('an hour of a job that ran once and says nothing of durations takes two bytes', () => {
  expect(bytesOf({ ...emptyStatistics(), successes: 1 })).toHaveLength(2);
});

test('spans and whole numbers up to 2^53 are read as written', () => {
  fc.assert(
    fc.property(count, fc.nat(2 ** 45), fc.boolean(), (number, length, isDown) => {
      const writer = new ByteWriter(64);
      writer.whole(number);
      const span = { fromMs: number % 2 ** 50, untilMs: (number % 2 ** 50) + length, isDown };
      writeSpan(writer, span);
      const reader = new ByteReader(writer.view());
      expect([reader.whole(), readSpan(reader), reader.left]).toEqual([number, span, 0]);
    }),
  );
});

test('unknown parts are damage, not a wrong count', () => {
  const damaged = expect.objectContaining({ code: 'store-broken' });
  expect(() => addStored(emptyStatistics(), new ByteReader(Buffer.of(64)), 'all')).toThrow(damaged);
  expect(() => addStored(emptyStatistics(), new ByteReader(Buffer.of(4)), 'all')).toThrow(damaged);
  expect(() => new ByteReader(Buffer.alloc(9, 255)).whole()).toThrow(damaged);
});
