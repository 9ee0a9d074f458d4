/**
 * Status changes and their causes. The history keeps every one; a flip is one that the API lists.
 */
import type { Status } from './status.ts';
import type { Growing } from './unknown-fields.ts';

export const causes = ['success', 'fail', 'start', 'timeout', 'update', 'pause', 'resume'] as const;
export type Cause = (typeof causes)[number];

export interface StatusChange extends Growing {
  /** When it was due, not when it was noticed; epoch milliseconds. */
  readonly atMs: number;
  readonly from: Status;
  readonly to: Status;
  readonly cause: Cause;
}

/** 1: a change from down to up; 0: from up to down, grace counting as up; null: no flip (specification, "Flip"). */
export function flipOf(change: StatusChange): 0 | 1 | null {
  if (change.from === 'down' && change.to === 'up') return 1;
  if ((change.from === 'up' || change.from === 'grace') && change.to === 'down') return 0;
  return null;
}
