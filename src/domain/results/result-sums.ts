/**
 * Results of many runs, summed up by name. Invariant: everything adds up, in any order.
 */
import { resultNamesMax } from '../limits.ts';
import type { Result } from './result.ts';

/** Changed in place while it is built. */
export interface ResultSums {
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** By name, in the order in which they came up; at most `resultNamesMax`. */
export type ResultSumsByName = Map<string, ResultSums>;

/** Of further names, nothing is kept. */
export function addResults(sums: ResultSumsByName, results: readonly Result[]): void {
  for (const { name, value } of results) {
    const known = sums.get(name);
    if (known) {
      known.count++;
      known.sum = finite(known.sum + value);
      known.min = Math.min(known.min, value);
      known.max = Math.max(known.max, value);
    } else if (sums.size < resultNamesMax) sums.set(name, { count: 1, sum: value, min: value, max: value });
  }
}

export function addResultSums(
  sums: ResultSumsByName,
  others: ReadonlyMap<string, Readonly<ResultSums>>,
): void {
  for (const [name, other] of others) {
    const known = sums.get(name);
    if (known) {
      known.count += other.count;
      known.sum = finite(known.sum + other.sum);
      known.min = Math.min(known.min, other.min);
      known.max = Math.max(known.max, other.max);
    } else if (sums.size < resultNamesMax) sums.set(name, { ...other });
  }
}

/** What is beyond the largest double is that: an average of infinities is no number. */
function finite(sum: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum));
}
