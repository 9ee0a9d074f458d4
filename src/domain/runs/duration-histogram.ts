/**
 * Durations of runs, as a histogram that can be added up: counts of durations on a logarithmic scale.
 * Invariant: pure; adding histograms up in any order, or adding their durations one by one, comes to the same.
 */

/** Each bin ends a tenth above where it begins, so that a median out of them is right to some 5 %. */
const binRatio = 1.1;
const binLog = Math.log(binRatio);

/** Lengths are whole milliseconds. Changed in place while it is built. */
export interface DurationHistogram {
  count: number;
  sumMs: number;
  minMs: number;
  maxMs: number;
  /** Maps a bin to its count. */
  readonly bins: Map<number, number>;
}

export function emptyHistogram(): DurationHistogram {
  return { count: 0, sumMs: 0, minMs: Number.POSITIVE_INFINITY, maxMs: 0, bins: new Map() };
}

/** 0 for less than a millisecond; the others hold from 1.1^(bin - 1) up to 1.1^bin milliseconds. */
export function binOf(durationMs: number): number {
  return durationMs < 1 ? 0 : 1 + Math.floor(Math.log(durationMs) / binLog);
}

export function addDuration(histogram: DurationHistogram, durationMs: number): void {
  histogram.count++;
  histogram.sumMs += durationMs;
  histogram.minMs = Math.min(histogram.minMs, durationMs);
  histogram.maxMs = Math.max(histogram.maxMs, durationMs);
  addToBin(histogram, binOf(durationMs), 1);
}

export function addHistogram(histogram: DurationHistogram, other: DurationHistogram): void {
  histogram.count += other.count;
  histogram.sumMs += other.sumMs;
  histogram.minMs = Math.min(histogram.minMs, other.minMs);
  histogram.maxMs = Math.max(histogram.maxMs, other.maxMs);
  for (const [bin, count] of other.bins) addToBin(histogram, bin, count);
}

export function addToBin({ bins }: DurationHistogram, bin: number, count: number): void {
  bins.set(bin, (bins.get(bin) ?? 0) + count);
}

/**
 * The duration, in milliseconds, that a share of all (0..1) does not exceed: 0.5 for the median. From the middle of its bin,
 * within the shortest and the longest. Null for no durations.
 */
export function quantileMs({ count, minMs, maxMs, bins }: DurationHistogram, share: number): number | null {
  if (count === 0) return null;
  const rank = Math.max(1, Math.ceil(share * count));
  let below = 0;
  for (const [bin, size] of [...bins].sort(([one], [other]) => one - other)) {
    below += size;
    if (below >= rank) return Math.min(maxMs, Math.max(minMs, middleOf(bin)));
  }
  return maxMs;
}

function middleOf(bin: number): number {
  return bin === 0 ? 0 : binRatio ** (bin - 0.5);
}
