/**
 * This file turns status changes into spans. Pure.
 * Invariant: the spans follow each other without a gap from the beginning to now.
 */
import type { Status } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';

export interface StatusSpan {
  readonly status: Status;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface History {
  /** Status changes, newest first. */
  readonly changes: readonly StatusChange[];
  readonly fromMs: number;
  readonly nowMs: number;
  readonly status: Status;
}

/** Returns the spans, oldest first. */
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
