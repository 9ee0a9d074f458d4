/** What a check is called where it is shown. Pure. */

const unnamed = 'Unnamed check';

interface Named {
  readonly name: string;
  /** Absent where only the name is known, as of a check that was deleted. */
  readonly slug?: string;
}

/** Returns the name of a check, or else its slug; one that has neither is found by the words that it is shown with, too. */
export function shownName({ name, slug = '' }: Named): string {
  return name || slug || unnamed;
}
