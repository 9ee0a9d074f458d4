/**
 * Chance that comes out the same on every run. Invariant: what it yields follows from the seed and the order of the
 * calls alone.
 */

/** Of every bench; kept with the results. */
export const suiteSeed = 20260601;

/** 0..1, mulberry32: short, even enough for an order of requests. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy in another order, the same one for the same seed (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], seed: number = suiteSeed): T[] {
  const random = randomOf(seed);
  const mixed = [...values];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [here, there] = [mixed[at], mixed[other]];
    if (here === undefined || there === undefined) continue;
    mixed[at] = there;
    mixed[other] = here;
  }
  return mixed;
}
