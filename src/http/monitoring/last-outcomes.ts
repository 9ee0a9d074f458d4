/**
 * How the last run of each check ended, and which numbers it reported, for the metrics of a project.
 * Invariant: the history is looked into for a few checks at a time, with a turn of the event loop in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import { tracksRuns } from '../../domain/check/run-state.ts';
import { type LoggedRun, lastEnded, openRunsOf, runsOfLog } from '../../domain/runs/run-log.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { lastOutcomesPerTurn, lastRunPingsMax } from '../limits.ts';

export type LastRun = Pick<LoggedRun, 'outcome' | 'results'>;

/** Null for a check none of whose runs has ended lately. In the order of `checks`. */
export async function lastRuns(
  read: EngineRead,
  checks: readonly Check[],
): Promise<readonly (LastRun | null)[]> {
  const found: (LastRun | null)[] = [];
  for (let start = 0; start < checks.length; start += lastOutcomesPerTurn) {
    const some = checks.slice(start, start + lastOutcomesPerTurn);
    found.push(...(await read.durably(() => some.map((check) => lastRun(read, check)))));
    await nextTurn();
  }
  return found;
}

function lastRun(read: EngineRead, check: Check): LastRun | null {
  const range = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
  const isTracked = tracksRuns(check.config);
  const runs = runsOfLog({
    pings: read.pings(check.id, lastRunPingsMax),
    changes: read.changes(check.id, range, lastRunPingsMax),
    endings: isTracked ? read.runEndings(check.id, range, lastRunPingsMax) : [],
    open: openRunsOf(check),
    isTracked,
  });
  return lastEnded(runs) ?? null;
}
