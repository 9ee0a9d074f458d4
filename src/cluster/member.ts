/**
 * A node as a member of its cluster, without what it serves over HTTP: its log, which node leads, what its clients hand to the
 * leader, what it takes from other clients as the leader. The simulation runs it as it is. Not here: routes, status, metrics
 * (`cluster-node`).
 * Invariants: what the clients take is decided by the leader only. A node that is not certain to be the leader answers no request
 * before it has written something.
 */
import { KnellError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Scheduler } from '../store/disk/scheduler.ts';
import type { JoinedLog, LocalLog } from '../store/open/open-store.ts';
import { replicatedJournalLimits } from '../store/replicated/journal-limits.ts';
import { ReplicatedJournal } from '../store/replicated/replicated-journal.ts';
import type { Leadership } from '../store/replicated/replicated-log.ts';
import type { Store } from '../store/store.ts';
import type { ClusterLink } from './bus/link.ts';
import { findLog, noPeers, type Peers, type WantedData } from './joining/find-log.ts';
import { Forwarder, type ForwarderLimits } from './requests/forwarder.ts';
import { KnownRequests, type KnownRequestsLimits } from './requests/known-requests.ts';
import { RequestServer, type RequestServerLimits, type Served } from './requests/request-server.ts';
import { subjectsOf } from './requests/subjects.ts';

/** Precision of the latest instant of a history: twice a leader's heartbeat. */
const markedEveryMs = 2 * replicatedJournalLimits.heartbeatMs;

interface MemberLimits {
  readonly known: KnownRequestsLimits;
  readonly forward: ForwarderLimits;
  readonly serve: RequestServerLimits;
  readonly entriesReadMax: number;
}

interface MemberOptions {
  readonly link: ClusterLink;
  /** This node's name, and the cluster's. */
  readonly name: string;
  readonly cluster: string;
  /** Id of this process: see `Client`. */
  readonly id: number;
  readonly scheduler: Scheduler;
  readonly limits: MemberLimits;
  readonly logger: Logger;
  /** Absent: the log is there, and nothing is said. */
  readonly peers?: Peers;
  nowMs(): number;
  /** 0 to 1. */
  chance(): number;
}

export class Member {
  readonly forwarder: Forwarder;
  readonly requests: RequestServer;
  /** Null until the log was joined. */
  journal: ReplicatedJournal | null = null;
  leader: Leadership | null = null;
  /** After `join` has rejected with `cluster-log-behind`: what the data of another node must reach. */
  wanted: WantedData = { incarnation: '', lastSeqMin: 0, isNearer: false };
  readonly #options: MemberOptions;
  readonly #known: KnownRequests;
  #store: Store | null = null;
  /** Requests that were recorded before this instant are in the history, which does not have them. */
  #unknownUntilMs = Number.NEGATIVE_INFINITY;
  #isLeaving = false;
  #hasAskedForSnapshot = false;
  /** `leader` is this process, which has read its claim. */
  #isOwn = false;
  #cancelAge: () => void = () => {};

  constructor(options: MemberOptions) {
    const { link, name, cluster, id, scheduler, limits, nowMs } = options;
    const { bus } = link;
    const subjects = subjectsOf(cluster);
    const startedMs = scheduler.elapsedMs();
    this.#options = options;
    this.#known = new KnownRequests(limits.known, startedMs);
    this.forwarder = new Forwarder({
      client: { name, id },
      ...{ bus, subjects, scheduler, nowMs },
      limits: limits.forward,
    });
    this.requests = new RequestServer({
      node: name,
      ...{ bus, subjects, scheduler, nowMs },
      limits: limits.serve,
      known: {
        has: (client, number) => this.#known.has(client, number),
        add: (client, number) => this.#known.add(client, number),
        isWhole: (waitMs) => nowMs() - this.#unknownUntilMs > waitMs,
      },
      together: {
        begin: () => this.#store?.beginGroup(),
        note: (client, number) => this.#store?.append({ type: 'asked', client, number }, null),
        end: () => this.#store?.endGroup(),
      },
    });
    this.#ageKnown();
  }

  #ageKnown(): void {
    const { scheduler, limits } = this.#options;
    this.#cancelAge = scheduler.after(limits.known.keptMs / 6, () => {
      this.#known.age(scheduler.elapsedMs());
      this.#ageKnown();
    });
  }

  /** Joins the log, for `openStore`. Rejects with a KnellError if this node's data and the log do not belong together. */
  readonly join = async (local: LocalLog): Promise<JoinedLog> => {
    const { link, logger, scheduler, chance, name, limits } = this.#options;
    const { incarnation, spool, foldedAtMs, contents } = local;
    if (foldedAtMs !== null) this.#unknownUntilMs = foldedAtMs + markedEveryMs;
    const { peers = noPeers } = this.#options;
    const held = { log: incarnation, lastSeq: spool.lastSeq, ...contents };
    // Once: where it could not be had, the log is read after all.
    const entriesReadMax = this.#hasAskedForSnapshot ? Number.POSITIVE_INFINITY : limits.entriesReadMax;
    const found = await findLog({ name, link, peers, scheduler, logger, entriesReadMax }, held);
    if (found.kind === 'behind') {
      this.wanted = found.wanted;
      this.#hasAskedForSnapshot = true;
      throw new KnellError('cluster-log-behind', 'the log has discarded what this node lacks');
    }
    const { log } = found;
    this.journal = new ReplicatedJournal({
      log,
      spool: spool.log,
      scheduler,
      limits: replicatedJournalLimits,
      logger,
      chance,
      nowMs: () => this.#options.nowMs(),
      leaderIs: (leader) => this.#leaderIs(leader),
    });
    logger.info({ node: name, servers: link.servers }, 'joined the cluster');
    return { incarnation: log.incarnation, journal: this.journal };
  };

  /** Notes, for the engine's recovery, that a client's request was done. */
  readonly asked = (client: number, number: number): void => this.#known.add(client, number);

  #leaderIs(leader: Leadership | null): void {
    const { logger, name } = this.#options;
    // Compared by the claim, not by the name: another node may have the same by mistake, or this one claimed before it was
    // restarted.
    const isOwn = leader !== null && this.journal?.leadership?.epoch === leader.epoch;
    if (leader?.epoch === this.leader?.epoch && isOwn === this.#isOwn) return;
    this.leader = leader;
    this.#isOwn = isOwn;
    // If it is this node: `takeOver` once it has recovered. A claim of an earlier process of this name has nobody behind it.
    this.forwarder.leaderIs(leader?.node === name ? null : leader);
    if (leader === null) logger.info('the leader has left');
    else if (isOwn || leader.node !== name)
      logger.info({ leader: leader.node, epoch: leader.epoch }, isOwn ? 'leading the cluster' : 'following');
  }

  /** The store that was opened with `join`; before any client opens. */
  keptIn(store: Store): void {
    this.#store = store;
  }

  /** This node leads and has recovered: what comes is decided here. False when it is on its way out. */
  own(served: Served): boolean {
    const epoch = this.journal?.leadership?.epoch;
    if (epoch === undefined || this.#isLeaving) return false;
    this.requests.own(epoch, served);
    this.forwarder.takeOver(this.requests, epoch);
    return true;
  }

  /**
   * Before the store is closed: from now on another node decides, and what comes here waits for it. Returns whether this one
   * leads; if not, it follows until the store is closed, and so knows to whom that goes.
   */
  leave(): boolean {
    this.#isLeaving = true;
    this.requests.disown();
    return this.journal?.abstain() ?? false;
  }

  stop(): void {
    this.#cancelAge();
    this.forwarder.stop();
    this.requests.stop();
  }
}

/** A leader that may have been replaced finds out by writing: false when it could not, never resolved when it was. */
export async function isCertain(
  store: Pick<Store, 'append' | 'mayAct'>,
  nowMs: () => number,
): Promise<boolean> {
  return store.mayAct || canWrite(store, nowMs);
}

/** Whether this node leads and the log takes what it writes, now. As `isCertain`, and always writes something. */
export function canWrite(store: Pick<Store, 'append'>, nowMs: () => number): Promise<boolean> {
  return new Promise((resolve) => {
    const settled = { durable: () => resolve(true), rolledBack: () => resolve(false) };
    store.append({ type: 'alive', atMs: nowMs() }, settled);
  });
}
