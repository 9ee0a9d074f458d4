/**
 * The client's side: what a node that does not lead takes goes to the node that does, all of one turn of the event loop in
 * one message. Not here: the messages (`request-batch`, `request-codec`), what the leader does with them (`request-server`).
 *
 * Invariants: each request is answered exactly once. It is sent again to another leader than before, and to the same one when that
 * is well and has not answered for long: a message of either may have been lost, or be late. A request goes out only behind an
 * answer of the same leader that came within `echoMsMax`, so that the leader knows how old it is at most: until then it waits behind a
 * greeting. Requests have a bound in bytes, number and time; while the leader gives no sign of life, new ones are refused at once.
 */
import type { PingOutcome, PingRequest } from '../../engine/contract/engine.ts';
import { ByteReader } from '../../store/codec/byte-reader.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import { forwardedPingBytesMax } from './forwarded-ping.ts';
import {
  type ForwardedReply,
  type ForwardedRequest,
  forwardedRequestBytesMax,
  readReply,
  safeMethods,
} from './forwarded-request.ts';
import { type HttpRefusal, InFlight, PendingHttp, PendingPing } from './in-flight.ts';
import { RequestBatch } from './request-batch.ts';
import {
  answerKinds,
  type Client,
  firstRequestNumber,
  type HttpAnswerPart,
  isDamage,
  isRecorded,
  openAnswers,
  readHttpAnswer,
  readOutcome,
  unlessDamaged,
} from './request-codec.ts';
import type { RequestServer } from './request-server.ts';
import type { Subjects } from './subjects.ts';

export interface ForwarderLimits {
  readonly bytesMax: number;
  readonly requestsMax: number;
  readonly silenceMsMax: number;
  readonly probeEveryMs: number;
  readonly againMs: number;
  readonly requestAgainMs: number;
  readonly waitMsMax: number;
  readonly requestMsMax: number;
  readonly replyBytesMax: number;
  readonly echoMsMax: number;
  readonly sendMsMax: number;
  readonly requestSendMsMax: number;
}

interface ForwarderOptions {
  readonly client: Client;
  readonly bus: Bus;
  readonly subjects: Subjects;
  readonly scheduler: Scheduler;
  readonly limits: ForwarderLimits;
  /** The clock that dates what comes in. */
  readonly nowMs: () => number;
}

export interface Leader {
  readonly node: string;
  readonly epoch: number;
}

export class Forwarder {
  /** `ignored`: messages that were damaged or newer, and answers to what had been answered. */
  readonly counts = { pings: 0, requests: 0, again: 0, refused: 0, ignored: 0 };
  readonly #options: ForwarderOptions;
  readonly #inFlight = new InFlight();
  readonly #batch: RequestBatch;
  readonly #reader = new ByteReader();
  readonly #subscription: { stop(): void };
  #send: (message: Uint8Array) => void = () => {};
  #epoch = 0;
  /** Numbers of the next ping and the next request. */
  #pingNumber = 1;
  #requestNumber = firstRequestNumber;
  /** The latest stamp of the leader of this epoch, and when it came; none: requests wait behind a greeting. */
  #echoMs = Number.NEGATIVE_INFINITY;
  #echoAtMs = Number.NEGATIVE_INFINITY;
  /** Time of the leader's latest sign of life, or of the first request after a time without any. */
  #lifeAtMs = 0;
  #isSilent = false;
  #cancelFlush: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const { client, bus, subjects } = options;
    this.#batch = new RequestBatch({
      client,
      messageBytesMax: bus.messageBytesMax,
      marks: () => ({
        echoMs: this.#echoMs,
        sentAtMs: options.nowMs(),
        lowestPing: this.#inFlight.lowestPing(this.#pingNumber),
        lowestRequest: this.#inFlight.lowestRequest(this.#requestNumber),
      }),
      send: (message) => this.#send(message),
    });
    this.#subscription = bus.subscribe(subjects.answers(client), (message) => this.#take(message));
  }

  /** Takes a ping as `Engine.acceptPing` does; `unavailable`, possibly at once, for a ping that was not recorded. */
  acceptPing<Who>(request: PingRequest, answer: (outcome: PingOutcome, who: Who) => void, who: Who): void {
    if (!this.#admits(forwardedPingBytesMax(request))) {
      this.counts.refused++;
      answer('unavailable', who);
      return;
    }
    this.counts.pings++;
    const pending = new PendingPing(this.#pingNumber, this.#nowMs(), answer, who);
    this.#batch.addPing(pending, request);
    this.#pingNumber++;
    this.#added(pending);
  }

  /** Never rejects. The request is read before this returns. */
  http(request: ForwardedRequest): Promise<ForwardedReply | HttpRefusal> {
    if (!this.#admits(forwardedRequestBytesMax(request))) {
      this.counts.refused++;
      return Promise.resolve('unavailable');
    }
    this.counts.requests++;
    return new Promise((resolve) => {
      const isSafe = safeMethods.has(request.method);
      const pending = new PendingHttp(this.#requestNumber, this.#nowMs(), isSafe, resolve);
      this.#batch.addRequest(pending, request);
      this.#requestNumber++;
      this.#added(pending);
    });
  }

  /** Whether the leader that this node knows of serves: it has answered since it came to be the leader. */
  get isAnswered(): boolean {
    return this.#epoch !== 0 && this.#batch.epoch === this.#epoch;
  }

  /** Pings and requests that wait. */
  get size(): number {
    return this.#inFlight.size;
  }

  /** Who leads, by what was read of it; null while nobody does. Not this node: see `takeOver`. */
  leaderIs(leader: Leader | null): void {
    const { bus, subjects } = this.#options;
    const subject = leader === null ? '' : subjects.requests(leader.node);
    this.#sendTo(leader?.epoch ?? 0, (message) => bus.publish(subject, message));
  }

  /** This node leads, under `epoch`: `local` gets what is in flight, and what may still come. */
  takeOver(local: Pick<RequestServer, 'take'>, epoch: number): void {
    const answers = (message: Uint8Array): void => this.#take(message);
    this.#sendTo(epoch, (message) => local.take(message, answers));
  }

  /** Refuses the requests in flight. */
  stop(): void {
    this.#subscription.stop();
    this.#cancelFlush?.();
    this.#cancelWatch?.();
    this.#inFlight.refuseBefore(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  #sendTo(epoch: number, send: (message: Uint8Array) => void): void {
    if (epoch === this.#epoch) return;
    this.#batch.discard();
    this.#epoch = epoch;
    this.#batch.epoch = 0;
    this.#send = send;
    this.#echoMs = Number.NEGATIVE_INFINITY;
    if (epoch === 0) return;
    this.#alive();
    // This process may have been stopped: the leader knows only for so long what was recorded.
    this.#inFlight.refuseBefore(this.#nowMs() - this.#options.limits.waitMsMax, Number.NEGATIVE_INFINITY);
    this.#greet();
    this.#watchSoon();
  }

  /** Nothing else goes out before it is answered. */
  #greet(): void {
    this.#batch.discard();
    this.#batch.epoch = 0;
    this.#send(this.#batch.greeting(this.#epoch));
  }

  /** The leader has answered: what it has not had yet goes out. */
  #stamped(stampMs: number): void {
    // One that was held back on its way says nothing new.
    if (stampMs <= this.#echoMs) return;
    this.#echoMs = stampMs;
    this.#echoAtMs = this.#nowMs();
    if (this.#batch.epoch === this.#epoch) return;
    this.#batch.discard();
    this.#batch.epoch = this.#epoch;
    for (const pending of this.#inFlight.requests.values()) this.#again(pending);
    for (const pending of this.#inFlight.pings.values()) this.#again(pending);
    this.#batch.flush();
  }

  #again(pending: PendingPing | PendingHttp): void {
    if (pending.sentEpoch !== this.#epoch) this.#addAgain(pending);
  }

  /** Does not send a request that is given up soon: it could be taken after that. */
  #addAgain(pending: PendingPing | PendingHttp): void {
    const { sendMsMax, requestSendMsMax } = this.#options.limits;
    const waitedMs = this.#nowMs() - pending.acceptedAtMs;
    if (waitedMs > (pending instanceof PendingPing ? sendMsMax : requestSendMsMax)) return;
    if (pending.sentEpoch !== 0) this.counts.again++;
    pending.sentAtMs = this.#nowMs();
    this.#batch.addAgain(pending);
  }

  /** The leader is well: what it has not answered for so long was lost with a connection, or the answer was. */
  #sendLost(): void {
    const { againMs, requestAgainMs } = this.#options.limits;
    const nowMs = this.#nowMs();
    for (const pending of this.#inFlight.pings.values()) {
      if (pending.acceptedAtMs > nowMs - againMs) break;
      if (pending.sentEpoch === this.#epoch && pending.sentAtMs <= nowMs - againMs) this.#addAgain(pending);
    }
    for (const pending of this.#inFlight.requests.values()) {
      if (pending.acceptedAtMs > nowMs - requestAgainMs) break;
      const isLost = pending.sentEpoch === this.#epoch && pending.sentAtMs <= nowMs - requestAgainMs;
      if (isLost && pending.reply === null) this.#addAgain(pending);
    }
    this.#flushSoon();
  }

  #nowMs(): number {
    return this.#options.scheduler.elapsedMs();
  }

  #admits(bytes: number): boolean {
    const { bytesMax, requestsMax, silenceMsMax } = this.#options.limits;
    const { size } = this.#inFlight;
    if (size === 0 && !this.#isSilent) this.#lifeAtMs = this.#nowMs();
    else if (this.#nowMs() - this.#lifeAtMs >= silenceMsMax) this.#isSilent = true;
    return !this.#isSilent && size < requestsMax && this.#inFlight.bytes + bytes <= bytesMax;
  }

  #alive(): void {
    this.#lifeAtMs = this.#nowMs();
    this.#isSilent = false;
  }

  #added(pending: PendingPing | PendingHttp): void {
    this.#inFlight.add(pending);
    const isStale = this.#nowMs() - this.#echoAtMs > this.#options.limits.echoMsMax;
    if (this.#batch.epoch !== 0 && isStale) this.#greet();
    this.#flushSoon();
    this.#watchSoon();
  }

  #watchSoon(): void {
    const { scheduler, limits } = this.#options;
    this.#cancelWatch ??= scheduler.after(limits.probeEveryMs, () => this.#watch());
  }

  #flushSoon(): void {
    this.#cancelFlush ??= this.#options.scheduler.soon(() => {
      this.#cancelFlush = null;
      this.#batch.flush();
    });
  }

  /** Runs while something is in flight, or it is not known whether the leader is well. */
  #watch(): void {
    this.#cancelWatch = null;
    const { probeEveryMs, waitMsMax, requestMsMax, silenceMsMax } = this.#options.limits;
    const nowMs = this.#nowMs();
    const silentMs = nowMs - this.#lifeAtMs;
    if (silentMs >= silenceMsMax && this.#inFlight.size > 0) this.#isSilent = true;
    // A leader that is well may work on a request for longer than a ping ever takes.
    this.#inFlight.refuseBefore(
      nowMs - waitMsMax,
      nowMs - (silentMs >= waitMsMax ? waitMsMax : requestMsMax),
    );
    const isGreeting = this.#epoch !== 0 && !this.isAnswered;
    if (this.#inFlight.size === 0 && !this.#isSilent && !isGreeting) return;
    if (this.#epoch !== 0 && silentMs >= probeEveryMs) this.#send(this.#batch.greeting(this.#epoch));
    if (this.#batch.epoch !== 0 && silentMs < 2 * probeEveryMs) this.#sendLost();
    this.#watchSoon();
  }

  /**
   * If an answer is an earlier leader's, only that a ping is recorded counts: it was in the log before the next leader read the
   * log. The rest of the answer may be out of date.
   */
  #take(message: Uint8Array): void {
    const reader = this.#reader;
    const head = openAnswers(reader, message);
    if (head === null || head.id !== this.#options.client.id) {
      this.counts.ignored++;
      return;
    }
    if (head.epoch === this.#epoch) {
      this.#alive();
      this.#stamped(head.stampMs);
    }
    try {
      while (reader.left > 0) this.#takeAnswer(head.epoch);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.counts.ignored++;
    }
  }

  #takeAnswer(epoch: number): void {
    const reader = this.#reader;
    const kind = reader.u8();
    if (kind === answerKinds.http) {
      this.#takePart(epoch, readHttpAnswer(reader));
      return;
    }
    const pending = this.#inFlight.pings.get(reader.f64());
    const outcome = readOutcome(reader);
    const isMeant = pending && (epoch === pending.sentEpoch || isRecorded(outcome));
    // A ping that was sent again may be taken after it was refused, so a refusal counts only when all of them have come.
    if (isMeant && (isRecorded(outcome) || ++pending.refusals >= pending.sends))
      this.#inFlight.answerPing(pending, outcome);
    else this.counts.ignored++;
  }

  #takePart(epoch: number, { number, offset, total, bytes }: HttpAnswerPart): void {
    const inFlight = this.#inFlight;
    const pending = inFlight.requests.get(number);
    if (pending && offset === 0 && epoch === pending.sentEpoch) {
      inFlight.forgetReply(pending);
      pending.reply = { epoch, parts: [], received: 0 };
    }
    const reply = pending?.reply;
    if (!pending || epoch !== pending.sentEpoch || reply?.epoch !== epoch || reply.received !== offset) {
      this.counts.ignored++;
      return;
    }
    if (inFlight.replyBytes - reply.received + total > this.#options.limits.replyBytesMax) {
      inFlight.answerHttp(pending, 'too-large');
      return;
    }
    reply.parts.push(bytes);
    reply.received += bytes.length;
    inFlight.replyBytes += bytes.length;
    if (reply.received < total) {
      this.#batch.addMore(number, reply.received);
      this.#flushSoon();
      return;
    }
    const whole = unlessDamaged(() => readReply(new ByteReader(), reply.parts));
    inFlight.answerHttp(pending, whole ?? (pending.isSafe ? 'unavailable' : 'in-doubt'));
  }
}
