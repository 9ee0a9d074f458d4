/** A text as a sentence: with the point at its end, unless it has one, or was shortened. Invariant: pure. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
