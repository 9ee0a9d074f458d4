/**
 * One request and its answer, straight to the server or through a proxy: plain HTTP in the proxy's own way, HTTPS through a
 * tunnel, in which the proxy sees neither keys nor contents. Not here: redirects, the time it may take (`http-client`).
 * Invariant: a failure is a KnellError that names who failed: the server or the proxy; no password of a proxy is in it.
 */

import { request as httpRequest, type IncomingHttpHeaders, type ClientRequest as Outgoing } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { KnellError, messageOf, systemCode } from '../lib/errors.ts';
import { responseBytesMax } from './limits.ts';
import { proxyFor } from './proxy.ts';

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export async function exchange(url: URL, sent: Exchange): Promise<ClientResponse> {
  try {
    return await directOrProxied(url, sent);
  } catch (error) {
    throw failure(url.host, error);
  }
}

async function directOrProxied(url: URL, sent: Exchange): Promise<ClientResponse> {
  const proxy = proxyFor(url, process.env);
  const { method, signal } = sent;
  const headers = { ...sent.headers, 'Content-Length': String(sent.body.length) };
  const send = senderFor(url);
  if (proxy === null) return answerOf(send(url, { method, signal, headers, agent: false }), url.host, sent);
  if (url.protocol === 'https:') {
    const socket = await tunnel(url, proxy, signal);
    const createConnection = (): Socket => secured(socket, url);
    return answerOf(send(url, { method, signal, headers, createConnection }), url.host, sent);
  }
  const ofProxy = { ...headers, Host: url.host, ...authorization(proxy) };
  const options = { method, signal, headers: ofProxy, path: url.href, agent: false };
  return answerOf(senderFor(proxy)(originOf(proxy), options), nameOf(proxy), sent);
}

function senderFor({ protocol }: URL): typeof httpRequest {
  return protocol === 'https:' ? httpsRequest : httpRequest;
}

/** The origin without the user, whose password Node would send in its own way. */
function originOf({ origin }: URL): URL {
  return new URL(origin);
}

function nameOf({ host }: URL): string {
  return `the proxy ${host}`;
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function tunnel({ hostname, port }: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const path = `${hostname}:${port || 443}`;
  const headers = { Host: path, ...authorization(proxy) };
  return new Promise((resolve, reject) => {
    const outgoing = senderFor(proxy)(originOf(proxy), {
      method: 'CONNECT',
      path,
      headers,
      signal,
      agent: false,
    });
    const refuse = (status: number | undefined): void => {
      outgoing.destroy();
      reject(new KnellError('conflict', `${nameOf(proxy)} answered ${status} for ${path}`));
    };
    outgoing.once('error', (error) => reject(failure(nameOf(proxy), error)));
    outgoing.once('response', ({ statusCode }) => refuse(statusCode));
    outgoing.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else refuse(statusCode);
    });
    outgoing.end();
  });
}

function secured(socket: Socket, { hostname }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  return connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

function answerOf(outgoing: Outgoing, from: string, { body }: Exchange): Promise<ClientResponse> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(failure(from, error));
    outgoing.once('error', fail);
    outgoing.once('response', (incoming) => {
      const parts: Buffer[] = [];
      let length = 0;
      incoming.on('data', (part: Buffer) => {
        length += part.length;
        if (length <= responseBytesMax) parts.push(part);
        else outgoing.destroy(new KnellError('conflict', `the answer of ${from} is too large`));
      });
      incoming.once('error', fail);
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.end(body);
  });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'is not a known host name',
  EAI_AGAIN: 'cannot be looked up: the name servers do not answer',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'cannot be reached',
};

function failure(from: string, error: unknown): KnellError {
  if (error instanceof KnellError) return error;
  const code = systemCode(error);
  const text = `${from} ${reasons[code] ?? `cannot be reached: ${code || messageOf(error)}`}`;
  return new KnellError('not-found', text, { cause: error });
}
