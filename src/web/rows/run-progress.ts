/** How far along its usual duration the run of a check is, in words. Pure. */
import { medianOf } from '../../domain/runs/usual-duration.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';

/** Runs with a duration from which the usual one is known. */
const usualRunsMin = 5;

/** How far along its usual duration a run is: the median of the latest. Null where that is not known. */
function usualMsOf({ runs }: CheckRow): number | null {
  const durations = runs.flatMap(([, outcome, durationMs]) =>
    durationMs === null || outcome === 'failed' ? [] : [durationMs],
  );
  return durations.length < usualRunsMin ? null : medianOf(durations);
}

/** Returns `50 % of the usual 34 min`; what the last one took while too few are known; empty for nothing. */
export function progressWords(row: CheckRow, nowMs: number): string {
  const { startedMs, lastDurationMs } = row;
  const usualMs = usualMsOf(row);
  if (usualMs !== null && usualMs >= 1000) {
    const percent = Math.round((100 * (nowMs - (startedMs ?? nowMs))) / usualMs);
    return `${percent} % of the usual ${exactSpan(Math.round(usualMs / 1000) * 1000)}`;
  }
  return lastDurationMs === null ? '' : `Last took ${exactSpan(lastDurationMs)}`;
}
