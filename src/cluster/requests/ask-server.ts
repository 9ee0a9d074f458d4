/**
 * The owner's side: takes the asks of all doors, hands pings to the engine and HTTP requests to the routes, and sends the
 * answers of one turn back, one message a door. Not here: the messages (`ask-codec`), how a door waits (`forwarder`).
 *
 * Invariants: a message is taken only by the owner, under the epoch that it was sent to. However often a copy of an ask comes,
 * and however late, it is taken once: every ask is looked up, whether it is marked as sent again or not; one that its door has
 * given up is dropped; and a message that may be older than what is looked up reaches back is not read. An owner has read all of
 * the log before it takes any. What is answered is durable. Who is not the owner answers nothing, and who may not be the owner
 * any more does not say what there is not.
 */
import type { Engine, PingOutcome } from '../../engine/contract/engine.ts';
import { ByteReader } from '../../store/codec/byte-reader.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import {
  AskHead,
  type AsksHead,
  askKinds,
  isDamage,
  isRecorded,
  isVerdict,
  openAsks,
  unlessDamaged,
} from './ask-codec.ts';
import { AskParts } from './ask-parts.ts';
import { DoorAnswers } from './door-answers.ts';
import { type ForwardedReply, type ForwardedRequest, readHttpAsk, safeMethods } from './http-ask.ts';
import { ReadPing } from './ping-ask.ts';
import type { Subjects } from './subjects.ts';

export interface AskServerLimits {
  readonly clockSkewMsMax: number;
  readonly heldBytesMax: number;
  readonly replyWindowBytes: number;
  readonly replyIdleMsMax: number;
  readonly partsBytesMax: number;
  readonly changesBytesMax: number;
  readonly lateMsMax: number;
  /** As their doors wait for a ping, and for a request. */
  readonly waitMsMax: number;
  readonly requestWaitMsMax: number;
}

/** The journal keeps in one batch what is appended between `begin` and `end`, and the ask that is noted beside it. */
export interface Together {
  begin(): void;
  /** `door`: the id of its process. */
  note(door: number, number: number): void;
  end(): void;
}

/**
 * What the log has of a request that changes something: nothing; its record, so that it was done or at least begun; or nobody
 * knows, since this process was started after it.
 */
export type RequestPast = 'new' | 'recorded' | 'unknown';

export interface RequestToServe {
  readonly past: RequestPast;
  /** Runs what decides a change. What that appends before it returns is in one batch with the note that this request was taken. */
  recording<Result>(run: () => Result): Result;
}

/** What the owner serves from. */
export interface Served {
  readonly acceptPing: Engine['acceptPing'];
  /** Never rejects. */
  readonly serve: (request: ForwardedRequest, how: RequestToServe) => Promise<ForwardedReply>;
  /** True once it is certain that this node still owns the log; false, or never, when it is not. */
  readonly certainly: () => true | Promise<boolean>;
  /** Whether the log answers. Only then does a door that gets no answers learn that the owner is there. */
  readonly isWell: () => boolean;
}

/** What the log has of earlier asks. */
interface Known {
  has(door: number, number: number): boolean;
  add(door: number, number: number): void;
  /** False when an ask of the last `waitMs` may be in the log and not in here: this process was started after it. */
  isWhole(waitMs: number): boolean;
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
   * `known`: answered without being taken. `doubtful`: refused, since they may be recorded already. `late`: dropped, since their
   * door may have given them up. `ignored`: messages and asks that were damaged, newer, or for another epoch.
   */
  readonly counts = { pings: 0, requests: 0, known: 0, doubtful: 0, late: 0, ignored: 0 };
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
  /** Of the message that is being read: it is at most so old, and was sent at this instant of its door's wall clock. */
  #ageMs = 0;
  #sentAtMs = 0;
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
    const head = openAsks(this.#reader, message);
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

  #takeAll(served: Served, head: AsksHead, deliver: Deliver | undefined): void {
    const { scheduler, limits } = this.#options;
    const door = this.#doorOf(head, deliver);
    const reader = this.#reader;
    const { end } = reader;
    door.waitsFor(head.lowestPing, head.lowestRequest);
    this.#ageMs = scheduler.elapsedMs() - head.echoMs;
    this.#sentAtMs = head.sentAtMs;
    const isLate = reader.left > 0 && this.#ageMs > limits.lateMsMax;
    if (isLate) this.counts.late++;
    // Without an ask it is the question whether the owner is well. A door whose asks are late sends them behind this answer.
    if ((reader.left === 0 || isLate) && served.isWell()) door.confirm();
    if (isLate) return;
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
    const { together, known, limits } = this.#options;
    if (number < door.lowestPing) {
      this.counts.late++;
      return;
    }
    if (known.has(door.id, number)) {
      this.counts.known++;
      door.answer(number, 'ok');
      return;
    }
    // It is answered when its record is written.
    if (door.deciding.has(number)) return;
    if (again && !known.isWhole(limits.waitMsMax)) {
      this.counts.doubtful++;
      door.answer(number, 'unavailable');
      return;
    }
    if (!this.#readPing(reader)) return;
    this.counts.pings++;
    const asked = new Asked(door, number, known, served);
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

  /** So long it waited at its door, by that one's clock, before this copy was sent. */
  #waitedMs(receivedAtMs: number): number {
    return Math.max(0, this.#sentAtMs - receivedAtMs);
  }

  /** When it came in: by its door's clock, if that can be, else by this one's and the time for which it is known to have waited. */
  #bounded(receivedAtMs: number): number {
    const { nowMs, limits } = this.#options;
    const agoMs = nowMs() - receivedAtMs;
    const waitedMs = this.#waitedMs(receivedAtMs);
    const isPossible =
      agoMs >= -limits.clockSkewMsMax && agoMs <= waitedMs + this.#ageMs + limits.clockSkewMsMax;
    return isPossible ? receivedAtMs : nowMs() - waitedMs;
  }

  #takeRequest(served: Served, door: DoorAnswers, reader: ByteReader): void {
    const { number, again } = this.#ask;
    const request = unlessDamaged(() => readHttpAsk(reader));
    if (request === null) {
      this.counts.ignored++;
      return;
    }
    const { known, together } = this.#options;
    if (number < door.lowestRequest) {
      this.counts.late++;
      return;
    }
    const isSafe = safeMethods.has(request.method);
    if (!isSafe && door.hasTaken(number)) return;
    this.counts.requests++;
    const receivedAtMs = this.#bounded(request.receivedAtMs);
    const past = this.#pastOf(again, known.has(door.id, number), isSafe);
    const how: RequestToServe = {
      past,
      recording(run) {
        together.begin();
        try {
          together.note(door.id, number);
          return run();
        } finally {
          together.end();
        }
      },
    };
    if (!isSafe) door.taken(number);
    void served.serve({ ...request, receivedAtMs }, how).then((reply) => {
      if (isSafe) door.reply(number, reply);
      else door.changed(number, reply);
    });
  }

  #pastOf(again: boolean, isRecorded: boolean, isSafe: boolean): RequestPast {
    const { known, limits } = this.#options;
    if (isSafe) return 'new';
    if (isRecorded) {
      this.counts.known++;
      return 'recorded';
    }
    if (!again || known.isWhole(limits.requestWaitMsMax)) return 'new';
    this.counts.doubtful++;
    return 'unknown';
  }

  #doorOf({ name, id, epoch }: AsksHead, deliver: Deliver | undefined): DoorAnswers {
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
  readonly served: Served;
  outcome: PingOutcome | null = null;

  constructor(door: DoorAnswers, number: number, known: AskServerOptions['known'], served: Served) {
    this.door = door;
    this.number = number;
    this.known = known;
    this.served = served;
  }
}

function answered(outcome: PingOutcome, asked: Asked): void {
  const { door, number, known, served } = asked;
  asked.outcome = outcome;
  const isCertain = isVerdict(outcome) ? served.certainly() : true;
  if (isCertain !== true) {
    void isCertain.then((is) => {
      door.deciding.delete(number);
      door.answer(number, is ? outcome : 'unavailable');
    });
    return;
  }
  door.deciding.delete(number);
  if (isRecorded(outcome)) known.add(door.id, number);
  door.answer(number, outcome);
}
