/**
 * The part of the list that is in sight, and what is said about all of it. Rows come in blocks as one scrolls, and updates of
 * those in sight are taken at once, in place. The order is asked for again when the counts have changed and nobody points at a
 * row.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, ListView, UnchangedView } from '../../domain/views/page-view.ts';
import { ask, type Retry, useRetry } from '../core/calls.ts';
import type { Live, RowUpdate } from '../core/live.ts';
import { noteSeen, type Seen, seenLast } from '../core/stale.ts';
import { rememberOrder } from './list-order.ts';
import { type ListQuery, searchOf } from './list-query.ts';

const blockRows = 60;
/** Milliseconds between two requests for the order. */
const reorderMs = 1000;
/** Milliseconds between two requests for the counts while somebody points at a row: the rows are asked for with them. */
const recountMs = 3000;

export interface LoadedList {
  /** The answer; null until the first has come. */
  readonly view: ListView | null;
  /** Whether the answer is of the query that is asked for now, not of the one before. */
  readonly isCurrent: boolean;
  /** Rows by their place in the order; those that are not there yet are missing. */
  readonly rows: ReadonlyMap<number, CheckRow>;
  /** The rows of those that were deleted meanwhile, by their place. They go with the next order. */
  readonly gone: ReadonlyMap<number, CheckRow>;
  readonly error: string;
  /** Says which rows are in sight; those that are missing are asked for. */
  readonly need: (from: number, until: number) => void;
  /** Says whether somebody points at a row or has the focus in one: then no row moves. */
  readonly hold: (held: boolean) => void;
  readonly reload: () => void;
}

interface Loaded {
  readonly of: string;
  readonly view: ListView | null;
  readonly rows: ReadonlyMap<number, CheckRow>;
  /** As in `LoadedList`. */
  readonly gone: ReadonlyMap<number, CheckRow>;
}

const nothing: Loaded = { of: '', view: null, rows: new Map(), gone: new Map() };

/** Under which the list is kept as it was shown last: one only, since it may have thousands of rows. */
const seenAs = 'list';

/** Returns the row of a check as the list showed it last; null where it did not. */
export function listedLast(id: string): Seen<CheckRow> | null {
  const last = seenLast<Loaded>(seenAs);
  const row = [...(last?.answer.rows.values() ?? [])].find((one) => one.id === id);
  return last && row ? { answer: row, atMs: last.atMs } : null;
}

export function useList(project: string, query: ListQuery, live: Live): LoadedList {
  const search = searchOf(query);
  const path = `/web/in/${project}/list${search === '' ? '' : `?${search}`}`;
  const [loaded, setLoaded] = useState<Loaded>(nothing);
  const [error, setError] = useState('');
  const seen = useRef({ from: 0, until: blockRows, held: false, wants: false, countsAreOld: false });
  /** Blocks that are asked for, and the last request for a fresh order, behind which the next one waits. */
  const asking = useRef({ blocks: new Set<number>(), fresh: Promise.resolve() });
  const retry = useRef<Retry | null>(null);
  const now = useRef({ path, loaded });
  now.current = { path, loaded };
  const { learn, watch } = live;

  const take = useCallback(
    (asked: string, isFresh: boolean, view: ListView | UnchangedView): void => {
      if (now.current.path !== asked) return;
      setError('');
      retry.current?.answered();
      if ('same' in view) return;
      learn(view);
      setLoaded((before) => withBlock(before, asked, view, isFresh));
    },
    [learn],
  );

  const reload = useCallback((): void => {
    Object.assign(seen.current, { wants: false, countsAreOld: false });
    retry.current?.asked();
    const from = blockOf(seen.current.from);
    // Requests follow one another: what was asked for before the connection was there may have missed a change.
    asking.current.fresh = asking.current.fresh.then(async () => {
      const { view, of } = now.current.loaded;
      const known = of === path && view?.from === from ? view.revision : '';
      await ask<ListView | UnchangedView>(addressOf(path, { from, known })).then(
        (answer) => take(path, true, answer),
        (reason: unknown) => {
          const last = seenLast<Loaded>(seenAs);
          const isIt = last?.answer.of === path;
          const error = retry.current?.failed(reason, isIt ? last.atMs : null) ?? '';
          setError(error);
          if (isIt && error === '') setLoaded((before) => (before.view === null ? last.answer : before));
        },
      );
    });
  }, [path, take]);
  retry.current = useRetry(reload);

  const need = useCallback(
    (from: number, until: number): void => {
      Object.assign(seen.current, { from, until });
      const { rows, gone, view, of } = now.current.loaded;
      const { blocks } = asking.current;
      if (of !== path) return;
      for (let block = blockOf(from); block < Math.min(until, view?.total ?? 0); block += blockRows) {
        if (rows.has(block) || gone.has(block) || blocks.has(block)) continue;
        blocks.add(block);
        void ask<ListView>(addressOf(path, { from: block, known: '' }))
          .then(
            (answer) => take(path, false, answer),
            (reason: unknown) => setError(retry.current?.failed(reason) ?? ''),
          )
          .finally(() => blocks.delete(block));
      }
    },
    [path, take],
  );
  const hold = useCallback((held: boolean): void => {
    seen.current.held = held;
  }, []);

  // The list is asked for at first, for another query, and with every new connection.
  useEffect(reload, [reload, live.version]);
  const recount = useRecount({ path, now, setLoaded });
  useReorder({ seen, reload, recount, summary: JSON.stringify(live.summary?.counts ?? null) });
  useRemembered(project, loaded);
  useWatched({ loaded, setLoaded, watch, reload, seen });
  const { of, ...shown } = loaded;
  return { ...shown, isCurrent: of === path, error, need, hold, reload };
}

function useRemembered(project: string, loaded: Loaded): void {
  useEffect(() => {
    rememberOrder(project, loaded.rows);
    // What is shown again is as old as it was.
    if (loaded.view !== null && loaded !== seenLast(seenAs)?.answer) noteSeen(seenAs, loaded);
  }, [project, loaded]);
}

interface Watching {
  readonly loaded: Loaded;
  readonly setLoaded: (change: (before: Loaded) => Loaded) => void;
  readonly watch: Live['watch'];
  readonly reload: () => void;
  readonly seen: Reorder['seen'];
}

function useWatched({ loaded, setLoaded, watch, reload, seen }: Watching): void {
  /** Integrations that the list was asked for again because of them: once each, whatever it says. */
  const askedFor = useRef(new Set<string>());
  useEffect(() => {
    const ids = [...loaded.rows.values()].slice(-watchedMax).map(({ id }) => id);
    watch(ids, (updates) => {
      setLoaded((before) => withUpdates(before, updates));
      // A new integration comes with the list, not with the rows that it is assigned to.
      const unknown = strangers(updates, loaded.view).filter((id) => !askedFor.current.has(id));
      if (unknown.length > 0) reload();
      for (const id of unknown) askedFor.current.add(id);
      const before = new Map([...loaded.rows.values()].map((row) => [row.id, row]));
      const isOther = updates.rows.some((row) => changesCounts(before.get(row.id), row));
      if (isOther || updates.gone.length > 0)
        Object.assign(seen.current, { wants: true, countsAreOld: true });
    });
  }, [loaded.rows, watch, reload, seen]);
}

/** Whether a row changed in what is in numbers above the rows. One that is not loaded says nothing of them. */
function changesCounts(before: CheckRow | undefined, { tags, status, startedMs }: CheckRow): boolean {
  if (!before) return false;
  const isRunning = startedMs !== null;
  return before.tags !== tags || before.status !== status || (before.startedMs !== null) !== isRunning;
}

interface Counting {
  readonly path: string;
  readonly now: { readonly current: { readonly path: string } };
  readonly setLoaded: Watching['setLoaded'];
}

/** Asks for what lies above the rows, whose order waits while somebody points at one. */
function useRecount({ path, now, setLoaded }: Counting): () => void {
  return useCallback((): void => {
    const take = (fresh: ListView): void =>
      setLoaded((before) =>
        before.of === path && before.view ? { ...before, view: withCounts(before.view, fresh) } : before,
      );
    // Without an answer they come with the next order.
    if (now.current.path === path) ask<ListView>(path).then(take, () => {});
  }, [path, now, setLoaded]);
}

/** The heads of groups keep their places: one whose size is another has its counts with the next order. */
function withCounts(view: ListView, { found, tags, groups: fresh }: ListView): ListView {
  const groups = view.groups.map((group) => {
    const now = fresh.find(({ name }) => name === group.name);
    return now?.size === group.size ? { ...now, from: group.from } : group;
  });
  return { ...view, found, tags, groups };
}

/** Returns the integrations of rows that the list does not know. */
function strangers({ rows }: RowUpdate, view: ListView | null): readonly string[] {
  const known = new Set(view?.channels.map(({ id }) => id));
  return rows.flatMap(({ channels }) => channels.filter((id) => !known.has(id)));
}

/** Rows whose updates are wanted: the server takes 8 kB of names. */
const watchedMax = 180;

/**
 * The first block is asked for without any word of it in the address, so that the browser has asked for it already, with the
 * page.
 */
function addressOf(path: string, { from, known }: { readonly from: number; readonly known: string }): string {
  const query = new URLSearchParams();
  if (from > 0) query.set('from', String(from));
  if (known !== '') query.set('known', known);
  const more = query.toString();
  if (more === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${more}`;
}

function blockOf(row: number): number {
  return Math.floor(row / blockRows) * blockRows;
}

interface Reorder {
  readonly seen: { readonly current: { held: boolean; wants: boolean; countsAreOld: boolean } };
  readonly reload: () => void;
  /** Asks for what lies above the rows. */
  readonly recount: () => void;
  /** Text of what makes another order likely when it changes. */
  readonly summary: string;
}

/**
 * Asks for the order again when the counts have changed, once a second at most. While the pointer or the focus is on a row, only the
 * counts are asked for.
 */
function useReorder({ seen, reload, recount, summary }: Reorder): void {
  const first = useRef(summary);
  const countedAtMs = useRef(-recountMs);
  useEffect(() => {
    if (first.current !== 'null' && first.current !== summary)
      Object.assign(seen.current, { wants: true, countsAreOld: true });
    first.current = summary;
  }, [summary, seen]);
  useEffect(() => {
    const timer = setInterval(() => {
      const { wants, held, countsAreOld } = seen.current;
      if (wants && !held) return reload();
      if (!countsAreOld || performance.now() - countedAtMs.current < recountMs) return;
      seen.current.countsAreOld = false;
      countedAtMs.current = performance.now();
      recount();
    }, reorderMs);
    return () => clearInterval(timer);
  }, [seen, reload, recount]);
}

/** A fresh answer is of another order, so what was known of the old one is dropped. */
function withBlock(before: Loaded, of: string, view: ListView, isFresh: boolean): Loaded {
  const rows = isFresh || before.of !== of ? new Map<number, CheckRow>() : new Map(before.rows);
  const gone = isFresh || before.of !== of ? new Map<number, CheckRow>() : new Map(before.gone);
  for (const [at, row] of view.rows.entries()) {
    rows.set(view.from + at, row);
    gone.delete(view.from + at);
  }
  return { of, view, rows, gone };
}

function withUpdates(before: Loaded, { rows: fresh, gone: deleted }: RowUpdate): Loaded {
  const byId = new Map(fresh.map((row) => [row.id, row]));
  const rows = new Map<number, CheckRow>();
  const gone = new Map(before.gone);
  for (const [at, row] of before.rows) {
    if (deleted.includes(row.id)) gone.set(at, row);
    else rows.set(at, byId.get(row.id) ?? row);
  }
  return { ...before, rows, gone };
}
