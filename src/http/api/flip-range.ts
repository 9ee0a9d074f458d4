/**
 * Validates the filters `start`, `end` and `seconds` of a list of flips (specification, "Flips").
 * Invariant: pure; the range that it returns is finite, its start inclusive and its end exclusive.
 */
import { lastDateMs, second } from '../../lib/units.ts';
import { flipRangeLimits } from '../limits.ts';
import { lastOf } from './call.ts';

export interface FlipRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

type ParsedRange =
  | { readonly ok: true; readonly range: FlipRange }
  | { readonly ok: false; readonly error: string };

const { timestampMax, secondsMax } = flipRangeLimits;

export const allTime: FlipRange = { fromMs: 0, untilMs: lastDateMs };

/** Several filters together narrow the range. `seconds` may be empty or 0 for none, the other two may not. */
export function parseFlipRange(query: URLSearchParams, nowMs: number): ParsedRange {
  const start = integer(lastOf(query, 'start'), timestampMax);
  if (start === 'invalid') return { ok: false, error: 'start is not a valid UNIX timestamp' };
  const end = integer(lastOf(query, 'end'), timestampMax);
  if (end === 'invalid') return { ok: false, error: 'end is not a valid UNIX timestamp' };
  const seconds = integer(lastOf(query, 'seconds') || null, secondsMax);
  if (seconds === 'invalid') return { ok: false, error: `seconds is not a number from 0 to ${secondsMax}` };
  const startMs = start === null ? 0 : start * second;
  const sinceMs = seconds === null || seconds === 0 ? 0 : nowMs - seconds * second;
  const untilMs = end === null ? lastDateMs : end * second;
  return { ok: true, range: { fromMs: Math.max(startMs, sinceMs), untilMs } };
}

function integer(text: string | null, max: number): number | null | 'invalid' {
  if (text === null) return null;
  if (!/^\s*\+?\d{1,11}\s*$/.test(text)) return 'invalid';
  const value = Number(text);
  return value > max ? 'invalid' : value;
}
