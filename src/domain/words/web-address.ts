/** Web addresses in what owners write. Pure. */
import { runbookCharsSearched } from '../limits.ts';

/** A web address in text. Punctuation that ends a sentence is not part of it. */
export const webAddress = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'])/;

/** Returns the first link of a description, which is its runbook in most of them; empty for none. */
export function runbookIn(desc: string): string {
  return webAddress.exec(desc.slice(0, runbookCharsSearched))?.[1] ?? '';
}
