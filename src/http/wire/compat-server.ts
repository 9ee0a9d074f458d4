/**
 * The second HTTP listener, on `node:http`. It takes what uWebSockets.js refuses, such as HTTP/1.0, a request line in two
 * packets, absolute-form, pipelining and trailers. It is slower, so it is not the first one. The mounts decide what a path
 * means.
 * Invariant: a request that both listeners take is the same plain value, and gets the same reply. Live updates are the one
 * exception: this listener has no WebSockets, and says so.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { addressBytes, type ListenAddress } from '../../lib/addresses.ts';
import type { Certificate } from '../../lib/certificate.ts';
import { headerBytesMax, methodCharsMax } from '../limits.ts';
import { BodyReader } from './body-reader.ts';
import type { ListenerOptions, Mount, Served } from './listener.ts';
import type { HttpReply, HttpRequest, StreamConnection } from './message.ts';
import { cannotListen } from './probe-port.ts';
import { clientOf, originOf } from './read-request.ts';
import { notFound, text } from './replies.ts';
import { lengthOf, OpenReplies } from './write-reply.ts';

interface CompatLimits {
  readonly connectionsMax: number;
  /**
   * Times until the head of a request is complete, until the whole request is, between two requests, and without any byte in
   * either direction.
   */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
}

export interface CompatServer {
  /** Opens the listener and resolves to its port. Rejects with a KnellError `port-in-use`. */
  listen(address: ListenAddress): Promise<number>;
  /** Uses this certificate for connections that begin from now on. */
  renew(certificate: Certificate): void;
  /** Stops taking connections, waits at most `graceMs` for accepted requests, then closes the rest. */
  stop(graceMs: number): Promise<void>;
}

interface CompatOptions extends ListenerOptions {
  readonly limits: CompatLimits;
  /** Certificate; null for plain HTTP. */
  readonly certificate: Certificate | null;
}

export function createCompatServer(options: CompatOptions, served: Served): CompatServer {
  const open = new OpenReplies();
  const { limits, certificate } = options;
  const rules = {
    maxHeaderSize: headerBytesMax,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // This listener is for devices that claim HTTP/1.1 and send no Host header; nothing here depends on a host.
    requireHostHeader: false,
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    open.opened();
    response.once('close', () => open.closed());
    handle(options, served, request, response);
  };
  const tls = certificate && createTlsServer({ ...rules, ...certificate }, take);
  const server = tls ?? createServer(rules, take);
  server.maxConnections = limits.connectionsMax;
  server.setTimeout(limits.idleMs);
  return {
    listen: (address) => listen(server, address),
    renew: (renewed) => tls?.setSecureContext(renewed),
    async stop(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await open.drained(graceMs);
      server.closeAllConnections();
      if (server.listening) await closed;
    },
  };
}

function listen(
  server: Pick<Server, 'address' | 'listen' | 'off' | 'once'>,
  { host, port }: ListenAddress,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error): void => reject(cannotListen({ host, port }, cause));
    server.once('error', refuse);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', refuse);
      resolve(portOf(server.address()));
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const noLiveUpdates = text(
  501,
  'this address (KNELL_HTTP_COMPAT) has no live updates: open the page on the address of KNELL_HTTP',
);

function handle(
  options: ListenerOptions,
  { mounts, livePaths }: Served,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const target = targetOf(request.url ?? '');
  const mount = mounts.find(({ prefix }) => target.path.startsWith(prefix));
  const reply = (reply: HttpReply): void => writeReply(response, reply);
  if (mount === undefined || livePaths.includes(target.path)) {
    reply(mount === undefined ? notFound : noLiveUpdates);
    return;
  }
  const plain = headOf(options, mount, target, request);
  const replyTo = { send: reply };
  if (!mayHaveBody(request)) {
    mount.route(plain, replyTo);
    return;
  }
  const reader = new BodyReader(options.bodies, mount.bodyBytesMax(plain), mount.keepsBodyEnd?.(plain));
  response.once('close', () => reader.release());
  request.on('data', (chunk: Buffer) => reader.take(chunk));
  request.once('end', () => {
    if (reader.overBudget) reply(mount.overBudget);
    else mount.route({ ...plain, body: reader.body(), bodyCut: reader.cut }, replyTo);
  });
}

interface Target {
  readonly path: string;
  readonly query: string;
}

/** Absolute-form, `http://host/path`, which is sent to proxies, counts as its path: the host does not matter here. */
function targetOf(url: string): Target {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const [path = '', ...query] = url.slice(origin.length).split('?');
  // `OPTIONS *` asks about the server as a whole.
  return { path: path === '' || path === '*' ? '/' : path, query: query.join('?') };
}

const noBytes = new Uint8Array(0);

function headOf(
  { peers, nowMs, userAgentCharsMax }: ListenerOptions,
  mount: Mount,
  { path, query }: Target,
  request: IncomingMessage,
): HttpRequest {
  const peer = peers.of(addressBytes(request.socket.remoteAddress ?? ''));
  const lines = (name: string): readonly string[] => request.headersDistinct[name] ?? [];
  const header = (name: string): string => lines(name)[0] ?? '';
  const isDoubtful = (name: string): boolean => lines(name).length > 1 && !!mount.single?.includes(name);
  const read = (name: string): string => (isDoubtful(name) ? '' : header(name));
  const forwardedFor = peer.trusted ? lines('x-forwarded-for').join(',') : '';
  const forwardedProto = peer.trusted ? header('x-forwarded-proto') : '';
  return {
    method: (request.method ?? '').slice(0, methodCharsMax),
    path: path.slice(mount.base.length),
    query,
    apiKey: mount.readsApiKey ? header('x-api-key') || null : null,
    headers: Object.fromEntries((mount.reads ?? []).map((name) => [name, read(name)])),
    trusted: peer.trusted,
    userAgent: header('user-agent').slice(0, userAgentCharsMax),
    ...originOf(peer, forwardedFor, forwardedProto),
    clientAddr: mount.guards ? clientOf(peers, peer, forwardedFor) : '',
    body: noBytes,
    bodyCut: false,
    receivedAtMs: nowMs(),
  };
}

function mayHaveBody({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true;
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function writeReply(response: ServerResponse, { status, headers, body, stream }: HttpReply): void {
  // The connection may be gone, or the rest of the request was malformed and Node has answered 400.
  if (response.destroyed || response.headersSent) return;
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (stream && response.req.method !== 'HEAD') {
    response.writeHead(status);
    stream(streamTo(response));
    return;
  }
  if (status !== 204 && status !== 304) response.setHeader('Content-Length', lengthOf(body));
  response.writeHead(status);
  if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
  else Readable.from(body.parts).pipe(response);
}

/** The head goes out at once: a client waits for it before it waits for events. */
function streamTo(response: ServerResponse): StreamConnection {
  response.flushHeaders();
  return {
    write: (part) => !response.destroyed && response.write(part),
    end: () => response.end(),
    onDrained: (handler) => response.on('drain', handler),
    onClosed(handler) {
      if (response.destroyed) handler();
      else response.once('close', handler);
    },
  };
}
