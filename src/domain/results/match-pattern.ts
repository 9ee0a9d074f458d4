/**
 * The patterns of rules and presets. In one, `{}` is the number, `{_}` another number that is passed over, `*` is anything, and all
 * else is itself, in its case; blanks count as one. A pattern may match anywhere in a line and never across lines.
 * Invariant: pure, and linear: of each part between two `*` the leftmost place counts at which it matches, and what matched is never
 * tried again. So `a{}*b` on `a1 a2 b` is 1. A number ends with its digits where the pattern goes on there, otherwise with its unit.
 */
import { type FoundNumber, numberAt } from './read-number.ts';
import type { OutputLine } from './read-output.ts';

/** A literal, or a number that is taken or passed over. */
type Part = string | { readonly isTaken: boolean };

export interface Pattern {
  /** The parts between two `*`. None is empty. */
  readonly pieces: readonly (readonly Part[])[];
  /** The longest literal: most lines do not have it, and are left without another look. */
  readonly longest: string;
  /** Of a line that can match: each number has a digit. */
  readonly charsMin: number;
  /** A text and nothing else: counting its lines takes no steps. */
  readonly isLiteral: boolean;
}

/** Reading a number takes as long as so many literals. */
const numberSteps = 3;

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
    charsMin: pieces.flat().reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0),
    isLiteral: pieces.length === 1 && literals.length === 1 && pieces[0]?.length === 1,
  };
}

function partsOf(piece: string): readonly Part[] {
  return piece
    .split(/(\{_?\})/)
    .filter((part) => part !== '')
    .map((part) => (part === '{}' || part === '{_}' ? { isTaken: part === '{}' } : part));
}

/** The number of a line, or `no number` where the pattern takes none; null when the line does not match. */
export function matchLine(
  pattern: Pattern,
  line: OutputLine,
  steps: Steps,
): FoundNumber | 'no number' | null {
  const { text } = line;
  if (text.length < pattern.charsMin || placeOf(pattern.longest, text, 0) < 0) return null;
  if (pattern.isLiteral) return 'no number';
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

function matchPiece(parts: readonly Part[], line: OutputLine, from: number, steps: Steps): Match | null {
  const [first = ''] = parts;
  for (let at = from; steps.left > 0; at++) {
    at = typeof first === 'string' ? placeOf(first, line.text, at) : line.numberStart(at);
    if (at < 0) return null;
    const match = matchAt(parts, line.text, at, steps);
    if (match !== null) return match;
  }
  return null;
}

function matchAt(parts: readonly Part[], line: string, from: number, steps: Steps): Match | null {
  let at = from;
  let taken: FoundNumber | null = null;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    steps.left--;
    if (typeof part === 'string') {
      if (!line.startsWith(part, at)) return null;
      at += part.length;
      continue;
    }
    // A pattern mostly ends its literal without a blank, and tables have some before a number.
    const number = numberAt(line, line.charCodeAt(at) === 32 ? at + 1 : at);
    if (number === null) return null;
    steps.left -= numberSteps;
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

/** V8 looks for so short texts by their first character, which takes several ns for each of a line that has no other; longer ones it skips along. */
const shortChars = 7;
const longLineChars = 200;

/**
 * `indexOf`, which takes no longer where a long line nearly matches everywhere: the last characters of the line, a byte each, are
 * compared with the literal at once.
 */
function placeOf(literal: string, line: string, from: number): number {
  const { length } = literal;
  if (length < 2 || line.length - from < longLineChars) return line.indexOf(literal, from);
  // That a character is nowhere is seen at once.
  for (let at = 1; at < Math.min(length, shortChars); at++)
    if (!line.includes(literal.charAt(length - at), from)) return -1;
  if (length >= shortChars) return line.indexOf(literal, from);
  // The last four in one number, those before them in another.
  let older = 0;
  let newest = 0;
  let wantedOlder = 0;
  let wantedNewest = 0;
  for (let at = 0; at < length; at++) {
    const code = literal.charCodeAt(at);
    if (code === 0 || code > 255) return line.indexOf(literal, from);
    wantedOlder = (wantedOlder << 8) | (wantedNewest >>> 24);
    wantedNewest = (wantedNewest << 8) | code;
  }
  const olderMask = length > 4 ? 2 ** (8 * (length - 4)) - 1 : 0;
  const newestMask = length >= 4 ? -1 : 2 ** (8 * length) - 1;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    older = (older << 8) | (newest >>> 24);
    newest = (newest << 8) | (code > 255 ? 0 : code);
    if ((newest & newestMask) === wantedNewest && (older & olderMask) === wantedOlder) return at - length + 1;
  }
  return -1;
}
