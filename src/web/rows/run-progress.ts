/** How far along its usual duration the run of a check is. Pure. */
import { medianOf } from '../../domain/runs/usual-duration.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';

/** Runs with a duration from which the usual one is known. */
const usualRunsMin = 5;

/** How many times its usual duration a run is in flight from which that is said as a number of times. */
const farOver = 2;

/** What the server has learned, or else the median of the latest. Null where that is not known. */
function usualMsOf({ runs, usualMs }: CheckRow): number | null {
  if (usualMs !== undefined) return usualMs;
  const durations = runs.flatMap(([, outcome, durationMs]) =>
    durationMs === null || outcome === 'failed' ? [] : [durationMs],
  );
  return durations.length < usualRunsMin ? null : medianOf(durations);
}

export interface Progress {
  /** Of its usual duration: above 1 for a run that takes longer. */
  readonly share: number;
  /** `50 %, usually 34 min`, or `10× the usual 4 min`: on one line of the list's column. */
  readonly words: string;
}

/** Null for a check that is not running, or whose runs have no usual duration, or none of a second. */
export function progressOf(row: CheckRow, nowMs: number): Progress | null {
  const usualMs = usualMsOf(row);
  if (row.startedMs === null || usualMs === null || usualMs < 1000) return null;
  const share = Math.max(0, nowMs - row.startedMs) / usualMs;
  const stepMs = usualMs < 120_000 ? 1000 : 60_000;
  const usual = exactSpan(Math.round(usualMs / stepMs) * stepMs);
  if (share >= farOver) return { share, words: `${Math.floor(share).toLocaleString()}× the usual ${usual}` };
  return { share, words: `${Math.round(100 * share)} %, usually ${usual}` };
}

/** `10× the usual 4 min` of a run that takes much longer than usual; empty for any other, and of what is down, which says more. */
export function farOverWords(row: CheckRow, nowMs: number): string {
  const progress = row.status === 'down' ? null : progressOf(row, nowMs);
  return progress !== null && progress.share >= farOver ? progress.words : '';
}

/** How far along a run is; what the last one took while too few are known; empty for nothing. */
export function progressWords(row: CheckRow, nowMs: number): string {
  const progress = progressOf(row, nowMs);
  if (progress !== null) return progress.words;
  return row.lastDurationMs === null ? '' : `Last took ${exactSpan(row.lastDurationMs)}`;
}
