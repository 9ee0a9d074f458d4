/**
 * What an incident is about, in one sentence: the check that is down, and how many depend on it.
 * Invariant: pure; the check that it names is one that is down, while any is.
 */
import type { Incident, IncidentCheck, IncidentEntry } from './incident.ts';

/** Why a check left an incident, where it did not come up. */
export const pausedText = 'It was paused.';

export const movedAwayText = 'It was moved to another project.';

/** Why a check is in an incident, where it did not go down there. */
export const movedHereText = 'It was down when it was moved here from another project.';

/** How an incident ended of which nobody knows that the last of its checks came up: it was paused, or moved. */
export type EndedBy = 'pause' | 'move';

/** Null where it came up, or is gone. Only of one that is over. */
export function endedBy(entries: readonly Pick<IncidentEntry, 'kind' | 'text'>[]): EndedBy | null {
  const why = entries.findLast(({ kind }) => kind === 'left')?.text;
  if (why === pausedText) return 'pause';
  return why === movedAwayText ? 'move' : null;
}

/** `db-1 is down and 3 depend on it`; of one that is resolved `db-1 was down, and 3 that depend on it`. */
export function incidentTitle(incident: Incident): string {
  const { checks, more, stage } = incident;
  if (stage === 'resolved') return titleAfter(checks, more);
  const down = checks.filter(({ leftMs }) => leftMs === 0);
  const [first, ...others] = down.filter(({ isDependent }) => !isDependent);
  // What they depend on is up again: those that are down are all that is left to name.
  if (first === undefined) return whatIs(down, more);
  const dependents = down.length - 1 - others.length + more;
  const subject = whatIs([first, ...others], 0);
  if (dependents === 0) return subject;
  return `${subject} and ${dependents} ${depend(dependents)} on ${others.length === 0 ? 'it' : 'them'}`;
}

function titleAfter(checks: readonly IncidentCheck[], more: number): string {
  const own = checks.filter(({ isDependent }) => !isDependent);
  const dependents = checks.length - own.length + more;
  const [first, ...others] = own.length === 0 ? checks : own;
  const subject = `${nameOf(first)}${others.length === 0 ? ' was' : ` and ${others.length} more were`} down`;
  if (dependents === 0 || own.length === 0) return subject;
  const on = others.length === 0 ? 'it' : 'them';
  return `${subject}, and ${dependents} that ${depend(dependents)} on ${on}`;
}

function whatIs(down: readonly IncidentCheck[], more: number): string {
  const others = down.length - 1 + more;
  return `${nameOf(down[0])}${others > 0 ? ` and ${others} more are` : ' is'} down`;
}

function depend(count: number): string {
  return count === 1 ? 'depends' : 'depend';
}

function nameOf(check: IncidentCheck | undefined): string {
  return check?.name || 'Unnamed check';
}

/** Whether a text, in lower case, is in the name of one of its checks or in a note. */
export function hasText({ checks, entries }: Incident, lowerCase: string): boolean {
  return (
    checks.some(({ name }) => name.toLowerCase().includes(lowerCase)) ||
    entries.some(({ text }) => text.toLowerCase().includes(lowerCase))
  );
}
