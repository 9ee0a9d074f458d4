/**
 * A cluster's stream in memory, as JetStream offers it, with what can go wrong: requests and answers are lost or late, the
 * leader changes, nodes are cut off, stopped or killed. What the log does with it is the real code (`StreamLog`).
 *
 * Invariants: everything that happens by chance comes from `random`, so that a seed gives the same cluster. Nothing is
 * reordered: what one node sends arrives in this order, and so does what is sent to it. What was stored stays as it was.
 */

import type { Bus } from '../../../src/cluster/bus/bus.ts';
import type { Scheduler } from '../../../src/store/disk/scheduler.ts';
import type {
  EntryStream,
  PublishAnswer,
  PublishedMessage,
  StoredMessage,
  StreamInfo,
  StreamListener,
} from '../../../src/store/replicated/entry-stream.ts';
import type { ReplicatedLimits } from '../../../src/store/replicated/limits.ts';
import { StreamLog } from '../../../src/store/replicated/stream-log.ts';

/** Probabilities from 0 to 1, and times. */
export interface ClusterFaults {
  /** Of a request that never arrives. */
  readonly lostRequest: number;
  /** Of an answer that never arrives, to what was done. */
  readonly lostAnswer: number;
  /** Of a message to followers or over the bus that never arrives. */
  readonly lostMessage: number;
  /** Of anything that arrives after up to `lateMs` instead of `delayMs`; what is sent behind it waits for it. */
  readonly late: number;
  readonly delayMs: number;
  readonly lateMs: number;
}

export const noFaults: ClusterFaults = {
  lostRequest: 0,
  lostAnswer: 0,
  lostMessage: 0,
  late: 0,
  delayMs: 1,
  lateMs: 0,
};

export interface MemoryClusterOptions {
  readonly scheduler: Scheduler;
  /** 0 to 1. */
  random(): number;
  readonly firstSeq?: number;
  readonly messageBytesMax?: number;
}

/** One life of a node: from its start until it is killed. */
interface NodeLife {
  readonly name: string;
  isAlive: boolean;
  /** To the node and from it. */
  readonly ways: { readonly to: Way; readonly from: Way };
}

/** What is on its way, in order. */
interface Way {
  readonly arrivals: (() => void)[];
  latestMs: number;
}

/** What has come for a node that is stopped: its timers run before it reads what was sent to it, as in Node. */
interface Stopped {
  readonly timers: (() => void)[];
  readonly messages: (() => void)[];
  isResuming: boolean;
}

const requestTimeoutMs = 1000;

export class MemoryCluster {
  faults: ClusterFaults = noFaults;
  readonly #options: MemoryClusterOptions;
  #incarnation = '';
  #originSeq: number;
  #firstSeq: number;
  #messages: StoredMessage[] = [];
  #seqsById = new Map<string, number>();
  #isLeaderless = false;
  #isFull = false;
  readonly #lives = new Map<string, NodeLife>();
  readonly #cutOff = new Set<string>();
  readonly #stopped = new Map<string, Stopped>();
  readonly #listeners = new Map<StreamListener, NodeLife>();
  #subscriptions: { subject: string; take: (message: Uint8Array) => void; life: NodeLife }[] = [];

  constructor(options: MemoryClusterOptions) {
    this.#options = options;
    this.#originSeq = options.firstSeq ?? 1;
    this.#firstSeq = this.#originSeq;
    this.#incarnation = this.#newIncarnation();
  }

  /** The log of a node: of its present life, which begins here when it was killed before. */
  nodeLog(name: string, limits?: ReplicatedLimits): StreamLog {
    return new StreamLog({
      ...(limits ? { limits } : {}),
      node: name,
      stream: this.stream(name),
      scheduler: this.nodeScheduler(name),
      randomHex: (bytes) => this.#randomHex(bytes),
    });
  }

  /** Timers of a node: they end with its life, and wait while it is stopped. */
  nodeScheduler(name: string): Scheduler {
    const life = this.#life(name);
    const { scheduler } = this.#options;
    const guarded = (run: () => void) => () => this.#whenRunning(life, run, 'timers');
    return {
      elapsedMs: () => scheduler.elapsedMs(),
      soon: (run) => scheduler.soon(guarded(run)),
      after: (delayMs, run) => scheduler.after(delayMs, guarded(run)),
    };
  }

  stream(name: string): EntryStream {
    const life = this.#life(name);
    const incarnation = this.#incarnation;
    const own = new Set<StreamListener>();
    return {
      incarnation,
      messageBytesMax: this.#options.messageBytesMax ?? 1_000_000,
      publish: (message, answer) => {
        const copy = { ...message, bytes: Buffer.from(message.bytes) };
        this.#send(life, this.faults.lostRequest, () =>
          this.#answer(life, this.#taken(copy, incarnation), answer),
        );
      },
      get: (seq) => this.#request(life, () => this.#messageAt(seq)),
      getMany: (fromSeq, countMax) =>
        this.#request(life, () => this.#messagesFrom(fromSeq, countMax)).catch(() => []),
      info: () => this.#request(life, () => this.#info()),
      listen: (listener) => {
        own.add(listener);
        this.#listeners.set(listener, life);
        return { stop: () => this.#listeners.delete(listener) };
      },
      close: async () => {
        for (const listener of own) this.#listeners.delete(listener);
      },
    };
  }

  /** Over the same connections as the log: cut off, stopped and delayed alike. */
  bus(name: string): Bus {
    const life = this.#life(name);
    return {
      messageBytesMax: this.#options.messageBytesMax ?? 1_000_000,
      publish: (subject, message) => {
        const copy = Uint8Array.from(message);
        this.#send(life, this.faults.lostMessage, () => {
          for (const { take, ...subscription } of this.#subscriptions)
            if (subscription.subject === subject)
              this.#deliver(subscription.life, this.faults.lostMessage, () => take(Uint8Array.from(copy)));
        });
      },
      subscribe: (subject, take) => {
        const subscription = { subject, take, life };
        this.#subscriptions.push(subscription);
        return {
          stop: () => {
            this.#subscriptions = this.#subscriptions.filter((each) => each !== subscription);
          },
        };
      },
    };
  }

  /** Everything that is kept, in order. */
  get messages(): readonly StoredMessage[] {
    return this.#messages;
  }

  get lastSeq(): number {
    return this.#firstSeq + this.#messages.length - 1;
  }

  /** From now on neither what the node sends arrives nor what is sent to it. */
  cutOff(name: string): void {
    this.#cutOff.add(name);
  }

  reconnect(name: string): void {
    this.#cutOff.delete(name);
    for (const [listener, life] of this.#listeners)
      if (life.name === name) this.#whenRunning(life, () => listener.resumed());
  }

  /** As by SIGKILL: nothing of this life runs any more. What it has sent may still arrive. */
  kill(name: string): void {
    const life = this.#lives.get(name);
    this.#lives.delete(name);
    this.#stopped.delete(name);
    if (!life) return;
    life.isAlive = false;
    for (const [listener, its] of this.#listeners) if (its === life) this.#listeners.delete(listener);
    this.#subscriptions = this.#subscriptions.filter((subscription) => subscription.life !== life);
  }

  /** As by SIGSTOP: what arrives and what is due waits until `resume`. */
  stop(name: string): void {
    const stopped = this.#stopped.get(name);
    if (stopped) stopped.isResuming = false;
    else this.#stopped.set(name, { timers: [], messages: [], isResuming: false });
  }

  resume(name: string): void {
    const stopped = this.#stopped.get(name);
    if (!stopped || stopped.isResuming) return;
    stopped.isResuming = true;
    this.#runNext(name, stopped);
  }

  /** One at a time: what follows from one comes before the next. */
  #runNext(name: string, stopped: Stopped): void {
    if (this.#stopped.get(name) !== stopped || !stopped.isResuming) return;
    const run = stopped.timers.shift() ?? stopped.messages.shift();
    if (!run) {
      this.#stopped.delete(name);
      return;
    }
    run();
    this.#options.scheduler.after(0, () => this.#runNext(name, stopped));
  }

  /** Until `elect`, nothing is taken and nothing answered. */
  loseLeader(): void {
    this.#isLeaderless = true;
  }

  elect(): void {
    this.#isLeaderless = false;
  }

  fill(): void {
    this.#isFull = true;
  }

  free(): void {
    this.#isFull = false;
  }

  /** Forgets the oldest, as a stream does that has come to its size. */
  discardBelow(seq: number): void {
    this.#messages = this.#messages.filter((message) => message.seq >= seq);
    this.#firstSeq = seq;
  }

  /** Loses the latest, as a stream must not. */
  loseAbove(seq: number): void {
    this.#messages = this.#messages.filter((message) => message.seq <= seq);
    for (const [id, at] of this.#seqsById) if (at > seq) this.#seqsById.delete(id);
  }

  damage(seq: number, change: (bytes: Buffer) => void): void {
    const message = this.#messageAt(seq);
    if (message) change(message.bytes);
  }

  /** Another stream under the same name. */
  createAnew(firstSeq = 1): void {
    this.#incarnation = this.#newIncarnation();
    this.#originSeq = firstSeq;
    this.#firstSeq = firstSeq;
    this.#messages = [];
    this.#seqsById = new Map();
  }

  #newIncarnation(): string {
    return this.#randomHex(8);
  }

  #randomHex(bytes: number): string {
    return Array.from({ length: bytes * 2 }, () => Math.floor(this.#options.random() * 16).toString(16)).join(
      '',
    );
  }

  #life(name: string): NodeLife {
    const known = this.#lives.get(name);
    if (known) return known;
    const life = {
      name,
      isAlive: true,
      ways: { to: { arrivals: [], latestMs: 0 }, from: { arrivals: [], latestMs: 0 } },
    };
    this.#lives.set(name, life);
    return life;
  }

  #taken({ id, bytes, expectedSeq }: PublishedMessage, incarnation: string): PublishAnswer | null {
    if (this.#isLeaderless) return null;
    if (incarnation !== this.#incarnation) return { kind: 'busy' };
    const seq = this.#seqsById.get(id);
    if (seq !== undefined) return { kind: 'stored', seq };
    if (expectedSeq !== this.lastSeq) return { kind: 'refused' };
    if (this.#isFull) return { kind: 'full' };
    return { kind: 'stored', seq: this.#store(id, bytes) };
  }

  #store(id: string, bytes: Buffer): number {
    const storedAtMs = this.#options.scheduler.elapsedMs();
    const message = { seq: this.lastSeq + 1, id, bytes, storedAtMs };
    this.#messages.push(message);
    this.#seqsById.set(id, message.seq);
    for (const [listener, life] of this.#listeners)
      this.#deliver(life, this.faults.lostMessage, () => {
        if (this.#listeners.has(listener)) listener.message({ ...message, bytes: Buffer.from(bytes) });
      });
    return message.seq;
  }

  #answer(life: NodeLife, answer: PublishAnswer | null, take: (answer: PublishAnswer) => void): void {
    if (answer) this.#deliver(life, this.faults.lostAnswer, () => take(answer));
  }

  #messageAt(seq: number): StoredMessage | null {
    return this.#messages[seq - this.#firstSeq] ?? null;
  }

  /** Of a server that has not all of them, perhaps. */
  #messagesFrom(seq: number, countMax: number): readonly StoredMessage[] {
    const at = seq - this.#firstSeq;
    if (at < 0) return [];
    const count = Math.ceil(countMax * Math.min(1, 1.5 * this.#options.random()));
    return this.#messages.slice(at, at + count);
  }

  #info(): StreamInfo {
    return {
      incarnation: this.#incarnation,
      originSeq: this.#originSeq,
      firstSeq: this.#firstSeq,
      lastSeq: this.lastSeq,
    };
  }

  #request<Result>(life: NodeLife, read: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = this.#options.scheduler.after(requestTimeoutMs, () =>
        this.#whenRunning(life, () => reject(new Error('no answer from the leader')), 'timers'),
      );
      this.#send(life, this.faults.lostRequest, () => {
        if (this.#isLeaderless) return;
        const result = read();
        this.#deliver(life, this.faults.lostAnswer, () => {
          cancel();
          resolve(result);
        });
      });
    });
  }

  /** From a node to the leader. */
  #send(life: NodeLife, lost: number, arrive: () => void): void {
    this.#carry(life, 'from', lost, arrive);
  }

  /** To a node, if it still lives. */
  #deliver(life: NodeLife, lost: number, arrive: () => void): void {
    this.#carry(life, 'to', lost, () => this.#whenRunning(life, arrive));
  }

  #carry(life: NodeLife, way: 'to' | 'from', lost: number, arrive: () => void): void {
    const { scheduler, random } = this.#options;
    if (way === 'from' && !life.isAlive) return;
    if (this.#cutOff.has(life.name) || random() < lost) return;
    const delayMs = random() * (random() < this.faults.late ? this.faults.lateMs : this.faults.delayMs);
    const nowMs = scheduler.elapsedMs();
    const { arrivals } = life.ways[way];
    life.ways[way].latestMs = Math.max(life.ways[way].latestMs, nowMs + delayMs);
    arrivals.push(arrive);
    scheduler.after(life.ways[way].latestMs - nowMs, () => {
      const first = arrivals.shift();
      if (!this.#cutOff.has(life.name)) first?.();
    });
  }

  #whenRunning(life: NodeLife, run: () => void, kind: 'timers' | 'messages' = 'messages'): void {
    if (!life.isAlive) return;
    const stopped = this.#stopped.get(life.name);
    if (stopped) stopped[kind].push(run);
    else run();
  }
}
