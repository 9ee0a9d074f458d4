/**
 * An HTTP request as a client hands it to the leader, and the reply: plain values as bytes and back. The types say what
 * `http/wire/message` says of its own, which imports of this module may not name.
 * Invariant: a reply is the same bytes to the client, whichever node it asked.
 */
import { type ByteReader, damaged } from '../../store/codec/byte-reader.ts';
import { ByteWriter, stringBytesMax } from '../../store/codec/byte-writer.ts';

/** Methods that change nothing, so that they may be done twice. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request with the fields of `HttpRequest`. */
export interface ForwardedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly trusted: boolean;
  readonly userAgent: string;
  readonly scheme: 'http' | 'https';
  readonly remoteAddr: string;
  readonly clientAddr: string;
  readonly body: Uint8Array;
  readonly bodyCut: boolean;
  readonly receivedAtMs: number;
  /** Key of a change: a random UUID, drawn by its client. However often it is sent, it is made once. */
  readonly idempotencyKey?: string | undefined;
}

/** A reply with the fields of `HttpReply`; whether it is a fixed one does not matter behind the first node. */
export interface ForwardedReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | { readonly parts: readonly Uint8Array[]; readonly length: number };
}

const isTrusted = 1;
const isCut = 2;
const isHttps = 4;
const hasKey = 8;
const hasIdempotencyKey = 16;

/** The most that `writeForwardedRequest` writes. */
export function forwardedRequestBytesMax(request: ForwardedRequest): number {
  const { method, path, query, apiKey, userAgent, remoteAddr, clientAddr, headers, body } = request;
  const texts = [method, path, query, apiKey ?? '', userAgent, remoteAddr, clientAddr];
  const all = [...texts, request.idempotencyKey ?? '', ...Object.entries(headers).flat()];
  return all.reduce((sum, text) => sum + stringBytesMax(text), 16 + body.length);
}

/** Space must be reserved. The body is all that follows the head. */
export function writeForwardedRequest(writer: ByteWriter, request: ForwardedRequest): void {
  const { trusted, bodyCut, scheme, apiKey, idempotencyKey } = request;
  writer.u8(
    (trusted ? isTrusted : 0) |
      (bodyCut ? isCut : 0) |
      (scheme === 'https' ? isHttps : 0) |
      (apiKey === null ? 0 : hasKey) |
      (idempotencyKey === undefined ? 0 : hasIdempotencyKey),
  );
  writer.f64(request.receivedAtMs);
  writer.string(request.method);
  writer.string(request.path);
  writer.string(request.query);
  if (apiKey !== null) writer.string(apiKey);
  if (idempotencyKey !== undefined) writer.string(idempotencyKey);
  writer.string(request.userAgent);
  writer.string(request.remoteAddr);
  writer.string(request.clientAddr);
  writePairs(writer, Object.entries(request.headers));
  writer.raw(request.body);
}

/** Up to the end of what `reader` may read; the body is a copy. Throws for bytes that mean nothing. */
export function readForwardedRequest(reader: ByteReader): ForwardedRequest {
  const flags = reader.u8();
  return {
    receivedAtMs: reader.f64(),
    method: reader.string(),
    path: reader.string(),
    query: reader.string(),
    apiKey: flags & hasKey ? reader.string() : null,
    idempotencyKey: flags & hasIdempotencyKey ? reader.string() : undefined,
    userAgent: reader.string(),
    remoteAddr: reader.string(),
    clientAddr: reader.string(),
    headers: Object.fromEntries(readPairs(reader)),
    trusted: (flags & isTrusted) !== 0,
    bodyCut: (flags & isCut) !== 0,
    scheme: flags & isHttps ? 'https' : 'http',
    body: Uint8Array.from(reader.raw(reader.left)),
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];

function writePairs(writer: ByteWriter, pairs: Pairs): void {
  writer.varint(pairs.length);
  for (const [name, value] of pairs) {
    writer.string(name);
    writer.string(value);
  }
}

function readPairs(reader: ByteReader): [string, string][] {
  const count = reader.varint();
  const pairs: [string, string][] = [];
  for (let at = 0; at < count; at++) pairs.push([reader.string(), reader.string()]);
  return pairs;
}

/** The bytes of a reply: its head, then its body as it is, not put together. */
export function replyBytes({ status, headers, body }: ForwardedReply): readonly Uint8Array[] {
  const size = headers.flat().reduce((sum, text) => sum + stringBytesMax(text), 16);
  const writer = new ByteWriter(size);
  writer.u16(status);
  writePairs(writer, headers);
  const head = writer.copy();
  if (typeof body === 'string') return [head, Buffer.from(body)];
  return body instanceof Uint8Array ? [head, body] : [head, ...body.parts];
}

/** Reads a reply from its parts as they came: the first one begins with the whole head. Throws for bytes that mean nothing. */
export function readReply(reader: ByteReader, parts: readonly Uint8Array[]): ForwardedReply {
  const [first, ...others] = parts;
  if (first === undefined) throw damaged('a reply without a part');
  reader.open(first);
  const status = reader.u16();
  const headers = readPairs(reader);
  const start = reader.raw(reader.left);
  if (others.length === 0) return { status, headers, body: start };
  const body = [start, ...others];
  return { status, headers, body: { parts: body, length: body.reduce((sum, part) => sum + part.length, 0) } };
}

/** Hands out bytes that lie in several pieces, so many at a time. */
export class Pieces {
  readonly length: number;
  offset = 0;
  readonly #pieces: readonly Uint8Array[];
  #at = 0;
  #within = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** The next `bytesMax`, or what is left. */
  take(bytesMax: number): Uint8Array {
    const taken: Uint8Array[] = [];
    let left = bytesMax;
    for (let piece = this.#pieces[this.#at]; piece && left > 0; piece = this.#pieces[this.#at]) {
      const view = piece.subarray(this.#within, this.#within + left);
      taken.push(view);
      left -= view.length;
      this.#within += view.length;
      if (this.#within < piece.length) continue;
      this.#at++;
      this.#within = 0;
    }
    this.offset += bytesMax - left;
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
  }
}
