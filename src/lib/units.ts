/**
 * Units as numbers. Times are epoch milliseconds, sizes are bytes, unless a name's last word says otherwise.
 */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const kB = 1000;
export const MB = 1000 * kB;

/** "No such instant": compares as later than every real one, so that deadlines need no null checks. */
export const NEVER = Number.POSITIVE_INFINITY;
/** Epoch milliseconds of the last instant that a `Date` has. */
export const lastDateMs = 8_640_000_000_000_000;

const sizePattern = /^(\d+(?:\.\d+)?)\s*(B|kB|MB|GB)?$/i;
const sizeUnits: Readonly<Record<string, number>> = { b: 1, kb: kB, mb: MB, gb: 1000 * MB };

/** Bytes of a size such as `10MB`, `512 kB` or `4096`; null when it is not a size. */
export function parseSize(text: string): number | null {
  const match = sizePattern.exec(text.trim());
  if (!match) return null;
  return Math.round(Number(match[1]) * (sizeUnits[(match[2] ?? 'B').toLowerCase()] ?? 1));
}
