/**
 * Which incidents the page shows, as its address has it: `?q=db&state=closed&since=2026-03-01`, and as the server is asked. Pure but for
 * the reader's own zone.
 * Invariant: a page that shows all adds nothing to the address. It has days, which are days of its reader; the server gets instants.
 */
import { instantOf } from '../core/time-style.ts';

export const incidentStates = ['open', 'closed'] as const;

export interface IncidentFilter {
  readonly text: string;
  /** Empty for both. */
  readonly state: (typeof incidentStates)[number] | '';
  /** First and last day on which they opened, as a field for dates has it; empty for any. */
  readonly since: string;
  readonly until: string;
}

export function incidentFilterOf(search: string): IncidentFilter {
  const query = new URLSearchParams(search);
  const dayIn = (name: string): string => {
    const day = query.get(name) ?? '';
    return edgeOf(day, 0) === null ? '' : day;
  };
  return {
    text: query.get('q') ?? '',
    state: incidentStates.find((one) => one === query.get('state')) ?? '',
    since: dayIn('since'),
    until: dayIn('until'),
  };
}

export function withIncidentFilter({ text, state, since, until }: IncidentFilter): string {
  return queryOf({ q: text, state, since, until });
}

export function isFiltered(filter: IncidentFilter): boolean {
  return withIncidentFilter(filter) !== '';
}

const states = { open: 'open,acknowledged', closed: 'resolved', '': '' } as const;

/** The query to the server, of those that are open, or closed, or as the filter has it. */
export function askedOf({ text, state, since, until }: IncidentFilter, only = state): string {
  return queryOf({
    state: states[only],
    q: text,
    since: instantWords(since, 0),
    until: instantWords(until, 1),
  });
}

function queryOf(values: Readonly<Record<string, string>>): string {
  return String(new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')));
}

function instantWords(day: string, later: 0 | 1): string {
  const atMs = edgeOf(day, later);
  return atMs === null ? '' : new Date(atMs).toISOString();
}

/** The beginning of the day, or its end; null where that is none. */
function edgeOf(date: string, later: 0 | 1): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year === undefined || Number(year) < 1970) return null;
  const atMs = instantOf(Number(year), Number(month) - 1, Number(day) + later);
  return Number.isNaN(atMs) ? null : atMs;
}
