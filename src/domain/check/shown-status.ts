/** The status that people are shown: one of the statechart, or that a run is in flight. Pure. */
import { lateMsMin } from '../limits.ts';
import type { CheckState } from './check.ts';
import type { StatusChange } from './flip.ts';

/** The worst first: the order of the summary and of the list. */
export const shownStatuses = ['down', 'late', 'running', 'up', 'paused', 'new'] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/**
 * What a check counts as, of the status that it shows: one that is new and was pinged before was resumed, and waits. A first run that is
 * in flight is neither.
 */
export function countedStatusOf(shown: ShownStatus, nPings: number): ShownStatus | 'waiting' {
  return shown === 'new' && nPings > 0 ? 'waiting' : shown;
}

/**
 * The first time that shows that a check was pinged; infinite for none. What is new after it was resumed, and waits. `changes`: those
 * that are known. `oldestPingMs`: of the pings that are kept.
 */
export function pingedFromMs(changes: readonly StatusChange[], oldestPingMs = Infinity): number {
  return changes.reduce(
    (firstMs, { atMs, from, to }) => (isOfPinged(from) || isOfPinged(to) ? Math.min(firstMs, atMs) : firstMs),
    oldestPingMs,
  );
}

/** A check that nothing has pinged is new or paused. */
function isOfPinged(status: StatusChange['to']): boolean {
  return status !== 'new' && status !== 'paused';
}

/** Whether nothing is wrong with the check but a warning, with which its last run ended. */
export function isShownWarned({ status, isWarned }: Pick<CheckState, 'status' | 'isWarned'>): boolean {
  return isWarned && (status === 'up' || status === 'grace');
}

/**
 * A run hides no trouble: a check that is late or down stays so while a run is in flight. One that has begun in time is not late, however
 * long it takes within the grace time.
 */
export function shownStatusOf({
  status,
  startedMs,
  expectedAtMs,
}: Pick<CheckState, 'status' | 'startedMs' | 'expectedAtMs'>): ShownStatus {
  if (status === 'grace')
    return startedMs === null || startedMs - expectedAtMs >= lateMsMin ? 'late' : 'running';
  return startedMs !== null && (status === 'up' || status === 'new') ? 'running' : status;
}
