/**
 * Limits the requests of one client: a token bucket per address (specification, "Limits").
 * Not here: what counts as a client, the reply to a refused one.
 * Invariant: within any span of m minutes a remembered client gets at most burst + m × perMinute tokens, and at most
 * `clientsMax` clients are remembered.
 *
 * take: O(1). Buckets stand in the order of their last use, so the foremost is the one most likely to be full again,
 * which is as good as forgotten; two looks at it per call keep pace with one new client per call.
 */
import { minute, second } from './units.ts';

export interface RateLimitOptions {
  /** Tokens that come back per minute; more than 0. */
  readonly perMinute: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
  /** Beyond it the client unheard of for longest is forgotten, full or not. */
  readonly clientsMax: number;
}

export interface RateLimit {
  /** Takes a token of `client`: 0 when there was one, else the whole seconds after which there will be. */
  take(client: string, nowMs: number): number;
  /** Gives a token back that `client` took for nothing. */
  giveBack(client: string): void;
  /** Clients remembered. */
  readonly size: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** Defaults: a burst of ten minutes' worth, as scripts that provision many checks at once need it. */
export function rateLimitOptions(perMinute: number): RateLimitOptions {
  return { perMinute, burst: 10 * perMinute, clientsMax: 10_000 };
}

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { perMinute, burst, clientsMax } = options;
  const buckets = new Map<string, Bucket>();

  /** A clock that was set back gives nothing, and does not stop what comes after it. */
  function tokensAt(bucket: Bucket, nowMs: number): number {
    const elapsedMs = Math.max(0, nowMs - bucket.atMs);
    return Math.min(burst, bucket.tokens + (elapsedMs * perMinute) / minute);
  }

  function forgetFull(nowMs: number): void {
    let looks = 2;
    for (const [client, bucket] of buckets) {
      if (looks === 0 || tokensAt(bucket, nowMs) < burst) return;
      buckets.delete(client);
      looks -= 1;
    }
  }

  function remember(client: string, bucket: Bucket): void {
    buckets.delete(client);
    buckets.set(client, bucket);
    if (buckets.size <= clientsMax) return;
    for (const oldest of buckets.keys()) {
      buckets.delete(oldest);
      return;
    }
  }

  return {
    take(client, nowMs) {
      forgetFull(nowMs);
      const bucket = buckets.get(client);
      const tokens = bucket === undefined ? burst : tokensAt(bucket, nowMs);
      const taken = tokens >= 1;
      remember(client, { tokens: taken ? tokens - 1 : tokens, atMs: nowMs });
      return taken ? 0 : Math.max(1, Math.ceil(((1 - tokens) * minute) / perMinute / second));
    },
    giveBack(client) {
      const bucket = buckets.get(client);
      // In its place: the order is that of the last use.
      if (bucket) buckets.set(client, { ...bucket, tokens: Math.min(burst, bucket.tokens + 1) });
    },
    get size() {
      return buckets.size;
    },
  };
}
