/**
 * This node's part in a cluster, put together: its log, what its doors hand to the owner, what it does as the owner. Created
 * by `app` where KNELL_CLUSTER is set; without it nothing of this is loaded.
 * Invariants: the doors are open without regard to who owns the log, and what they take is decided by the owner only. A node that is not
 * certain to be the owner answers no request before it has written something.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AskServer } from './cluster/ask-server.ts';
import { Forwarder } from './cluster/forwarder.ts';
import type { ForwardedReply, ForwardedRequest } from './cluster/http-ask.ts';
import { KnownAsks } from './cluster/known-asks.ts';
import type { ClusterLink } from './cluster/link.ts';
import { LiveNews, type LocalListeners } from './cluster/live-news.ts';
import { type KnownNode, NodeStatuses } from './cluster/node-status.ts';
import { fetchSnapshot, namePrefix, SnapshotOffers } from './cluster/snapshot-exchange.ts';
import { subjectsOf } from './cluster/subjects.ts';
import type { Engine } from './engine/engine.ts';
import type { AdminCommands } from './http/admin-routes.ts';
import { acceptAtOwner, refusalOf, servedAtOwner, serveForwarded } from './http/door-mounts.ts';
import { adminAsk, adminAskPath, adminReply, answerAdminAsk } from './http/forwarded-admin.ts';
import type { Served } from './http/listener.ts';
import type { Clock } from './lib/clock.ts';
import { KnellError, messageOf } from './lib/errors.ts';
import type { HealthPart } from './lib/health.ts';
import type { Logger } from './lib/logger.ts';
import type { Meter } from './lib/meter.ts';
import { version } from './lib/version.ts';
import { limits } from './limits.ts';
import { batchVersion } from './store/codec/records.ts';
import type { JoinedLog, LocalLog } from './store/open-store.ts';
import { adoptSnapshot } from './store/replicated/adopt-snapshot.ts';
import { joinStep } from './store/replicated/join-log.ts';
import { replicatedJournalLimits } from './store/replicated/journal-limits.ts';
import { ReplicatedJournal } from './store/replicated/replicated-journal.ts';
import type { LogBounds, Ownership, ReplicatedLog } from './store/replicated/replicated-log.ts';
import { eventLoop } from './store/scheduler.ts';
import type { Store } from './store/store.ts';

interface ClusterNodeOptions {
  readonly link: ClusterLink;
  /** This node's name, and the cluster's. */
  readonly name: string;
  readonly cluster: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What an owner serves from. */
interface OwnedParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly admin: AdminCommands;
}

/** Commands of the admin socket that ask about this node, not about the log. */
const ownCommands: ReadonlySet<string> = new Set(['snapshot', 'cluster status']);

export class ClusterNode {
  readonly #options: ClusterNodeOptions;
  readonly #known: KnownAsks;
  readonly #forwarder: Forwarder;
  readonly #asks: AskServer;
  readonly #statuses: NodeStatuses;
  readonly #id = randomInt(2 ** 32);
  readonly #subjects;
  readonly #startedAtMs: number;
  readonly #cancelAge: () => void;
  #journal: ReplicatedJournal | null = null;
  #owner: Ownership | null = null;
  /** While this node owns the log, and has recovered. */
  #owned: OwnedParts | null = null;
  #store: Store | null = null;
  #serveHere: ReturnType<typeof serveForwarded> | null = null;
  #news: LiveNews | null = null;
  #isLeaving = false;
  #offers: SnapshotOffers | null = null;
  /** The log that a snapshot is wanted for. */
  #wantedOf = '';

  constructor(options: ClusterNodeOptions) {
    const { link, name, cluster, clock } = options;
    const { bus } = link;
    const subjects = subjectsOf(cluster);
    const scheduler = eventLoop;
    this.#options = options;
    this.#subjects = subjects;
    this.#startedAtMs = clock.nowMs();
    this.#known = new KnownAsks(limits.cluster.known, scheduler.elapsedMs());
    const door = { name, id: this.#id };
    this.#forwarder = new Forwarder({ door, bus, subjects, scheduler, limits: limits.cluster.forward });
    this.#asks = new AskServer({
      node: name,
      bus,
      subjects,
      scheduler,
      limits: limits.cluster.serve,
      nowMs: () => clock.nowMs(),
      known: this.#known,
      together: {
        begin: () => this.#store?.beginTogether(),
        note: (of, number) => this.#store?.append({ type: 'asked', door: of, number }, null),
        end: () => this.#store?.endTogether(),
      },
    });
    this.#statuses = new NodeStatuses({
      bus,
      subjects,
      scheduler,
      nowMs: () => clock.nowMs(),
      limits: limits.cluster.status,
      own: () => this.#status(),
    });
    this.#cancelAge = this.#ageKnown();
  }

  #ageKnown(): () => void {
    const timer = setInterval(() => {
      this.#known.age(eventLoop.elapsedMs());
      const doubled = this.#statuses.sameName();
      if (doubled !== null) this.#options.logger.error(doubled);
    }, limits.cluster.known.keptMs / 6);
    return () => clearInterval(timer);
  }

  /** For `openStore`. Rejects with a KnellError where this node's data and the log do not belong together. */
  readonly join = async (local: LocalLog): Promise<JoinedLog> => {
    const { link, logger } = this.#options;
    const { incarnation, spool } = local;
    const log = await this.#findLog(incarnation, spool.lastSeq);
    this.#journal = new ReplicatedJournal({
      log,
      spool: spool.log,
      scheduler: eventLoop,
      limits: replicatedJournalLimits,
      logger,
      chance: Math.random,
      ownerIs: (owner) => this.#ownerIs(owner),
    });
    logger.info({ node: this.#options.name, servers: link.servers }, 'joined the cluster');
    return { incarnation: log.incarnation, journal: this.#journal };
  };

  async #findLog(incarnation: string | null, lastSeq: number): Promise<ReplicatedLog> {
    const { link } = this.#options;
    for (;;) {
      const log = await link.openLog();
      const bounds = log && (await this.#boundsOf(log));
      const step = joinStep(
        { incarnation, lastSeq },
        log && bounds && { incarnation: log.incarnation, bounds },
      );
      if (log !== null && step === 'join') return log;
      if (log !== null && step === 'behind') {
        this.#wantedOf = log.incarnation;
        throw new KnellError('cluster-log-behind', 'the log has discarded what this node lacks');
      }
      // Another node may create it at the same time: one of them does, and both open it.
      await link.createLog(1).catch((error: unknown) => this.#options.logger.info(messageOf(error)));
    }
  }

  /** After `join` has rejected with `cluster-log-behind`: has the data of another node instead of its own. */
  async adopt(dataDir: string): Promise<void> {
    const { logger, link } = this.#options;
    const dir = join(dataDir, 'snapshots');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const file = join(dir, `${namePrefix}${this.#id}`);
    for (;;) {
      const node = await this.#nodeWithData();
      logger.info(
        { from: node },
        'the log has discarded what this node lacks: getting a snapshot of another node',
      );
      try {
        await fetchSnapshot({
          ...{ id: this.#id, node, file, bus: link.bus, subjects: this.#subjects, scheduler: eventLoop },
          progress: inTenths((tenths) => logger.info(`getting the snapshot: ${tenths * 10} %`)),
        });
        await adoptSnapshot(file, dataDir, this.#wantedOf, () => {});
        return;
      } catch (error) {
        logger.warn(`${messageOf(error)}; trying again`);
        await pause();
      } finally {
        rmSync(file, { force: true });
      }
    }
  }

  /** A standby rather than the owner, which has enough to do. Waits for one. */
  async #nodeWithData(): Promise<string> {
    for (;;) {
      const others = this.nodes().filter(
        ({ isAlive, id, appliedSeq }) => isAlive && id !== this.#id && appliedSeq > 0,
      );
      const best = others.find(({ role }) => role === 'standby') ?? others[0];
      if (best) return best.name;
      await pause();
    }
  }

  /** Other nodes may have this one's data, from now on. */
  offerSnapshots(dataDir: string, writeSnapshot: (file: string) => Promise<unknown>): void {
    const { link, name, logger } = this.#options;
    const dir = join(dataDir, 'snapshots');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const network = { bus: link.bus, subjects: this.#subjects, scheduler: eventLoop };
    this.#offers = new SnapshotOffers({ ...network, node: name, logger, dir, writeSnapshot });
  }

  async #boundsOf(log: ReplicatedLog): Promise<LogBounds> {
    for (let said = false; ; said = true) {
      try {
        return await log.bounds();
      } catch (error) {
        if (!said) this.#options.logger.warn(`waiting for the cluster's log: ${messageOf(error)}`);
        await pause();
      }
    }
  }

  /** For the engine's recovery: what a door had asked for was done. */
  readonly asked = (door: number, number: number): void => this.#known.add(door, number);

  #ownerIs(owner: Ownership | null): void {
    const { logger, name } = this.#options;
    if (owner?.epoch === this.#owner?.epoch) return;
    this.#owner = owner;
    // If it is this node: `takeOver` once it has recovered. A claim of an earlier process of this name has nobody behind it.
    this.#forwarder.ownerIs(owner?.node === name ? null : owner);
    if (owner === null) logger.info('the owner has left');
    else
      logger.info(
        { owner: owner.node, epoch: owner.epoch },
        owner.node === name ? 'owning the log' : 'following',
      );
  }

  /** This node owns the log and has recovered: what comes is decided here. */
  own(parts: OwnedParts): void {
    const epoch = this.#journal?.ownership?.epoch;
    if (epoch === undefined || this.#isLeaving) return;
    this.#owned = parts;
    this.#asks.own(epoch, {
      acceptPing: parts.engine.acceptPing,
      serve: (request) => this.#serve(request),
      isWell: () => !parts.store.full,
    });
    this.#forwarder.takeOver(this.#asks, epoch);
  }

  /** Before the store is closed: from now on another node decides, and what comes here waits for it. */
  leave(): void {
    this.#isLeaving = true;
    this.#owned = null;
    this.#asks.disown();
  }

  async stop(): Promise<void> {
    this.#cancelAge();
    this.#statuses.stop();
    this.#news?.stop();
    this.#offers?.stop();
    this.#forwarder.stop();
    this.#asks.stop();
    await this.#options.link.close();
  }

  /** What the doors for pings have instead of the engine. */
  doorOf(engine: Engine, store: Store): Pick<Engine, 'acceptPing' | 'read'> {
    this.#store = store;
    const isOwner = (): boolean => this.#owned !== null;
    return { read: engine.read, acceptPing: acceptAtOwner({ isOwner, forwarder: this.#forwarder }, engine) };
  }

  /** What the listeners serve. `served`: what they would serve without a cluster, pings through `doorOf`. */
  serve(served: Served): Served {
    const isOwner = (): boolean => this.#owned?.store.mayAct === true;
    this.#serveHere = serveForwarded(served);
    const atOwner = servedAtOwner({ isOwner, forwarder: this.#forwarder }, served);
    return { ...atOwner, live: served.live && { ...served.live, listeners: () => this.#news?.changed() } };
  }

  async #serve(request: ForwardedRequest): Promise<ForwardedReply> {
    const owned = this.#owned;
    if (!owned || !this.#serveHere || !(await isCertain(owned.store, this.#options.clock)))
      return refusalOf('unavailable', request);
    if (request.path === adminAskPath) return answerAdminAsk(owned.admin, request);
    return this.#serveHere(request);
  }

  /** The admin socket's commands: of the owner, but for those about this node. */
  adminOf(own: AdminCommands): AdminCommands {
    return async (request, progress, shell) => {
      if (request.command === 'cluster status') return this.#shownStatus();
      if (this.#owned || ownCommands.has(request.command)) return own(request, progress, shell);
      const nowMs = this.#options.clock.nowMs();
      return adminReply(await this.#forwarder.http(adminAsk(request, nowMs)));
    };
  }

  /** Live news of the owner, for the pages of all nodes. */
  newsOf(local: LocalListeners, listening: (topics: number) => void): LiveNews {
    this.#news = new LiveNews({
      id: this.#id,
      bus: this.#options.link.bus,
      subjects: this.#subjects,
      scheduler: eventLoop,
      limits: limits.cluster.live,
      local,
      listening,
    });
    return this.#news;
  }

  nodes(): readonly KnownNode[] {
    return this.#statuses.nodes();
  }

  #shownStatus(): unknown {
    const newest = Math.max(...this.nodes().map(({ appliedSeq }) => appliedSeq));
    return {
      cluster: this.#options.cluster,
      owner: this.#owner?.node ?? null,
      epoch: this.#owner?.epoch ?? 0,
      servers: this.#options.link.servers,
      nodes: this.nodes().map((node) => ({ ...node, lag: newest - node.appliedSeq })),
    };
  }

  #status() {
    const journal = this.#journal;
    const role = this.#owned ? 'owner' : journal?.trouble ? 'stopped' : this.#owner ? 'standby' : 'starting';
    return {
      name: this.#options.name,
      id: this.#id,
      version: version(),
      formats: { batch: batchVersion },
      role,
      epoch: this.#owner?.epoch ?? 0,
      appliedSeq: journal?.appliedSeq ?? 0,
      startedAtMs: this.#startedAtMs,
      lastError: journal?.trouble ?? '',
    } as const;
  }

  /** Whether the doors have somebody to hand to, and whether this node could take over. */
  get health(): readonly HealthPart[] {
    return [
      {
        name: 'cluster',
        problem: () => {
          if (this.#journal?.trouble) return `this node does not follow the log: ${this.#journal.trouble}`;
          return this.#owner === null ? 'no node owns the log' : null;
        },
      },
    ];
  }

  /** Parts that work on the owner only are well elsewhere. */
  whileOwner(parts: readonly HealthPart[]): readonly HealthPart[] {
    return parts.map(({ name, problem }) => ({ name, problem: () => (this.#owned ? problem() : null) }));
  }

  observe(meter: Meter): void {
    const count = (name: string, help: string, read: () => number): void =>
      meter.observable(name, help, read);
    count('knell_cluster_owner', '1 on the node that owns the log.', () => Number(this.#owned !== null));
    count('knell_cluster_epoch', 'The latest claim of the log.', () => this.#owner?.epoch ?? 0);
    count(
      'knell_cluster_applied',
      'The last entry of the log that this node has.',
      () => this.#journal?.appliedSeq ?? 0,
    );
    count('knell_cluster_lag', 'Entries of the log that another node has and this one lacks.', () => {
      const own = this.#journal?.appliedSeq ?? 0;
      return Math.max(0, ...this.nodes().map(({ appliedSeq }) => appliedSeq - own));
    });
    count(
      'knell_cluster_nodes',
      'Nodes that have said something within seconds, this one included.',
      () => this.nodes().filter(({ isAlive }) => isAlive).length,
    );
    count(
      'knell_cluster_forwarded_waiting',
      'Pings and requests that wait for the owner.',
      () => this.#forwarder.size,
    );
    for (const what of ['pings', 'requests', 'again', 'refused', 'ignored'] as const)
      meter.observable(
        'knell_cluster_forwarded',
        'What this node handed to the owner since its start.',
        () => this.#forwarder.counts[what],
        { what },
      );
    for (const what of ['pings', 'requests', 'known', 'ignored'] as const)
      meter.observable(
        'knell_cluster_served',
        'What other nodes handed to this one since its start.',
        () => this.#asks.counts[what],
        { what },
      );
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, replicatedJournalLimits.followAgainMs));
}

function inTenths(report: (tenths: number) => void): (fraction: number) => void {
  let reported = 0;
  return (fraction) => {
    const tenths = Math.floor(fraction * 10);
    if (tenths > reported) report(tenths);
    reported = Math.max(reported, tenths);
  };
}

/** An owner that may have been replaced finds out by writing. */
async function isCertain(store: Store, clock: Clock): Promise<boolean> {
  if (store.mayAct) return true;
  return new Promise((resolve) => {
    const settled = { durable: () => resolve(true), rolledBack: () => resolve(false) };
    store.append({ type: 'alive', atMs: clock.nowMs() }, settled);
  });
}
