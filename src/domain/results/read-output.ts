/**
 * The output of a run as what rules look at: lines, and JSON. Not here: what they find in it (`find-results`).
 * Invariant: pure, and linear: one pass over the text for the lines, and it is parsed as JSON once, and a few lines of it.
 */
import { resultJsonLinesMax, resultLinesMax } from '../limits.ts';
import { withoutEscapes } from '../words/terminal-text.ts';
import { numberDigits, signedStart } from './read-number.ts';

/** All rules look at the same lines: what takes a walk over one is kept with it. */
export class OutputLine {
  readonly text: string;
  #digits: readonly number[] | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The first place from `from` on where a number begins that is no part of a word or of another number; -1 for none. */
  numberStart(from: number): number {
    this.#digits ??= numberDigits(this.text);
    const digits = this.#digits[firstAtLeast(this.#digits, from)];
    return digits === undefined ? -1 : signedStart(this.text, digits, from);
  }
}

/** The index of the first of ascending numbers that is not less than `least`; their count for none. */
function firstAtLeast(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of these there are few, and for shorter ones the usual means are faster. */
const longLineChars = 200;

export interface ReadOutput {
  /** The last lines that are not empty, last one first, without blanks around them and with one blank for several. */
  readonly lines: readonly OutputLine[];
  /** The whole text as JSON, else the last line that is a JSON object or array; undefined for neither. Parsed once. */
  json(): unknown;
}

/** The body of an HTTP ping, or the texts of a mail: those behind count as later. */
export function readOutput(output: Uint8Array | readonly string[]): ReadOutput {
  const texts = (output instanceof Uint8Array ? [new TextDecoder().decode(output)] : output).map(
    withoutEscapes,
  );
  const lines: OutputLine[] = [];
  for (const text of texts.toReversed()) pushLines(text, lines);
  let parsed: { readonly value: unknown } | null = null;
  return {
    lines,
    json() {
      parsed ??= { value: jsonOf(texts, lines) };
      return parsed.value;
    },
  };
}

/** From the end of the text. A carriage return ends a line too: progress is written over itself by it. */
function pushLines(text: string, lines: OutputLine[]): void {
  let end = text.length;
  let hasText = false;
  for (let at = text.length - 1; at >= -1 && lines.length < resultLinesMax; at--) {
    const code = at < 0 ? 10 : text.charCodeAt(at);
    if (code !== 10 && code !== 13) {
      hasText ||= code > 32;
      continue;
    }
    if (hasText) lines.push(new OutputLine(withSingleBlanks(text.slice(at + 1, end).trim())));
    end = at;
    hasText = false;
  }
}

function withSingleBlanks(line: string): string {
  if (!line.includes('  ') && !line.includes('\t')) return line;
  return line.length < longLineChars ? line.replaceAll(/[ \t]+/g, ' ') : longWithSingleBlanks(line);
}

/** A progress bar, or a table in one line: replacing takes 80 ns for each blank of it. */
function longWithSingleBlanks(line: string): string {
  const codes = new Uint16Array(line.length);
  let length = 0;
  let wasBlank = false;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    const isBlank = code === 32 || code === 9;
    if (!isBlank || !wasBlank) codes[length++] = isBlank ? 32 : code;
    wasBlank = isBlank;
  }
  return Buffer.from(codes.buffer, 0, 2 * length).toString('utf16le');
}

function jsonOf(texts: readonly string[], lines: readonly OutputLine[]): unknown {
  for (const text of texts.toReversed()) {
    const whole = parsedJson(text.trim());
    if (whole !== undefined) return whole;
  }
  let tries = 0;
  for (const { text: line } of lines) {
    if (!looksLikeJson(line)) continue;
    const value = parsedJson(line);
    if (value !== undefined) return value;
    if (++tries === resultJsonLinesMax) return undefined;
  }
  return undefined;
}

/** Most lines are not: an attempt costs more than this look. */
function looksLikeJson(text: string): boolean {
  return (text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[') && text.endsWith(']'));
}

/** Undefined for what is no object or array. Node's parser has no recursion, so that deep nesting is fine. */
function parsedJson(text: string): unknown {
  if (!looksLikeJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
