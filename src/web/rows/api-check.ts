/** The management API as the page uses it. `domain/views/api-answers` says what it answers. */
import type { CheckAnswer } from '../../domain/views/api-answers.ts';

/** A check as the API gives it. Viewers do not get what only a read-write key gets, and the page shows them no more than that. */
export type ApiCheck = Omit<CheckAnswer, 'ping_url'> & Partial<Pick<CheckAnswer, 'ping_url'>>;

/**
 * The ways in which a person keeps notifications of a check back, or stops doing so. Each is a POST that answers with the check.
 */
export function alertPath(
  project: string,
  id: string,
  action: 'acknowledge' | 'unacknowledge' | 'snooze' | 'unsnooze',
): string {
  return apiPath(project, `checks/${id}/${action}`);
}

/** The body of a snooze. */
export type SnoozeBody = { readonly until: string | number } | { readonly for: number };

/** Returns the path of a ping; a POST sends a success by hand. */
export function pingPath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/ping`;
}

/** Returns the path of an undo: a POST ends the pause as if it had not been. */
export function undoPausePath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/undo-pause`;
}

/** Returns the path of an undo: a POST ends the snooze as if it had not been. */
export function undoSnoozePath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/undo-snooze`;
}

/** Returns the path of a move; a POST of `{ project, channels }` takes the check to another project. */
export function movePath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/move`;
}

export function apiPath(project: string, rest: string): string {
  return `/web/in/${project}/api/${rest}`;
}
