/**
 * Validates the query of a list of runs: the filters of flips, outcomes, and which page.
 * Invariant: pure; a cursor is read as it was written, or refused.
 */
import { type RunPlace, type ShownOutcome, shownOutcomes } from '../../domain/runs/run-log.ts';
import { runCursorCharsMax, runsListedDefault, runsListedMax } from '../limits.ts';
import { lastOf } from './call.ts';
import { type FlipRange, parseFlipRange } from './flip-range.ts';

export interface RunQuery {
  readonly range: FlipRange;
  /** Null for all. */
  readonly outcomes: ReadonlySet<ShownOutcome> | null;
  readonly limit: number;
  /** The last run of the page before; null for the first page. */
  readonly before: RunPlace | null;
}

type ParsedQuery =
  | { readonly ok: true; readonly query: RunQuery }
  | { readonly ok: false; readonly error: string };

export function parseRunQuery(query: URLSearchParams, nowMs: number): ParsedQuery {
  const parsed = parseFlipRange(query, nowMs);
  if (!parsed.ok) return parsed;
  const outcomes = outcomesIn(query.getAll('outcome'));
  if (outcomes === 'invalid')
    return { ok: false, error: `outcome is not one of ${shownOutcomes.join(', ')}` };
  const limit = limitIn(lastOf(query, 'limit'));
  if (limit === null) return { ok: false, error: `limit is not a number from 1 to ${runsListedMax}` };
  const before = placeIn(lastOf(query, 'before'));
  if (before === 'invalid') return { ok: false, error: 'before is not a cursor of this list' };
  return { ok: true, query: { range: parsed.range, outcomes, limit, before } };
}

/** One name or several with commas between, any number of times; an empty one filters nothing. */
function outcomesIn(values: readonly string[]): ReadonlySet<ShownOutcome> | null | 'invalid' {
  const names = values.flatMap((value) => value.split(',')).filter((name) => name !== '');
  const known = shownOutcomes.filter((outcome) => names.includes(outcome));
  if (known.length < new Set(names).size) return 'invalid';
  return names.length === 0 ? null : new Set(known);
}

function limitIn(text: string | null): number | null {
  if (text === null) return runsListedDefault;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= runsListedMax ? value : null;
}

export function cursorOf({ atMs, n, name }: RunPlace): string {
  return Buffer.from(`${atMs} ${n} ${name}`).toString('base64url');
}

function placeIn(cursor: string | null): RunPlace | null | 'invalid' {
  if (cursor === null) return null;
  if (cursor.length > runCursorCharsMax) return 'invalid';
  const [, atMs, n, name = ''] =
    /^(\d{1,16}) (\d{1,15}) ([\s\S]*)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  const place = { atMs: Number(atMs), n: Number(n), name };
  return cursorOf(place) === cursor ? place : 'invalid';
}
