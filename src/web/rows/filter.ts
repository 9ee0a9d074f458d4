/** This file finds the checks of a search where all of them are there. Pure. */
import type { CheckRow } from '../../domain/views/page-view.ts';
import { nameOf } from './row-words.ts';

/**
 * Returns the rows whose name, slug, tags or id contain each word of `text`, in any place: those first whose name does, since an id has
 * any four digits by chance. Otherwise in the order that they have.
 */
export function filtered(rows: readonly CheckRow[], text: string): readonly CheckRow[] {
  const words = text.toLowerCase().split(/\s+/);
  const has = (searched: string): boolean => {
    const lowerCase = searched.toLowerCase();
    return words.every((word) => lowerCase.includes(word));
  };
  const [named, others]: [CheckRow[], CheckRow[]] = [[], []];
  for (const row of rows) {
    const { slug, tags, id } = row;
    const name = nameOf(row);
    if (has(name)) named.push(row);
    else if (has(`${name}\n${slug}\n${tags}\n${id}`)) others.push(row);
  }
  return [...named, ...others];
}

/** Each once: the API keeps tags as they were sent, also one that was sent twice. */
export function tagsOf({ tags }: CheckRow): readonly string[] {
  return [...new Set(tags.split(/\s+/).filter((tag) => tag !== ''))];
}
