/**
 * A run that did not end within the grace time and so took its check down, where the check has no settings of runs: others have a
 * cause of their own for it (`hung`).
 * Invariant: pure; the same words wherever it is said.
 */
import { second } from '../../lib/units.ts';
import type { StatusChange } from '../check/flip.ts';
import { exactSpan } from '../words/span-words.ts';
import type { Run } from './latest-runs.ts';

/**
 * Returns the milliseconds that the run was given; null where none is the reason. A run may have begun so late that the missing ping
 * took the check down. `runs`: with that which the deadline ended.
 */
export function overrunMs(
  { atMs, to, cause }: Pick<StatusChange, 'atMs' | 'to' | 'cause'>,
  runs: readonly Pick<Run, 'atMs' | 'outcome' | 'startedMs'>[],
  graceS: number,
): number | null {
  if (to !== 'down' || cause !== 'timeout') return null;
  const missed = runs.findLast((run) => run.outcome === 'missed' && run.atMs === atMs);
  if (!missed || missed.startedMs === null) return null;
  const givenMs = atMs - missed.startedMs;
  return givenMs >= graceS * second ? givenMs : null;
}

/** `The run did not end within the grace time of 1 h`. */
export function overrunWords(givenMs: number): string {
  return `The run did not end within the grace time of ${givenSpan(givenMs)}`;
}

/** `1 h`: whole seconds, as the grace time has. */
export function givenSpan(givenMs: number): string {
  return exactSpan(Math.round(givenMs / second) * second);
}
