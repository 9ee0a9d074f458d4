/**
 * When a failed delivery is tried again, and when no more. Pure: time and chance come as arguments.
 * Invariant: whatever the other side asks for, a delivery is tried again within `retryMsMax`.
 */

export interface RetryLimits {
  /** The pause after the first failure; each further one doubles it. */
  readonly firstMs: number;
  readonly retryMsMax: number;
  /** Given up once it is pending for so long, */
  readonly giveUpAfterMs: number;
  /** and has been tried so often: Knell may have been away for most of that time. */
  readonly attemptsMin: number;
}

/** A fifth either way: deliveries that failed together shall not come back together. */
const jitter = 0.2;

/** The pause after failure number `attempts`; `chance` is 0..1. */
export function pauseMs(attempts: number, limits: RetryLimits, chance: number): number {
  const plainMs = Math.min(limits.retryMsMax, limits.firstMs * 2 ** Math.min(attempts - 1, 40));
  return Math.round(plainMs * (1 - jitter + 2 * jitter * chance));
}

/** The pause when the other side may have named one: never shorter than that, within reason. */
export function pauseAsked(plainMs: number, askedMs: number | undefined, limits: RetryLimits): number {
  return askedMs === undefined ? plainMs : Math.max(plainMs, Math.min(askedMs, limits.retryMsMax));
}

export function isTooLate(attempts: number, waitedMs: number, limits: RetryLimits): boolean {
  return waitedMs >= limits.giveUpAfterMs && attempts >= limits.attemptsMin;
}

/** Milliseconds of a Retry-After header: seconds, or a date. Undefined when it is neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
