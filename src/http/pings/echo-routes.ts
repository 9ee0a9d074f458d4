/**
 * `/echo/<nonce>`: shows `knell doctor` how a request arrives here: whether the base URL reaches this process, and whose
 * address is forwarded. It is not a health probe (`health-routes`).
 * Invariant: a nonce is answered only if this process issued it in the last minute, and only once: a stranger learns nothing.
 */
import { randomBytes } from 'node:crypto';
import { minute } from '../../lib/units.ts';
import { echoNoncesMax } from '../limits.ts';
import { jsonReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../wire/message.ts';
import { neverCached } from '../wire/replies.ts';

export const echoPrefix = '/echo/';

/** The answer, as JSON. */
export interface Echo {
  /** Whether the peer is one of KNELL_TRUST_PROXY, this machine included. */
  readonly trusted: boolean;
  /** X-Forwarded-For as it was received; empty if absent. */
  readonly forwarded: string;
  /** Address for information; see `HttpRequest`. */
  readonly remote_addr: string;
  /** Address for limits: the peer itself if it is not trusted. */
  readonly client_addr: string;
  readonly scheme: string;
}

export class Echoes {
  readonly #untilMs = new Map<string, number>();

  /** Returns a path under which one request is answered. */
  open(nowMs: number): string {
    for (const [nonce, untilMs] of this.#untilMs)
      if (untilMs <= nowMs || this.#untilMs.size >= echoNoncesMax) this.#untilMs.delete(nonce);
    const nonce = randomBytes(16).toString('hex');
    this.#untilMs.set(nonce, nowMs + minute);
    return echoPrefix + nonce;
  }

  answer({ path, headers, trusted, remoteAddr, clientAddr, scheme, receivedAtMs }: HttpRequest): HttpReply {
    const nonce = path.slice(echoPrefix.length);
    const isOpen = (this.#untilMs.get(nonce) ?? 0) > receivedAtMs;
    this.#untilMs.delete(nonce);
    if (!isOpen) return notFound;
    const forwarded = headers['x-forwarded-for'] ?? '';
    const echo: Echo = { trusted, forwarded, remote_addr: remoteAddr, client_addr: clientAddr, scheme };
    return jsonReply(echo, 200, [['Cache-Control', neverCached]]);
  }
}
