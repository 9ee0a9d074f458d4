/** Which checks a search finds, where all of them are there. Pure. */
import type { CheckRow } from '../../domain/views/page-view.ts';

/** Those whose name, slug, tags or id contain `text`. */
export function filtered(rows: readonly CheckRow[], text: string): readonly CheckRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ name, slug, tags, id }) =>
    `${name}\n${slug}\n${tags}\n${id}`.toLowerCase().includes(wanted),
  );
}

export function tagsOf({ tags }: CheckRow): readonly string[] {
  return tags.split(/\s+/).filter((tag) => tag !== '');
}
