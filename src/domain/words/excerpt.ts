/**
 * Finds the words of a search in a text, and what is shown of it: the line, an excerpt around the words, and where they are in it.
 * Invariant: pure; an excerpt has no control characters, and its marks are within it, in order, and do not overlap.
 */
import { excerptCharsMax, excerptPlacesMax, letterMarksMax } from '../limits.ts';
import { foldCase, hasWords } from './search-words.ts';
import { withoutEscapes } from './terminal-text.ts';

export interface TextHit {
  /** From 1. */
  readonly line: number;
  /** Part of that line; `…` where it was cut. */
  readonly excerpt: string;
  /** Where words are in the excerpt: from and to, in characters of UTF-16. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** Returns the first line that has all words, else the first that has the longest of them; null unless all are in the text. */
export function findWords(whole: string, words: readonly string[]): TextHit | null {
  const text = withoutEscapes(whole);
  const folded = foldCase(text);
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
  if (longest === '' || !hasWords(folded, words)) return null;
  const { start, end, at } = placeOf(folded, words, longest);
  const line = lineFeeds(folded, start);
  const isAligned = folded.length === text.length;
  const shown = isAligned ? text.slice(start, end) : lineOf(text, line);
  const place = isAligned ? at - start : unfolded(shown, at - start);
  return { line: line + 1, ...excerptOf(shown, place, words) };
}

interface Place {
  /** The line, from its start to before its line feed. */
  readonly start: number;
  readonly end: number;
  /** Where the word is. */
  readonly at: number;
}

function placeOf(folded: string, words: readonly string[], longest: string): Place {
  let first: Place | null = null;
  let from = 0;
  for (let left = excerptPlacesMax; left > 0; left--) {
    const at = folded.indexOf(longest, from);
    if (at < 0) break;
    const start = folded.lastIndexOf('\n', at) + 1;
    const feed = folded.indexOf('\n', at);
    const end = feed < 0 ? folded.length : feed;
    const place = { start, end, at };
    first ??= place;
    if (words.length === 1 || hasWords(folded.slice(start, end), words)) return place;
    from = end;
  }
  return first ?? { start: 0, end: folded.length, at: 0 };
}

/** Number of line feeds before `end`. */
function lineFeeds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Returns the line with that number, from 0. */
function lineOf(text: string, line: number): string {
  let start = 0;
  for (let left = line; left > 0; left--) start = text.indexOf('\n', start) + 1;
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end);
}

/** Characters that are folded at once to find a place: a long line is not gone through one by one. */
const stepChars = 64;

/** Returns about where the place `at` of the folded line is in the line itself: within a step, whichever letters have changed. */
function unfolded(line: string, at: number): number {
  let before = 0;
  for (let from = 0; from < line.length; from += stepChars) {
    const length = foldCase(line.slice(from, from + stepChars)).length;
    if (before + length > at) return from + Math.min(stepChars, at - before);
    before += length;
  }
  return line.length;
}

/** Characters before the word, where the line is too long. */
const charsBefore = Math.floor(excerptCharsMax / 3);

function excerptOf(line: string, at: number, words: readonly string[]): Pick<TextHit, 'excerpt' | 'marks'> {
  const from =
    line.length <= excerptCharsMax
      ? 0
      : Math.max(0, Math.min(at - charsBefore, line.length - excerptCharsMax));
  const to = Math.min(line.length, from + excerptCharsMax);
  const part = line
    .slice(wholeFrom(line, from, 1), wholeFrom(line, to, -1))
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const excerpt = (from > 0 ? `…${part}` : part.trimStart()) + (to < line.length ? '…' : '');
  const trimmed = excerpt.trimEnd();
  return { excerpt: trimmed, marks: marksIn(trimmed, words) };
}

/** Returns the next place, that way, at which no character is cut: neither a pair of surrogates, nor a letter from its marks. */
function wholeFrom(line: string, at: number, step: 1 | -1): number {
  let place = at;
  for (let left = letterMarksMax; left > 0 && isWithin(line, place); left--) place += step;
  return place;
}

function isWithin(line: string, at: number): boolean {
  return at > 0 && at < line.length && /^[\p{M}\udc00-\udfff]/u.test(line.slice(at, at + 2));
}

/** The excerpt is short, so each character is folded by itself, and none is lost between the two. */
function marksIn(excerpt: string, words: readonly string[]): TextHit['marks'] {
  const starts: number[] = [];
  let folded = '';
  let at = 0;
  for (const char of excerpt) {
    const one = foldCase(char);
    for (let left = one.length; left > 0; left--) starts.push(at);
    folded += one;
    at += char.length;
  }
  starts.push(at);
  const found: [number, number][] = [];
  for (const word of words) {
    for (let place = folded.indexOf(word); place >= 0; place = folded.indexOf(word, place + word.length))
      found.push([starts[place] ?? 0, starts[place + word.length] ?? at]);
  }
  found.sort(([a, b], [c, d]) => a - c || d - b);
  const marks: [number, number][] = [];
  for (const [from, to] of found) {
    const last = marks.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) marks.push([from, to]);
  }
  return marks;
}
