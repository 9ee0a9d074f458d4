/**
 * Validates the query of a list of incidents: states, text, and which page.
 * Invariant: pure; a cursor is read as it was written, or refused.
 */
import type { TimeSpan } from '../../../domain/alerting/calendar.ts';
import type { Incident } from '../../../domain/alerting/incident.ts';
import { type IncidentStage, incidentStages } from '../../../domain/alerting/incident-machine.ts';
import {
  incidentCursorCharsMax,
  incidentSearchCharsMax,
  incidentsListedDefault,
  incidentsListedMax,
} from '../../limits.ts';
import { lastOf } from '../call.ts';

/** Where an incident is in the list. */
export type IncidentPlace = Pick<Incident, 'openedMs' | 'id'>;

export interface IncidentQuery {
  /** Null for all. */
  readonly states: ReadonlySet<IncidentStage> | null;
  /** In lower case; empty for all. */
  readonly text: string;
  readonly limit: number;
  /** When it opened; absent for any time. */
  readonly opened?: TimeSpan;
  /** The last incident of the page before; null for the first page. */
  readonly before: { readonly openedMs: number; readonly id: string } | null;
}

type ParsedQuery =
  | { readonly ok: true; readonly query: IncidentQuery }
  | { readonly ok: false; readonly error: string };

export function parseIncidentQuery(query: URLSearchParams): ParsedQuery {
  const names = query
    .getAll('state')
    .flatMap((value) => value.split(','))
    .filter((name) => name !== '');
  const known = incidentStages.filter((stage) => names.includes(stage));
  if (known.length < new Set(names).size) return refused(`state is not one of ${incidentStages.join(', ')}`);
  const text = (lastOf(query, 'q') ?? '').trim();
  if (text.length > incidentSearchCharsMax)
    return refused(`q has at most ${incidentSearchCharsMax} characters`);
  const limit = limitIn(lastOf(query, 'limit'));
  if (limit === null) return refused(`limit is not a number from 1 to ${incidentsListedMax}`);
  const before = placeIn(lastOf(query, 'before'));
  if (before === 'invalid') return refused('before is not a cursor of this list');
  const states = names.length === 0 ? null : new Set(known);
  return { ok: true, query: { states, text: text.toLowerCase(), limit, before } };
}

function refused(error: string): ParsedQuery {
  return { ok: false, error };
}

function limitIn(text: string | null): number | null {
  if (text === null) return incidentsListedDefault;
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= incidentsListedMax ? value : null;
}

/** Newest first; several of one instant in the order of their ids. */
export function comparePlaces(
  a: { readonly openedMs: number; readonly id: string },
  b: { readonly openedMs: number; readonly id: string },
): number {
  if (a.openedMs !== b.openedMs) return b.openedMs - a.openedMs;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

export function cursorOf({ openedMs, id }: IncidentPlace): string {
  return Buffer.from(`${openedMs} ${id}`).toString('base64url');
}

function placeIn(cursor: string | null): IncidentQuery['before'] | 'invalid' {
  if (cursor === null) return null;
  if (cursor.length > incidentCursorCharsMax) return 'invalid';
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, openedMs, id = ''] = /^(\d{1,16}) ([0-9a-f-]{36})$/.exec(text) ?? [];
  if (openedMs === undefined) return 'invalid';
  return { openedMs: Number(openedMs), id };
}
