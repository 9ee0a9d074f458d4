/** The order in which the list was seen last, so that a check's page can name its neighbours. Forgotten with the document. */
import type { CheckRow } from '../domain/page-view.ts';

let seen: { readonly project: string; readonly rows: ReadonlyMap<number, Pick<CheckRow, 'id'>> } = {
  project: '',
  rows: new Map(),
};

export function rememberOrder(project: string, rows: ReadonlyMap<number, Pick<CheckRow, 'id'>>): void {
  seen = { project, rows };
}

export interface Neighbours {
  /** Their ids; null at an end, and where the order is not known. */
  readonly previous: string | null;
  readonly next: string | null;
}

export function neighboursOf(project: string, id: string): Neighbours {
  const place = seen.project === project ? [...seen.rows].find(([, row]) => row.id === id)?.[0] : undefined;
  if (place === undefined) return { previous: null, next: null };
  return { previous: seen.rows.get(place - 1)?.id ?? null, next: seen.rows.get(place + 1)?.id ?? null };
}
