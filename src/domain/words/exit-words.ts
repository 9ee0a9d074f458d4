/** How a run failed, in the words of the page of the check, of the mail, and of the page behind an alert's link. Pure. */
import { exactSpan } from './span-words.ts';

/** Returns `exit status 3 after 2 min 14 s`; without the time where it is not known. */
export function exitWords(status: number, durationMs: number | null): string {
  return `exit status ${status}${afterWords(durationMs)}`;
}

/** Returns ` after 2 min 14 s`; empty where it is not known. */
export function afterWords(durationMs: number | null): string {
  return durationMs === null ? '' : ` after ${exactSpan(durationMs)}`;
}
