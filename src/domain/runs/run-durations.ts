/**
 * Durations of runs, as a ping log shows them.
 * Invariant: pure; a success or failure has a duration only when the last start, success or failure of its run id
 * before it is a start, less than 72 hours earlier. Two pings without a run id have the same one.
 */

import type { RunId } from '../../lib/ids.ts';
import type { Ping } from '../check/ping.ts';
import { runMsMax } from '../limits.ts';
import { isEnd } from './run-statistics.ts';

/** `pings` newest first. Milliseconds by the ping's `n`. */
export function runDurations(pings: readonly Ping[]): ReadonlyMap<number, number> {
  const durations = new Map<number, number>();
  const starts = new Map<RunId | null, number>();
  for (let index = pings.length - 1; index >= 0; index -= 1) {
    const ping = pings[index];
    if (ping === undefined) continue;
    if (ping.signal === 'start') starts.set(ping.rid, ping.atMs);
    if (!isEnd(ping.signal)) continue;
    const startMs = starts.get(ping.rid);
    starts.delete(ping.rid);
    if (startMs === undefined || ping.atMs - startMs >= runMsMax) continue;
    durations.set(ping.n, Math.max(0, ping.atMs - startMs));
  }
  return durations;
}
