// The parts that both modes of `knell schedule` use: the streams, the bounds of a question, the list of an answer.
// It neither reads nor prints.
// Invariant: an answer within these bounds takes a few milliseconds at most.

import type { Schedule } from '../../schedule/schedule.ts';

export interface ScheduleIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Present time in epoch ms: the default for --from, and the origin of relative times. */
  readonly nowMs: number;
}

interface TextSink {
  write(text: string): unknown;
}

/** Bounds of --from and of `from`, in epoch ms: years 1970 to 9999. */
export const FROM_MIN_MS = 0;
export const FROM_MAX_MS = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);

/** Returns the first n occurrences after fromMs, fewer if the schedule ends. */
export function occurrencesOf(schedule: Schedule, fromMs: number, n: number): number[] {
  const found: number[] = [];
  let at = schedule.next(fromMs);
  while (at !== null) {
    found.push(at);
    at = found.length < n ? schedule.next(at) : null;
  }
  return found;
}
