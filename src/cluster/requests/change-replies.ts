/**
 * Gathers the leader's answers to one client for a turn of the event loop, then sends them in as few messages as possible. Large
 * HTTP replies go a window at a time, as the client confirms what has come.
 * Invariant: of a reply no more than the window is on its way, since NATS cuts off who cannot keep up.
 */
import type { PingOutcome } from '../../engine/contract/engine.ts';
import { ByteWriter } from '../../store/codec/byte-writer.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import { requestPartBytesMax } from '../bus/limits.ts';
import { type ForwardedReply, Pieces, replyBytes } from './forwarded-request.ts';
import {
  beginAnswers,
  emptyMessageBytesMax,
  endMessage,
  httpAnswerHeadBytes,
  type MessageHead,
  pingAnswerBytes,
  writeHttpAnswer,
  writePingAnswer,
} from './request-codec.ts';

interface ChangeRepliesOptions {
  readonly head: MessageHead;
  readonly deliver: (message: Uint8Array) => void;
  readonly messageBytesMax: number;
  readonly scheduler: Scheduler;
  readonly limits: {
    readonly replyWindowBytes: number;
    readonly replyIdleMsMax: number;
    readonly changesBytesMax: number;
  };
}

interface OpenReply {
  readonly pieces: Pieces;
  /** So much has come. */
  confirmed: number;
  cancelIdle: (() => void) | null;
}

/** One for all clients: a message is written in one go. */
const writer = new ByteWriter(64_000);

export class ChangeReplies {
  readonly id: number;
  /** Its pings whose outcome is open. */
  readonly deciding = new Set<number>();
  /** The lowest numbers of a ping and a request for which the client says that it waits: see `RequestMarks`. */
  lowestPing = 0;
  lowestRequest = 0;
  readonly #options: ChangeRepliesOptions;
  readonly #bytesMax: number;
  #numbers: number[] = [];
  #outcomes: PingOutcome[] = [];
  readonly #replies = new Map<number, OpenReply>();
  /** Changes that the client still waits for, in the order in which they were taken: the reply, null while there is none. */
  readonly #changes = new Map<number, ForwardedReply | null>();
  #changesBytes = 0;
  #isConfirming = false;
  #cancelFlush: (() => void) | null = null;
  #isClosed = false;

  constructor(options: ChangeRepliesOptions) {
    this.id = options.head.id;
    this.#options = options;
    this.#bytesMax = options.messageBytesMax - emptyMessageBytesMax(options.head);
  }

  answer(number: number, outcome: PingOutcome): void {
    if (this.#isClosed) return;
    this.#numbers.push(number);
    this.#outcomes.push(outcome);
    this.#flushSoon();
  }

  reply(number: number, reply: ForwardedReply): void {
    if (this.#isClosed) return;
    this.#replies.set(number, { pieces: new Pieces(replyBytes(reply)), confirmed: 0, cancelIdle: null });
    this.#flushSoon();
  }

  /** The client waits for nothing below these numbers any more. They only grow: a message that was held back says less. */
  waitsFor(lowestPing: number, lowestRequest: number): void {
    this.lowestPing = Math.max(this.lowestPing, lowestPing);
    this.lowestRequest = Math.max(this.lowestRequest, lowestRequest);
    for (const number of this.#changes.keys()) if (number < this.lowestRequest) this.#forgetChange(number);
  }

  /** Whether the change was taken before; if it was done, its reply goes out again. */
  hasTaken(number: number): boolean {
    const reply = this.#changes.get(number);
    if (reply) this.reply(number, reply);
    return reply !== undefined;
  }

  taken(number: number): void {
    this.#changes.set(number, null);
  }

  /** `reply` is kept as long as the client waits, within a bound: of one beyond it is only known that it was done. */
  changed(number: number, reply: ForwardedReply): void {
    if (this.#changes.has(number)) {
      this.#changes.set(number, reply);
      this.#changesBytes += bodyBytes(reply);
    }
    for (const [oldest, kept] of this.#changes) {
      if (this.#changesBytes <= this.#options.limits.changesBytesMax) break;
      if (kept !== null && oldest !== number) this.#forgetChange(oldest);
    }
    this.reply(number, reply);
  }

  #forgetChange(number: number): void {
    const reply = this.#changes.get(number);
    this.#changesBytes -= reply ? bodyBytes(reply) : 0;
    this.#changes.delete(number);
  }

  /** The leader is there, even if it has nothing else to say. */
  confirm(): void {
    this.#isConfirming = true;
    this.#flushSoon();
  }

  /** The reply to `number` has come up to `received` bytes. */
  more(number: number, received: number): void {
    const reply = this.#replies.get(number);
    if (reply === undefined || received <= reply.confirmed || received > reply.pieces.offset) return;
    reply.confirmed = received;
    reply.cancelIdle?.();
    reply.cancelIdle = null;
    this.#flushSoon();
  }

  /** Sends what is there. Nothing is answered afterwards. */
  close(): void {
    this.#cancelFlush?.();
    this.#flush();
    this.#isClosed = true;
    for (const { cancelIdle } of this.#replies.values()) cancelIdle?.();
    this.#replies.clear();
  }

  #flushSoon(): void {
    this.#cancelFlush ??= this.#options.scheduler.soon(() => this.#flush());
  }

  #flush(): void {
    this.#cancelFlush = null;
    if (this.#numbers.length === 0 && this.#replies.size === 0 && !this.#isConfirming) return;
    this.#begin();
    const isBare = this.#isConfirming;
    this.#isConfirming = false;
    const begun = writer.length;
    this.#writeOutcomes();
    for (const [number, reply] of this.#replies) this.#writeReply(number, reply);
    if (writer.length > begun || isBare) this.#options.deliver(endMessage(writer));
  }

  #begin(): void {
    const { head, scheduler } = this.#options;
    beginAnswers(writer, head, scheduler.elapsedMs());
  }

  /** Begins another message when `size` more bytes do not fit into this one. */
  #makeSpace(size: number): void {
    if (writer.length + size <= this.#bytesMax) return;
    this.#options.deliver(endMessage(writer));
    this.#begin();
  }

  #writeOutcomes(): void {
    const [numbers, outcomes] = [this.#numbers, this.#outcomes];
    this.#numbers = [];
    this.#outcomes = [];
    for (const [at, number] of numbers.entries()) {
      this.#makeSpace(pingAnswerBytes);
      writer.reserve(pingAnswerBytes);
      writePingAnswer(writer, number, outcomes[at] ?? 'unavailable');
    }
  }

  #writeReply(number: number, reply: OpenReply): void {
    const { limits, scheduler } = this.#options;
    const { pieces } = reply;
    const partMax = Math.min(requestPartBytesMax, Math.floor(this.#bytesMax / 2));
    while (pieces.offset < pieces.length && pieces.offset - reply.confirmed < limits.replyWindowBytes) {
      const { offset } = pieces;
      const bytes = pieces.take(partMax);
      this.#makeSpace(httpAnswerHeadBytes + bytes.length);
      writeHttpAnswer(writer, { number, offset, total: pieces.length, bytes });
    }
    if (pieces.offset === pieces.length) {
      reply.cancelIdle?.();
      this.#replies.delete(number);
    } else reply.cancelIdle ??= scheduler.after(limits.replyIdleMsMax, () => this.#replies.delete(number));
  }
}

function bodyBytes({ body }: ForwardedReply): number {
  return body.length;
}
