/**
 * The connection over which the server says what changes: the counts of the project, and the checks that a page watches.
 * Invariant: whenever the connection is new, what is shown is asked for again (`version` grows), so that nothing said before is
 * missed.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckRow, ListSummary, LiveUpdates, PageState } from '../../domain/views/page-view.ts';
import { fromRoot } from './base-path.ts';
import { ask, isReachable } from './calls.ts';
import { retryPauseMs } from './live-retry.ts';
import { isUnsaved } from './typed.ts';

/** An update that a page that watches checks gets. */
export interface RowUpdate {
  readonly rows: readonly CheckRow[];
  readonly gone: readonly string[];
}

export interface Live {
  readonly connected: boolean;
  /** Time when the connection broke, from which what is shown dates; null while there is one, or before there was any. */
  readonly lostAtMs: number | null;
  /** A number that grows with every connection. */
  readonly version: number;
  /** The counts; null until they are known. */
  readonly summary: ListSummary | null;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  readonly offsetMs: number;
  /** From now on, updates of these checks go to `take`, in place of those watched before. */
  readonly watch: (ids: readonly string[], take: (updates: RowUpdate) => void) => void;
  /** Takes the counts that an answer of the server contained. */
  readonly learn: (summary: ListSummary) => void;
}

interface Wanted {
  /** Code of the project; empty for none. */
  readonly project: string;
  readonly csrf: string;
  readonly offsetMs: number;
  /** Called when it turns out that the project no longer exists, or that the session is another while something is not saved. */
  readonly gone: () => void;
}

/** Milliseconds without a try after the last, however often the browser says that it is online or that the tab is seen. */
const retryMsLeast = 300;
/** Milliseconds until a server that does not answer counts as one that cannot be reached: a network that drops everything hangs for minutes. */
const answerMsMax = 5000;
/** Milliseconds without an update after which an open connection is doubted. */
const silentMs = 20_000;

type State = Pick<Live, 'connected' | 'lostAtMs' | 'version' | 'summary' | 'offsetMs'>;

export function useLive({ project, csrf, offsetMs, gone }: Wanted): Live {
  const [state, setState] = useState<State>({
    connected: false,
    lostAtMs: null,
    version: 0,
    summary: null,
    offsetMs,
  });
  const line = useRef<Line | null>(null);
  const watched = useRef<Watched>({ ids: [], take: () => {} });
  useEffect(() => {
    if (project === '' || csrf === '') return;
    setState((before) => ({ ...before, summary: null }));
    const opened = new Line({
      project,
      csrf,
      gone,
      change: (next) => setState((before) => ({ ...before, ...next(before) })),
    });
    line.current = opened;
    // Effects of a page, which say what it wants to watch, run before this effect of the whole.
    opened.watch(watched.current);
    return () => opened.end();
  }, [project, csrf, gone]);
  const watching = useMemo(
    () => ({
      watch: (ids: readonly string[], take: (updates: RowUpdate) => void) => {
        watched.current = { ids, take };
        line.current?.watch(watched.current);
      },
      learn: (summary: ListSummary) => setState((before) => ({ ...before, summary })),
    }),
    [],
  );
  return { ...state, ...watching };
}

interface Watched {
  readonly ids: readonly string[];
  readonly take: (updates: RowUpdate) => void;
}

interface LineOptions extends Omit<Wanted, 'offsetMs'> {
  readonly change: (next: (before: State) => Partial<State>) => void;
}

class Line {
  readonly #options: LineOptions;
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #doubts: ReturnType<typeof setInterval>;
  /** Time at which the server was last known to be there. */
  #answeredAtMs = 0;
  #isDoubting = false;
  #hasEnded = false;
  /** Tries since there was a connection. */
  #tries = 0;
  #triedAtMs = 0;
  #watched = '';
  #take: (updates: RowUpdate) => void = () => {};

  constructor(options: LineOptions) {
    this.#options = options;
    addEventListener('online', this.#soon);
    addEventListener('offline', this.#lost);
    document.addEventListener('visibilitychange', this.#soon);
    this.#doubts = setInterval(() => {
      if (Date.now() - this.#answeredAtMs >= silentMs) void this.#doubt();
    }, silentMs / 2);
    this.#open();
  }

  /** The network is back, or somebody looks: the pause that is left is not waited for. */
  readonly #soon = (): void => {
    if (document.visibilityState === 'hidden') return;
    if (this.#isOpen()) void this.#doubt();
    if (this.#socket !== null && this.#socket.readyState <= WebSocket.OPEN) return;
    this.#tries = 0;
    this.#retryIn(Math.max(0, this.#triedAtMs + retryMsLeast - Date.now()));
  };

  #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * A connection stays open on a network that drops everything, and while a phone sleeps: only a question finds out. Nobody looks at
   * a tab that is hidden; it asks when it is seen.
   */
  async #doubt(): Promise<void> {
    const socket = this.#socket;
    if (this.#isDoubting || !this.#isOpen() || document.visibilityState === 'hidden') return;
    this.#isDoubting = true;
    const isThere = await isReachable(answerMsMax);
    this.#isDoubting = false;
    if (isThere) this.#answeredAtMs = Date.now();
    else if (this.#socket === socket) this.#drop(this.#answeredAtMs);
  }

  readonly #lost = (): void => {
    if (this.#isOpen()) this.#drop(Date.now());
  };

  /** Does not wait until the connection has closed, which takes as long as nothing arrives. */
  #drop(sinceMs: number): void {
    if (!this.#socket) return;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
    this.#closed(sinceMs);
  }

  #retryIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#retry(), ms);
  }

  /** Asks the server first: browsers make new connections wait for seconds once some have failed, but no requests. */
  async #retry(): Promise<void> {
    const { project, csrf, gone } = this.#options;
    const triedAtMs = Date.now();
    this.#triedAtMs = triedAtMs;
    const what = await over(project, csrf);
    // Another try has begun meanwhile.
    if (this.#hasEnded || this.#triedAtMs !== triedAtMs) return;
    if (what === 'unreachable') this.#retryIn(retryPauseMs(this.#tries++, Math.random()));
    else if (what === 'session' && isUnsaved()) {
      // The page finds out who is signed in, and keeps what is not saved.
      gone();
      this.#retryIn(retryPauseMs(this.#tries++, Math.random()));
    } else if (what === 'session') location.reload();
    else if (what === 'project') gone();
    else this.#open();
  }

  watch({ ids, take }: Watched): void {
    this.#take = take;
    const watched = ids.join(',');
    if (watched === this.#watched) return;
    this.#watched = watched;
    if (this.#isOpen()) this.#socket?.send(watched);
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    clearInterval(this.#doubts);
    removeEventListener('online', this.#soon);
    removeEventListener('offline', this.#lost);
    document.removeEventListener('visibilitychange', this.#soon);
    this.#socket?.close();
  }

  #open(): void {
    const { project, csrf, change } = this.#options;
    const query = new URLSearchParams({ project, csrf });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${fromRoot('/web/live')}?${query}`);
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#tries = 0;
      this.#answeredAtMs = Date.now();
      if (this.#watched !== '') socket.send(this.#watched);
      change(({ version }) => ({ connected: true, lostAtMs: null, version: version + 1 }));
    };
    socket.onmessage = ({ data }) => {
      this.#answeredAtMs = Date.now();
      this.#updates(JSON.parse(String(data)) as LiveUpdates);
    };
    socket.onclose = () => this.#closed(opened ? Date.now() : null);
    this.#socket = socket;
  }

  #updates({ rows = [], gone = [], summary, nowMs }: LiveUpdates): void {
    if (rows.length > 0 || gone.length > 0) this.#take({ rows, gone });
    if (summary) this.#options.change(() => ({ summary, offsetMs: nowMs - Date.now() }));
  }

  /** `sinceMs`: until when what it said was up to date; null if it was never open. */
  #closed(sinceMs: number | null): void {
    if (this.#hasEnded) return;
    const { change } = this.#options;
    change(({ lostAtMs }) => ({ connected: false, lostAtMs: lostAtMs ?? sinceMs }));
    this.#retryIn(retryPauseMs(this.#tries++, Math.random()));
  }
}

/**
 * Finds out why a connection ended or was refused, which it does not say: this session may be over, another may have taken its
 * place, or the project may have been deleted. Null means none of these.
 */
async function over(project: string, csrf: string): Promise<'unreachable' | 'session' | 'project' | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), answerMsMax));
  const state = await Promise.race([ask<PageState>('/web/state').catch(() => null), late]);
  if (!state) return 'unreachable';
  if (state.csrf !== csrf) return 'session';
  return state.projects.some(({ id }) => id === project) ? null : 'project';
}
