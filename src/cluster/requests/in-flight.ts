/**
 * The requests of this client that have no answer yet, with their bytes, so that they can be sent again. Not here: when that is.
 * Invariants: a request is in here once, from the turn in which it came until it is answered. Order is that of the numbers.
 */
import type { Engine, PingOutcome } from '../../engine/contract/engine.ts';
import type { ForwardedReply } from './forwarded-request.ts';

/** Why an HTTP request has no reply: nothing was done; it may have been done; the reply does not fit into memory. */
export const httpRefusals = ['unavailable', 'in-doubt', 'too-large'] as const;
export type HttpRefusal = (typeof httpRefusals)[number];

export type AnswerPing = Parameters<Engine['acceptPing']>[1];

export class Pending {
  readonly number: number;
  readonly acceptedAtMs: number;
  /** When it was sent last, or taken. */
  sentAtMs: number;
  /** The latest leader that it was sent to; 0 for none. */
  sentEpoch = 0;
  /** Number of times that it was sent, and of refusals, for the latest leader. */
  sends = 0;
  refusals = 0;
  /** Its entries; of a ping a part of the message that it went in, from `start` to `end`. */
  message: Uint8Array | null = null;
  start = 0;
  end = 0;
  parts: readonly Uint8Array[] | null = null;

  constructor(number: number, acceptedAtMs: number) {
    this.number = number;
    this.acceptedAtMs = acceptedAtMs;
    this.sentAtMs = acceptedAtMs;
  }

  /** Notes that it was sent to the leader of that epoch now. */
  sentTo(epoch: number): void {
    if (epoch !== this.sentEpoch) {
      this.sends = 0;
      this.refusals = 0;
    }
    this.sends++;
    this.sentEpoch = epoch;
  }

  get bytes(): number {
    return this.parts === null
      ? this.end - this.start
      : this.parts.reduce((sum, part) => sum + part.length, 0);
  }

  entries(): readonly Uint8Array[] {
    return this.parts ?? (this.message === null ? [] : [this.message.subarray(this.start, this.end)]);
  }
}

export class PendingPing extends Pending {
  readonly #answer: (outcome: PingOutcome, who: never) => void;
  readonly #who: unknown;

  constructor(
    number: number,
    acceptedAtMs: number,
    answer: (outcome: PingOutcome, who: never) => void,
    who: unknown,
  ) {
    super(number, acceptedAtMs);
    this.#answer = answer;
    this.#who = who;
  }

  answer(outcome: PingOutcome): void {
    this.#answer(outcome, this.#who as never);
  }
}

/** A reply that is coming in. */
export interface ReplyBegun {
  readonly epoch: number;
  readonly parts: Uint8Array[];
  received: number;
}

export class PendingHttp extends Pending {
  /** May be done twice. */
  readonly isSafe: boolean;
  readonly resolve: (result: ForwardedReply | HttpRefusal) => void;
  reply: ReplyBegun | null = null;

  constructor(
    number: number,
    acceptedAtMs: number,
    isSafe: boolean,
    resolve: (result: ForwardedReply | HttpRefusal) => void,
  ) {
    super(number, acceptedAtMs);
    this.isSafe = isSafe;
    this.resolve = resolve;
  }
}

export class InFlight {
  readonly pings = new Map<number, PendingPing>();
  readonly requests = new Map<number, PendingHttp>();
  /** Bytes of all requests. */
  bytes = 0;
  /** Bytes of the replies that are coming in. */
  replyBytes = 0;

  get size(): number {
    return this.pings.size + this.requests.size;
  }

  /** The lowest number of a ping that waits; `next` where none does. */
  lowestPing(next: number): number {
    for (const number of this.pings.keys()) return number;
    return next;
  }

  /** The lowest number of a request, likewise. */
  lowestRequest(next: number): number {
    for (const number of this.requests.keys()) return number;
    return next;
  }

  add(pending: PendingPing | PendingHttp): void {
    if (pending instanceof PendingPing) this.pings.set(pending.number, pending);
    else this.requests.set(pending.number, pending);
    this.bytes += pending.bytes;
  }

  answerPing(pending: PendingPing, outcome: PingOutcome): void {
    this.pings.delete(pending.number);
    this.bytes -= pending.bytes;
    pending.answer(outcome);
  }

  answerHttp(pending: PendingHttp, result: ForwardedReply | HttpRefusal): void {
    this.requests.delete(pending.number);
    this.bytes -= pending.bytes;
    this.forgetReply(pending);
    pending.resolve(result);
  }

  forgetReply(pending: PendingHttp): void {
    this.replyBytes -= pending.reply?.received ?? 0;
    pending.reply = null;
  }

  /** Refuses pings that came before the first instant, requests that came before the second. */
  refuseBefore(pingsMs: number, requestsMs: number): void {
    for (const pending of this.pings.values()) {
      if (pending.acceptedAtMs > pingsMs) break;
      this.answerPing(pending, 'unavailable');
    }
    for (const pending of this.requests.values()) {
      if (pending.acceptedAtMs > requestsMs) break;
      this.answerHttp(pending, pending.isSafe || pending.sentEpoch === 0 ? 'unavailable' : 'in-doubt');
    }
  }
}
