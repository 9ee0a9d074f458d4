/**
 * The number that the list shows as a column: the reader's choice, which this browser keeps for each project.
 * Invariant: what a link sorts by comes before it.
 */
import { useMemo, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';

/** The name, empty for none, and what keeps another one. */
export function useResultColumn(project: string): readonly [name: string, keep: (name: string) => void] {
  const key = `knell-result-column ${project}`;
  const [kept, setKept] = useState({ key: '', name: '' });
  const name = kept.key === key ? kept.name : (localStorage.getItem(key) ?? '');
  const keep = (chosen: string): void => {
    if (chosen === '') localStorage.removeItem(key);
    else localStorage.setItem(key, chosen);
    setKept({ key, name: chosen });
  };
  return [name, keep];
}

/** Names of the numbers of the rows that have been in sight, in order; with `chosen`, unless it is empty. */
export function useResultNames(rows: ReadonlyMap<number, CheckRow>, chosen: string): readonly string[] {
  return useMemo(() => {
    const names = new Set(chosen === '' ? [] : [chosen]);
    for (const { results = [] } of rows.values()) for (const [name] of results) names.add(name);
    return [...names].sort().slice(0, namesMax);
  }, [rows, chosen]);
}

/** Names in the menu: more would be a menu that nobody reads. */
const namesMax = 40;
