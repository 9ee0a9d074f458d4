/**
 * The requests of the page to the server: JSON in, JSON out, and the token against forged requests on every change.
 * Invariant: what the server refuses becomes an Error with its sentence, which can be shown. What could not be asked is asked
 * again by itself, ever less often; until then what is known stays, and the page says how old it is.
 */

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { capital } from '../../domain/words/capital.ts';
import { fromRoot } from './base-path.ts';
import { noteLacking, noteSeen, noteStale, seenLast } from './stale.ts';

/** Set by the page's state. It is module-wide, since a document has one session. */
let csrf = '';

export function setCsrf(token: string): void {
  csrf = token;
}

/** Name of the event for when the server no longer knows the session: the page then asks again who is signed in. */
export const sessionEnded = 'knell-session-ended';

let asking = 0;

/** Whether anything has been asked for and is not there yet. */
export function isAsking(): boolean {
  return asking > 0;
}

async function counted<T>(answer: Promise<T>): Promise<T> {
  asking++;
  try {
    return await answer;
  } finally {
    asking--;
  }
}

export async function ask<T>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  return counted(reached(path, { headers }).then(answered)) as Promise<T>;
}

/** Requests that were asked since the browser last did something else. */
const together = new Map<string, Promise<unknown>>();

/**
 * Asks as `ask` does. Several parts of a page that ask the same at the same moment get one answer, which is older for none of
 * them.
 */
export function callShared<T>(path: string): Promise<T> {
  const known = together.get(path);
  if (known) return known as Promise<T>;
  const asked = ask<T>(path);
  if (together.size === 0) setTimeout(() => together.clear());
  together.set(path, asked);
  return asked;
}

export async function askText(path: string): Promise<string> {
  return counted(reached(path, {}).then(textOf));
}

function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new Refusal(`the server answered ${response.status}`, '', response.status);
  return response.text();
}

export async function send<T>(method: 'POST' | 'DELETE', path: string, body: unknown = {}): Promise<T> {
  const response = await reached(path, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Knell-Csrf': csrf },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  return (await answered(response)) as T;
}

/**
 * An error for what the server refused or could not do. `field` names the field of a form that is to blame; it is empty if none
 * is.
 */
export class Refusal extends Error {
  readonly field: string;
  /** Status of HTTP. */
  readonly status: number;

  constructor(message: string, field: string, status = 400) {
    super(message);
    this.field = field;
    this.status = status;
  }
}

/** What is wrong where nothing answers, and what to do about it. */
export const unreachable = {
  server: { words: "Can't reach Knell", advice: 'Is it running? Try again in a moment.' },
  device: { words: 'This device is offline', advice: 'Try again once it has a network.' },
} as const;

function whyUnreachable(): (typeof unreachable)[keyof typeof unreachable] {
  return navigator.onLine ? unreachable.server : unreachable.device;
}

/** Whether the server answers within `withinMs`. What is asked for is small, and not counted by the limit of the API. */
export async function isReachable(withinMs: number): Promise<boolean> {
  try {
    await fetch(fromRoot('/manifest.webmanifest'), {
      cache: 'no-store',
      signal: AbortSignal.timeout(withinMs),
    });
    return true;
  } catch {
    return false;
  }
}

async function reached(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(fromRoot(path), { credentials: 'same-origin', ...init });
  } catch {
    throw notReached();
  }
}

function notReached(): Error {
  const { words, advice } = whyUnreachable();
  return new Error(`${words}. ${advice}`);
}

async function answered(response: Response): Promise<unknown> {
  const cut = Symbol('cut');
  const json: unknown = await response.json().catch(() => cut);
  // An answer that was cut off is none. A few have no body.
  if (response.ok && json === cut && response.headers.get('content-type')?.includes('json'))
    throw notReached();
  if (response.ok) return json === cut ? null : json;
  if (response.status === 401) dispatchEvent(new Event(sessionEnded));
  const said = new Map(Object.entries(typeof json === 'object' && json !== null ? json : {}));
  throw new Refusal(
    String(said.get('error') ?? `the server answered ${response.status}`),
    String(said.get('field') ?? ''),
    response.status,
  );
}

export function messageOf(error: unknown): string {
  return capital(
    (error instanceof Error ? error.message : String(error)).replace(/^json validation error: /, ''),
  );
}

const firstRetryMs = 2000;
/** Longest pause between two tries, in milliseconds: somebody may be looking at the page all the time. */
const lastRetryMs = 10_000;

export interface Retry {
  /** Called before each request, whatever its reason. */
  readonly asked: () => void;
  readonly answered: () => void;
  /**
   * The sentence to show in place of an answer; empty if there is an earlier answer, since the page then says how old it is. `seenAtMs`:
   * time of one that was seen before, which is shown then.
   */
  readonly failed: (reason: unknown, seenAtMs?: number | null) => string;
}

/**
 * Asks `ask`, which must be the same function all the time, again and again until it answers. What the server refused is not
 * tried again: it would refuse it again.
 */
export function useRetry(ask: () => void): Retry {
  const retry = useMemo(() => new Retrying(ask), [ask]);
  useEffect(() => () => retry.end(), [retry]);
  return retry;
}

class Retrying implements Retry {
  readonly #ask: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs = firstRetryMs;
  #answeredAtMs: number | null = null;
  #isSeen = false;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  readonly asked = (): void => clearTimeout(this.#timer);

  readonly answered = (): void => {
    this.#waitMs = firstRetryMs;
    this.#answeredAtMs = Date.now();
    this.#isSeen = false;
    noteStale(this, null);
    noteLacking(this, null);
  };

  readonly failed = (reason: unknown, seenAtMs: number | null = null): string => {
    clearTimeout(this.#timer);
    if (reason instanceof Refusal && reason.status < 500) {
      noteStale(this, null);
      noteLacking(this, null);
      return messageOf(reason);
    }
    this.#timer = setTimeout(this.#ask, this.#waitMs);
    this.#waitMs = Math.min(2 * this.#waitMs, lastRetryMs);
    const why = reason instanceof Refusal ? messageOf(reason) : whyUnreachable().words;
    if (this.#answeredAtMs === null) {
      this.#answeredAtMs = seenAtMs;
      this.#isSeen = seenAtMs !== null;
    }
    const atMs = this.#answeredAtMs;
    noteStale(this, atMs === null ? null : { atMs, why, isSeen: this.#isSeen });
    noteLacking(this, this.#answeredAtMs === null ? '' : null);
    if (this.#answeredAtMs !== null) return '';
    // Of a device without a network nobody knows whether the server runs.
    const isServer = why === unreachable.server.words;
    return isServer ? `${why}. Is it running? Trying again…` : `${why}. Trying again…`;
  };

  end(): void {
    clearTimeout(this.#timer);
    noteStale(this, null);
    noteLacking(this, null);
  }
}

export interface Asked<T> {
  readonly data: T | null;
  /** When `data` was asked for, in milliseconds of `performance.now`; 0 without it. */
  readonly askedAtMs: number;
  readonly error: string;
  readonly reload: () => void;
  /** Reloads, and waits until the answer is there, could not be had, or is wanted no more. */
  readonly reloaded: () => Promise<void>;
}

/**
 * Returns what `path` answers. It is asked again when `path` or `version` changes, and when it could not be asked. What is known
 * stays until the new answer is there.
 */
export function useAsk<T>(path: string, version: unknown = 0): Asked<T> {
  return useAsked(path, version, false);
}

/** The same, of a page that one may come back to without a network: it has then what was seen of it last. It is for no form. */
export function useSeen<T>(path: string, version: unknown = 0): Asked<T> {
  return useAsked(path, version, true);
}

function useAsked<T>(path: string, version: unknown, isKept: boolean): Asked<T> {
  const [found, setFound] = useState<Pick<Asked<T>, 'data' | 'askedAtMs'>>({ data: null, askedAtMs: 0 });
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const { asked, answered, failed } = useRetry(reload);
  const waiting = useMemo(() => new Waiting(), []);
  useEffect(() => waiting.end, [waiting]);
  const reloaded = useCallback((): Promise<void> => {
    reload();
    return waiting.wait();
  }, [waiting]);
  useEffect(() => {
    let current = true;
    const those = waiting.asked();
    const askedAtMs = performance.now();
    asked();
    callShared<T>(path)
      .then(
        (answer) => {
          if (!current) return;
          if (isKept) noteSeen(path, answer);
          setFound({ data: answer, askedAtMs });
          setError('');
          answered();
        },
        (reason: unknown) => {
          if (!current) return;
          const last = isKept ? seenLast<T>(path) : null;
          const words = failed(reason, last?.atMs);
          setError(words);
          if (last && words === '')
            setFound((before) => (before.data ? before : { data: last.answer, askedAtMs: 0 }));
        },
      )
      .then(() => current && those.answered());
    return () => {
      current = false;
      those.dropped();
    };
  }, [path, version, round]);
  return { ...found, error, reload, reloaded };
}

/** Those who wait for an answer that was asked for after they began to: a later question takes them over, and the end lets them go. */
class Waiting {
  #all: readonly (() => void)[] = [];
  #isOver = false;

  readonly wait = (): Promise<void> =>
    new Promise((done) => {
      if (this.#isOver) done();
      else this.#all = [...this.#all, done];
    });

  /** Returns what is called when the answer to the question that is asked now is there, and when it is wanted no more. */
  asked(): { readonly answered: () => void; readonly dropped: () => void } {
    let mine = this.#all;
    this.#all = [];
    const answered = (): void => {
      for (const done of mine) done();
      mine = [];
    };
    const dropped = (): void => {
      if (this.#isOver) answered();
      else this.#all = [...mine, ...this.#all];
    };
    return { answered, dropped };
  }

  readonly end = (): void => {
    this.#isOver = true;
    for (const done of this.#all) done();
  };
}
