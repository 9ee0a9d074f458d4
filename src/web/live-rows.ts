/**
 * The project's checks as they are now: read at once, and kept by the news that the server publishes.
 * Invariant: whenever the connection is new all rows are read anew, so that nothing said before is missed; the order of
 * rows is that of their making, so that news never move one.
 */
import { useEffect, useState } from 'preact/hooks';
import type { CheckRow, LiveNews, PageState } from '../domain/page-view.ts';
import { ask, messageOf } from './door.ts';

export interface LiveRows {
  /** Null until they are there. */
  readonly rows: readonly CheckRow[] | null;
  readonly connected: boolean;
  /** There was a connection, and it broke: what is shown is as it was then. */
  readonly lost: boolean;
  readonly error: string;
  /** The server's clock less the browser's. */
  readonly offsetMs: number;
}

const retryMs = 2000;
const nothing: LiveRows = { rows: null, connected: false, lost: false, error: '', offsetMs: 0 };

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
    let opened = false;
    socket.onopen = () => {
      opened = true;
      ask<{ rows: CheckRow[] }>(path).then(
        ({ rows }) => {
          read = true;
          change((before) =>
            early.reduce(withNews, { ...before, rows, connected: true, lost: false, error: '' }),
          );
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
      change((before) => ({ ...before, connected: false, lost: before.lost || opened }));
      timer = setTimeout(open, retryMs);
      if (!opened) void leaveIfOver(csrf);
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

/** A refused connection does not say why: it may be that this session is over, or that another has taken its place. */
async function leaveIfOver(csrf: string): Promise<void> {
  const state = await ask<PageState>('/web/state').catch(() => null);
  if (state && state.csrf !== csrf) location.reload();
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
