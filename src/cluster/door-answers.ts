/**
 * What the owner has to answer one door: gathered for a turn of the event loop, then sent in as few messages as possible.
 * Large HTTP replies go a window at a time, as the door confirms what has come.
 * Invariant: of a reply no more than the window is on its way, since NATS cuts off who cannot keep up.
 */
import type { PingOutcome } from '../engine/engine.ts';
import { ByteWriter } from '../store/codec/byte-writer.ts';
import type { Scheduler } from '../store/scheduler.ts';
import {
  beginMessage,
  emptyMessageBytesMax,
  endMessage,
  httpAnswerHeadBytes,
  type MessageHead,
  messageKinds,
  partBytesMax,
  pingAnswerBytes,
  writeHttpAnswer,
  writePingAnswer,
} from './ask-codec.ts';
import { type ForwardedReply, Pieces, replyBytes } from './http-ask.ts';

interface DoorAnswersOptions {
  readonly head: MessageHead;
  readonly deliver: (message: Uint8Array) => void;
  readonly messageBytesMax: number;
  readonly scheduler: Scheduler;
  readonly limits: { readonly replyWindowBytes: number; readonly replyIdleMsMax: number };
}

interface OpenReply {
  readonly pieces: Pieces;
  /** So much has come. */
  confirmed: number;
  cancelIdle: (() => void) | null;
}

/** One for all doors: a message is written in one go. */
const writer = new ByteWriter(64_000);

export class DoorAnswers {
  readonly id: number;
  /** Its pings whose outcome is open. */
  readonly deciding = new Set<number>();
  readonly #options: DoorAnswersOptions;
  readonly #bytesMax: number;
  #numbers: number[] = [];
  #outcomes: PingOutcome[] = [];
  readonly #replies = new Map<number, OpenReply>();
  #isConfirming = false;
  #cancelFlush: (() => void) | null = null;
  #isClosed = false;

  constructor(options: DoorAnswersOptions) {
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

  /** The owner is there, even if it has nothing else to say. */
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
    beginMessage(writer, messageKinds.answers, this.#options.head);
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
    const partMax = Math.min(partBytesMax, Math.floor(this.#bytesMax / 2));
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
