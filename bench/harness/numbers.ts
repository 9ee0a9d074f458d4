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
