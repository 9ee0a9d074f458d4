/** What a check is called where it is shown. Pure. */

const unnamed = 'Unnamed check';

/** Returns the name of a check, or else its slug; one that has neither is found by the words that it is shown with, too. */
export function shownName({ name, slug }: { readonly name: string; readonly slug: string }): string {
  return name || slug || unnamed;
}
