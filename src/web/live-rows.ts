/**
 * The project's checks as they are now: read at once, and kept by the news that the server publishes.
 * Invariant: whenever the connection is new all rows are read anew, so that nothing said before is missed; the order of
 * rows is that of their making, so that news never move one.
 */

import { useEffect, useState } from 'preact/hooks';
import type { CheckRow, LiveNews, PageState } from '../domain/page-view.ts';
import { fromRoot } from './base-path.ts';
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
/** News come in parts, many in a second while much changes, and each costs a look at every row. */
const takeEveryMs = 100;
const nothing: LiveRows = { rows: null, connected: false, lost: false, error: '', offsetMs: 0 };

interface Wanted {
  /** Empty for none. */
  readonly project: string;
  readonly csrf: string;
  readonly offsetMs: number;
  /** Called when the project turns out to be no more. */
  readonly gone: () => void;
}

export function useLiveRows({ project, csrf, offsetMs, gone }: Wanted): LiveRows {
  const [{ of, live }, setLive] = useState({ of: '', live: nothing });
  useEffect(() => {
    if (project === '' || csrf === '') return;
    setLive({ of: project, live: { ...nothing, offsetMs } });
    return listen({
      project,
      csrf,
      gone,
      change: (next) => setLive((before) => ({ ...before, live: next(before.live) })),
    });
  }, [project, csrf, offsetMs, gone]);
  return of === project ? live : { ...nothing, offsetMs };
}

interface Listening extends Omit<Wanted, 'offsetMs'> {
  readonly change: (next: (before: LiveRows) => LiveRows) => void;
}

/** Returns what ends it. */
function listen({ project, csrf, gone, change }: Listening): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const path = `/web/in/${project}/rows`;
  const open = (): void => {
    const query = new URLSearchParams({ project, csrf });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}${fromRoot('/web/live')}?${query}`);
    const news = gathered((all) => change((before) => withNews(before, all)));
    let opened = false;
    socket.onopen = () => {
      opened = true;
      ask<{ rows: CheckRow[] }>(path).then(
        ({ rows }) => {
          change((before) => ({ ...before, rows, connected: true, lost: false, error: '' }));
          news.release();
        },
        (error: unknown) => change((before) => ({ ...before, error: messageOf(error) })),
      );
    };
    socket.onmessage = ({ data }) => news.add(JSON.parse(String(data)) as LiveNews);
    socket.onclose = () => {
      news.end();
      if (ended) return;
      change((before) => ({ ...before, connected: false, lost: before.lost || opened }));
      timer = setTimeout(open, retryMs);
      void over(project, csrf).then((what) => {
        if (ended || what === null) return;
        if (what === 'session') location.reload();
        else gone();
      });
    };
  };
  // Without waiting for the connection: the browser has asked for these with the page. Errors are reported by the request
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

/**
 * A connection that ends or is refused does not say why: it may be that this session is over, that another has taken its
 * place, or that the project was deleted. Null: neither, or unknown.
 */
async function over(project: string, csrf: string): Promise<'session' | 'project' | null> {
  const state = await ask<PageState>('/web/state').catch(() => null);
  if (!state) return null;
  if (state.csrf !== csrf) return 'session';
  return state.projects.some(({ id }) => id === project) ? null : 'project';
}

/** Holds news back until the rows are there that they are news of, and then takes what came at once as one. */
function gathered(take: (news: LiveNews) => void) {
  let waiting: LiveNews[] = [];
  let held = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const takeAll = (): void => {
    timer = undefined;
    const last = waiting.at(-1);
    if (!last) return;
    take({
      rows: waiting.flatMap(({ rows }) => rows),
      gone: waiting.flatMap(({ gone }) => gone),
      nowMs: last.nowMs,
    });
    waiting = [];
    timer = setTimeout(takeAll, takeEveryMs);
  };
  return {
    add(news: LiveNews): void {
      waiting.push(news);
      if (!held && timer === undefined) takeAll();
    },
    release(): void {
      held = false;
      takeAll();
    },
    end(): void {
      held = true;
      waiting = [];
      clearTimeout(timer);
    },
  };
}

/** What is gone stays gone: ids are never given twice. */
export function withNews(before: LiveRows, { rows, gone, nowMs }: LiveNews): LiveRows {
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const left = new Set(gone);
  const kept: CheckRow[] = [];
  for (const row of before.rows ?? []) {
    if (left.has(row.id)) continue;
    kept.push(fresh.get(row.id) ?? row);
    fresh.delete(row.id);
  }
  const made = [...fresh.values()].filter(({ id }) => !left.has(id));
  return { ...before, rows: [...kept, ...made], offsetMs: nowMs - Date.now() };
}
