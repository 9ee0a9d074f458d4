/** The order in which the list was seen last, so that a check's page can name its neighbours. It is forgotten with the document. */
import { useEffect, useState } from 'preact/hooks';
import type { CheckRow, NeighboursView } from '../../domain/views/page-view.ts';
import { ask } from '../core/calls.ts';

let seen: { readonly project: string; readonly rows: ReadonlyMap<number, Pick<CheckRow, 'id'>> } = {
  project: '',
  rows: new Map(),
};

export function rememberOrder(project: string, rows: ReadonlyMap<number, Pick<CheckRow, 'id'>>): void {
  seen = { project, rows };
}

/**
 * Returns the neighbours as the list showed them; null if it did not show the check. Their ids are null at an end, and where the
 * list was not scrolled so far.
 */
function seenNeighbours(project: string, id: string): NeighboursView | null {
  const place = seen.project === project ? [...seen.rows].find(([, row]) => row.id === id)?.[0] : undefined;
  if (place === undefined) return null;
  return { previous: seen.rows.get(place - 1)?.id ?? null, next: seen.rows.get(place + 1)?.id ?? null };
}

const none: NeighboursView = { previous: null, next: null };

/** Returns the neighbours as the list showed them last, or else as its usual order has them, which the server knows. */
export function useNeighbours(project: string, id: string): NeighboursView {
  const known = seenNeighbours(project, id);
  const path = `/web/in/${project}/checks/${id}/neighbours`;
  const [found, setFound] = useState<{ readonly path: string; readonly view: NeighboursView } | null>(null);
  const isAsked = known === null;
  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    ask<NeighboursView>(path).then(
      (view) => isCurrent && setFound({ path, view }),
      // The page says what is wrong with the check itself.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [path, isAsked]);
  return known ?? (found?.path === path ? found.view : none);
}
