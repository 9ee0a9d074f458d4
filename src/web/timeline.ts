/**
 * From status changes to spans, downtime and uptime. Pure.
 * Invariant: the spans follow each other without gap from the beginning to now.
 */
import type { Status } from '../domain/check.ts';
import type { StatusChange } from '../domain/flip.ts';

export interface StatusSpan {
  readonly status: Status;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface History {
  /** Newest first. */
  readonly changes: readonly StatusChange[];
  readonly fromMs: number;
  readonly nowMs: number;
  readonly status: Status;
}

/** Oldest first. */
export function spansOf({ changes, fromMs, nowMs, status }: History): readonly StatusSpan[] {
  const spans: StatusSpan[] = [];
  let atMs = fromMs;
  let current = changes.at(-1)?.from ?? status;
  for (const change of [...changes].reverse()) {
    if (change.atMs > atMs) spans.push({ status: current, fromMs: atMs, untilMs: change.atMs });
    atMs = Math.max(atMs, change.atMs);
    current = change.to;
  }
  if (nowMs > atMs) spans.push({ status: current, fromMs: atMs, untilMs: nowMs });
  return spans;
}

export interface MonthSummary {
  readonly startMs: number;
  readonly downMs: number;
  readonly downtimes: number;
  /** 0..1; null when the check watched nothing that month: new or paused all the time. */
  readonly uptime: number | null;
}

/** The months (of the browser's zone) that the spans touch, newest first. */
export function monthsOf(spans: readonly StatusSpan[]): readonly MonthSummary[] {
  const first = spans[0];
  const last = spans.at(-1);
  if (!first || !last) return [];
  const months: MonthSummary[] = [];
  const start = new Date(first.fromMs);
  for (let n = 0; ; n++) {
    const startMs = new Date(start.getFullYear(), start.getMonth() + n).getTime();
    const endMs = new Date(start.getFullYear(), start.getMonth() + n + 1).getTime();
    months.unshift(monthOf(spans, startMs, endMs));
    if (endMs >= last.untilMs) return months;
  }
}

function monthOf(spans: readonly StatusSpan[], startMs: number, endMs: number): MonthSummary {
  let downMs = 0;
  let watchedMs = 0;
  let downtimes = 0;
  for (const { status, fromMs, untilMs } of spans) {
    const ms = Math.min(untilMs, endMs) - Math.max(fromMs, startMs);
    if (ms <= 0 || status === 'new' || status === 'paused') continue;
    watchedMs += ms;
    if (status !== 'down') continue;
    downMs += ms;
    downtimes++;
  }
  return { startMs, downMs, downtimes, uptime: watchedMs === 0 ? null : 1 - downMs / watchedMs };
}
