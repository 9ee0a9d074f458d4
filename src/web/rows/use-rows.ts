/** Rows of checks outside the list: that of one check, kept by its updates, or all, for pages that show every check. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckRow, RowsView } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import type { Live, RowUpdate } from '../core/live.ts';

export interface OneRow {
  /** The row; null until it is known, and when there is none. */
  readonly row: CheckRow | null;
  readonly isKnown: boolean;
  readonly error: string;
  readonly reload: () => void;
}

export function useRow(project: string, id: string, live: Live): OneRow {
  const { data, error, reload } = useAsk<RowsView>(`/web/in/${project}/rows?ids=${id}`, live.version);
  const [updates, setUpdate] = useState<RowUpdate | null>(null);
  useEffect(() => setUpdate(null), [data]);
  useEffect(() => live.watch([id], setUpdate), [id, live.watch]);
  const isGone = updates?.gone.includes(id) === true;
  const row = isGone ? null : (updates?.rows[0] ?? data?.rows[0] ?? null);
  return { row, isKnown: data !== null, error, reload };
}

export interface SomeRows {
  /** By their ids; null until they are known. A check that was deleted has none. */
  readonly rows: ReadonlyMap<string, CheckRow> | null;
  readonly error: string;
}

/** The rows of these checks, at most 100, kept by their updates: another map with each of them. */
export function useRowsOf(project: string, ids: readonly string[], live: Live): SomeRows {
  const names = ids.join(',');
  const { data, error } = useAsk<RowsView>(`/web/in/${project}/rows?ids=${names}`, live.version);
  const [rows, setRows] = useState<ReadonlyMap<string, CheckRow> | null>(null);
  useEffect(() => {
    if (data) setRows(new Map(data.rows.map((row) => [row.id, row])));
  }, [data]);
  useEffect(() => {
    live.watch(names.split(','), ({ rows: fresh, gone }) =>
      setRows((before) => {
        const after = new Map(before);
        for (const row of fresh) after.set(row.id, row);
        for (const id of gone) after.delete(id);
        return after;
      }),
    );
  }, [names, live.watch]);
  return { rows, error };
}

/** Rows whose updates are wanted: the server takes 8 kB of names. */
export const watchedMax = 180;

/** Returns all rows, oldest first. */
export function useAllRows(project: string, live: Live): readonly CheckRow[] {
  const { data, reload } = useAsk<RowsView>(`/web/in/${project}/rows`, live.version);
  const count = live.summary?.all ?? null;
  const reloadedFor = useRef<number | null>(null);
  // The rows are loaded again when a check was added or deleted: live updates cover only checks that are shown already.
  useEffect(() => {
    if (!data || count === null || count === data.rows.length || count === reloadedFor.current) return;
    reloadedFor.current = count;
    reload();
  }, [data, count]);
  const [rows, setRows] = useState<readonly CheckRow[]>([]);
  useEffect(() => {
    if (data) setRows(data.rows);
  }, [data]);
  useEffect(() => {
    const ids = (data?.rows ?? []).slice(0, watchedMax).map(({ id }) => id);
    live.watch(ids, ({ rows: fresh, gone }) => {
      const byId = new Map(fresh.map((row) => [row.id, row]));
      setRows((before) =>
        before.filter(({ id }) => !gone.includes(id)).map((row) => byId.get(row.id) ?? row),
      );
    });
  }, [data, live.watch]);
  return rows;
}
