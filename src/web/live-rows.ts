/**
 * The project's checks as they are now: read at once, and kept by the news that the server publishes.
 * Invariant: whenever the connection is new all rows are read anew, so that nothing said before is missed; the order of
 * rows is that of their making, so that news never move one.
 */
import { useEffect, useState } from 'preact/hooks';
import type { CheckRow, LiveNews } from '../domain/page-view.ts';
import { ask, messageOf } from './door.ts';

export interface LiveRows {
  /** Null until they are there. */
  readonly rows: readonly CheckRow[] | null;
  readonly connected: boolean;
  readonly error: string;
  /** The server's clock less the browser's. */
  readonly offsetMs: number;
}

const retryMs = 2000;
const nothing: LiveRows = { rows: null, connected: false, error: '', offsetMs: 0 };

export function useLiveRows(project: string, csrf: string, offsetMs: number): LiveRows {
  const [live, setLive] = useState<LiveRows>({ ...nothing, offsetMs });
  useEffect(() => {
    if (project === '' || csrf === '') return;
    setLive({ ...nothing, offsetMs });
    return listen({ project, csrf, change: setLive });
  }, [project, csrf, offsetMs]);
  return live;
}

interface Listening {
  readonly project: string;
  readonly csrf: string;
  readonly change: (next: (before: LiveRows) => LiveRows) => void;
}

/** Returns what ends it. */
function listen({ project, csrf, change }: Listening): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const path = `/web/in/${project}/rows`;
  const open = (): void => {
    const query = new URLSearchParams({ project, csrf });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}/web/live?${query}`);
    const early: LiveNews[] = [];
    let read = false;
    socket.onopen = () => {
      ask<{ rows: CheckRow[] }>(path).then(
        ({ rows }) => {
          read = true;
          change((before) => early.reduce(withNews, { ...before, rows, connected: true, error: '' }));
        },
        (error: unknown) => change((before) => ({ ...before, error: messageOf(error) })),
      );
    };
    socket.onmessage = ({ data }) => {
      const news = JSON.parse(String(data)) as LiveNews;
      if (read) change((before) => withNews(before, news));
      else early.push(news);
    };
    socket.onclose = () => {
      if (ended) return;
      change((before) => ({ ...before, connected: false }));
      timer = setTimeout(open, retryMs);
    };
  };
  // Without waiting for the connection: the browser has asked for these with the page. Errors are told by the reading
  // that follows.
  ask<{ rows: CheckRow[] }>(path).then(
    ({ rows }) => !ended && change((before) => (before.rows === null ? { ...before, rows } : before)),
    () => {},
  );
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket?.close();
  };
}

export function withNews(before: LiveRows, { rows, gone, nowMs }: LiveNews): LiveRows {
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const left = new Set(gone);
  const kept: CheckRow[] = [];
  for (const row of before.rows ?? []) {
    if (left.has(row.id)) continue;
    kept.push(fresh.get(row.id) ?? row);
    fresh.delete(row.id);
  }
  return { ...before, rows: [...kept, ...fresh.values()], offsetMs: nowMs - Date.now() };
}
