/**
 * The filter of the audit log, as it is in the address of the page, and as the server is asked. Pure but for the reader's own zone.
 * Invariant: the address has days, which are days of its reader; the server gets instants.
 */
import { instantOf } from '../core/time-style.ts';

const filters = ['q', 'actor', 'project', 'subject', 'since', 'until'] as const;
export type AuditFilterName = (typeof filters)[number];

export function chosenIn(query: string): readonly AuditFilterName[] {
  const given = new URLSearchParams(query);
  return filters.filter((name) => given.has(name));
}

/** Whether the filter may find some of what one action did and not the rest: those by who and where find all of it, or nothing. */
export function takesParts(query: string): boolean {
  return chosenIn(query).some((name) => name === 'q' || name === 'since' || name === 'until');
}

/** The last day is wanted whole. What is no day goes to the server as it is, which says so. */
export function askedOf(query: string): string {
  const given = new URLSearchParams(query);
  for (const [name, later] of [
    ['since', 0],
    ['until', 1],
  ] as const) {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(given.get(name) ?? '') ?? [];
    if (year === undefined) continue;
    const atMs = instantOf(Number(year), Number(month) - 1, Number(day) + later);
    if (!Number.isNaN(atMs)) given.set(name, new Date(atMs).toISOString());
  }
  return given.toString();
}
