/** A text as a sentence: with the point at its end, unless it has one, also before a quotation mark, or was shortened. Invariant: pure. */
export function sentence(text: string): string {
  return /[.!?…]”?$/.test(text) ? text : `${text}.`;
}
