/**
 * What a terminal would show of a job's output, as lines of text: colours become words for them, a line that was written again
 * and again is what was written last, and everything else that only moves a cursor is left out (ECMA-48, and xterm's OSC).
 * Invariant: pure, linear, and never an error. Text without control characters is unchanged.
 */

/** Colours that differ from the text's own. White and black are that: which of them can be read depends on the page. */
export type TerminalColour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'grey';

export interface TerminalStyle {
  readonly colour: TerminalColour | null;
  /** Colour behind the text; `grey` also for inverse text without a colour. */
  readonly behind: TerminalColour | null;
  readonly isBold: boolean;
  readonly isUnderlined: boolean;
}

export interface TerminalPart {
  readonly text: string;
  /** Null for plain text. */
  readonly style: TerminalStyle | null;
}

export interface TerminalLine {
  readonly text: string;
  readonly parts: readonly TerminalPart[];
}

/** Sequences also where their end is missing, then other control characters but the tab, then text up to the next of them. */
const tokens =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with control characters.
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]?)|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000a-\u001f\u007f-\u009f]|[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]+/g;

/** Returns the lines. One that was rewritten after a carriage return is its last state that is not blank. */
export function terminalLines(text: string): readonly TerminalLine[] {
  const lines: TerminalLine[] = [];
  const pen = new Pen();
  let parts: TerminalPart[] = [];
  let isReturned = false;
  const end = (): void => {
    lines.push({ text: parts.map((part) => part.text).join(''), parts });
    parts = [];
    isReturned = false;
  };
  for (const [token, codes, final] of text.matchAll(tokens)) {
    if (token === '\n') end();
    else if (token === '\r') isReturned = parts.length > 0;
    else if (final === 'm') pen.take(codes ?? '');
    else if (isText(token)) {
      // Blanks after a return are how a program wipes a line.
      if (isReturned && token.trim() === '') continue;
      if (isReturned) parts = [];
      isReturned = false;
      parts.push({ text: token, style: pen.style });
    }
  }
  end();
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with the control character ESC.
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Returns the text without colours and cursor movements: all of what was written, in a fraction of the time of `terminalText`. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') ? text.replace(escapeSequence, '') : text;
}

/** Returns the same as plain text, with line feeds between its lines. */
export function terminalText(text: string): string {
  return terminalLines(text)
    .map((line) => line.text)
    .join('\n');
}

function isText(token: string): boolean {
  const code = token.charCodeAt(0);
  return code === 9 || (code >= 0x20 && (code < 0x7f || code > 0x9f));
}

/** Colours in the order of their numbers; null is the text's own. */
const colours = [null, 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', null] as const;

/** Follows the sequences that say how text looks (SGR). */
class Pen {
  #colour: TerminalColour | null = null;
  #behind: TerminalColour | null = null;
  #isBold = false;
  #isDim = false;
  #isUnderlined = false;
  #isInverse = false;
  style: TerminalStyle | null = null;

  take(codes: string): void {
    const numbers = codes.split(/[;:]/).map(Number);
    for (let at = 0; at < numbers.length; at++) {
      const code = numbers[at] ?? 0;
      if (code === 38 || code === 48) {
        const { colour, length } = extendedColour(numbers, at + 1);
        if (code === 38) this.#colour = colour;
        else this.#behind = colour;
        at += length;
      } else this.#set(code);
    }
    this.style = this.#look();
  }

  #set(code: number): void {
    if (code === 0) this.#reset();
    else if (code === 1) this.#isBold = true;
    else if (code === 2) this.#isDim = true;
    else if (code === 22) this.#isBold = this.#isDim = false;
    else if (code === 4 || code === 21) this.#isUnderlined = true;
    else if (code === 24) this.#isUnderlined = false;
    else if (code === 7) this.#isInverse = true;
    else if (code === 27) this.#isInverse = false;
    else if (code >= 30 && code <= 39) this.#colour = colours[code - 30] ?? null;
    else if (code >= 40 && code <= 49) this.#behind = colours[code - 40] ?? null;
    else if (code >= 90 && code <= 97) this.#colour = code === 90 ? 'grey' : (colours[code - 90] ?? null);
    else if (code >= 100 && code <= 107) this.#behind = code === 100 ? 'grey' : (colours[code - 100] ?? null);
  }

  #reset(): void {
    this.#colour = null;
    this.#behind = null;
    this.#isBold = false;
    this.#isDim = false;
    this.#isUnderlined = false;
    this.#isInverse = false;
  }

  #look(): TerminalStyle | null {
    const [isBold, isUnderlined] = [this.#isBold, this.#isUnderlined];
    const behind = this.#isInverse ? (this.#colour ?? 'grey') : this.#behind;
    const colour = this.#isInverse ? null : (this.#colour ?? (this.#isDim ? 'grey' : null));
    return colour || behind || isBold || isUnderlined ? { colour, behind, isBold, isUnderlined } : null;
  }
}

/** Returns the colour of `5;number` or `2;red;green;blue`, and how many numbers say it. */
function extendedColour(
  numbers: readonly number[],
  at: number,
): { readonly colour: TerminalColour | null; readonly length: number } {
  if (numbers[at] === 2) {
    const [red = 0, green = 0, blue = 0] = numbers.slice(at + 1, at + 4);
    return { colour: nearest(red, green, blue), length: 4 };
  }
  if (numbers[at] !== 5) return { colour: null, length: 0 };
  const index = numbers[at + 1] ?? 0;
  if (index === 8) return { colour: 'grey', length: 2 };
  if (index < 16) return { colour: colours[index % 8] ?? null, length: 2 };
  // From 16 on a cube of six steps per colour, from 232 on greys.
  if (index >= 232) return { colour: index < 250 && index > 237 ? 'grey' : null, length: 2 };
  const cube = index - 16;
  return { colour: nearest(Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6), length: 2 };
}

/** Returns the colour that has the same strong parts; what has all three, or none, is the text's own. */
function nearest(red: number, green: number, blue: number): TerminalColour | null {
  const middle = (Math.max(red, green, blue) + Math.min(red, green, blue)) / 2;
  return colours[Number(red > middle) + 2 * Number(green > middle) + 4 * Number(blue > middle)] ?? null;
}
