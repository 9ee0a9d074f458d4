/**
 * The paths of the page that others link to: alerts, and the addresses that Healthchecks gives its checks.
 * Not here: what each of them shows (`web/core/route`). Invariant: pure; an address stays what it is, since messages keep it.
 */

/** The page of one check, behind the base URL. `check`: its UUID, or its unique key. */
export function checkPath(projectId: string, check: string): string {
  return `/project/${projectId}/checks/${check}`;
}

/** The page of one incident. */
export function incidentPath(projectId: string, incident: string): string {
  return `/project/${projectId}/incidents/${incident}`;
}

/** Query behind the address of a check: its page asks whether to snooze it for an hour. */
export const snoozeQuery = 'snooze=1h';
