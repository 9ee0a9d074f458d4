/**
 * What of an output is shown where there is space for some lines: its end, where summaries stand, and before it the last lines that
 * speak of an error. Pure.
 */
import { withoutEscapes } from '../../domain/words/output.ts';

/** A phone shows them without scrolling. */
const lastShown = 8;
const errorsShown = 3;

/** As programs and shells say it. A line may be wrong about it: it is only made easier to find. */
const errorWords =
  /\b(?:error|errors|fatal|fail(?:ed|ure)?|exception|traceback|panic|denied|cannot|can't|could not|no such|not found|timed out|time-?out|refused|killed|abort(?:ed|ing)?|out of memory|no space left)\b/i;

export interface ShownLine {
  readonly text: string;
  readonly isError: boolean;
}

export interface ShownOutput {
  /** Of those before `last`, the newest that speak of an error. */
  readonly errors: readonly ShownLine[];
  readonly last: readonly ShownLine[];
  /** How many lines there are in all. */
  readonly lines: number;
}

/** Null for an output of nothing but blank lines. */
export function shownOutput(text: string): ShownOutput | null {
  const lines = withoutEscapes(text).split(/\r\n?|\n/);
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  if (lines.length === 0) return null;
  const all = lines.map((line) => ({ text: line, isError: errorWords.test(line) }));
  const earlier = all.slice(0, -lastShown).filter(({ isError }) => isError);
  return { errors: earlier.slice(-errorsShown), last: all.slice(-lastShown), lines: lines.length };
}
