/**
 * Waiting for what must come true. The limit only ends what never does: no test is judged by how long something took, since
 * a busy machine takes ten times as long as an idle one.
 */
import { vi } from 'vitest';

export const patienceMs = 60_000;

/** Resolves to the result of `check` once it returns without an error; rejects with its last error after `patienceMs`. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: patienceMs, interval: 20 });
}
