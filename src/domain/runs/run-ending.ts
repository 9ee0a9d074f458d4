/**
 * The end of a run that no ping ended: it was missed, hung or overtaken. A run that a ping ended is in the log as that ping.
 * Invariant: pure; an ending is complete in itself, since the settings of its check may be others later.
 */
import type { RunId } from '../../lib/ids.ts';
import type { Growing } from '../check/unknown-fields.ts';

/**
 * `missed`: no start (or no report of that host) came. `hung`: no end came. `overtaken`: it was given up, because its check was
 * paused, because another one without an id began, or because more were in flight than a check may have.
 */
export const runEndingOutcomes = ['missed', 'hung', 'overtaken'] as const;
export type RunEndingOutcome = (typeof runEndingOutcomes)[number];

export interface RunEnding extends Growing {
  /** The deadline that passed, or when it was given up; epoch milliseconds. */
  readonly atMs: number;
  readonly outcome: RunEndingOutcome;
  /** Null for the run of pings without an id, and for a missed one. */
  readonly rid: RunId | null;
  /** Null for a missed run. */
  readonly startedMs: number | null;
  /** Name of the machine that it ran on, or should have; empty for none. */
  readonly host: string;
  /** Length of the time that it should have needed at most, in seconds; 0 where that does not apply. */
  readonly limitS: number;
}
