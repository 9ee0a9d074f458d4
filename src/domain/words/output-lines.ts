/**
 * The lines of an output that are shown where there is little space: the first ones that speak of an error, and the end, where summaries
 * are. The same on the page of a check, in mails, and behind the links of alerts.
 * Invariant: pure; no more than `outputLinesMax` lines, each of bounded length, and lines that are left out are counted.
 */
import { outputErrorCharsMax, outputErrorsMax, outputLineCharsMax, outputLinesMax } from '../limits.ts';
import { type TerminalLine, type TerminalPart, terminalLines, withoutEscapes } from './terminal-text.ts';

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
  /** The first lines before `last` that speak of an error; none where all lines are shown. */
  readonly errors: readonly ShownLine[];
  /** Number of lines that are left out: the place to say so is before `last`. */
  readonly leftOut: number;
  readonly last: readonly ShownLine[];
  /** Number in the whole output, from 1, of the first line that speaks of an error, or else of the last line. */
  readonly line: number;
}

/** The lines of an output, of which few are rendered. */
interface Lines {
  readonly count: number;
  line(at: number): TerminalLine;
  isError(at: number): boolean;
}

/**
 * Returns the lines, with the colours that began in lines before; null if the output has only blank ones. Errors are looked for in the
 * output of a run that failed.
 */
export function shownOutput(text: string, hasFailed: boolean): ShownOutput | null {
  const all = terminalLines(text);
  const line = (at: number): TerminalLine => all[at] ?? nothing;
  return shownOf({ count: all.length, line, isError: (at) => isErrorLine(line(at)) }, hasFailed);
}

/** The same as plain text, with a line for those that are left out. Of 100 kB it renders only what it shows: a server has no time for more. */
export function shownOutputText(text: string, hasFailed: boolean): string | null {
  const all = text.split('\n');
  const line = (at: number): TerminalLine => terminalLines(all[at] ?? '')[0] ?? nothing;
  const isError = (at: number): boolean =>
    errorWords.test(withoutEscapes(all[at] ?? '')) && isErrorLine(line(at));
  const output = shownOf({ count: all.length, line, isError }, hasFailed);
  if (output === null) return null;
  const { errors, leftOut, last } = output;
  const gap = leftOut === 0 ? [] : [leftOutWords(leftOut)];
  return [...errors.map(textOf), ...gap, ...last.map(textOf)].join('\n');
}

const nothing: TerminalLine = { text: '', parts: [] };

function shownOf({ count, line, isError }: Lines, hasFailed: boolean): ShownOutput | null {
  let [from, until] = [0, count];
  while (from < count && !isFilled(line(from))) from++;
  if (from === count) return null;
  while (!isFilled(line(until - 1))) until--;
  const errorsOf = (before: number, most: number): readonly number[] =>
    hasFailed ? firstOf({ from, before, most, isError }) : [];
  const shown = (at: number): ShownLine => shownLine(line(at));
  const lastOf = (lines: number): readonly ShownLine[] => range(until - lines, until).map(shown);
  const number = (errorsOf(until, 1)[0] ?? until - 1) + 1;
  if (until - from <= outputLinesMax)
    return { errors: [], leftOut: 0, last: lastOf(until - from), line: number };
  const lastShown = outputLinesMax - 1 - outputErrorsMax;
  const errors = errorsOf(until - lastShown, outputErrorsMax);
  const last = lastOf(errors.length > 0 ? lastShown : outputLinesMax - 1);
  const leftOut = until - from - errors.length - last.length;
  return { errors: errors.map(shown), leftOut, last, line: number };
}

interface Looking extends Pick<Lines, 'isError'> {
  readonly from: number;
  readonly before: number;
  readonly most: number;
}

function firstOf({ from, before, most, isError }: Looking): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < before && found.length < most; at++) if (isError(at)) found.push(at);
  return found;
}

function range(from: number, until: number): readonly number[] {
  return Array.from({ length: until - from }, (_, at) => from + at);
}

/** `… 35 lines left out`. */
export function leftOutWords(count: number): string {
  return `… ${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'} left out`;
}

function isFilled({ text }: TerminalLine): boolean {
  return text.trim() !== '';
}

function textOf({ text }: TerminalLine): string {
  return text.trimEnd();
}

function shownLine(line: TerminalLine): ShownLine {
  const isError = isErrorLine(line);
  return { ...shortened(line, isError ? outputErrorCharsMax : outputLineCharsMax), isError };
}

/** Returns a long line without its middle: what it is about is at its start, or where a program wrote on without a line feed, at its end. */
function shortened(line: TerminalLine, charsMax: number): TerminalLine {
  const { text, parts } = line;
  if (text.length <= charsMax) return line;
  const half = Math.floor(charsMax / 2);
  const [to, from] = [half, text.length - half];
  const kept = [
    ...partsWithin(parts, 0, isCut(text, to) ? to - 1 : to),
    { text: ' … ', style: null },
    ...partsWithin(parts, isCut(text, from) ? from + 1 : from, text.length),
  ];
  return { text: kept.map((part) => part.text).join(''), parts: kept };
}

/** Whether a character beyond U+FFFF is cut there. */
function isCut(text: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1));
}

function partsWithin(parts: readonly TerminalPart[], from: number, to: number): readonly TerminalPart[] {
  const kept: TerminalPart[] = [];
  let at = 0;
  for (const { text, style } of parts) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (part !== '') kept.push({ text: part, style });
    at += text.length;
  }
  return kept;
}
