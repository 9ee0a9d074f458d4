/**
 * Writes replies: small ones in one write, large ones as the connection takes them. `server` owns the library; `replies` and
 * `json-reply` have the contents.
 * Invariant: a reply is written at most once, and never to a connection that is gone.
 */
import { STATUS_CODES } from 'node:http';
import { replyPieceBytes } from '../limits.ts';
import type { HttpReply, InParts, ReplyTo, StreamConnection } from './message.ts';

/** The part of the library's response that is used. It is invalid once it has ended or was aborted. */
interface ReplySocket {
  onAborted(handler: () => void): unknown;
  cork(write: () => void): unknown;
  writeStatus(status: string): unknown;
  writeHeader(name: string | ArrayBuffer, value: string | ArrayBuffer): unknown;
  write(part: string): boolean;
  end(body?: string | Uint8Array | ArrayBuffer, closes?: boolean): unknown;
  endWithoutBody(): unknown;
  tryEnd(part: Uint8Array, totalBytes: number): [ok: boolean, done: boolean];
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
}

/** Counts the pending replies, so that a stop can wait for them. */
export class OpenReplies {
  #count = 0;
  #whenNone: (() => void) | null = null;

  opened(): void {
    this.#count++;
  }

  closed(): void {
    this.#count--;
    if (this.#count === 0) this.#whenNone?.();
  }

  /** Resolves when every reply has been written or its connection is gone, or after `graceMs`. */
  async drained(graceMs: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export class OpenReply implements ReplyTo {
  readonly #open: OpenReplies;
  readonly #bodyless: boolean;
  /** Null once the reply is written or the connection is gone. */
  #res: ReplySocket | null;
  #isSent = false;
  /** Called when a stream is over. */
  #closed: () => void = () => {};
  /** Memory that the request holds until it is answered. */
  holds: { release(): void } | null = null;

  constructor(open: OpenReplies, res: ReplySocket, bodyless: boolean) {
    this.#open = open;
    this.#bodyless = bodyless;
    this.#res = res;
    open.opened();
    res.onAborted(() => this.#over());
  }

  send(reply: HttpReply): void {
    const res = this.#res;
    if (res === null || this.#isSent) return;
    this.#isSent = true;
    if (reply.stream && !this.#bodyless) {
      this.#beginStream(res, reply, reply.stream);
      return;
    }
    const large = this.#bodyless ? null : largeBodyOf(reply);
    if (large !== null) {
      this.#sendLarge(res, reply, large);
      return;
    }
    this.#over();
    writeCorked(res, reply, this.#bodyless);
  }

  /** The connection asks again for what it did not take, so nothing is copied into the library. */
  #sendLarge(res: ReplySocket, reply: HttpReply, { parts, length }: InParts): void {
    let at = 0;
    let startOfPart = 0;
    const rest = (bytesMax: number): Uint8Array => {
      const offset = res.getWriteOffset();
      let part = parts[at] ?? noBytes;
      for (; offset >= startOfPart + part.length && at < parts.length; part = parts[at] ?? noBytes) {
        startOfPart += part.length;
        at++;
      }
      const start = offset - startOfPart;
      return part.subarray(start, start + bytesMax);
    };
    const write = (): boolean => {
      for (let left = replyPieceBytes; left > 0; ) {
        const piece = rest(left);
        const [ok, done] = res.tryEnd(piece, length);
        if (done) this.#over();
        if (done || !ok) return ok;
        left -= piece.length;
      }
      setImmediate(writeOn);
      return true;
    };
    const writeOn = (): void => {
      if (this.#res !== null) res.cork(write);
    };
    res.onWritable(write);
    res.cork(() => {
      writeHead(res, reply);
      write();
    });
  }

  /** A stream counts as a reply that is not written yet, until one side ends it. */
  #beginStream(res: ReplySocket, reply: HttpReply, begin: (connection: StreamConnection) => void): void {
    let drained = (): void => {};
    res.onWritable(() => {
      drained();
      return true;
    });
    res.cork(() => {
      writeHead(res, reply);
    });
    begin({
      write: (part) => {
        let isTaken = false;
        if (this.#res !== null)
          res.cork(() => {
            isTaken = res.write(part);
          });
        return isTaken;
      },
      end: () => {
        if (this.#res === null) return;
        res.cork(() => res.end('', true));
        this.#over();
      },
      onDrained: (handler) => {
        drained = handler;
      },
      onClosed: (handler) => {
        if (this.#res === null) handler();
        else this.#closed = handler;
      },
    });
  }

  #over(): void {
    if (this.#res === null) return;
    this.#res = null;
    this.#closed();
    this.holds?.release();
    this.#open.closed();
  }
}

const noBytes = new Uint8Array(0);

/** Returns null for a body that is written at once. */
function largeBodyOf({ body }: HttpReply): InParts | null {
  if (typeof body === 'string') return null;
  if (!(body instanceof Uint8Array)) return body;
  return body.length > replyPieceBytes ? { parts: [body], length: body.length } : null;
}

/** The reply that is being written. A cork runs its callback at once, so one callback serves all replies. */
const corked: { res: ReplySocket | null; reply: HttpReply | null; bodyless: boolean } = {
  res: null,
  reply: null,
  bodyless: false,
};

const writeWhatIsCorked = (): void => {
  const { res, reply, bodyless } = corked;
  if (res !== null && reply !== null) writeReply(res, reply, bodyless);
};

function writeCorked(res: ReplySocket, reply: HttpReply, bodyless: boolean): void {
  corked.res = res;
  corked.reply = reply;
  corked.bodyless = bodyless;
  res.cork(writeWhatIsCorked);
  corked.res = null;
}

function writeReply(res: ReplySocket, reply: HttpReply, bodyless: boolean): void {
  const { status, body } = reply;
  writeHead(res, reply);
  // endWithoutBody closes the connection if it gets the length as its argument.
  if (bodyless) res.writeHeader('Content-Length', String(lengthOf(body)));
  if (bodyless || status === 204 || status === 304) res.endWithoutBody();
  else res.end(reply.fixed ? readyOf(reply).body : wholeOf(body));
}

/** Returns the body in one piece. */
export function wholeOf(body: HttpReply['body']): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : Buffer.concat(body.parts);
}

/** Returns the length of the body in bytes. */
export function lengthOf(body: HttpReply['body']): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

function writeHead(res: ReplySocket, reply: HttpReply): void {
  const { status, headers } = reply;
  if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`);
  if (reply.fixed) {
    const { name, value } = readyOf(reply);
    res.writeHeader(name, value);
  } else for (const [name, value] of headers) res.writeHeader(name, value);
}

/** A fixed reply as bytes, with all its headers as one: a name, and a value that continues with the lines of the others. */
interface Ready {
  readonly name: ArrayBuffer;
  readonly value: ArrayBuffer;
  readonly body: ArrayBuffer;
}

const ready = new WeakMap<HttpReply, Ready>();
/** The last fixed reply, which is nearly always the next one too. */
let lastFixed: HttpReply | null = null;
let lastReady: Ready | null = null;

/**
 * Each call into the library costs a ping some 0.2 µs, and each string that it passes some 0.05 µs. The library writes values
 * unchanged, so one call is enough for all headers.
 */
function readyOf(reply: HttpReply): Ready {
  if (reply === lastFixed && lastReady !== null) return lastReady;
  const made = ready.get(reply) ?? makeReady(reply);
  lastFixed = reply;
  lastReady = made;
  return made;
}

function makeReady(reply: HttpReply): Ready {
  const [first, ...others] = reply.headers;
  const rest = others.map(([name, value]) => `\r\n${name}: ${value}`).join('');
  const made = {
    name: rawBytes(first?.[0] ?? ''),
    value: rawBytes(`${first?.[1]}${rest}`),
    body: rawBytes(wholeOf(reply.body)),
  };
  ready.set(reply, made);
  return made;
}

/** Copies bytes into memory of their own, which the library takes fastest. */
export function rawBytes(content: string | Uint8Array): ArrayBuffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const own = new ArrayBuffer(bytes.length);
  new Uint8Array(own).set(bytes);
  return own;
}
