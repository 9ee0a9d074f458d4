/**
 * Rules out most outputs by their bytes, before one of them is decoded: that costs a tenth of the time and leaves nothing to collect.
 * It looks for the beginning of the longest word that is ASCII, in upper or lower case (Boyer and Moore in the form of Horspool).
 * Invariant: what `findWords` would find is never ruled out.
 */
import { outputSearchLimits } from '../../limits.ts';

const escapeByte = 0x1b;
/** Other characters that are folded to a letter of ASCII: the Turkish capital I with a dot, and the Kelvin sign. */
const foldedToAscii: readonly Buffer[] = [Buffer.from('\u0130'), Buffer.from('\u212a')];
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\u0000-\u007f]+$/;

/** Returns a test of bytes: false if the text cannot have all words. `words` are folded. */
export function wordFilter(words: readonly string[]): (bytes: Buffer) => boolean {
  const [longest] = words.filter((word) => ascii.test(word)).sort((a, b) => b.length - a.length);
  if (longest === undefined) return () => true;
  const part = longest.slice(0, outputSearchLimits.filterCharsMax);
  const lower = Buffer.from(part);
  const upper = Buffer.from(part.toUpperCase());
  const shifts = shiftsOf(lower, upper);
  return (bytes) =>
    hasEitherCase(bytes, lower, upper, shifts) ||
    // A word may have colours in its middle.
    bytes.includes(escapeByte) ||
    foldedToAscii.some((character) => bytes.includes(character));
}

/** How far the word can be moved on, by the byte under its end. */
function shiftsOf(lower: Buffer, upper: Buffer): Uint8Array {
  const last = lower.length - 1;
  const shifts = new Uint8Array(256).fill(lower.length);
  for (let at = 0; at < last; at++) {
    shifts[lower[at] ?? 0] = last - at;
    shifts[upper[at] ?? 0] = last - at;
  }
  return shifts;
}

function hasEitherCase(bytes: Buffer, lower: Buffer, upper: Buffer, shifts: Uint8Array): boolean {
  const last = lower.length - 1;
  const [lowerEnd, upperEnd] = [lower[last], upper[last]];
  for (let end = last; end < bytes.length; ) {
    const byte = bytes[end] ?? 0;
    if (byte === lowerEnd || byte === upperEnd) {
      let at = last - 1;
      while (at >= 0) {
        const one = bytes[end - last + at];
        if (one !== lower[at] && one !== upper[at]) break;
        at--;
      }
      if (at < 0) return true;
    }
    end += shifts[byte] ?? 1;
  }
  return false;
}
