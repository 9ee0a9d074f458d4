/**
 * The real clock. The contract is in `lib/clock`, since more than the engine uses it.
 */
import type { Clock } from '../lib/clock.ts';

export type { Clock } from '../lib/clock.ts';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
