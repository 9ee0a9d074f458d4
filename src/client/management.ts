/**
 * The management API as commands use it, whichever way they reach it: by HTTP with a key, or over a server's socket.
 * Invariant: what a command prints depends on the answers only, so that both ways print the same.
 */

import type { CheckAnswer, ReadOnlyCheckAnswer } from '../domain/views/api-answers.ts';
import { KnellError } from '../lib/errors.ts';
import { type ClientResponse, sendRequest } from './http-client.ts';
import { managementMs } from './limits.ts';

/** A check as the API shows it, found by its UUID; only to a read-only key by its unique key instead, and without what that may not see. */
export type ApiCheck = Omit<CheckAnswer, OnlyReadWrite> & Partial<Pick<CheckAnswer, OnlyReadWrite>>;
type OnlyReadWrite = Exclude<keyof CheckAnswer, keyof ReadOnlyCheckAnswer | 'uuid'>;

export interface ProjectRef {
  /** Empty where the key decides: the API does not show projects. */
  readonly id: string;
  readonly name: string;
}

export interface Management {
  /** Projects that the caller may see; never empty. */
  projects(): Promise<readonly ProjectRef[]>;
  /** `path` below `/api/v3/`. Rejects with a KnellError in the words of the API. */
  call(
    project: ProjectRef,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    json?: Readonly<Record<string, unknown>>,
  ): Promise<unknown>;
  /** What a GET answers, as it is: the body of a ping is no JSON. Rejects as `call` does. */
  text(project: ProjectRef, path: string): Promise<string>;
  close(): Promise<void>;
}

/** An error that the server would repeat if it were asked again. */
class Refusal extends KnellError {}

/** Whether it is of no use to ask again later. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Refusal;
}

const transient = [408, 429];
const missingKey = 'missing api key';

/** The JSON of an answer. Throws what it says is wrong: 400 as wrong use. */
export function jsonOfAnswer(status: number, body: string): unknown {
  if (status >= 200 && status < 300) return parsedJson(body);
  const said = parsedJson(body);
  const error =
    typeof said === 'object' && said !== null && 'error' in said && typeof said.error === 'string'
      ? said.error
      : `the server answered ${status}`;
  // So the server calls one that cannot be any, too.
  if (error === missingKey)
    throw new Refusal('conflict', `${missingKey}: the one that was given is none, see knell key create`);
  const code = status === 400 ? 'usage' : status === 404 ? 'not-found' : 'conflict';
  if (status >= 400 && status < 500 && !transient.includes(status)) throw new Refusal(code, error);
  throw new KnellError(code, error);
}

/** The text of an answer. Throws as `jsonOfAnswer` does. */
export function textOfAnswer(status: number, body: string): string {
  if (status < 200 || status >= 300) jsonOfAnswer(status, body);
  return body;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface RemoteOptions {
  /** Knell's URL. */
  readonly server: string;
  readonly key: string;
}

/** The API with a key, which is one of a project. */
export function remoteManagement({ server, key }: RemoteOptions): Management {
  const base = baseOf(server);
  const send = (method: string, path: string, body?: string): Promise<ClientResponse> =>
    sendRequest(new URL(`${base}/api/v3/${path}`), {
      method,
      headers: { 'X-Api-Key': key },
      ...(body === undefined ? {} : { body }),
      timeoutMs: managementMs,
    });
  return {
    projects: async () => [{ id: '', name: '' }],
    async call(_project, method, path, json) {
      const answer = await send(method, path, json === undefined ? undefined : JSON.stringify(json));
      return jsonOfAnswer(answer.status, answer.body);
    },
    async text(_project, path) {
      const answer = await send('GET', path);
      return textOfAnswer(answer.status, answer.body);
    },
    close: async () => {},
  };
}

function baseOf(server: string): string {
  let url: URL;
  try {
    url = new URL(server);
  } catch {
    throw noUrl();
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw noUrl();
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api(?:\/v\d)?$/, '');
}

function noUrl(): KnellError {
  return new KnellError(
    'usage',
    'the server must be a URL such as https://knell.example.org: see KNELL_SERVER',
  );
}
