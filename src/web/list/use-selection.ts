/**
 * The checks that are selected, as they are now where they are in sight, and as they were when they were selected elsewhere.
 * Invariant: what another filter does not find is no longer selected: nothing is done to checks that the reader has filtered away.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { rowsNow } from '../actions/row-actions.tsx';
import { messageOf } from '../core/calls.ts';
import { matchingRows } from '../rows/all-rows.ts';
import { filterOf, type ListQuery } from '../rows/list-query.ts';
import { countOpen, isOpenAt, openRows } from '../rows/open-rows.ts';
import type { LoadedList } from '../rows/use-list.ts';
import { say } from '../ui/toasts.tsx';

/** Checks that are changed at once: each is a request, and its row is kept. */
const selectedMax = 500;

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly rows: readonly CheckRow[];
  /** Takes those as they are now; `asked` that are not among them are gone. */
  readonly renew: (asked: readonly CheckRow[], fresh: readonly CheckRow[]) => void;
  readonly select: (at: number, row: CheckRow, isRange: boolean) => void;
  readonly clear: () => void;
  readonly all: AllSelected;
  /** Whether any is selected, once those are known that were asked for. */
  readonly settled: () => Promise<boolean>;
}

export interface AllSelected {
  /** Whether all checks are selected that the filter finds and no group hides, or as many as can be. */
  readonly isOn: boolean;
  /** Selects all of them, or none if they are. */
  readonly toggle: () => Promise<void>;
  /** How many of those that are selected the list does not show, as far as that is known. */
  readonly hidden: number;
}

type Chosen = ReadonlyMap<string, CheckRow>;

function byId(rows: Iterable<CheckRow>): Chosen {
  return new Map([...rows].map((row) => [row.id, row]));
}

/** `folded`: the groups that are. Their checks are not selected with all. */
export function useSelection(
  project: string,
  query: ListQuery,
  list: LoadedList,
  folded: ReadonlySet<string>,
): Selection {
  const { rows } = list;
  const [chosen, show] = useState<Chosen>(new Map());
  /** As of the last key: the next one may come before it is shown. */
  const now = useRef(chosen);
  const setChosen = useCallback((next: Chosen | ((before: Chosen) => Chosen)): void => {
    now.current = typeof next === 'function' ? next(now.current) : next;
    show(now.current);
  }, []);
  const last = useRef(-1);
  const known = useRef(rows);
  known.current = rows;
  const select = useCallback((at: number, row: CheckRow, isRange: boolean): void => {
    const from = isRange && last.current >= 0 ? last.current : at;
    last.current = at;
    setChosen((before) => {
      const after = new Map(before);
      if (from === at && before.has(row.id)) after.delete(row.id);
      else
        for (let each = Math.min(from, at); each <= Math.max(from, at); each++) {
          // A range reaches over rows that have been in sight.
          const one = known.current.get(each);
          if (one) after.set(one.id, one);
        }
      return after;
    });
  }, []);
  const clear = useCallback(() => setChosen(new Map()), []);
  const renew = useCallback<Selection['renew']>((asked, fresh) => {
    const now = byId(fresh);
    const gone = new Set(asked.flatMap(({ id }) => (now.has(id) ? [] : [id])));
    setChosen(
      (before) =>
        new Map([...before].flatMap(([id, row]) => (gone.has(id) ? [] : [[id, now.get(id) ?? row]]))),
    );
  }, []);
  const filter = filterOf(query);
  useReduced(project, filter, [...chosen.values()], renew);
  const latest = useMemo(() => {
    if (chosen.size === 0) return [];
    const inSight = byId(rows.values());
    return [...chosen.values()].map((row) => inSight.get(row.id) ?? row);
  }, [chosen, rows]);
  const ids = useMemo(() => new Set(chosen.keys()), [chosen]);
  const all = useAll({ project, query, list, folded, chosen, setChosen });
  const asked = useRef<Promise<void>>(Promise.resolve());
  const toggle = (): Promise<void> => {
    asked.current = all.toggle();
    return asked.current;
  };
  const settled = (): Promise<boolean> => asked.current.then(() => now.current.size > 0);
  return { ids, rows: latest, select, clear, renew, all: { ...all, toggle }, settled };
}

/** Asks which of the selected checks another filter finds. Of which it is not known is not selected any more. */
function useReduced(
  project: string,
  filter: string,
  chosen: readonly CheckRow[],
  renew: Selection['renew'],
): void {
  const before = useRef(filter);
  useEffect(() => {
    if (before.current === filter) return;
    before.current = filter;
    if (filter === '' || chosen.length === 0) return;
    let isCurrent = true;
    rowsNow(project, chosen, filter).then(
      (found) => isCurrent && renew(chosen, found),
      () => isCurrent && renew(chosen, []),
    );
    return () => {
      isCurrent = false;
    };
  }, [filter]);
}

interface AllOf {
  readonly project: string;
  readonly query: ListQuery;
  readonly list: LoadedList;
  readonly folded: ReadonlySet<string>;
  readonly chosen: Chosen;
  readonly setChosen: (chosen: Chosen) => void;
}

function useAll({ project, query, list, folded, chosen, setChosen }: AllOf): AllSelected {
  const { rows, view, isCurrent } = list;
  const open = openRows(view?.total ?? 0, view?.groups ?? [], folded);
  const total = countOpen(open);
  const shown = new Set([...rows].flatMap(([at, { id }]) => (isOpenAt(open, at) ? [id] : [])));
  const isWhole = isCurrent && shown.size >= total;
  const hidden = isWhole ? [...chosen.keys()].filter((id) => !shown.has(id)).length : 0;
  const isOn =
    chosen.size > 0 &&
    chosen.size >= Math.min(total, selectedMax) &&
    (total > selectedMax || [...shown].every((id) => chosen.has(id)));
  const filter = filterOf(query);
  const now = useRef(filter);
  now.current = filter;
  const toggle = async (): Promise<void> => {
    if (isOn) return setChosen(new Map());
    if (total === 0 && view?.total) return say('All groups are folded: open one to select its checks.');
    try {
      const found = await matchingRows(project, query, selectedMax, folded);
      // Those are of another filter than the reader sees.
      if (now.current !== filter) return;
      setChosen(byId(found.rows));
      if (found.total > found.rows.length) say(tooManyWords(found.rows.length, found.total));
    } catch (reason) {
      say(messageOf(reason));
    }
  };
  return { isOn, toggle, hidden };
}

function tooManyWords(taken: number, total: number): string {
  return `The first ${taken.toLocaleString()} of ${total.toLocaleString()} checks are selected: no more can be changed at once.`;
}
