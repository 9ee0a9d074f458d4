/** Names of checks in a list to choose from: those that several have have their slug, too. Pure. */
import type { CheckRow } from '../../domain/views/page-view.ts';
import { nameOf } from './row-words.ts';

type Named = Pick<CheckRow, 'id' | 'name' | 'slug'>;

/** Returns what names a check: with its slug, or without one the beginning of its id, where another one of the list looks the same. */
export function namesApart(rows: readonly Named[]): (row: Named) => string {
  const counts = new Map<string, number>();
  const alike = (row: Named): string => nameOf(row).toLowerCase();
  for (const row of rows) counts.set(alike(row), (counts.get(alike(row)) ?? 0) + 1);
  return (row) => {
    const name = nameOf(row);
    if ((counts.get(alike(row)) ?? 0) < 2) return name;
    const isBySlug = row.slug !== '' && row.slug !== name;
    const twins = rows.filter((other) => other.slug === row.slug && alike(other) === alike(row)).length;
    return `${name} (${isBySlug && twins === 1 ? row.slug : row.id.slice(0, 8)})`;
  };
}
