/**
 * Counts checks whose last run ended with a warning, for badges as JSON.
 * Invariant: the history is looked into for a few checks at a time, with a turn of the event loop in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { lastOutcomesPerTurn, warnedChecksMax } from '../limits.ts';

/** 0 for more checks than are looked at: anyone may ask, as often as they like. */
export async function countWarned(read: EngineRead, pinged: readonly Check[]): Promise<number> {
  if (pinged.length > warnedChecksMax) return 0;
  let count = 0;
  for (let start = 0; start < pinged.length; start += lastOutcomesPerTurn) {
    if (start > 0) await nextTurn();
    const some = pinged.slice(start, start + lastOutcomesPerTurn);
    count += await read.durably(() => some.filter((check) => isWarned(read, check)).length);
  }
  return count;
}

function isWarned(read: EngineRead, { id }: Check): boolean {
  return read.latestRuns(id, 1).at(-1)?.outcome === 'warned';
}
