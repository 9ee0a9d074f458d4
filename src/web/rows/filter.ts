/** This file finds the checks of a search where all of them are there. Pure. */
import type { CheckRow } from '../../domain/views/page-view.ts';

/** Returns the rows whose name, slug, tags or id contain each word of `text`, in any place. */
export function filtered(rows: readonly CheckRow[], text: string): readonly CheckRow[] {
  const words = text.toLowerCase().split(/\s+/);
  return rows.filter(({ name, slug, tags, id }) => {
    const searched = `${name}\n${slug}\n${tags}\n${id}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

export function tagsOf({ tags }: CheckRow): readonly string[] {
  return tags.split(/\s+/).filter((tag) => tag !== '');
}
