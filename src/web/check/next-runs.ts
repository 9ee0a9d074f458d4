/** The times at which a check is expected by its schedule, or by its interval while each ping is on time. */
import type { CheckRow, SchedulePreview } from '../../domain/views/page-view.ts';
import { useSeen } from '../core/calls.ts';

export const runsShown = 5;

/** Returns those to come, five at most; none of an interval that has no next ping, as while the check is down. */
export function useNextRuns(row: CheckRow, nowMs: number): readonly number[] {
  const isSimple = row.kind === 'simple';
  const query = new URLSearchParams({ expr: row.schedule, tz: row.tz });
  // It is asked for again after each ping, since the next time is then another one.
  const { data } = useSeen<SchedulePreview>(
    isSimple ? '/web/schedule?expr=0+0+*+*+*' : `/web/schedule?${query}`,
    row.nextPingMs,
  );
  const timesMs = isSimple ? intervalTimes(row) : data?.ok ? data.timesMs : [];
  return timesMs.filter((atMs) => atMs > nowMs).slice(0, runsShown);
}

/** Returns the next times if each ping is on time; none before the first ping. */
function intervalTimes({ nextPingMs, timeoutS }: CheckRow): readonly number[] {
  if (nextPingMs === null) return [];
  return Array.from({ length: runsShown }, (_, n) => nextPingMs + n * timeoutS * 1000);
}
