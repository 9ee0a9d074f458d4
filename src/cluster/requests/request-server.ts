/**
 * The leader's side: takes the requests of all clients, hands pings to the engine and HTTP requests to the routes, and sends the
 * answers of one turn back, one message a client. Not here: the messages (`request-codec`), how a client waits (`forwarder`).
 *
 * Invariants: a message is taken only by the leader, under the epoch that it was sent to. However often a copy of a request comes,
 * and however late, it is taken once: every request is looked up, whether it is marked as sent again or not; one that its client has
 * given up is dropped; and a message that may be older than what is looked up reaches back is not read. A leader has read all of
 * the log before it takes any. What is answered is durable. Who is not the leader answers nothing, and who may not be the leader
 * any more does not say what there is not.
 */
import type { Engine, PingOutcome } from '../../engine/contract/engine.ts';
import { ByteReader } from '../../store/codec/byte-reader.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import { ChangeReplies } from './change-replies.ts';
import { ReadPing } from './forwarded-ping.ts';
import {
  type ForwardedReply,
  type ForwardedRequest,
  readForwardedRequest,
  safeMethods,
} from './forwarded-request.ts';
import {
  isDamage,
  isRecorded,
  isVerdict,
  openRequests,
  RequestHead,
  type RequestsHead,
  requestKinds,
  unlessDamaged,
} from './request-codec.ts';
import { RequestParts } from './request-parts.ts';
import type { Subjects } from './subjects.ts';

export interface RequestServerLimits {
  readonly clockSkewMsMax: number;
  readonly heldBytesMax: number;
  readonly replyWindowBytes: number;
  readonly replyIdleMsMax: number;
  readonly partsBytesMax: number;
  readonly changesBytesMax: number;
  readonly lateMsMax: number;
  /** Milliseconds that clients wait for a ping, and for a request. */
  readonly waitMsMax: number;
  readonly requestWaitMsMax: number;
}

/** The journal keeps in one batch what is appended between `begin` and `end`, and the request that is noted beside it. */
export interface RecordGroup {
  begin(): void;
  /** `client`: the id of its process. */
  note(client: number, number: number): void;
  end(): void;
}

/**
 * State of a changing request in the log: none; its record, so that it was done or at least begun; or unknown, since this process
 * was started after it.
 */
export type RequestPast = 'new' | 'recorded' | 'unknown';

export interface RequestToServe {
  readonly past: RequestPast;
  /** Whether this node stopped serving meanwhile: nobody gets the reply, and its store may be closed. */
  isGivenUp(): boolean;
  /** Runs what decides a change. What that appends before it returns is in one batch with the note that this request was taken. */
  recording<Result>(run: () => Result): Result;
}

/** The functions with which the leader serves requests. */
export interface Served {
  readonly acceptPing: Engine['acceptPing'];
  /** Never rejects. */
  readonly serve: (request: ForwardedRequest, how: RequestToServe) => Promise<ForwardedReply>;
  /** True once it is certain that this node still leads; false, or never, when it is not. */
  readonly certainly: () => true | Promise<boolean>;
  /** Whether the log answers. Only then does a client that gets no answers learn that the leader is there. */
  readonly isWell: () => boolean;
}

/** Earlier requests in the log. */
interface Known {
  has(client: number, number: number): boolean;
  add(client: number, number: number): void;
  /** False when a request of the last `waitMs` may be in the log and not in here: this process was started after it. */
  isWhole(waitMs: number): boolean;
}

interface RequestServerOptions {
  /** This node's name. */
  readonly node: string;
  readonly bus: Bus;
  readonly subjects: Subjects;
  readonly scheduler: Scheduler;
  readonly limits: RequestServerLimits;
  readonly nowMs: () => number;
  readonly together: RecordGroup;
  readonly known: Known;
}

/** A message for a client. */
export type Deliver = (message: Uint8Array) => void;

interface Held {
  readonly epoch: number;
  readonly message: Uint8Array;
  readonly deliver: Deliver | undefined;
}

export class RequestServer {
  /**
   * `known`: answered without being taken. `doubtful`: refused, since they may be recorded already. `late`: dropped, since their
   * client may have given them up. `ignored`: messages and requests that were damaged, newer, or for another epoch.
   */
  readonly counts = { pings: 0, requests: 0, known: 0, doubtful: 0, late: 0, ignored: 0 };
  readonly #options: RequestServerOptions;
  readonly #subscription: { stop(): void };
  readonly #clients = new Map<number, ChangeReplies>();
  readonly #reader = new ByteReader();
  readonly #head = new RequestHead();
  readonly #ping = new ReadPing();
  readonly #parts: RequestParts;
  /** The latest that this node led. */
  #epoch = 0;
  #served: Served | null = null;
  /** The message that is being read is at most so old; `#sentAtMs`: when it was sent, on its client's wall clock. */
  #ageMs = 0;
  #sentAtMs = 0;
  #held: Held[] = [];
  #heldBytes = 0;

  constructor(options: RequestServerOptions) {
    this.#options = options;
    this.#parts = new RequestParts(options.limits.partsBytesMax);
    this.#subscription = options.bus.subscribe(options.subjects.requests(options.node), (message) =>
      this.take(message),
    );
  }

  /** From now on this node answers, first what clients have sent since they read of its claim. */
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
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
    this.#parts.clear();
    this.#served = null;
  }

  stop(): void {
    this.#subscription.stop();
    this.disown();
  }

  /** `deliver`: where the answers go, if not by the bus. Never throws for what is in the message. */
  take(message: Uint8Array, deliver?: Deliver): void {
    const head = openRequests(this.#reader, message);
    if (head === null) this.counts.ignored++;
    else if (this.#served !== null && head.epoch === this.#epoch) this.#takeAll(this.#served, head, deliver);
    else this.#hold(head.epoch, message, deliver);
  }

  /** Clients may read of a claim before its node knows of it, and long before recovery is over. */
  #hold(epoch: number, message: Uint8Array, deliver: Deliver | undefined): void {
    const isEarly = epoch > this.#epoch;
    if (!isEarly || this.#heldBytes + message.length > this.#options.limits.heldBytesMax) {
      this.counts.ignored++;
      return;
    }
    this.#held.push({ epoch, message, deliver });
    this.#heldBytes += message.length;
  }

  #takeAll(served: Served, head: RequestsHead, deliver: Deliver | undefined): void {
    const { scheduler, limits } = this.#options;
    const client = this.#pingsOf(head, deliver);
    const reader = this.#reader;
    const { end } = reader;
    client.waitsFor(head.lowestPing, head.lowestRequest);
    this.#ageMs = scheduler.elapsedMs() - head.echoMs;
    this.#sentAtMs = head.sentAtMs;
    const isLate = reader.left > 0 && this.#ageMs > limits.lateMsMax;
    if (isLate) this.counts.late++;
    // Without a request it is the question whether the leader is well. A client whose requests are late sends them behind this answer.
    if ((reader.left === 0 || isLate) && served.isWell()) client.confirm();
    if (isLate) return;
    while (reader.at < end) {
      if (!this.#readHead()) return;
      const next = this.#head.end;
      reader.end = next;
      this.#takeOne(served, client);
      reader.end = end;
      reader.at = next;
    }
  }

  #readHead(): boolean {
    try {
      this.#head.read(this.#reader);
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

  #takeOne(served: Served, client: ChangeReplies): void {
    const head = this.#head;
    const reader = this.#reader;
    const whole = head.part ? this.#parts.add(client.id, head, reader.raw(reader.left)) : reader;
    if (whole === null) return;
    if (head.kind === requestKinds.ping) this.#takePing(served, client, whole);
    else if (head.kind === requestKinds.http) this.#takeRequest(served, client, whole);
    else if (head.kind === requestKinds.more && reader.left >= 6) client.more(head.number, reader.u48());
    else this.counts.ignored++;
  }

  #takePing(served: Served, client: ChangeReplies, reader: ByteReader): void {
    const { number, again } = this.#head;
    const { together, known, limits } = this.#options;
    if (number < client.lowestPing) {
      this.counts.late++;
      return;
    }
    if (known.has(client.id, number)) {
      this.counts.known++;
      client.answer(number, 'ok');
      return;
    }
    // It is answered when its record is written.
    if (client.deciding.has(number)) return;
    if (again && !known.isWhole(limits.waitMsMax)) {
      this.counts.doubtful++;
      client.answer(number, 'unavailable');
      return;
    }
    if (!this.#readPing(reader)) return;
    this.counts.pings++;
    const asked = new Asked(client, number, known, served);
    client.deciding.add(number);
    together.begin();
    try {
      served.acceptPing(this.#ping, answered, asked);
      // A request that is refused at once has no record: if it is sent again, it is decided again.
      if (asked.outcome === null || isRecorded(asked.outcome)) together.note(client.id, number);
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

  /** So long it waited at its client, by that one's clock, before this copy was sent. */
  #waitedMs(receivedAtMs: number): number {
    return Math.max(0, this.#sentAtMs - receivedAtMs);
  }

  /** When it came in: by its client's clock, if that can be, else by this one's and the time for which it is known to have waited. */
  #bounded(receivedAtMs: number): number {
    const { nowMs, limits } = this.#options;
    const agoMs = nowMs() - receivedAtMs;
    const waitedMs = this.#waitedMs(receivedAtMs);
    const isPossible =
      agoMs >= -limits.clockSkewMsMax && agoMs <= waitedMs + this.#ageMs + limits.clockSkewMsMax;
    return isPossible ? receivedAtMs : nowMs() - waitedMs;
  }

  #takeRequest(served: Served, client: ChangeReplies, reader: ByteReader): void {
    const { number, again } = this.#head;
    const request = unlessDamaged(() => readForwardedRequest(reader));
    if (request === null) {
      this.counts.ignored++;
      return;
    }
    const { known, together } = this.#options;
    if (number < client.lowestRequest) {
      this.counts.late++;
      return;
    }
    const isSafe = safeMethods.has(request.method);
    if (!isSafe && client.hasTaken(number)) return;
    this.counts.requests++;
    const receivedAtMs = this.#bounded(request.receivedAtMs);
    const past = this.#pastOf(again, known.has(client.id, number), isSafe);
    const how: RequestToServe = {
      past,
      isGivenUp: () => this.#served !== served,
      recording(run) {
        together.begin();
        try {
          together.note(client.id, number);
          return run();
        } finally {
          together.end();
        }
      },
    };
    if (!isSafe) client.taken(number);
    void served.serve({ ...request, receivedAtMs }, how).then((reply) => {
      if (isSafe) client.reply(number, reply);
      else client.changed(number, reply);
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

  #pingsOf({ name, id, epoch }: RequestsHead, deliver: Deliver | undefined): ChangeReplies {
    const known = this.#clients.get(id);
    if (known) return known;
    const { bus, subjects, scheduler, limits } = this.#options;
    const subject = subjects.answers({ name, id });
    const client = new ChangeReplies({
      head: { name, id, epoch },
      deliver: deliver ?? ((message) => bus.publish(subject, message)),
      messageBytesMax: bus.messageBytesMax,
      scheduler,
      limits,
    });
    this.#clients.set(id, client);
    return client;
  }
}

/** Who asked, and the outcome once it is there. */
class Asked {
  readonly client: ChangeReplies;
  readonly number: number;
  readonly known: RequestServerOptions['known'];
  readonly served: Served;
  outcome: PingOutcome | null = null;

  constructor(client: ChangeReplies, number: number, known: RequestServerOptions['known'], served: Served) {
    this.client = client;
    this.number = number;
    this.known = known;
    this.served = served;
  }
}

function answered(outcome: PingOutcome, asked: Asked): void {
  const { client, number, known, served } = asked;
  asked.outcome = outcome;
  const isCertain = isVerdict(outcome) ? served.certainly() : true;
  if (isCertain !== true) {
    void isCertain.then((is) => {
      client.deciding.delete(number);
      client.answer(number, is ? outcome : 'unavailable');
    });
    return;
  }
  client.deciding.delete(number);
  if (isRecorded(outcome)) known.add(client.id, number);
  client.answer(number, outcome);
}
