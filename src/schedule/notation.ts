/**
 * The common parts of the two notations: words, numbers, and the answer of a parser.
 * It knows neither notation.
 * Invariant: blanks and digits are those Healthchecks takes, so that the same text is valid in both.
 */
import type { WallPattern } from './wall-pattern.ts';

/** Thrown inside a parser and caught in parse-schedule: why an expression is refused, for people. */
export class NotationError extends Error {}

/** A pattern with the zone it names itself, if any. */
export interface PatternInZone {
  readonly pattern: WallPattern;
  /** Canonical IANA name, or null for the schedule's own zone. */
  readonly tz: string | null;
}

// Python's idea of a blank, which differs from JavaScript's: \x1c–\x1f and \x85 are, a byte order mark is not.
const blank = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const blanks = new RegExp(`${blank}+`);
const outerBlanks = new RegExp(`^${blank}+|${blank}+$`, 'g');

/** Removes the blanks at both ends. */
export function trimBlanks(text: string): string {
  return text.replace(outerBlanks, '');
}

/** The words of a text, split at any run of blanks; none for a blank text. */
export function wordsOf(text: string): string[] {
  const trimmed = trimBlanks(text);
  return trimmed === '' ? [] : trimmed.split(blanks);
}

/** Splits at the first separator; null when there is none. */
export function splitOnce(text: string, separator: string): readonly [string, string] | null {
  const at = text.indexOf(separator);
  return at < 0 ? null : [text.slice(0, at), text.slice(at + separator.length)];
}

/** A number of ASCII digits, leading zeros allowed; null for anything else. */
export function digits(text: string): number | null {
  return /^[0-9]+$/.test(text) ? Number(text) : null;
}
