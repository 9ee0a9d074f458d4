/**
 * Reads the head of a request of uWebSockets.js into plain values. `server` owns the library; `read-request` decides what a
 * proxy's headers mean.
 * Invariant: everything is read before the handler returns; a ping costs no call into the library that it does not need.
 */
import type { HeadReads, ListenerOptions, Mount } from './listener.ts';
import type { HttpRequest } from './message.ts';
import { clientOf, originOf, type Peer } from './read-request.ts';
import { rawBytes } from './write-reply.ts';

/** The part of the library's request that is used. It is invalid once its handler has returned. */
interface RequestHead {
  getUrl(): string;
  getQuery(): string | undefined;
  /** Returns the first line of that name; empty if there is none. */
  getHeader(name: string | ArrayBuffer): string;
  forEach(visit: (name: string, value: string) => void): void;
}

/** The headers that are read of every request, as bytes: the library would convert a string each time. */
const names = {
  forwardedFor: rawBytes('x-forwarded-for'),
  forwardedProto: rawBytes('x-forwarded-proto'),
  userAgent: rawBytes('user-agent'),
  contentLength: rawBytes('content-length'),
  transferEncoding: rawBytes('transfer-encoding'),
};

const noBytes = new Uint8Array(0);

/** A request whose body has still to be received. */
export type OpenRequest = { -readonly [Name in keyof HttpRequest]: HttpRequest[Name] };

/** Reads into `into`, if the caller has an object that nobody reads any more. */
export function readHead(
  { peers, nowMs, userAgentCharsMax }: ListenerOptions,
  mount: HeadReads,
  method: string,
  peer: Peer,
  req: RequestHead,
  into: OpenRequest = emptyRequest(),
): OpenRequest {
  const firstForwardedFor = peer.trusted ? req.getHeader(names.forwardedFor) : '';
  const isList = mount.guards && firstForwardedFor !== '';
  const forwardedFor = isList ? linesOf(req, 'x-forwarded-for').join(',') : firstForwardedFor;
  const forwardedProto = peer.trusted ? req.getHeader(names.forwardedProto) : '';
  const origin = originOf(peer, forwardedFor, forwardedProto);
  const userAgent = req.getHeader(names.userAgent);
  into.method = method;
  into.path = mount.base === '' ? req.getUrl() : req.getUrl().slice(mount.base.length);
  into.query = req.getQuery() ?? '';
  into.apiKey = mount.readsApiKey ? req.getHeader('x-api-key') || null : null;
  into.headers = mount.reads ? readHeaders(mount.reads, mount.single ?? [], req) : noHeaders;
  into.trusted = peer.trusted;
  into.userAgent = userAgent.length > userAgentCharsMax ? userAgent.slice(0, userAgentCharsMax) : userAgent;
  into.scheme = origin.scheme;
  into.remoteAddr = origin.remoteAddr;
  into.clientAddr = mount.guards ? clientOf(peers, peer, forwardedFor) : '';
  into.body = noBytes;
  into.bodyCut = false;
  into.receivedAtMs = nowMs();
  return into;
}

const noHeaders: HttpRequest['headers'] = {};

export function emptyRequest(): OpenRequest {
  return {
    method: '',
    path: '',
    query: '',
    apiKey: null,
    headers: noHeaders,
    trusted: false,
    userAgent: '',
    scheme: 'http',
    remoteAddr: '',
    clientAddr: '',
    body: noBytes,
    bodyCut: false,
    receivedAtMs: 0,
  };
}

function readHeaders(
  names: readonly string[],
  single: readonly string[],
  req: RequestHead,
): HttpRequest['headers'] {
  const read = (name: string): string => {
    const first = req.getHeader(name);
    return first !== '' && single.includes(name) && linesOf(req, name).length > 1 ? '' : first;
  };
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/**
 * Returns all lines of a header, in their order; the library's `getHeader` returns only the first. Each header of the request
 * costs a call.
 */
function linesOf(req: RequestHead, name: string): string[] {
  const lines: string[] = [];
  req.forEach((key, value) => {
    if (key === name) lines.push(value);
  });
  return lines;
}

/** Nearly every ping is a GET without a body; those are answered without waiting for one. */
export function mayHaveBody(method: string, req: RequestHead): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true;
  return req.getHeader(names.contentLength) !== '' || req.getHeader(names.transferEncoding) !== '';
}

/**
 * Whether a proxy in front may have read the length otherwise (RFC 9112, 6.3): the library takes the first of several lengths,
 * and any transfer coding as chunks. Of a ping only the first line of each header is read: reading all costs as much as half a
 * ping.
 */
export function isMalformed({ guards }: Mount, req: RequestHead): boolean {
  const coding = req.getHeader(names.transferEncoding);
  if (coding !== '' && coding.trim().toLowerCase() !== 'chunked') return true;
  if (!guards) return false;
  const lengths = linesOf(req, 'content-length');
  const isClear = lengths.every((length) => length === lengths[0] && /^\d+$/.test(length));
  return !isClear || (coding !== '' && linesOf(req, 'transfer-encoding').length > 1);
}
