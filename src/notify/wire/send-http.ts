/**
 * The one HTTP client for what leaves Knell: bounded in time and size, and refusing addresses that it may not reach.
 * Not what is sent, nor what a response means (`http-response`). It takes `mqtt:` addresses, too (`send-mqtt`), as curl does.
 * Invariant: the address that was checked is the address that is connected to, on every redirect anew.
 *
 * `node:http` with a look-up of its own rather than `fetch`: that cannot be given the address to use.
 */

import { lookup as resolve } from 'node:dns';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { blockedWords } from '../../domain/deliveries/blocked-words.ts';
import type { BlockedHost } from '../../domain/deliveries/sent-notification.ts';
import type { CidrList } from '../../lib/addresses.ts';
import { messageOf } from '../../lib/errors.ts';
import { type HttpLimits, idleSocketMs, idleSocketsMax, refusalMsMax } from '../contract/limits.ts';
import { mayReach } from './blocked-addresses.ts';
import { Deadline } from './deadline.ts';
import { networkErrorText } from './network-error.ts';
import { publish } from './send-mqtt.ts';

export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. */
  readonly body: string | Uint8Array | null;
  /** The URL was set by the operator, not by an integration's value: any network is allowed. */
  readonly trusted?: boolean;
  /** Bytes of the response's body that are read; by default `limits.notify.http.responseBytesMax`. */
  readonly bytesMax?: number;
}

export interface HttpResponse {
  readonly status: number;
  /** What follows the number in its first line; empty, or absent, for nothing. */
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The address may not be reached: the owner of the integration can mend it, time cannot. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

/** Resolves to the response, whatever its status; rejects when there is none. Messages name hosts and codes, never a path or a header. */
export type SendHttp = (request: OutgoingRequest, signal: AbortSignal) => Promise<HttpResponse>;

interface Agents {
  readonly lookup: LookupFunction;
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export interface HttpClient {
  readonly send: SendHttp;
  /** Why nothing will be sent to `url`: its address is blocked. Null when it is not, or cannot be resolved now. */
  refusal(url: string): Promise<BlockedHost | null>;
  close(): void;
}

export function createHttpClient(limits: HttpLimits, allowed: CidrList): HttpClient {
  const guarded = agents((address) => mayReach(address, allowed));
  const open = agents(() => true);
  const client: Client = { limits, agentsFor: (trusted) => (trusted ? open : guarded), allowed };
  return {
    send: (request, signal) => follow(client, request, signal),
    refusal: (url) => refusal(url, (address) => mayReach(address, allowed)),
    close() {
      for (const { http, https } of [guarded, open]) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

function agents(isOpen: (address: string) => boolean): Agents {
  const lookup = guardedLookup(isOpen);
  const options = {
    keepAlive: true,
    maxFreeSockets: idleSocketsMax,
    timeout: idleSocketMs,
    scheduling: 'lifo' as const,
    lookup,
  };
  return { lookup, http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** Resolves a name and lets through only what may be reached. */
function guardedLookup(isOpen: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) {
        callback(error, []);
        return;
      }
      const usable = found.filter(({ address }) => isOpen(address));
      const [first] = usable;
      if (!first) callback(new BlockedAddress(blockedText(hostname)), []);
      else if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

async function refusal(url: string, isOpen: (address: string) => boolean): Promise<BlockedHost | null> {
  const host = hostOf(new URL(url));
  const found = isIP(host) === 0 ? await addressesOf(host) : [host];
  const addresses = [...new Set(found)];
  return addresses.length > 0 && !addresses.some(isOpen) ? { text: blockedText(host), addresses } : null;
}

function addressesOf(host: string): Promise<readonly string[]> {
  return new Promise((done) => {
    const timer = setTimeout(() => done([]), refusalMsMax);
    resolve(host, { all: true }, (error, found) => {
      clearTimeout(timer);
      done(error ? [] : found.map(({ address }) => address));
    });
  });
}

/** An IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function blockedText(host: string): string {
  return blockedWords(host, isIP(host) !== 0);
}

interface Client {
  readonly limits: HttpLimits;
  readonly allowed: CidrList;
  agentsFor(trusted: boolean): Agents;
}

async function follow(client: Client, first: OutgoingRequest, stop: AbortSignal): Promise<HttpResponse> {
  const deadline = new Deadline(client.limits.totalMs, stop);
  let request = first;
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await once(client, request, deadline);
      const next = redirected(request, response);
      if (next === null) return response;
      if (redirects === client.limits.redirectsMax) throw new Error('too many redirects');
      request = next;
    }
  } catch (error) {
    throw deadline.isOver
      ? new Error(`no response within ${client.limits.totalMs / 1000} s`)
      : readable(error);
  } finally {
    deadline.clear();
  }
}

/** Node's errors say what a person can use, mostly. */
function readable(error: unknown): unknown {
  if (error instanceof BlockedAddress) return error;
  return new Error(networkErrorText(error) ?? messageOf(error));
}

function once(client: Client, request: OutgoingRequest, deadline: Deadline): Promise<HttpResponse> {
  const url = new URL(request.url);
  const host = hostOf(url);
  if (!request.trusted && isIP(host) !== 0 && !mayReach(host, client.allowed))
    return Promise.reject(new BlockedAddress(blockedText(host)));
  const { http, https, lookup } = client.agentsFor(request.trusted === true);
  if (/^mqtts?:$/.test(url.protocol)) {
    const controller = new AbortController();
    deadline.onEnd(() => controller.abort());
    const options = { lookup, connectMs: client.limits.connectMs, signal: controller.signal };
    return publish(request, options).then((status) => ({ status, headers: {}, body: '' }));
  }
  const [open, agent] = url.protocol === 'https:' ? [requestHttps, https] : [requestHttp, http];
  const options = { method: request.method, headers: headersOf(request), agent };
  return new Promise((resolve, reject) => {
    const outgoing = open(url, options);
    deadline.onEnd(() => outgoing.destroy(new Error('the request was aborted')));
    outgoing.on('error', reject);
    limitConnecting(outgoing, client.limits.connectMs);
    outgoing.on('response', (incoming) => {
      read(incoming, request.bytesMax ?? client.limits.responseBytesMax).then(resolve, reject);
    });
    outgoing.end(request.body ?? undefined);
  });
}

function headersOf({ headers, body }: OutgoingRequest): Record<string, string> {
  const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return { 'User-Agent': 'Knell', ...headers, ...length };
}

function limitConnecting(outgoing: ClientRequest, connectMs: number): void {
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`no connection within ${connectMs / 1000} s`)),
      connectMs,
    );
    const done = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', done);
    socket.once('close', done);
  });
}

function read(incoming: IncomingMessage, bytesMax: number): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      const headers: Record<string, string | undefined> = {};
      for (const name of ['location', 'retry-after'])
        headers[name] = [incoming.headers[name] ?? []].flat()[0];
      const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
      resolve({ status, statusText, headers, body: Buffer.concat(parts).toString() });
    };
    incoming.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes <= bytesMax) return;
      finish();
      incoming.destroy();
    });
    incoming.on('end', finish);
    incoming.on('error', reject);
  });
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** The request that a browser would make next; null if there is none. */
function redirected(request: OutgoingRequest, { status, headers }: HttpResponse): OutgoingRequest | null {
  const { location } = headers;
  if (!redirects.includes(status) || location === undefined) return null;
  if (!URL.canParse(location, request.url)) return null;
  const to = new URL(location, request.url);
  if (!/^https?:$/.test(to.protocol))
    throw new BlockedAddress(`a redirect to ${to.protocol} is not followed`);
  const keepsBody = status === 307 || status === 308 || request.method === 'GET';
  const isOtherOrigin = to.origin !== new URL(request.url).origin;
  return {
    method: keepsBody ? request.method : 'GET',
    url: to.href,
    headers: passedOn(request.headers, { keepsBody, isOtherOrigin }),
    body: keepsBody ? request.body : null,
    // The person who set the first address did not set this one.
    ...(request.trusted && !isOtherOrigin ? { trusted: true } : {}),
  };
}

interface Passing {
  readonly keepsBody: boolean;
  readonly isOtherOrigin: boolean;
}

/** Secrets stay with the host they are for: to another one go only what names the content and the delivery. */
function passedOn(
  headers: OutgoingRequest['headers'],
  { keepsBody, isOtherOrigin }: Passing,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      const lower = name.toLowerCase();
      if (lower.startsWith('content-')) return keepsBody;
      return !isOtherOrigin || lower === 'idempotency-key' || lower === 'accept';
    }),
  );
}
