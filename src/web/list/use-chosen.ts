/**
 * The row of the list that the keys act on, by its check: on the way back the list may be sorted anew, and the next key is for the
 * same check, wherever that is by then.
 * Invariant: where a row has the focus, it is that row.
 */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { remembered, useRemembered } from '../core/route.ts';
import type { LoadedList } from '../rows/use-list.ts';

export interface Chosen {
  /** The place of the row; -1 for none. */
  readonly at: number;
  /** The check; empty while it is not loaded. */
  readonly id: string;
  /** Chosen by the focus, which is in the row already. */
  readonly isEntered?: true;
}

export interface Choosing extends Chosen {
  readonly set: (chosen: Chosen) => void;
  readonly choose: (at: number) => void;
}

export function useChosen(): Choosing {
  const [chosen, set] = useState<Chosen>(() => ({
    at: Number(remembered().get('chosen') ?? -1),
    id: String(remembered().get('chosenId') ?? ''),
  }));
  return { ...chosen, set, choose: (at) => set({ at, id: '' }) };
}

/** For the way back, too. `rows`: those that are loaded, by their places. What is not among them any more is not chosen. */
export function useFollowed({ at, id, set }: Choosing, rows: ReadonlyMap<number, CheckRow>): void {
  useRemembered(() => ({ chosen: at, chosenId: id, top: scrollY }));
  useLayoutEffect(() => {
    const there = rows.get(at)?.id;
    if (at < 0 || there === undefined || there === id) return;
    if (id === '') return set({ at, id: there });
    const [found] = [...rows].find(([, row]) => row.id === id) ?? [];
    set(found === undefined ? { at: -1, id: '' } : { at: found, id });
  }, [rows, at, id]);
}

/**
 * Returns what goes from the search to the first row that it finds, once that is known. Where it finds nothing, the focus stays.
 * `first`: the place of the first row that can be seen; -1 for none.
 */
export function useToFirst(
  { isCurrent, view }: Pick<LoadedList, 'isCurrent' | 'view'>,
  { at, choose }: Choosing,
  first: number,
): () => void {
  const [isWanted, want] = useState(false);
  const isThere = (view?.total ?? 0) > 0 && first >= 0;
  useEffect(() => {
    if (!isWanted || !isCurrent) return;
    want(false);
    if (!isThere) return;
    // What is typed into takes the focus from no row that is chosen.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (at === first) document.querySelector<HTMLElement>('.row.chosen a')?.focus();
    else choose(first);
  }, [isWanted, isCurrent, isThere]);
  return () => want(true);
}
