/**
 * What an incident is about, in one sentence: the check that is down, and how many depend on it.
 * Invariant: pure; the check that it names is one that is down, while any is.
 */
import { incidentEntriesMax } from '../limits.ts';
import { shownName } from '../words/check-name.ts';
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

/** Returns the name of a check of an incident. */
export type NameOf = (check: IncidentCheck) => string;

const nameThen: NameOf = ({ name }) => name;

/**
 * `db-1 is down and 3 depend on it`; of one that is resolved `db-1 was down, and 3 that depend on it`. `nameOf`: where a check may have
 * another name by now; otherwise it is that which it had when it joined.
 */
export function incidentTitle(incident: Incident, nameOf: NameOf = nameThen): string {
  const { checks, more, stage } = incident;
  const named = (check: IncidentCheck | undefined): string =>
    shownName({ name: (check && nameOf(check)) || '' });
  if (stage === 'resolved') return titleAfter(checks, more, named);
  const down = checks.filter(({ leftMs }) => leftMs === 0);
  const [first, ...others] = down.filter(({ isDependent }) => !isDependent);
  // What they depend on is up again: those that are down are all that is left to name.
  if (first === undefined) return whatIs(down, more, named);
  const dependents = down.length - 1 - others.length + more;
  const subject = whatIs([first, ...others], 0, named);
  if (dependents === 0) return subject;
  return `${subject} and ${dependents} ${depend(dependents)} on ${others.length === 0 ? 'it' : 'them'}`;
}

type Named = (check: IncidentCheck | undefined) => string;

function titleAfter(checks: readonly IncidentCheck[], more: number, named: Named): string {
  const own = checks.filter(({ isDependent }) => !isDependent);
  const dependents = checks.length - own.length + more;
  const [first, ...others] = own.length === 0 ? checks : own;
  const subject = `${named(first)}${others.length === 0 ? ' was' : ` and ${others.length} more were`} down`;
  if (dependents === 0 || own.length === 0) return subject;
  const on = others.length === 0 ? 'it' : 'them';
  return `${subject}, and ${dependents} that ${depend(dependents)} on ${on}`;
}

function whatIs(down: readonly IncidentCheck[], more: number, named: Named): string {
  const others = down.length - 1 + more;
  return `${named(down[0])}${others > 0 ? ` and ${others} more are` : ' is'} down`;
}

function depend(count: number): string {
  return count === 1 ? 'depends' : 'depend';
}

/**
 * How long each outage of an incident that is over was, in milliseconds, oldest first: it was up in between where it was reopened. Empty
 * where some of very many entries are gone.
 */
export function outagesMs(
  entries: readonly { readonly kind: IncidentEntry['kind']; readonly atMs: number }[],
): readonly number[] {
  if (entries.length >= incidentEntriesMax) return [];
  const at = (kinds: readonly IncidentEntry['kind'][]): readonly number[] =>
    entries.filter(({ kind }) => kinds.includes(kind)).map(({ atMs }) => atMs);
  const ends = at(['resolved']);
  return at(['opened', 'reopened']).flatMap((fromMs, nth) => {
    const endMs = ends[nth];
    return endMs === undefined ? [] : [endMs - fromMs];
  });
}

/** When an incident that is not over opened again; null for one that never did, or where very many entries came after. */
export function reopenedMs(entries: readonly Pick<IncidentEntry, 'kind' | 'atMs'>[]): number | null {
  return entries.findLast(({ kind }) => kind === 'reopened')?.atMs ?? null;
}

/** Whether a text, in lower case, is in a name of one of its checks, as it is or as it was then, or in a note. */
export function hasText({ checks, entries }: Incident, lowerCase: string, nameOf: NameOf): boolean {
  const isIn = (text: string): boolean => text.toLowerCase().includes(lowerCase);
  return (
    checks.some((check) => isIn(check.name) || isIn(nameOf(check))) ||
    entries.some(({ check, text }) => isIn(check) || isIn(text))
  );
}
