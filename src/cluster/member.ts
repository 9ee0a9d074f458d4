/**
 * A node as a member of its cluster, without what it serves over HTTP: its log, which node owns it, what its doors hand to the
 * owner, what it takes from other doors as the owner. The simulation runs it as it is. Not here: routes, status, metrics
 * (`cluster-node`).
 * Invariants: what the doors take is decided by the owner only. A node that is not certain to be the owner answers no request
 * before it has written something.
 */
import { KnellError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Scheduler } from '../store/disk/scheduler.ts';
import type { JoinedLog, LocalLog } from '../store/open/open-store.ts';
import { replicatedJournalLimits } from '../store/replicated/journal-limits.ts';
import { ReplicatedJournal } from '../store/replicated/replicated-journal.ts';
import type { Ownership } from '../store/replicated/replicated-log.ts';
import type { Store } from '../store/store.ts';
import type { ClusterLink } from './bus/link.ts';
import { findLog, noPeers, type Peers, type WantedData } from './joining/find-log.ts';
import { AskServer, type AskServerLimits, type Served } from './requests/ask-server.ts';
import { Forwarder, type ForwarderLimits } from './requests/forwarder.ts';
import { KnownAsks, type KnownAsksLimits } from './requests/known-asks.ts';
import { subjectsOf } from './requests/subjects.ts';

/** How exact the latest instant of a history is: twice an owner's beat. */
const markedEveryMs = 2 * replicatedJournalLimits.beatMs;

interface MemberLimits {
  readonly known: KnownAsksLimits;
  readonly forward: ForwarderLimits;
  readonly serve: AskServerLimits;
  readonly entriesReadMax: number;
}

interface MemberOptions {
  readonly link: ClusterLink;
  /** This node's name, and the cluster's. */
  readonly name: string;
  readonly cluster: string;
  /** Of this process: see `Door`. */
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
  readonly asks: AskServer;
  /** Null until the log was joined. */
  journal: ReplicatedJournal | null = null;
  owner: Ownership | null = null;
  /** After `join` has rejected with `cluster-log-behind`: what the data of another node must reach. */
  wanted: WantedData = { incarnation: '', lastSeqMin: 0, isNearer: false };
  readonly #options: MemberOptions;
  readonly #known: KnownAsks;
  #store: Store | null = null;
  /** Asks that were recorded before this instant are in the history, which does not have them. */
  #unknownUntilMs = Number.NEGATIVE_INFINITY;
  #isLeaving = false;
  #hasAskedForSnapshot = false;
  /** `owner` is this process, which has read its claim. */
  #isOwn = false;
  #cancelAge: () => void = () => {};

  constructor(options: MemberOptions) {
    const { link, name, cluster, id, scheduler, limits, nowMs } = options;
    const { bus } = link;
    const subjects = subjectsOf(cluster);
    const startedMs = scheduler.elapsedMs();
    this.#options = options;
    this.#known = new KnownAsks(limits.known, startedMs);
    this.forwarder = new Forwarder({
      door: { name, id },
      ...{ bus, subjects, scheduler, nowMs },
      limits: limits.forward,
    });
    this.asks = new AskServer({
      node: name,
      ...{ bus, subjects, scheduler, nowMs },
      limits: limits.serve,
      known: {
        has: (door, number) => this.#known.has(door, number),
        add: (door, number) => this.#known.add(door, number),
        isWhole: (waitMs) => nowMs() - this.#unknownUntilMs > waitMs,
      },
      together: {
        begin: () => this.#store?.beginTogether(),
        note: (door, number) => this.#store?.append({ type: 'asked', door, number }, null),
        end: () => this.#store?.endTogether(),
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

  /** For `openStore`. Rejects with a KnellError where this node's data and the log do not belong together. */
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
      ownerIs: (owner) => this.#ownerIs(owner),
    });
    logger.info({ node: name, servers: link.servers }, 'joined the cluster');
    return { incarnation: log.incarnation, journal: this.journal };
  };

  /** For the engine's recovery: what a door had asked for was done. */
  readonly asked = (door: number, number: number): void => this.#known.add(door, number);

  #ownerIs(owner: Ownership | null): void {
    const { logger, name } = this.#options;
    // By the claim, not by the name: another node may have the same by mistake, or this one claimed before it was restarted.
    const isOwn = owner !== null && this.journal?.ownership?.epoch === owner.epoch;
    if (owner?.epoch === this.owner?.epoch && isOwn === this.#isOwn) return;
    this.owner = owner;
    this.#isOwn = isOwn;
    // If it is this node: `takeOver` once it has recovered. A claim of an earlier process of this name has nobody behind it.
    this.forwarder.ownerIs(owner?.node === name ? null : owner);
    if (owner === null) logger.info('the owner has left');
    else if (isOwn || owner.node !== name)
      logger.info({ owner: owner.node, epoch: owner.epoch }, isOwn ? 'owning the log' : 'following');
  }

  /** The store that was opened with `join`; before any door opens. */
  keptIn(store: Store): void {
    this.#store = store;
  }

  /** This node owns the log and has recovered: what comes is decided here. False when it is on its way out. */
  own(served: Served): boolean {
    const epoch = this.journal?.ownership?.epoch;
    if (epoch === undefined || this.#isLeaving) return false;
    this.asks.own(epoch, served);
    this.forwarder.takeOver(this.asks, epoch);
    return true;
  }

  /**
   * Before the store is closed: from now on another node decides, and what comes here waits for it. Returns whether this one
   * owns the log; if not, it follows until the store is closed, and so knows to whom that goes.
   */
  leave(): boolean {
    this.#isLeaving = true;
    this.asks.disown();
    return this.journal?.abstain() ?? false;
  }

  stop(): void {
    this.#cancelAge();
    this.forwarder.stop();
    this.asks.stop();
  }
}

/** An owner that may have been replaced finds out by writing: false when it could not, never resolved when it was. */
export async function isCertain(
  store: Pick<Store, 'append' | 'mayAct'>,
  nowMs: () => number,
): Promise<boolean> {
  return store.mayAct || canWrite(store, nowMs);
}

/** Whether this node owns the log and the log takes what it writes, now. As `isCertain`, and always writes something. */
export function canWrite(store: Pick<Store, 'append'>, nowMs: () => number): Promise<boolean> {
  return new Promise((resolve) => {
    const settled = { durable: () => resolve(true), rolledBack: () => resolve(false) };
    store.append({ type: 'alive', atMs: nowMs() }, settled);
  });
}
