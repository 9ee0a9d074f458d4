/**
 * The lines of an output that are shown where there is little space: the first ones that speak of an error, and the end, where summaries
 * are. The same on the page of a check, in mails, and behind the links of alerts.
 * Invariant: pure; some more than `outputLinesMax` rows at most, each of bounded length; wherever lines are left out it says how many.
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
  readonly kind: 'line';
  readonly isError: boolean;
}

/** What is left out between two lines. */
export interface ShownGap {
  readonly kind: 'gap';
  readonly lines: number;
  /** Bytes that were not stored either; nobody knows how many lines they had. */
  readonly bytes: number;
}

export interface ShownOutput {
  readonly rows: readonly (ShownLine | ShownGap)[];
  /** Number in the whole output, from 1, of the first line that speaks of an error, or else of the last line. */
  readonly line: number;
}

/**
 * Bytes that were not stored at this line, which takes their place in an output that was too long (`lib/both-ends`); 0 for any other
 * line.
 */
export function bytesNotStored(line: string): number {
  const [, bytes = '0'] = line.startsWith('[') ? (/^\[(\d{1,15}) bytes left out\]\s*$/.exec(line) ?? []) : [];
  return Number(bytes);
}

/** The lines of an output, of which few are rendered. */
interface Lines {
  readonly count: number;
  line(at: number): TerminalLine;
  isError(at: number): boolean;
  /** As `bytesNotStored`. */
  bytesAt(at: number): number;
}

/**
 * Returns the lines, with the colours that began in lines before; null if the output has only blank ones. Errors are looked for in the
 * output of a run that failed.
 */
export function shownOutput(text: string, hasFailed: boolean): ShownOutput | null {
  const all = terminalLines(text);
  const line = (at: number): TerminalLine => all[at] ?? nothing;
  const bytesAt = (at: number): number => bytesNotStored(line(at).text);
  return shownOf({ count: all.length, line, isError: (at) => isErrorLine(line(at)), bytesAt }, hasFailed);
}

/** The same as plain text, with a line for those that are left out. Of 100 kB it renders only what it shows: a server has no time for more. */
export function shownOutputText(text: string, hasFailed: boolean): string | null {
  const output = shownPlain(text, hasFailed);
  return output && textOfRows(output);
}

/** Likewise of a run that failed; null where no line before the end speaks of an error: then the end says as much. */
export function errorsAndEndText(text: string): string | null {
  const output = shownPlain(text, true);
  if (output === null) return null;
  const lastGap = output.rows.findLastIndex(({ kind }) => kind === 'gap');
  const hasMore = output.rows.slice(0, Math.max(0, lastGap)).some(({ kind }) => kind === 'line');
  return hasMore ? textOfRows(output) : null;
}

/** The lines of such a text of a run that failed, each with whether it speaks of an error. */
export function markedLines(text: string): readonly { readonly text: string; readonly isError: boolean }[] {
  return text.split('\n').map((line) => ({ text: line, isError: errorWords.test(line) }));
}

function textOfRows({ rows }: ShownOutput): string {
  return rows.map((row) => (row.kind === 'gap' ? gapWords(row) : textOf(row))).join('\n');
}

function shownPlain(text: string, hasFailed: boolean): ShownOutput | null {
  const all = text.split('\n');
  const line = (at: number): TerminalLine => terminalLines(all[at] ?? '')[0] ?? nothing;
  const isError = (at: number): boolean =>
    errorWords.test(withoutEscapes(all[at] ?? '')) && isErrorLine(line(at));
  const bytesAt = (at: number): number => bytesNotStored(all[at] ?? '');
  return shownOf({ count: all.length, line, isError, bytesAt }, hasFailed);
}

const nothing: TerminalLine = { text: '', parts: [] };

function shownOf(lines: Lines, hasFailed: boolean): ShownOutput | null {
  const { count, line, isError } = lines;
  let [from, until] = [0, count];
  while (from < count && !isFilled(line(from))) from++;
  if (from === count) return null;
  while (!isFilled(line(until - 1))) until--;
  const isShort = until - from <= outputLinesMax;
  const lastShown = isShort ? until - from : outputLinesMax - 1 - outputErrorsMax;
  const errorsOf = (first: number, before: number, most: number): readonly number[] =>
    hasFailed ? firstOf({ from: first, before, most, isError }) : [];
  const errors = errorsOf(from, until - lastShown, outputErrorsMax);
  const [error = until - 1] = errors.length > 0 ? errors : errorsOf(until - lastShown, until, 1);
  const most = isShort || errors.length > 0 ? lastShown : outputLinesMax - 1;
  const last = isShort
    ? most
    : fromError(errors.length > 0 ? [] : errorsOf(until - most, until, 1), until, most);
  const before = withNext(errors, until - last, lines);
  return { rows: rowsAt(lines, from, [...before, ...range(until - last, until)]), line: error + 1 };
}

/**
 * With the line after each error where that is indented, as a stack trace begins, for as many lines as errors may have: more errors come
 * first. Any other line after an error is as often about something else.
 */
function withNext(errors: readonly number[], before: number, { line }: Lines): readonly number[] {
  const next = errors
    .map((at) => at + 1)
    .filter((at) => at < before && !errors.includes(at) && /^\s+\S/.test(line(at).text))
    .slice(0, outputErrorsMax - errors.length);
  return [...errors, ...next].sort((a, b) => a - b);
}

/** Lines of the end that are shown: where an error is in it, it begins shortly before that, as what was well before says nothing. */
function fromError([error]: readonly number[], until: number, most: number): number {
  return error === undefined ? most : Math.min(most, until - error + linesBeforeError);
}

const linesBeforeError = 2;

/** The lines at these places, in ascending order, and what is between them. */
function rowsAt(lines: Lines, from: number, places: readonly number[]): ShownOutput['rows'] {
  let next = from;
  return places.flatMap((at) => {
    const first = next;
    next = at + 1;
    const shown = shownLine(lines.line(at));
    if (first === at) return [shown];
    const bytes = bytesBetween(lines, first, at);
    // That it is left out would be as long.
    if (first === at - 1 && bytes === 0) return [shownLine(lines.line(first)), shown];
    return [{ kind: 'gap', lines: at - first - Number(bytes > 0), bytes } as const, shown];
  });
}

function bytesBetween(lines: Lines, from: number, until: number): number {
  let bytes = 0;
  for (let at = from; at < until; at++) bytes += lines.bytesAt(at);
  return bytes;
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

/** `… 35 lines left out`, `… 2,045 lines and 144 kB left out`. */
export function gapWords({ lines, bytes }: ShownGap): string {
  const ofLines = lines === 0 ? [] : [`${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`];
  const ofBytes = bytes === 0 ? [] : [sizeWords(bytes)];
  return `… ${[...ofLines, ...ofBytes].join(' and ')} left out`;
}

/** `144 kB`. */
function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = bytes < 999_500 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size).toLocaleString('en-US')} ${unit}`;
}

function isFilled({ text }: TerminalLine): boolean {
  return text.trim() !== '';
}

function textOf({ text }: TerminalLine): string {
  return text.trimEnd();
}

function shownLine(line: TerminalLine): ShownLine {
  const isError = isErrorLine(line);
  return {
    kind: 'line',
    ...shortened(line, isError ? outputErrorCharsMax : outputLineCharsMax),
    isError,
  };
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
