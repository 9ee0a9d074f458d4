/**
 * The words of a search and what they match, the same in the list of checks, the palette and the search over outputs: upper and
 * lower case are one, and all words have to be there, in any order.
 * Invariant: pure, and linear in the text.
 */
import { marksOfLetterMax } from '../limits.ts';

/** Characters whose fold is more than that of `toLowerCase`: marks that may combine, and the sigma at the end of a word. */
const foldedFurther = /[\u0300-\u036f\u03c2]/;
const dottedI = 'i\u0307';
const longMarks = new RegExp(`(\\p{M}{${marksOfLetterMax}})\\p{M}+`, 'gu');

/**
 * Returns the text as it is compared: in lower case, with letters and their marks as one character, with one kind of sigma, and
 * without the dot that the Turkish capital I leaves. Lines stay as they are. Of a letter with more than 30 marks, these are cut.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!foldedFurther.test(lower)) return lower;
  const folded = lower.replaceAll(dottedI, 'i').replaceAll('ς', 'σ');
  return foldedFurther.test(folded) ? folded.replace(longMarks, '$1').normalize('NFC') : folded;
}

/** A part in double quotes is one word, with the blanks in it. A quote without its other one is a character like others. */
const wordPattern = /"([^"]+)"|(\S+)/g;

/** Returns the words of what somebody typed, folded, each once. Of `text` only the first `charsMax` characters count. */
export function searchWords(text: string, charsMax: number): readonly string[] {
  const words = [...foldCase(text.slice(0, charsMax)).matchAll(wordPattern)].map(
    ([, quoted, plain]) => quoted?.trim() ?? plain ?? '',
  );
  return [...new Set(words)].filter((word) => word !== '');
}

/** Whether a text has all words: `folded` is what `foldCase` returned. An `id` is matched by a word that is the whole of it. */
export function hasWords(folded: string, words: readonly string[], id = ''): boolean {
  return words.every((word) => folded.includes(word) || word === id);
}

/**
 * Returns how well a name fits what is searched for, the best first. 0: it is the words; 1: it begins with them; 2: each begins a
 * word of it; 3: it contains them; 4: some are elsewhere. `folded` is what `foldCase` returned of the name.
 */
export function matchRank(folded: string, words: readonly string[]): number {
  const whole = words.join(' ');
  if (folded.startsWith(whole)) return folded === whole ? 0 : 1;
  const parts = folded.split(/[^\p{L}\p{M}\p{N}]+/u);
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 2;
  return hasWords(folded, words) ? 3 : 4;
}
