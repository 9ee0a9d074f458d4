import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDuration,
  addHistogram,
  emptyHistogram,
  quantileMs,
} from '../../../src/domain/runs/duration-histogram.ts';
import { day } from '../../../src/lib/units.ts';

const lengths = fc.array(fc.oneof(fc.nat(2000), fc.nat(400 * day)), { minLength: 1, maxLength: 200 });

function histogramOf(durations: readonly number[]) {
  const histogram = emptyHistogram();
  for (const one of durations) addDuration(histogram, one);
  return histogram;
}

test('a quantile is within a tenth of the real one', () => {
  fc.assert(
    fc.property(lengths, fc.constantFrom(0.01, 0.5, 0.95, 1), (durations, share) => {
      const sorted = [...durations].sort((one, other) => one - other);
      const real = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      const found = quantileMs(histogramOf(durations), share) ?? -1;
      expect(Math.abs(found - real)).toBeLessThanOrEqual(real * 0.1);
    }),
  );
});

test('adding two up is the same as adding all of their durations', () => {
  fc.assert(
    fc.property(lengths, lengths, (some, others) => {
      const sum = histogramOf(some);
      addHistogram(sum, histogramOf(others));
      expect(sum).toEqual(histogramOf([...some, ...others]));
    }),
  );
});

test('there is no quantile of nothing', () => {
  expect(quantileMs(emptyHistogram(), 0.5)).toBeNull();
});
