/**
 * One node of the simulated cluster: engine, outbox and what makes it a member, over a store of its own and the cluster in
 * memory, wired as `app` does. Its clock may be wrong, its process may end at any moment; its machine outlives that.
 * Invariant: nothing of a process has an effect once it was killed.
 */

import { isCertain, Member } from '../../src/cluster/member.ts';
import type { ForwardedReply, ForwardedRequest } from '../../src/cluster/requests/forwarded-request.ts';
import type { HttpRefusal } from '../../src/cluster/requests/in-flight.ts';
import type { RequestToServe } from '../../src/cluster/requests/request-server.ts';
import { limits } from '../../src/config.ts';
import type { Engine } from '../../src/engine/contract/engine.ts';
import { prepareEngine } from '../../src/engine/start/create-engine.ts';
import { acceptAtLeader } from '../../src/http/mounts/node-mounts.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { KnellError } from '../../src/lib/errors.ts';
import type { Ids } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMeter } from '../../src/lib/meter.ts';
import { createNotify, type Notify } from '../../src/notify/create-notify.ts';
import type { HttpResponse, OutgoingRequest } from '../../src/notify/wire/send-http.ts';
import type { StoreLimits } from '../../src/store/disk/limits.ts';
import type { Scheduler } from '../../src/store/disk/scheduler.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { testSettings } from '../support/engine/notices.ts';
import type { SimulatedClock } from '../support/engine/simulated-clock.ts';
import type { MemoryCluster } from '../support/store/memory-log.ts';
import { openSimulatedStore, SimulatedMachine } from '../support/store/simulated-store.ts';
import { readsOf } from './knell-process.ts';
import { Random } from './random.ts';

export interface NodeOptions {
  readonly name: string;
  readonly seed: number;
  readonly cluster: MemoryCluster;
  readonly clock: SimulatedClock;
  readonly ids: Ids;
  /** What its wall clock is ahead by. */
  readonly skewMs: number;
  /** Its process sends a notification. */
  sends(node: SimulatedNode, request: OutgoingRequest, clock: Clock): Promise<HttpResponse>;
  /** What the leader does with a request that changes or shows something. */
  serve(engine: Engine, request: ForwardedRequest, nowMs: number): Promise<ForwardedReply>;
  /** Its process has to end: another node leads. Anything else fails the life. */
  broken(node: SimulatedNode, error: unknown): void;
}

/** What runs while the process does. */
export interface NodeProcess {
  readonly member: Member;
  readonly store: Store;
  readonly engine: Engine;
  readonly notify: Notify;
  readonly acceptPing: Engine['acceptPing'];
  /** It leads, and has recovered. */
  isLeader: boolean;
}

const foldBytes = [500, 4000, 1_000_000];
const foldDelays = [2000, 30_000];

export class SimulatedNode {
  readonly name: string;
  readonly skewMs: number;
  readonly machine: SimulatedMachine;
  process: NodeProcess | null = null;
  /** As by SIGSTOP. */
  isStopped = false;
  /** Which process of this node is running, from 1. */
  starts = 0;
  isLeaving = false;
  /** Its data are being opened. */
  isStarting = false;
  readonly #options: NodeOptions;
  readonly #random: Random;
  readonly #limits: Partial<StoreLimits>;
  readonly #segmentBytes: number;

  constructor(options: NodeOptions) {
    this.name = options.name;
    this.skewMs = options.skewMs;
    this.#options = options;
    this.#random = new Random(options.seed);
    const tears = new Random(options.seed ^ 0x7ea5);
    this.machine = new SimulatedMachine({ random: () => tears.next() });
    const foldBytesMin = this.#random.pick(foldBytes);
    this.#limits = {
      foldBytesMin,
      foldBytesMax: 4 * foldBytesMin,
      foldDelayMs: this.#random.pick(foldDelays),
      slowCommitMs: Number.POSITIVE_INFINITY,
    };
    this.#segmentBytes = this.#random.pick([4000, 16_000]);
  }

  nowMs(): number {
    return this.#options.clock.nowMs() + this.skewMs;
  }

  get isLeader(): boolean {
    return this.process?.isLeader === true;
  }

  /** Resolves when its clients are open. Never, when it is killed before. */
  async start(): Promise<void> {
    const { cluster, name } = this.#options;
    const number = ++this.starts;
    this.isLeaving = false;
    this.isStarting = true;
    const scheduler = cluster.nodeScheduler(name);
    const clock: Clock = { nowMs: () => this.nowMs(), ...scheduler };
    const member = this.#member(scheduler);
    const store = await openSimulatedStore({
      machine: this.machine,
      scheduler,
      segmentBytes: this.#segmentBytes,
      limits: this.#limits,
      nowMs: () => this.nowMs(),
      join: member.join,
      onBroken: (error) => {
        if (this.starts === number) this.#options.broken(this, error);
      },
    });
    if (this.starts !== number) return;
    this.isStarting = false;
    this.#open({ clock, member, store, number });
  }

  #member(scheduler: Scheduler): Member {
    const { cluster, name } = this.#options;
    return new Member({
      ...{ name, scheduler, logger: silentLogger, limits: limits.cluster },
      link: memoryLink(cluster, name),
      cluster: 'simulated',
      id: this.#random.below(2 ** 31),
      nowMs: () => this.nowMs(),
      chance: () => this.#random.next(),
    });
  }

  #open({ clock, member, store, number }: Opened): void {
    const { engine, recover } = prepareEngine({
      ...{ store, clock, logger: silentLogger, meter: createMeter(), ids: this.#options.ids },
      ...{ outageCredit: true, aliveEveryMs: limits.aliveEveryMs, ticker: limits.ticker },
      ...{ bounds: limits.engine, progress: () => {}, asked: member.asked },
    });
    const notify = this.#notify(engine, store, clock);
    engine.events.deliveriesDurable.subscribe(notify.deliver);
    engine.events.snoozeChanged.subscribe(notify.snoozeChanged);
    engine.events.projectDeleted.subscribe(notify.dropOrphans);
    member.keptIn(store);
    const isLeader = (): boolean => own.isLeader;
    const certainly = (): Promise<boolean> => isCertain(store, () => this.nowMs());
    const acceptPing = acceptAtLeader(
      { isLeader, mayAct: () => store.mayAct, certainly, forwarder: member.forwarder },
      engine,
    );
    const own: NodeProcess = { member, store, engine, notify, acceptPing, isLeader: false };
    this.process = own;
    void recover().then(({ deliveries, snoozed }) => {
      if (this.starts !== number || this.process !== own || this.isLeaving) return;
      notify.recovered(deliveries, snoozed);
      engine.start();
      notify.start();
      own.isLeader = true;
      own.isLeader = member.own({
        acceptPing: engine.acceptPing,
        serve: (request, how) => this.#serve(own, request, how),
        certainly: () => store.mayAct || certainly(),
        isWell: () => !store.full,
      });
    });
  }

  #notify(engine: Engine, store: Store, clock: Clock): Notify {
    const number = this.starts;
    return createNotify({
      pushAuthorization: () => '',
      ...{ store, clock, logger: silentLogger, meter: createMeter(), ids: this.#options.ids },
      reads: readsOf(engine, clock),
      deliveries: [],
      settings: testSettings,
      limits: limits.notify,
      baseUrl: () => 'https://knell.test',
      chance: () => this.#random.next(),
      http: {
        send: (request) =>
          this.starts === number && this.process
            ? this.#options.sends(this, request, clock)
            : new Promise(() => {}),
        refusal: async () => null,
        close() {},
      },
    });
  }

  /** As the clients for HTTP do. */
  request(request: ForwardedRequest): Promise<ForwardedReply | HttpRefusal> {
    const { process } = this;
    if (!process) throw new Error(`${this.name} is not running`);
    if (process.isLeader && process.store.mayAct)
      return this.#options.serve(process.engine, request, this.nowMs());
    return process.member.forwarder.http(request);
  }

  async #serve(
    own: NodeProcess,
    request: ForwardedRequest,
    { past, isGivenUp, recording }: RequestToServe,
  ): Promise<ForwardedReply> {
    if (!own.isLeader || !(await isCertain(own.store, () => this.nowMs())) || isGivenUp()) return unavailable;
    const serve = () => this.#options.serve(own.engine, request, request.receivedAtMs);
    if (request.method === 'GET') return serve();
    // As the clients say of what only the client can look at.
    return past === 'new' ? recording(serve) : unavailable;
  }

  /** As by SIGTERM: hands over. Resolves when the process may end. */
  async leave(): Promise<void> {
    const own = this.process;
    if (!own) return;
    const hasRecovered = own.isLeader;
    own.isLeader = false;
    this.isLeaving = true;
    own.member.leave();
    await own.notify.stop();
    if (hasRecovered) await own.engine.stop();
    await own.store.close();
    own.member.stop();
  }

  /** As by SIGKILL, or by a power cut that also takes what was not synced. */
  kill(how: 'process' | 'power'): void {
    this.#options.cluster.kill(this.name);
    if (this.process) this.process.isLeader = false;
    this.process = null;
    this.isStopped = false;
    this.isStarting = false;
    this.starts++;
    if (how === 'power') this.machine.disk.crash();
    else this.machine.disk.kill();
  }
}

interface Opened {
  readonly clock: Clock;
  readonly member: Member;
  readonly store: Store;
  readonly number: number;
}

const unavailable: ForwardedReply = { status: 503, headers: [], body: '' };

export function isFenced(error: unknown): boolean {
  return error instanceof KnellError && error.code === 'store-fenced';
}
