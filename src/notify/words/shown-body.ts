/**
 * The end of what a job printed, for people: the error is on the last lines. Colours and other control sequences of
 * terminals are taken out.
 * Invariant: pure; no character is cut in two, and what is not shown is counted.
 */
import { terminalText } from '../../domain/words/terminal-text.ts';
import { bodyCharsRead } from '../contract/limits.ts';

/** The end of a text, and how many characters of it come before what is shown. */
export interface ShownBody {
  readonly text: string;
  readonly cutChars: number;
}

/** A text without control characters other than tabs and line breaks, and without white space at its end. */
export function readableBody(raw: string): ShownBody {
  const text = terminalText(wholeCharacters(raw.slice(-bodyCharsRead)))
    .trimEnd()
    .replace(/^\s*\n/, '');
  return { text, cutChars: Math.max(0, raw.length - bodyCharsRead) };
}

/** Its last `charsMax` characters at most: whole lines where there is a line break among them. */
export function endOf({ text, cutChars }: ShownBody, charsMax: number): ShownBody {
  if (text.length <= charsMax) return { text, cutChars };
  const end = wholeCharacters(text.slice(text.length - charsMax));
  const lineBreak = text[text.length - charsMax - 1] === '\n' ? -1 : end.indexOf('\n');
  // A line that is longer than half of what may be shown is cut: it is likely to be the message itself.
  const shown = lineBreak < charsMax / 2 ? end.slice(lineBreak + 1) : end;
  return { text: shown, cutChars: cutChars + text.length - shown.length };
}

/** Drops the second half of a character beyond U+FFFF at the start. */
function wholeCharacters(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
