/**
 * The patterns of rules and presets. In one, `{}` is the number, `{_}` another number that is passed over, `*` is anything, and all
 * else is itself, in its case; blanks count as one. A pattern may match anywhere in a line and never across lines.
 * Invariant: pure, and linear: of each part between two `*` the leftmost place counts at which it matches, and what matched is never
 * tried again. So `a{}*b` on `a1 a2 b` is 1. A number ends with its digits where the pattern goes on there, otherwise with its unit.
 */
import { type FoundNumber, numberAt, numberStart } from './read-number.ts';

/** A literal, or a number that is taken or passed over. */
type Part = string | { readonly isTaken: boolean };

export interface Pattern {
  /** The parts between two `*`. None is empty. */
  readonly pieces: readonly (readonly Part[])[];
  /** The longest literal: most lines do not have it, and are left without another look. */
  readonly longest: string;
  readonly hasNumber: boolean;
}

/** How many steps a search may still take. */
export interface Steps {
  left: number;
}

export function readPattern(text: string): Pattern {
  const pieces = text
    .replaceAll(/[ \t]+/g, ' ')
    .split('*')
    .map(partsOf)
    .filter((parts) => parts.length > 0);
  const literals = pieces.flat().filter((part) => typeof part === 'string');
  return {
    pieces,
    longest: literals.reduce((longest, part) => (part.length > longest.length ? part : longest), ''),
    hasNumber: pieces.flat().some((part) => typeof part !== 'string' && part.isTaken),
  };
}

function partsOf(piece: string): readonly Part[] {
  return piece
    .split(/(\{_?\})/)
    .filter((part) => part !== '')
    .map((part) => (part === '{}' || part === '{_}' ? { isTaken: part === '{}' } : part));
}

/** The number of a line, or `no number` where the pattern takes none; null when the line does not match. */
export function matchLine(pattern: Pattern, line: string, steps: Steps): FoundNumber | 'no number' | null {
  if (!line.includes(pattern.longest)) return null;
  let at = 0;
  let taken: FoundNumber | 'no number' = 'no number';
  for (const parts of pattern.pieces) {
    const match = matchPiece(parts, line, at, steps);
    if (match === null) return null;
    at = match.end;
    taken = match.number ?? taken;
  }
  return taken;
}

interface Match {
  readonly end: number;
  readonly number: FoundNumber | null;
}

function matchPiece(parts: readonly Part[], line: string, from: number, steps: Steps): Match | null {
  const [first = ''] = parts;
  for (let at = from; steps.left > 0; at++) {
    at = typeof first === 'string' ? line.indexOf(first, at) : numberStart(line, at);
    if (at < 0) return null;
    const match = matchAt(parts, line, at, steps);
    if (match !== null) return match;
  }
  return null;
}

function matchAt(parts: readonly Part[], line: string, from: number, steps: Steps): Match | null {
  let at = from;
  let taken: FoundNumber | null = null;
  for (const [index, part] of parts.entries()) {
    steps.left--;
    if (typeof part === 'string') {
      if (!line.startsWith(part, at)) return null;
      at += part.length;
      continue;
    }
    // A pattern mostly ends its literal without a blank, and tables have some before a number.
    const number = numberAt(line, line.charCodeAt(at) === 32 ? at + 1 : at);
    if (number === null) return null;
    if (part.isTaken) taken = number;
    at = endOf(number, line, parts[index + 1]);
  }
  return { end: at, number: taken };
}

/** `{} s` ends before the blank, `{} of` of `3 GB of` behind the unit. */
function endOf({ end, unitEnd }: FoundNumber, line: string, next: Part | undefined): number {
  if (typeof next !== 'string' || line.startsWith(next, unitEnd)) return unitEnd;
  return end;
}
