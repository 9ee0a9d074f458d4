/**
 * Counts what other rules would drop of the pings of a check that are there now.
 * Invariant: pure; it goes over the pings once.
 */
import { withFormer } from './former-rules.ts';
import { KeptPings, type Retention, type SeenPing } from './kept-pings.ts';

/** `bodies`: those of dropped pings and those that go before their ping; `bytes`: of these bodies. */
export interface Freed {
  readonly pings: number;
  readonly bodies: number;
  readonly bytes: number;
}

export const nothingFreed: Freed = { pings: 0, bodies: 0, bytes: 0 };

/** `pings`: all that are shown, newest first, under the rules of `now`; `rules`: the text of the new ones. */
export function wouldFree(
  pings: readonly (SeenPing & { readonly bodyBytes: number })[],
  now: Retention,
  rules: string,
): Freed {
  const former = withFormer(now.former, { rules: now.rules, untilMs: now.aliveMs });
  const kept = new KeptPings({ ...now, rules, former });
  let freed = nothingFreed;
  for (const ping of pings) {
    const left = kept.next(ping);
    if (left && left.bodyAgeMs === null) continue;
    const isBody = ping.bodyBytes > 0;
    freed = {
      pings: freed.pings + (left ? 0 : 1),
      bodies: freed.bodies + (isBody ? 1 : 0),
      bytes: freed.bytes + ping.bodyBytes,
    };
  }
  return freed;
}

export function sumOf(one: Freed, other: Freed): Freed {
  return {
    pings: one.pings + other.pings,
    bodies: one.bodies + other.bodies,
    bytes: one.bytes + other.bytes,
  };
}
