/**
 * Medians and percentiles. Invariant: of an empty list they are NaN, which no target accepts.
 */

/** The value below which `percent` of the values lie; sorts a copy. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** A median with the least and the greatest it was taken from. */
export interface Spread {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** Values that are not known (NaN) are left out. */
export function spreadOf(values: readonly number[]): Spread {
  const known = values.filter((value) => !Number.isNaN(value));
  const [min, max] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [Number.NaN, Number.NaN];
  return { value: median(known), min, max };
}
