/**
 * A UUID as four 32-bit words: how tables look one up and how records keep it, without a string in between. An address is
 * parsed into words once, and everything after that compares and writes these.
 * Invariant: words and text turn into each other without loss; only a lower-case UUID with hyphens is one.
 */

/** Value of a digit by its character code; 128 for what is none. */
const digits = new Uint8Array(128).fill(128);
for (let value = 0; value < 16; value++) digits[value.toString(16).charCodeAt(0)] = value;

const hyphen = 45;
export const uuidChars = 36;

/** Mutable, so that one object serves for every ping. Words are signed, so that V8 keeps them as small integers. */
export class UuidWords {
  w0 = 0;
  w1 = 0;
  w2 = 0;
  w3 = 0;

  /** Parses the 36 characters from `at` on. False for what is no UUID; then the words mean nothing. */
  parse(text: string, at = 0): boolean {
    if (text.length < at + uuidChars) return false;
    if (text.charCodeAt(at + 8) !== hyphen || text.charCodeAt(at + 13) !== hyphen) return false;
    if (text.charCodeAt(at + 18) !== hyphen || text.charCodeAt(at + 23) !== hyphen) return false;
    const high1 = fourDigits(text, at + 9);
    const low1 = fourDigits(text, at + 14);
    const high2 = fourDigits(text, at + 19);
    const low2 = fourDigits(text, at + 24);
    const high0 = fourDigits(text, at);
    const low0 = fourDigits(text, at + 4);
    const high3 = fourDigits(text, at + 28);
    const low3 = fourDigits(text, at + 32);
    this.w0 = (high0 << 16) | low0;
    this.w1 = (high1 << 16) | low1;
    this.w2 = (high2 << 16) | low2;
    this.w3 = (high3 << 16) | low3;
    return (high0 | low0 | high1 | low1 | high2 | low2 | high3 | low3) >= 0;
  }

  equals(other: UuidWords): boolean {
    return this.w0 === other.w0 && this.w1 === other.w1 && this.w2 === other.w2 && this.w3 === other.w3;
  }

  /** Takes the 16 bytes from `at` on, as records keep them. */
  read(bytes: Uint8Array, at = 0): this {
    this.w0 = wordAt(bytes, at);
    this.w1 = wordAt(bytes, at + 4);
    this.w2 = wordAt(bytes, at + 8);
    this.w3 = wordAt(bytes, at + 12);
    return this;
  }
}

/** Into four words from `at` on. */
export function putWords(words: Int32Array, at: number, { w0, w1, w2, w3 }: UuidWords): void {
  words[at] = w0;
  words[at + 1] = w1;
  words[at + 2] = w2;
  words[at + 3] = w3;
}

/** Out of four words from `at` on; returns `into`. */
export function takeWords(words: Int32Array, at: number, into: UuidWords): UuidWords {
  into.w0 = words[at] ?? 0;
  into.w1 = words[at + 1] ?? 0;
  into.w2 = words[at + 2] ?? 0;
  into.w3 = words[at + 3] ?? 0;
  return into;
}

/** Null for what is no UUID. */
export function uuidWordsOf(text: string): UuidWords | null {
  const words = new UuidWords();
  return text.length === uuidChars && words.parse(text) ? words : null;
}

/** Negative when one of them is no digit. */
function fourDigits(text: string, at: number): number {
  const a = digit(text.charCodeAt(at));
  const b = digit(text.charCodeAt(at + 1));
  const c = digit(text.charCodeAt(at + 2));
  const d = digit(text.charCodeAt(at + 3));
  return (a | b | c | d) > 15 ? -1 : (a << 12) | (b << 8) | (c << 4) | d;
}

function digit(code: number): number {
  return code < 128 ? (digits[code] ?? 128) : 128;
}

function wordAt(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return (high << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}
