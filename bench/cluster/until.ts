/** Waiting for what other processes do. Invariant: what never comes ends the bench with a sentence. */
import { setTimeout as sleep } from 'node:timers/promises';

const withinMs = 120_000;
const everyMs = 10;

/** What `look` finds once it finds something: not null, not false. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found>,
): Promise<Exclude<Found, null | false>> {
  for (const endMs = performance.now() + withinMs; performance.now() < endMs; await sleep(everyMs)) {
    const found = await look();
    if (found !== null && found !== false) return found as Exclude<Found, null | false>;
  }
  throw new Error(`${what}: not within ${withinMs / 1000} s`);
}
