/**
 * Status changes and their causes. The history keeps every one; a flip is one that the API lists.
 */
import type { Status } from './status.ts';
import type { Growing } from './unknown-fields.ts';

/**
 * `timeout`: a deadline passed. Of a check that tracks its runs: `hung`, a run did not end in time; `missed`, one was not reported
 * in time; `overlap`, one started while another was in flight. Numbered in this order in stored changes.
 */
export const causes = [
  'success',
  'fail',
  'start',
  'timeout',
  'update',
  'pause',
  'resume',
  'hung',
  'missed',
  'overlap',
  'warn',
] as const;
export type Cause = (typeof causes)[number];

export interface StatusChange extends Growing {
  /** When it was due, not when it was noticed; epoch milliseconds. */
  readonly atMs: number;
  readonly from: Status;
  readonly to: Status;
  readonly cause: Cause;
}

/**
 * 1: a change from down to up; 0: a change to down; null: no flip (specification, "Flip"). The specification leaves open what the
 * first outage of a check is that was new or paused before. It alerts, so it is listed: downtime is summed from flips.
 */
export function flipOf({ from, to }: StatusChange): 0 | 1 | null {
  if (from === 'down' && to === 'up') return 1;
  return from !== 'down' && to === 'down' ? 0 : null;
}
