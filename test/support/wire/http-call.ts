/**
 * A request as the server would hand it to a route, and its reply in a form that tests can compare.
 */

import type { HttpReply, HttpRequest, Route } from '../../../src/http/wire/message.ts';
import { wholeOf } from '../../../src/http/wire/write-reply.ts';
import { mustAgree } from './api-agreement.ts';

/** Every call on one check, by its method and what follows the check's address. */
export const callsOnOneCheck: readonly (readonly [method: string, tail: string])[] = [
  ['GET', ''],
  ['POST', ''],
  ['DELETE', ''],
  ['POST', '/pause'],
  ['POST', '/resume'],
  ['POST', '/acknowledge'],
  ['POST', '/unacknowledge'],
  ['POST', '/snooze'],
  ['POST', '/unsnooze'],
  ['GET', '/snooze'],
  ['GET', '/pings/'],
  ['GET', '/pings/1/body'],
  ['GET', '/flips/'],
];

export interface Sent {
  readonly method?: string;
  /** With its query, if any. */
  readonly url: string;
  readonly key?: string | null;
  readonly body?: string | Uint8Array;
  readonly json?: unknown;
  readonly bodyCut?: boolean;
  readonly clientAddr?: string;
  readonly atMs?: number;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
}

export async function send(route: Route, sent: Sent): Promise<Received> {
  const answer = received(await route(httpRequest(sent)));
  mustAgree(sent.method ?? 'GET', sent.url, { ...answer, header: (name) => answer.headers[name] ?? null });
  return answer;
}

export function httpRequest(sent: Sent): HttpRequest {
  const [path = '', query = ''] = sent.url.split(/\?(.*)/s);
  const body = sent.json === undefined ? (sent.body ?? '') : JSON.stringify(sent.json);
  return {
    method: sent.method ?? 'GET',
    path,
    query,
    apiKey: sent.key ?? null,
    userAgent: '',
    scheme: 'http',
    remoteAddr: '192.0.2.1',
    clientAddr: sent.clientAddr ?? '192.0.2.1',
    body: Buffer.from(body),
    headers: {},
    trusted: false,
    bodyCut: sent.bodyCut ?? false,
    receivedAtMs: sent.atMs ?? 0,
  };
}

function received(reply: HttpReply): Received {
  const text = Buffer.from(wholeOf(reply.body)).toString();
  const headers = Object.fromEntries(reply.headers);
  const isJson = headers['Content-Type'] === 'application/json' && text !== '';
  return { status: reply.status, headers, text, json: isJson ? JSON.parse(text) : null };
}
