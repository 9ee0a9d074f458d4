/**
 * Takes maintenance that does not count as downtime out of the history of a check: what was down meanwhile is neither down nor
 * watched time, and no outage.
 * Invariant: a window is followed through the days of the page once, however many checks it is about.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { activeAt, nextAfter, type TimeSpan } from '../../domain/alerting/calendar.ts';
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import type { Outage } from '../../domain/check/outages.ts';
import type { RunStatistics } from '../../domain/runs/run-statistics.ts';
import { excusedTimesMax, excusedTimesPerTurn } from '../limits.ts';

/**
 * When each window was on, in order; of one that was on very often the first times. One that comes again was not on before it was
 * created; a time that somebody names may be past.
 */
export async function excusedTimes(
  windows: ReadonlySet<MaintenanceWindow>,
  { fromMs, untilMs }: TimeSpan,
): Promise<ReadonlyMap<MaintenanceWindow, readonly TimeSpan[]>> {
  const times = new Map<MaintenanceWindow, readonly TimeSpan[]>();
  for (const window of windows) {
    const found: TimeSpan[] = [];
    const sinceMs = window.schedule === '' ? fromMs : Math.max(fromMs, window.createdAtMs);
    let span = activeAt(window, sinceMs) ?? nextAfter(window, sinceMs);
    while (span && span.fromMs < untilMs && found.length < excusedTimesMax) {
      found.push({ ...span, fromMs: Math.max(span.fromMs, sinceMs) });
      span = nextAfter(window, span.fromMs);
      if (found.length % excusedTimesPerTurn === 0) await nextTurn();
    }
    times.set(window, found);
    await nextTurn();
  }
  return times;
}

interface CheckHistory {
  readonly days: readonly RunStatistics[];
  readonly outages: readonly Outage[];
}

interface CountedHistory extends CheckHistory {
  /** Nothing was up in between: to readers an outage that goes on behind a window is one incident. */
  readonly incidents: readonly Outage[];
}

interface Excusing {
  readonly edges: readonly number[];
  /** In any order; they may overlap. */
  readonly spans: readonly TimeSpan[];
  readonly nowMs: number;
}

export function withoutExcused(
  { days, outages }: CheckHistory,
  { edges, spans, nowMs }: Excusing,
): CountedHistory {
  if (spans.length === 0 || outages.length === 0) return { days, outages, incidents: outages };
  const parts = outages.map((outage) => partsLeft(outage, spans, nowMs));
  const left = parts.flat();
  return {
    outages: left,
    incidents: parts.flatMap(wholeOf),
    days: days.map((day, index) => {
      if (day.downMs === 0 && day.outages === 0) return day;
      const within = { fromMs: edges[index] ?? 0, untilMs: edges[index + 1] ?? 0 };
      const excusedMs = timeIn(outages, within, nowMs) - timeIn(left, within, nowMs);
      if (excusedMs <= 0) return day;
      const isOver = left.every((outage) => timeIn([outage], within, nowMs) === 0);
      return {
        ...day,
        downMs: isOver ? 0 : Math.max(0, day.downMs - excusedMs),
        watchedMs: Math.max(0, day.watchedMs - excusedMs),
        outages: isOver ? 0 : day.outages,
      };
    }),
  };
}

/** What is left of an outage. One that goes on is cut, if it goes on in maintenance. */
function partsLeft(outage: Outage, spans: readonly TimeSpan[], nowMs: number): readonly Outage[] {
  let parts: readonly Outage[] = [outage];
  for (const { fromMs, untilMs } of spans) {
    parts = parts.flatMap((part) => {
      const endMs = part.untilMs ?? nowMs;
      if (untilMs <= part.fromMs || fromMs >= endMs) return [part];
      const before = fromMs > part.fromMs ? [{ ...part, untilMs: fromMs, isCut: true }] : [];
      const isLeft = untilMs < endMs || (part.untilMs === null && untilMs <= nowMs);
      return [...before, ...(isLeft ? [{ ...part, fromMs: untilMs }] : [])];
    });
  }
  return parts;
}

/** From the first of its parts to the end of the last; none if there is no part. */
function wholeOf(parts: readonly Outage[]): readonly Outage[] {
  const [first] = parts;
  const last = parts.at(-1);
  return first && last ? [{ ...last, fromMs: first.fromMs }] : [];
}

function timeIn(outages: readonly Outage[], within: TimeSpan, nowMs: number): number {
  return outages.reduce((sum, { fromMs, untilMs }) => {
    const endMs = Math.min(untilMs ?? nowMs, within.untilMs);
    return sum + Math.max(0, endMs - Math.max(fromMs, within.fromMs));
  }, 0);
}
