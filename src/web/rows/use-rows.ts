/** Rows of checks outside the list: that of one check, kept by its updates, or all, for pages that show every check. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckRow, RowsView } from '../../domain/views/page-view.ts';
import { type Asked, useAsk, useSeen } from '../core/calls.ts';
import type { Live, RowUpdate } from '../core/live.ts';

export interface OneRow {
  /** The row; null until it is known, and when there is none. */
  readonly row: CheckRow | null;
  readonly isKnown: boolean;
  readonly error: string;
  readonly reload: () => void;
}

export function useRow(project: string, id: string, live: Live): OneRow {
  const { data, askedAtMs, error, reload } = useSeen<RowsView>(
    `/web/in/${project}/rows?ids=${id}`,
    live.version,
  );
  const [update, setUpdate] = useState<(RowUpdate & { readonly atMs: number }) | null>(null);
  useEffect(() => setUpdate(null), [id]);
  useEffect(
    () => live.watch([id], (next) => setUpdate({ ...next, atMs: performance.now() })),
    [id, live.watch],
  );
  const latest = update && update.atMs >= askedAtMs ? update : null;
  const isGone = latest?.gone.includes(id) === true;
  const row = isGone ? null : (latest?.rows[0] ?? data?.rows[0] ?? null);
  return { row, isKnown: data !== null, error, reload };
}

/** What an update has said of a check last; `row` is null for one that is gone. */
interface Latest {
  readonly row: CheckRow | null;
  readonly atMs: number;
}

/**
 * Returns rows that were asked for, with what updates have said since, and what takes the updates. An answer may come after an update
 * that is newer than it: only what came before the question is older.
 */
function useUpdated({ data, askedAtMs }: Pick<Asked<RowsView>, 'data' | 'askedAtMs'>) {
  const [latest, setLatest] = useState<ReadonlyMap<string, Latest>>(new Map());
  const take = useCallback(({ rows, gone }: RowUpdate): void => {
    const atMs = performance.now();
    setLatest((before) => {
      const after = new Map(before);
      for (const row of rows) after.set(row.id, { row, atMs });
      for (const id of gone) after.set(id, { row: null, atMs });
      return after;
    });
  }, []);
  const rows = useMemo(() => {
    const since = (row: CheckRow): CheckRow | null => {
      const one = latest.get(row.id);
      return one && one.atMs >= askedAtMs ? one.row : row;
    };
    return data?.rows.map(since).filter((row) => row !== null);
  }, [data, askedAtMs, latest]);
  return [rows, take] as const;
}

export interface SomeRows {
  /** By their ids; null until they are known. A check that was deleted has none. */
  readonly rows: ReadonlyMap<string, CheckRow> | null;
  readonly error: string;
}

/** The rows of these checks, at most 100, kept by their updates: another map with each of them. */
export function useRowsOf(project: string, ids: readonly string[], live: Live): SomeRows {
  const names = ids.join(',');
  const asked = useSeen<RowsView>(`/web/in/${project}/rows?ids=${names}`, live.version);
  const [rows, take] = useUpdated(asked);
  useEffect(() => live.watch(names.split(','), take), [names, live.watch, take]);
  const byId = useMemo(() => (rows ? new Map(rows.map((row) => [row.id, row])) : null), [rows]);
  return { rows: byId, error: asked.error };
}

/** Rows whose updates are wanted: the server takes 8 kB of names. */
export const watchedMax = 180;

const none: readonly CheckRow[] = [];

/** Returns all rows, oldest first. */
export function useAllRows(project: string, live: Live): readonly CheckRow[] {
  const asked = useAsk<RowsView>(`/web/in/${project}/rows`, live.version);
  const { data, reload } = asked;
  const count = live.summary?.all ?? null;
  const reloadedFor = useRef<number | null>(null);
  // The rows are loaded again when a check was added or deleted: live updates cover only checks that are shown already.
  useEffect(() => {
    if (!data || count === null || count === data.rows.length || count === reloadedFor.current) return;
    reloadedFor.current = count;
    reload();
  }, [data, count]);
  const [rows, take] = useUpdated(asked);
  useEffect(() => {
    const ids = (data?.rows ?? []).slice(0, watchedMax).map(({ id }) => id);
    live.watch(ids, take);
  }, [data, live.watch, take]);
  return rows ?? none;
}
