/**
 * Results that a ping gives in its address: `?m=files:142`. Invariant: pure; a value is finite.
 */
import { resultNumberCharsMax } from '../limits.ts';
import type { Result } from './result.ts';

/** Also the names of rules: at most 40 characters. */
const name = /^[A-Za-z_][A-Za-z0-9_.-]{0,39}$/;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function isResultName(text: string): boolean {
  return name.test(text);
}

/** A decimal number as JavaScript writes it, without blanks: `8.1e9`. Null for anything else: hex, NaN, infinity, nothing. */
export function readDecimal(text: string): number | null {
  if (text.length > resultNumberCharsMax || !decimal.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}

/** Of `files:142`; null when it is not a name, a colon and a number. */
export function readGivenResult(text: string): Result | null {
  const colon = text.indexOf(':');
  const given = text.slice(0, Math.max(0, colon));
  const value = readDecimal(text.slice(colon + 1));
  return isResultName(given) && value !== null ? { name: given, value } : null;
}
