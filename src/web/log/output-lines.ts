/**
 * The lines of an output that are shown where there is little space: its end, where summaries stand, and before it the last
 * lines that speak of an error. Pure.
 */
import { type TerminalLine, terminalLines } from '../../domain/words/terminal-text.ts';

/** Lines that are shown: a phone has space for them without scrolling. */
const lastShown = 8;
const errorsShown = 3;

/** Matches an error as programs and shells say it. It may be wrong about a line, which is only made easier to find. */
const errorWords =
  /\b(?:\w*error|errors|fatal|fail(?:ed|ure)?|\w*exception|traceback|panic|denied|cannot|can't|could not|no such|not found|timed out|time-?out|refused|killed|abort(?:ed|ing)?|out of memory|no space left)\b/i;

/** Whether a line of the output of a run that failed speaks of an error. */
export function isErrorLine({ text }: TerminalLine): boolean {
  return errorWords.test(text);
}

export interface ShownLine extends TerminalLine {
  readonly isError: boolean;
}

export interface ShownOutput {
  /** The newest lines before `last` that speak of an error. */
  readonly errors: readonly ShownLine[];
  readonly last: readonly ShownLine[];
  /** Number of all lines. */
  readonly lines: number;
}

/** Returns the lines; null if the output has only blank ones. */
export function shownOutput(text: string): ShownOutput | null {
  const lines = [...terminalLines(text)];
  while (lines.length > 0 && lines.at(-1)?.text.trim() === '') lines.pop();
  if (lines.length === 0) return null;
  const all = lines.map((line) => ({ ...line, isError: isErrorLine(line) }));
  const earlier = all.slice(0, -lastShown).filter(({ isError }) => isError);
  return { errors: earlier.slice(-errorsShown), last: all.slice(-lastShown), lines: lines.length };
}
