/**
 * Nodes of a cluster over a bus in memory, with one log that all of them read at once: each node has a client, and an engine that
 * records pings in batches, if it still leads when a batch is written. Tries out forwarding, not election.
 */

import {
  type ForwardedReply,
  type ForwardedRequest,
  safeMethods,
} from '../../../src/cluster/requests/forwarded-request.ts';
import { Forwarder } from '../../../src/cluster/requests/forwarder.ts';
import { KnownRequests } from '../../../src/cluster/requests/known-requests.ts';
import {
  type RequestPast,
  RequestServer,
  type Served,
} from '../../../src/cluster/requests/request-server.ts';
import { subjectsOf } from '../../../src/cluster/requests/subjects.ts';
import type { PingOutcome, PingRequest } from '../../../src/engine/contract/engine.ts';
import { limits } from '../../../src/limits.ts';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { MemoryNetwork } from './memory-bus.ts';

export interface Recorded {
  /** What a ping says of itself. */
  readonly slug: string;
  readonly receivedAtMs: number;
  readonly bodyBytes: number;
  readonly epoch: number;
  readonly client: number;
  readonly number: number;
}

interface Waiting extends Recorded {
  readonly answer: () => void;
}

interface FakeClusterOptions {
  readonly seed?: number;
  readonly delayMsMax?: number;
  readonly commitMs?: number;
  readonly messageBytesMax?: number;
  readonly bytesMax?: number;
}

export class FakeCluster {
  readonly clock = new SimulatedClock(1_000_000);
  readonly network: MemoryNetwork;
  readonly log: Recorded[] = [];
  /** How many batches were written. */
  batches = 0;
  epoch = 0;
  readonly options: Required<FakeClusterOptions>;
  readonly nodes: FakeNode[] = [];

  constructor(options: FakeClusterOptions = {}) {
    const usual = { seed: 1, delayMsMax: 3, commitMs: 2, messageBytesMax: 1_000_000, bytesMax: 64_000_000 };
    this.options = { ...usual, ...options };
    this.network = new MemoryNetwork({ clock: this.clock, ...this.options });
  }

  node(name: string): FakeNode {
    const node = new FakeNode(this, name, this.nodes.length + 1);
    this.nodes.push(node);
    return node;
  }

  /** `node` claims the log; `deaf`: those who do not read of it. */
  claim(node: FakeNode, deaf: readonly FakeNode[] = []): number {
    this.epoch++;
    node.own(this.epoch);
    for (const other of this.nodes)
      if (other !== node && !deaf.includes(other))
        other.forwarder.leaderIs({ node: node.name, epoch: this.epoch });
    return this.epoch;
  }

  /** Lets time pass, with all that it brings. */
  async run(ms: number): Promise<void> {
    const turn = async (): Promise<void> => {
      for (let tick = 0; tick < 5; tick++) await Promise.resolve();
    };
    await turn();
    await this.clock.advance(ms, turn);
    await turn();
  }
}

export class FakeNode {
  readonly name: string;
  readonly id: number;
  readonly forwarder: Forwarder;
  readonly server: RequestServer;
  /** Neither engine nor log of this node do anything. */
  isStalled = false;
  isWell = true;
  /** It still leads, and has found out. */
  isCertain: () => true | Promise<boolean> = () => true;
  /** Its wall clock is ahead by so much. */
  skewMs = 0;
  /** Its process has started after requests that clients still wait for. */
  isFresh = false;
  /** No check of theirs is there. */
  readonly unknown = new Set(['unknown']);
  /** What was noted beside records. */
  readonly noted: number[] = [];
  readonly requests: ForwardedRequest[] = [];
  /** Of each of them: what the log had of it. */
  readonly pasts: RequestPast[] = [];
  serve: (request: ForwardedRequest) => Promise<ForwardedReply> = async ({ path }) => ({
    status: 200,
    headers: [['X-Node', this.name]],
    body: path,
  });
  readonly #cluster: FakeCluster;
  readonly #known: KnownRequests;
  #waiting: Waiting[] = [];
  #noted: { slug: string; request: PingRequest; answer: () => void } | null = null;

  constructor(cluster: FakeCluster, name: string, id: number) {
    const { clock, network, options } = cluster;
    this.#cluster = cluster;
    this.name = name;
    this.id = id;
    this.#known = new KnownRequests(limits.cluster.known, clock.elapsedMs());
    const common = { bus: network.bus(name), subjects: subjectsOf('test'), scheduler: clock };
    const client = { name, id };
    const forward = { ...limits.cluster.forward, bytesMax: options.bytesMax };
    this.forwarder = new Forwarder({
      ...common,
      client,
      limits: forward,
      nowMs: () => clock.nowMs() + this.skewMs,
    });
    this.server = new RequestServer({
      ...common,
      node: name,
      limits: limits.cluster.serve,
      nowMs: () => clock.nowMs(),
      known: {
        has: (fromClient, number) => this.#known.has(fromClient, number),
        add: (fromClient, number) => this.#known.add(fromClient, number),
        isWhole: () => !this.isFresh,
      },
      together: {
        begin: () => {
          this.#noted = null;
        },
        note: (fromClient, number) => {
          this.noted.push(number);
          this.#note(fromClient, number);
        },
        end: () => {},
      },
    });
  }

  /** The log has a record of that ask. */
  knows(client: number, number: number): void {
    this.#known.add(client, number);
  }

  own(epoch: number): void {
    for (const { client, number } of this.#cluster.log) this.#known.add(client, number);
    this.server.own(epoch, this.served(epoch));
    this.forwarder.takeOver(this.server, epoch);
  }

  served(epoch: number): Served {
    return {
      acceptPing: (request, answer, who) => this.#accept(epoch, request, (outcome) => answer(outcome, who)),
      serve: (request, { past, recording }) => {
        this.requests.push(request);
        this.pasts.push(past);
        return safeMethods.has(request.method) ? this.serve(request) : recording(() => this.serve(request));
      },
      certainly: () => this.isCertain(),
      isWell: () => this.isWell && !this.isStalled,
    };
  }

  #accept(epoch: number, request: PingRequest, answer: (outcome: PingOutcome) => void): void {
    const { target } = request;
    if (target.by === 'uuid' || this.unknown.has(target.slug)) {
      answer('not-found');
      return;
    }
    this.#noted = {
      slug: target.slug,
      request: { ...request },
      answer: () => answer(target.by === 'slug' && target.create ? 'created' : 'ok'),
    };
    this.#epoch = epoch;
  }

  #epoch = 0;

  #note(client: number, number: number): void {
    if (this.#noted === null) return;
    const { slug, request, answer } = this.#noted;
    const facts = { slug, receivedAtMs: request.receivedAtMs, bodyBytes: request.body.length };
    if (this.#waiting.length === 0)
      this.#cluster.clock.after(this.#cluster.options.commitMs, () => this.#commit());
    this.#waiting.push({ ...facts, epoch: this.#epoch, client, number, answer });
  }

  #commit(): void {
    if (this.isStalled) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#cluster.batches++;
    for (const { answer, ...recorded } of waiting) {
      // Fenced: another one leads.
      if (recorded.epoch !== this.#cluster.epoch) continue;
      this.#cluster.log.push(recorded);
      answer();
    }
  }

  /** What was stalled goes on. */
  resume(): void {
    this.isStalled = false;
    this.#commit();
  }
}

/** A ping of that name as a client takes it. */
export function pingOf(slug: string, more: Partial<PingRequest> = {}): PingRequest {
  const body = more.body ?? new Uint8Array(0);
  return {
    target: { by: 'slug', pingKey: 'key', slug, create: false },
    error: null,
    action: 'success',
    exitStatus: null,
    rid: null,
    host: '',
    results: [],
    scheme: 'http',
    method: 'GET',
    remoteAddr: '10.0.0.1',
    ua: 'test',
    body,
    searchable: { via: 'http', body },
    receivedAtMs: 1_000_000,
    ...more,
  };
}

export function requestOf(
  method: string,
  path: string,
  more: Partial<ForwardedRequest> = {},
): ForwardedRequest {
  return {
    method,
    path,
    query: '',
    apiKey: null,
    headers: {},
    trusted: false,
    userAgent: 'test',
    scheme: 'http',
    remoteAddr: '10.0.0.1',
    clientAddr: '10.0.0.1',
    body: new Uint8Array(0),
    bodyCut: false,
    receivedAtMs: 1_000_000,
    ...more,
  };
}
