/**
 * Waiting for processes that tests do not control, outside vitest too: for a condition, and where time itself is what is tested,
 * for time. Tests of code on a simulated clock need none of it: see `patience`.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what never comes. */
const withinMs = 120_000;
const everyMs = 20;

/** What `look` finds once it finds something: not null, not false. `what`: said when it never does. */
export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
): Promise<Exclude<Found, null | false>> {
  for (const endMs = performance.now() + withinMs; performance.now() < endMs; await sleep(everyMs)) {
    const found = await look();
    if (found !== null && found !== false) return found as Exclude<Found, null | false>;
  }
  throw new Error(`${what}: not within ${withinMs / 1000} s`);
}

export async function pause(ms: number): Promise<void> {
  await sleep(ms);
}
