/** The management API as the page uses it. What it answers: `domain/views/api-answers`. */
import type { CheckAnswer } from '../../domain/views/api-answers.ts';

/** Viewers do not get what only a read-write key gets; of that the page shows them no more than it has. */
export type ApiCheck = Omit<CheckAnswer, 'ping_url'> & Partial<Pick<CheckAnswer, 'ping_url'>>;

/** How a person keeps notifications of a check back, or stops doing so: each a POST that answers with the check. */
export function alertPath(
  project: string,
  id: string,
  action: 'acknowledge' | 'unacknowledge' | 'snooze' | 'unsnooze',
): string {
  return apiPath(project, `checks/${id}/${action}`);
}

/** The body of a snooze. */
export type SnoozeBody = { readonly until: string | number } | { readonly for: number };

/** A POST sends a success by hand. */
export function pingPath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/ping`;
}

/** A POST takes the check to another project: `{ project, channels }`. */
export function movePath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/move`;
}

export function apiPath(project: string, rest: string): string {
  return `/web/in/${project}/api/${rest}`;
}
