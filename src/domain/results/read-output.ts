/**
 * The output of a run as what rules look at: lines, and JSON. Not here: what they find in it (`find-results`).
 * Invariant: pure, and linear: one pass over the text for the lines, and it is parsed as JSON once, and a few lines of it.
 */
import { resultJsonLinesMax, resultLinesMax } from '../limits.ts';
import { withoutEscapes } from '../words/terminal-text.ts';

export interface ReadOutput {
  /** The last lines that are not empty, last one first, without blanks around them and with one blank for several. */
  readonly lines: readonly string[];
  /** The whole text as JSON, else the last line that is a JSON object or array; undefined for neither. Parsed once. */
  json(): unknown;
}

/** The body of an HTTP ping, or the texts of a mail: those behind count as later. */
export function readOutput(output: Uint8Array | readonly string[]): ReadOutput {
  const texts = (output instanceof Uint8Array ? [new TextDecoder().decode(output)] : output).map(
    withoutEscapes,
  );
  const lines: string[] = [];
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
function pushLines(text: string, lines: string[]): void {
  let end = text.length;
  let hasText = false;
  for (let at = text.length - 1; at >= -1 && lines.length < resultLinesMax; at--) {
    const code = at < 0 ? 10 : text.charCodeAt(at);
    if (code !== 10 && code !== 13) {
      hasText ||= code > 32;
      continue;
    }
    if (hasText) lines.push(withSingleBlanks(text.slice(at + 1, end).trim()));
    end = at;
    hasText = false;
  }
}

function withSingleBlanks(line: string): string {
  return line.includes('  ') || line.includes('\t') ? line.replaceAll(/[ \t]+/g, ' ') : line;
}

function jsonOf(texts: readonly string[], lines: readonly string[]): unknown {
  for (const text of texts.toReversed()) {
    const whole = parsedJson(text.trim());
    if (whole !== undefined) return whole;
  }
  let tries = 0;
  for (const line of lines) {
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
