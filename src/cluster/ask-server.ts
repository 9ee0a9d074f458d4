/**
 * The owner's side: takes the asks of all doors, hands pings to the engine and HTTP requests to the routes, and sends the
 * answers of one turn back, one message a door. Not here: the messages (`ask-codec`), how a door waits (`forwarder`).
 *
 * Invariants: a message is taken only by the owner, under the epoch that it was sent to. An ask that was sent before, to this
 * owner or an earlier one, is taken only if its record is certainly neither in the log nor on the way there: an owner has read
 * all of the log before it takes any. What is answered is durable. Who is not the owner answers nothing.
 */
import type { Engine, PingOutcome } from '../engine/engine.ts';
import { ByteReader } from '../store/codec/byte-reader.ts';
import type { Scheduler } from '../store/scheduler.ts';
import {
  AskHead,
  askKinds,
  isDamage,
  isRecorded,
  type MessageHead,
  messageKinds,
  openMessage,
  unlessDamaged,
} from './ask-codec.ts';
import { AskParts } from './ask-parts.ts';
import type { Bus } from './bus.ts';
import { DoorAnswers } from './door-answers.ts';
import { type ForwardedReply, type ForwardedRequest, readHttpAsk } from './http-ask.ts';
import { ReadPing } from './ping-ask.ts';
import type { Subjects } from './subjects.ts';

export interface AskServerLimits {
  readonly clockSkewMsMax: number;
  readonly heldBytesMax: number;
  readonly replyWindowBytes: number;
  readonly replyIdleMsMax: number;
  readonly partsBytesMax: number;
}

/** The journal keeps in one batch what is appended between `begin` and `end`, and the ask that is noted beside it. */
export interface Together {
  begin(): void;
  /** `door`: the id of its process. */
  note(door: number, number: number): void;
  end(): void;
}

/** What the owner serves from. */
export interface Served {
  readonly acceptPing: Engine['acceptPing'];
  /** Never rejects. */
  readonly serve: (request: ForwardedRequest) => Promise<ForwardedReply>;
  /** Whether the log answers. Only then does a door that gets no answers learn that the owner is there. */
  readonly isWell: () => boolean;
}

/** What the log has of earlier asks. */
interface Known {
  has(door: number, number: number): boolean;
  add(door: number, number: number): void;
  /** False when an ask that a door still waits for may be in the log and not in here: this process was started after it. */
  isWhole(): boolean;
}

interface AskServerOptions {
  /** This node's name. */
  readonly node: string;
  readonly bus: Bus;
  readonly subjects: Subjects;
  readonly scheduler: Scheduler;
  readonly limits: AskServerLimits;
  readonly nowMs: () => number;
  readonly together: Together;
  readonly known: Known;
}

/** A message for a door. */
export type Deliver = (message: Uint8Array) => void;

interface Held {
  readonly epoch: number;
  readonly message: Uint8Array;
  readonly deliver: Deliver | undefined;
}

export class AskServer {
  /**
   * `known`: answered without being taken. `doubtful`: refused, since they may be recorded already. `ignored`: messages and asks that were damaged, newer, or for another epoch. */
  readonly counts = { pings: 0, requests: 0, known: 0, doubtful: 0, ignored: 0 };
  readonly #options: AskServerOptions;
  readonly #subscription: { stop(): void };
  readonly #doors = new Map<number, DoorAnswers>();
  readonly #reader = new ByteReader();
  readonly #ask = new AskHead();
  readonly #ping = new ReadPing();
  readonly #parts: AskParts;
  /** The latest that this node owned. */
  #epoch = 0;
  #served: Served | null = null;
  #held: Held[] = [];
  #heldBytes = 0;

  constructor(options: AskServerOptions) {
    this.#options = options;
    this.#parts = new AskParts(options.limits.partsBytesMax);
    this.#subscription = options.bus.subscribe(options.subjects.asks(options.node), (message) =>
      this.take(message),
    );
  }

  /** From now on this node answers, first what doors have sent since they read of its claim. */
  own(epoch: number, served: Served): void {
    this.disown();
    this.#epoch = epoch;
    this.#served = served;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const { message, deliver } of held) this.take(message, deliver);
  }

  /** Sends the answers that are there, and no more after them. */
  disown(): void {
    for (const door of this.#doors.values()) door.close();
    this.#doors.clear();
    this.#parts.clear();
    this.#served = null;
  }

  stop(): void {
    this.#subscription.stop();
    this.disown();
  }

  /** `deliver`: where the answers go, if not by the bus. Never throws for what is in the message. */
  take(message: Uint8Array, deliver?: Deliver): void {
    const head = openMessage(this.#reader, messageKinds.asks, message);
    if (head === null) this.counts.ignored++;
    else if (this.#served !== null && head.epoch === this.#epoch) this.#takeAll(this.#served, head, deliver);
    else this.#hold(head.epoch, message, deliver);
  }

  /** Doors may read of a claim before its node knows of it, and long before recovery is over. */
  #hold(epoch: number, message: Uint8Array, deliver: Deliver | undefined): void {
    const isEarly = epoch > this.#epoch;
    if (!isEarly || this.#heldBytes + message.length > this.#options.limits.heldBytesMax) {
      this.counts.ignored++;
      return;
    }
    this.#held.push({ epoch, message, deliver });
    this.#heldBytes += message.length;
  }

  #takeAll(served: Served, head: MessageHead, deliver: Deliver | undefined): void {
    const door = this.#doorOf(head, deliver);
    const reader = this.#reader;
    const { end } = reader;
    // Without an ask it is the question whether the owner is well.
    if (reader.left === 0 && served.isWell()) door.confirm();
    while (reader.at < end) {
      if (!this.#readHead()) return;
      const next = this.#ask.end;
      reader.end = next;
      this.#takeOne(served, door);
      reader.end = end;
      reader.at = next;
    }
  }

  #readHead(): boolean {
    try {
      this.#ask.read(this.#reader);
      return true;
    } catch (error) {
      return this.#ignore(error);
    }
  }

  #ignore(error: unknown): false {
    if (!isDamage(error)) throw error;
    this.counts.ignored++;
    return false;
  }

  #takeOne(served: Served, door: DoorAnswers): void {
    const ask = this.#ask;
    const reader = this.#reader;
    const whole = ask.part ? this.#parts.add(door.id, ask, reader.raw(reader.left)) : reader;
    if (whole === null) return;
    if (ask.kind === askKinds.ping) this.#takePing(served, door, whole);
    else if (ask.kind === askKinds.http) this.#takeRequest(served, door, whole);
    else if (ask.kind === askKinds.more && reader.left >= 6) door.more(ask.number, reader.u48());
    else this.counts.ignored++;
  }

  #takePing(served: Served, door: DoorAnswers, reader: ByteReader): void {
    const { number, again } = this.#ask;
    const { together, known } = this.#options;
    if (again && known.has(door.id, number)) {
      this.counts.known++;
      door.answer(number, 'ok');
      return;
    }
    // It is answered when its record is written.
    if (again && door.deciding.has(number)) return;
    if (again && !known.isWhole()) {
      this.counts.doubtful++;
      door.answer(number, 'unavailable');
      return;
    }
    if (!this.#readPing(reader)) return;
    this.counts.pings++;
    const asked = new Asked(door, number, known);
    door.deciding.add(number);
    together.begin();
    try {
      served.acceptPing(this.#ping, answered, asked);
      // What is refused at once has no record: sent again, it is to be decided again.
      if (asked.outcome === null || isRecorded(asked.outcome)) together.note(door.id, number);
    } finally {
      together.end();
    }
  }

  #readPing(reader: ByteReader): boolean {
    try {
      this.#ping.read(reader).receivedAtMs = this.#bounded(this.#ping.receivedAtMs);
      return true;
    } catch (error) {
      return this.#ignore(error);
    }
  }

  #bounded(receivedAtMs: number): number {
    const nowMs = this.#options.nowMs();
    return Math.abs(receivedAtMs - nowMs) <= this.#options.limits.clockSkewMsMax ? receivedAtMs : nowMs;
  }

  #takeRequest(served: Served, door: DoorAnswers, reader: ByteReader): void {
    const { number } = this.#ask;
    const request = unlessDamaged(() => readHttpAsk(reader));
    if (request === null) {
      this.counts.ignored++;
      return;
    }
    this.counts.requests++;
    const receivedAtMs = this.#bounded(request.receivedAtMs);
    void served.serve({ ...request, receivedAtMs }).then((reply) => door.reply(number, reply));
  }

  #doorOf({ name, id, epoch }: MessageHead, deliver: Deliver | undefined): DoorAnswers {
    const known = this.#doors.get(id);
    if (known) return known;
    const { bus, subjects, scheduler, limits } = this.#options;
    const subject = subjects.answers({ name, id });
    const door = new DoorAnswers({
      head: { name, id, epoch },
      deliver: deliver ?? ((message) => bus.publish(subject, message)),
      messageBytesMax: bus.messageBytesMax,
      scheduler,
      limits,
    });
    this.#doors.set(id, door);
    return door;
  }
}

/** Who asked, and the outcome once it is there. */
class Asked {
  readonly door: DoorAnswers;
  readonly number: number;
  readonly known: AskServerOptions['known'];
  outcome: PingOutcome | null = null;

  constructor(door: DoorAnswers, number: number, known: AskServerOptions['known']) {
    this.door = door;
    this.number = number;
    this.known = known;
  }
}

function answered(outcome: PingOutcome, asked: Asked): void {
  const { door, number, known } = asked;
  asked.outcome = outcome;
  door.deciding.delete(number);
  if (isRecorded(outcome)) known.add(door.id, number);
  door.answer(number, outcome);
}
