/** The status that people are shown: one of the statechart, or that a run is in flight. Pure. */
import type { CheckState } from './check.ts';

/** The worst first: the order of the summary and of the list. */
export const shownStatuses = ['down', 'late', 'running', 'up', 'paused', 'new'] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** Whether nothing is wrong with the check but a warning, with which its last run ended. */
export function isShownWarned({ status, isWarned }: Pick<CheckState, 'status' | 'isWarned'>): boolean {
  return isWarned && (status === 'up' || status === 'grace');
}

/** A run hides no trouble: a check that is late or down stays so while a run is in flight. */
export function shownStatusOf({ status, startedMs }: Pick<CheckState, 'status' | 'startedMs'>): ShownStatus {
  if (status === 'grace') return 'late';
  return startedMs !== null && (status === 'up' || status === 'new') ? 'running' : status;
}
