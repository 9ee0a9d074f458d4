/**
 * Public status pages at a node of a cluster that does not own the log. It keeps the owner's answers for as long as the owner
 * itself keeps them: however many readers a page has here, the owner gets one request for each version of the page. `cache`
 * keeps pages at the owner; `../mounts/node-mounts` has all other paths.
 * Invariants: only answers that the owner calls public are kept. An answer that readers share was requested without a cookie; a
 * page with a password is requested anew for each of its readers, with that reader's own cookie.
 */
import type { HttpReply, HttpRequest } from '../wire/message.ts';

export interface StandbyLimits {
  readonly cachedMax: number;
  readonly standbyBytesMax: number;
}

type Forward<Refusal> = (request: HttpRequest) => Promise<HttpReply | Refusal>;

interface Kept {
  readonly reply: HttpReply;
  readonly bytes: number;
  readonly untilMs: number;
}

const paths = /^\/status\/[a-z0-9-]{1,64}(?:\/feed\.rss|\/logo|\/)?$/;

export class StandbyPages<Refusal> {
  readonly #forward: Forward<Refusal>;
  readonly #limits: StandbyLimits;
  /** Kept answers, in the order in which they arrived. */
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, Promise<HttpReply | Refusal>>();
  #bytes = 0;

  constructor(forward: Forward<Refusal>, limits: StandbyLimits) {
    this.#forward = forward;
    this.#limits = limits;
  }

  /** Returns null if the request does not read a status page. */
  answer(request: HttpRequest): Promise<HttpReply | Refusal> | null {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead && paths.test(request.path) ? this.#read(request) : null;
  }

  async #read(request: HttpRequest): Promise<HttpReply | Refusal> {
    const shared = sharedForm(request);
    const key = [shared.path, shared.query, shared.headers['accept-encoding']].join(' ');
    const kept = this.#kept.get(key);
    if (kept && request.receivedAtMs < kept.untilMs) return unlessKnown(kept.reply, request);
    const reply = await (this.#asked.get(key) ?? this.#ask(key, shared));
    if (!isReply(reply)) return reply;
    // A reader without a cookie may not get an answer that needed one.
    const isForAll = lifetimeMs(reply) !== null || (request.headers.cookie ?? '') === '';
    return isForAll ? unlessKnown(reply, request) : this.#forward(request);
  }

  #ask(key: string, shared: HttpRequest): Promise<HttpReply | Refusal> {
    const asked = this.#forward(shared)
      .then((reply) => {
        if (isReply(reply)) this.#keep(key, reply, shared.receivedAtMs);
        return reply;
      })
      .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  #keep(key: string, reply: HttpReply, nowMs: number): void {
    this.#drop(key);
    const lastingMs = lifetimeMs(reply);
    const bytes = bytesOf(reply);
    if (lastingMs === null || lastingMs <= 0 || bytes > this.#limits.standbyBytesMax) return;
    this.#kept.set(key, { reply, bytes, untilMs: nowMs + lastingMs });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.cachedMax && this.#bytes <= this.#limits.standbyBytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

/**
 * Returns the request that is sent for all readers, without anything that belongs to one of them. Only a feed reads its query.
 */
function sharedForm(request: HttpRequest): HttpRequest {
  const { path, query, headers } = request;
  const isFeed = path.endsWith('/feed.rss');
  const encoding = /\bgzip\b/.test(headers['accept-encoding'] ?? '') ? 'gzip' : '';
  return {
    ...request,
    method: 'GET',
    query: isFeed ? query : '',
    headers: { ...headers, 'accept-encoding': encoding, cookie: '', 'if-none-match': '' },
  };
}

function isReply<Refusal>(reply: HttpReply | Refusal): reply is HttpReply {
  return typeof reply === 'object' && reply !== null && 'status' in reply;
}

function headerOf({ headers }: HttpReply, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

/** Milliseconds for which the owner lets others keep the answer, from now on; null if it may not be kept. */
function lifetimeMs(reply: HttpReply): number | null {
  const [, seconds] = /^public, max-age=(\d+)$/.exec(headerOf(reply, 'cache-control')) ?? [];
  if (reply.status !== 200 || seconds === undefined) return null;
  return 1000 * (Number(seconds) - Number(headerOf(reply, 'age')));
}

function bytesOf({ body }: HttpReply): number {
  return typeof body === 'string' ? 2 * body.length : body.length;
}

function unlessKnown(reply: HttpReply, { headers }: HttpRequest): HttpReply {
  const etag = headerOf(reply, 'etag');
  const isKnown = reply.status === 200 && etag !== '' && (headers['if-none-match'] ?? '').includes(etag);
  if (!isKnown) return reply;
  const own = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
  return { status: 304, headers: own, body: '' };
}
