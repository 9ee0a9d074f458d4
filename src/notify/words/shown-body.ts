/**
 * What a job printed, for people: the whole of it, or the first errors and the end of a run that failed, as in mails, or the end.
 * Colours and other control sequences of terminals are taken out.
 * Invariant: pure; no character is cut in two, and what is not shown is counted.
 */
import { errorsAndEndText } from '../../domain/words/output-lines.ts';
import { terminalText } from '../../domain/words/terminal-text.ts';
import { bodyCharsRead, errorsChosenCharsMax } from '../contract/limits.ts';

/** A text as it is shown. */
export interface ShownBody {
  readonly text: string;
  /** How many characters come before what is shown. */
  readonly cutChars: number;
  /** Its first errors and its end, read when it is asked for; null where the end says as much. Absent where only the end counts. */
  readonly errorsAndEnd?: () => string | null;
  /** It is those, with a line where others are left out. */
  readonly isChosen?: boolean;
}

/** A text without control characters other than tabs and line breaks, and without white space at its end. */
export function readableBody(raw: string, hasFailed = false): ShownBody {
  const text = terminalText(wholeCharacters(raw.slice(-bodyCharsRead)))
    .trimEnd()
    .replace(/^\s*\n/, '');
  const cutChars = Math.max(0, raw.length - bodyCharsRead);
  if (!hasFailed) return { text, cutChars };
  let known: string | null | undefined;
  const errorsAndEnd = (): string | null => {
    if (known === undefined) known = errorsAndEndText(raw);
    return known;
  };
  return { text, cutChars, errorsAndEnd };
}

/** The whole of it, or its first errors and its end where there is little space, or its end: whichever fits into `charsMax` first. */
export function shortened(body: ShownBody, charsMax: number): ShownBody {
  const isWhole = body.cutChars === 0 && body.text.length <= charsMax;
  const isLittle = charsMax <= errorsChosenCharsMax;
  const chosen = isWhole || !isLittle ? null : (body.errorsAndEnd?.() ?? null);
  if (chosen !== null && chosen.length <= charsMax) return { text: chosen, cutChars: 0, isChosen: true };
  return endOf(body, charsMax);
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
