/**
 * A number in the way of the reader's language. The first formatter that a page makes takes the browser as long as a fifth of all
 * scripts of the list, so none is made for a number that every language writes alike.
 */
export function numberWords(number: number): string {
  return Number.isInteger(number) && number >= 0 && number < 1000 ? String(number) : number.toLocaleString();
}
