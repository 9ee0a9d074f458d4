/**
 * How the page asks the server: JSON in, JSON out, the token against forged requests on every change.
 * Invariant: what the server refuses becomes an Error with its sentence, which is fit to be shown.
 */

import { useCallback, useEffect, useState } from 'preact/hooks';
import { fromRoot } from './base-path.ts';
import { capital } from './words.ts';

/** Set by the page's state; module-wide, since a document has one session. */
let csrf = '';

export function setCsrf(token: string): void {
  csrf = token;
}

/** What is dispatched when the server no longer knows the session: the page asks again who is signed in. */
export const sessionEnded = 'knell-session-ended';

export async function ask<T>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  return (await answered(await reached(path, { headers }))) as T;
}

/** Asked since the browser last did something else. */
const together = new Map<string, Promise<unknown>>();

/** As `ask`. Several parts of a page that ask the same at the same moment get one answer: it is older for none of them. */
export function callShared<T>(path: string): Promise<T> {
  const known = together.get(path);
  if (known) return known as Promise<T>;
  const asked = ask<T>(path);
  if (together.size === 0) setTimeout(() => together.clear());
  together.set(path, asked);
  return asked;
}

export async function askText(path: string): Promise<string> {
  const response = await reached(path, {});
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
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

/** What the server did not take; `field` names what of a form is to blame, empty for nothing alone. */
export class Refusal extends Error {
  readonly field: string;

  constructor(message: string, field: string) {
    super(message);
    this.field = field;
  }
}

async function reached(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(fromRoot(path), { credentials: 'same-origin', ...init });
  } catch {
    throw new Error("Can't reach Knell. Is it running? Try again in a moment.");
  }
}

async function answered(response: Response): Promise<unknown> {
  const json: unknown = await response.json().catch(() => null);
  if (response.ok) return json;
  if (response.status === 401) dispatchEvent(new Event(sessionEnded));
  const said = new Map(Object.entries(typeof json === 'object' && json !== null ? json : {}));
  throw new Refusal(
    String(said.get('error') ?? `the server answered ${response.status}`),
    String(said.get('field') ?? ''),
  );
}

export function messageOf(error: unknown): string {
  return capital(
    (error instanceof Error ? error.message : String(error)).replace(/^json validation error: /, ''),
  );
}

export interface Asked<T> {
  readonly data: T | null;
  readonly error: string;
  readonly reload: () => void;
}

/** What `path` answers, asked anew when it or `version` changes. What is known stays until the new answer is there. */
export function useAsk<T>(path: string, version: unknown = 0): Asked<T> {
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    callShared<T>(path).then(
      (answer) => {
        if (!current) return;
        setData(answer);
        setError('');
      },
      (reason: unknown) => current && setError(messageOf(reason)),
    );
    return () => {
      current = false;
    };
  }, [path, version, round]);
  return { data, error, reload: useCallback(() => setRound((before) => before + 1), []) };
}
