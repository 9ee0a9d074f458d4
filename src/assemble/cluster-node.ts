/**
 * This node's part in a cluster, put together: a member (`cluster/member`), what its listeners serve meanwhile, what it says of
 * itself. Created by `app` where KNELL_CLUSTER is set; without it nothing of this is loaded.
 * Invariant: the listeners are open without regard to who leads.
 */

import { randomInt } from 'node:crypto';
import type { ClusterLink } from '../cluster/bus/link.ts';
import { adoptFromPeer } from '../cluster/joining/adopt.ts';
import { Retention } from '../cluster/joining/retention.ts';
import { SnapshotOffers } from '../cluster/joining/snapshot-exchange.ts';
import { canWrite, isCertain, Member } from '../cluster/member.ts';
import type { ForwardedReply, ForwardedRequest } from '../cluster/requests/forwarded-request.ts';
import { LiveUpdates, type LocalListeners } from '../cluster/requests/live-updates.ts';
import type { RequestToServe } from '../cluster/requests/request-server.ts';
import { subjectsOf } from '../cluster/requests/subjects.ts';
import type { HeldData, Holder } from '../cluster/status/held.ts';
import { observeCluster } from '../cluster/status/metrics.ts';
import { type KnownNode, NodeStatuses } from '../cluster/status/node-status.ts';
import { OwnData } from '../cluster/status/own-data.ts';
import { RememberedNodes } from '../cluster/status/remembered-nodes.ts';
import { nodesWithRoles, shownStatus } from '../cluster/status/shown-status.ts';
import type { ClusterView } from '../domain/views/page-view.ts';
import type { Engine, Mailbox, PingAcceptor, PingTarget } from '../engine/contract/engine.ts';
import { logSilentWords } from '../engine/contract/not-written.ts';
import type { AdminCommands } from '../http/admin/admin-routes.ts';
import { adminReply, forwardedCommand } from '../http/admin/forwarded-admin.ts';
import { forwardedMailbox, mailboxReply, ownRequest } from '../http/mounts/forwarded-mailbox.ts';
import { acceptAtLeader, servedAtLeader, serveForwarded } from '../http/mounts/node-mounts.ts';
import { answerForwarded, leaderProofPath } from '../http/mounts/serve-forwarded.ts';
import type { Served } from '../http/wire/listener.ts';
import type { Clock } from '../lib/clock.ts';
import type { HealthPart } from '../lib/health.ts';
import { systemIds } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import type { Meter } from '../lib/meter.ts';
import { version } from '../lib/version.ts';
import { limits } from '../limits.ts';
import { eventLoop } from '../store/disk/scheduler.ts';
import { batchVersion } from '../store/journal/records.ts';
import type { Store } from '../store/store.ts';

interface ClusterNodeOptions {
  readonly link: ClusterLink;
  /** This node's name, and the cluster's. */
  readonly name: string;
  readonly cluster: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The parts with which a leader serves. */
interface LeaderParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly admin: AdminCommands;
}

/** Commands of the admin socket that ask about this node, not about the log. */
const ownCommands: ReadonlySet<string> = new Set(['snapshot', 'cluster status']);

export class ClusterNode {
  readonly #options: ClusterNodeOptions;
  readonly #member: Member;
  readonly #statuses: NodeStatuses;
  readonly #retention: Retention;
  readonly #id = randomInt(2 ** 32);
  readonly #subjects;
  readonly #startedAtMs: number;
  readonly #data = new OwnData();
  readonly #remembered: RememberedNodes;
  /** Why it has not joined; empty for no reason. */
  #waitsFor = '';
  #checks: () => number = () => 0;
  #knowsKey: (key: string) => boolean = () => false;
  #cancelNote: () => void = () => {};
  /** While this node leads, and has recovered. */
  #led: LeaderParts | null = null;
  #serveHere: ReturnType<typeof serveForwarded> | null = null;
  #updates: LiveUpdates | null = null;
  #offers: SnapshotOffers | null = null;

  constructor(options: ClusterNodeOptions) {
    const { link, name, cluster, clock } = options;
    const { bus } = link;
    const subjects = subjectsOf(cluster);
    const scheduler = eventLoop;
    this.#options = options;
    this.#subjects = subjects;
    this.#startedAtMs = clock.nowMs();
    const nowMs = (): number => clock.nowMs();
    this.#remembered = new RememberedNodes(options.dataDir);
    this.#member = new Member({
      ...{ link, name, cluster, scheduler, nowMs, logger: options.logger },
      id: this.#id,
      limits: limits.cluster,
      chance: Math.random,
      peers: {
        say: (held, waitsFor) => this.#says(held, waitsFor),
        nodes: () => this.#allNodes(),
        emptyMin: Math.max(limits.cluster.emptyNodesMin, link.serverCount),
      },
    });
    this.#statuses = new NodeStatuses({
      ...{ bus, subjects, scheduler, nowMs, limits: limits.cluster.status },
      own: () => this.#status(),
      doubled: (sentence) => options.logger.error(sentence),
      skewed: (sentence) => options.logger.warn(sentence),
    });
    this.#retention = new Retention({
      ...{ scheduler, nowMs, logger: options.logger, limits: limits.cluster.retention },
      isLeader: () => this.#isLeader(),
      lastSeq: () => this.#member.journal?.appliedSeq ?? 0,
      holders: () => this.#allNodes(),
      keepEntries: (count) => link.keepEntries(count),
    });
    this.#noteOften();
  }

  #says(held: HeldData, waitsFor: string): void {
    this.#data.read(held);
    this.#waitsFor = waitsFor;
    this.#statuses.say();
    this.#note(true);
  }

  /** `now`: in the file, too. */
  #note(now: boolean): void {
    this.#remembered.note(this.nodes(), this.#options.clock.nowMs(), now);
  }

  #noteOften(): void {
    this.#cancelNote = eventLoop.after(limits.cluster.status.everyMs, () => {
      this.#note(false);
      this.#noteOften();
    });
  }

  /** All nodes, running or not, as far as anything is known of them. */
  #allNodes(): readonly Holder[] {
    const known = this.nodes();
    const names = new Set(known.map(({ name }) => name));
    const gone = this.#remembered.all.filter(({ name }) => !names.has(name));
    return [...known, ...gone.map((node) => ({ ...node, isAlive: false }))];
  }

  /** Joins the log, for `openStore`. */
  get join(): Member['join'] {
    return this.#member.join;
  }

  /** Notes a request, for the engine's recovery. */
  get asked(): Member['asked'] {
    return this.#member.asked;
  }

  /** Tries to get the data of another node, after `join` has rejected with `cluster-log-behind`; then `join` again. */
  adopt(dataDir: string): Promise<void> {
    return adoptFromPeer({
      ...{ id: this.#id, dataDir, subjects: this.#subjects, scheduler: eventLoop },
      wanted: this.#member.wanted,
      bus: this.#options.link.bus,
      logger: this.#options.logger,
      nodes: () => this.nodes(),
    });
  }

  /** Other nodes may have this one's data, from now on. */
  offerSnapshots(dataDir: string, writeSnapshot: (file: string) => Promise<unknown>): void {
    const { link, name, logger } = this.#options;
    const network = { bus: link.bus, subjects: this.#subjects, scheduler: eventLoop };
    this.#offers = new SnapshotOffers({ ...network, node: name, logger, dataDir, writeSnapshot });
  }

  /** This node leads and has recovered: what comes is decided here. */
  own(parts: LeaderParts): void {
    const served = {
      acceptPing: parts.engine.acceptPing,
      serve: (request: ForwardedRequest, how: RequestToServe) => this.#serve(request, how),
      certainly: () => parts.store.mayAct || this.#certainly(parts.store),
      isWell: () => !parts.store.full,
    };
    this.#led = parts;
    if (!this.#member.own(served)) this.#led = null;
  }

  /** Does what `Member.leave` asks. */
  leave(): boolean {
    this.#led = null;
    return this.#member.leave();
  }

  async stop(): Promise<void> {
    this.#cancelNote();
    this.#note(true);
    this.#statuses.stop();
    this.#retention.stop();
    this.#updates?.stop();
    this.#offers?.stop();
    this.#member.stop();
    await this.#options.link.close();
  }

  /** Takes the place of the engine in the listeners for pings. */
  pingsOf(engine: Engine, store: Store): Pick<Engine, 'acceptPing' | 'read'> & PingAcceptor {
    this.#member.keptIn(store);
    const { read } = engine;
    this.#knowsKey = (key) => read.holderOf(key) !== null;
    this.#checks = () => read.projects().reduce((sum, { id }) => sum + read.checkCount(id), 0);
    const { forwarder } = this.#member;
    const accept = acceptAtLeader(
      {
        isLeader: () => this.#led !== null,
        mayAct: () => store.mayAct,
        certainly: () => this.#certainly(store),
        forwarder,
      },
      engine,
    );
    return {
      read,
      acceptPing: accept,
      certainMailbox: (target) => this.#certainMailbox(target),
    };
  }

  #certainly(store: Store): Promise<boolean> {
    return isCertain(store, () => this.#options.clock.nowMs());
  }

  async #certainMailbox(target: PingTarget): Promise<Mailbox | 'unavailable'> {
    const led = this.#led;
    if (led) return (await this.#certainly(led.store)) ? led.engine.read.mailbox(target) : 'unavailable';
    const nowMs = this.#options.clock.nowMs();
    return mailboxReply(await this.#member.forwarder.http(forwardedMailbox(target, nowMs)));
  }

  /** The handlers of the listeners. `served`: the ones that would serve without a cluster, pings through `pingsOf`. */
  serve(served: Served): Served {
    this.#serveHere = serveForwarded(served);
    const atLeader = servedAtLeader(
      {
        isLeader: () => this.#isLeader(),
        forwarder: this.#member.forwarder,
        statusPageLimits: limits.statusPage,
        isLogSilent: () => this.#isLogSilent(),
        knowsKey: ({ apiKey }) => apiKey !== null && this.#knowsKey(apiKey),
        newKey: () => systemIds.newUuid(),
      },
      served,
    );
    return {
      ...atLeader,
      live: served.live && { ...served.live, listeners: (_, isMore) => this.#updates?.changed(isMore) },
    };
  }

  /** Whether this node leads, as far as it can be certain. */
  #isLeader(): boolean {
    return this.#led?.store.mayAct === true;
  }

  #isLogSilent(): boolean {
    return Boolean(this.#member.journal?.silentForMs);
  }

  #serve(request: ForwardedRequest, how: RequestToServe): Promise<ForwardedReply> {
    const led = this.#led;
    const nowMs = (): number => this.#options.clock.nowMs();
    return answerForwarded(
      {
        serve: this.#serveHere,
        led: led && {
          read: led.engine.read,
          admin: led.admin,
          certainly: () => isCertain(led.store, nowMs),
          canWrite: () => canWrite(led.store, nowMs),
        },
        isLogSilent: this.#isLogSilent(),
      },
      request,
      how,
    );
  }

  /** The admin socket's commands: of the leader, but for those about this node. */
  adminOf(own: AdminCommands): AdminCommands {
    return async (request, progress, shell) => {
      if (request.command === 'cluster status') return await this.#shownStatus();
      if (this.#led || ownCommands.has(request.command)) return own(request, progress, shell);
      const nowMs = this.#options.clock.nowMs();
      return adminReply(
        await this.#member.forwarder.http(
          forwardedCommand({ ...request, idempotencyKey: systemIds.newUuid() }, nowMs),
        ),
      );
    };
  }

  /** Live updates of the leader, for the pages of all nodes. */
  updatesOf(local: LocalListeners, listening: (topics: number, isMore: boolean) => void): LiveUpdates {
    const { bus } = this.#options.link;
    const network = { id: this.#id, bus, subjects: this.#subjects, scheduler: eventLoop };
    this.#updates = new LiveUpdates({ ...network, limits: limits.cluster.live, local, listening });
    return this.#updates;
  }

  nodes(): readonly KnownNode[] {
    return this.#statuses.nodes();
  }

  /** The cluster as the page shows it. */
  view(): ClusterView {
    return { nodes: this.#nodesWithRoles() };
  }

  #nodesWithRoles(): readonly KnownNode[] {
    return nodesWithRoles(this.nodes(), this.#member.leader?.epoch);
  }

  #shownStatus(): Promise<unknown> {
    const { cluster, link, clock } = this.#options;
    const { leader, journal } = this.#member;
    return shownStatus({
      ...{ cluster, link, leader, journal },
      nodes: this.#nodesWithRoles(),
      nowMs: clock.nowMs(),
      canLeaderWrite: () => this.#canLeaderWrite(),
      proofMsMax: limits.cluster.status.proofMsMax,
    });
  }

  /** Asks it to write something: what was read of its claim may be over by now. */
  #canLeaderWrite(): Promise<boolean> {
    const nowMs = this.#options.clock.nowMs();
    if (this.#led) return canWrite(this.#led.store, () => nowMs);
    return this.#member.forwarder
      .http(ownRequest(leaderProofPath, nowMs))
      .then((reply) => typeof reply !== 'string' && reply.status === 200);
  }

  /** While the disk is read into memory the number is that of the disk. */
  #heldNow(): HeldData | null {
    const { journal } = this.#member;
    if (journal && journal.appliedSeq > 0 && this.#data.held !== null) {
      const { incarnation, appliedSeq } = journal;
      this.#data.follows({ incarnation, appliedSeq, checks: this.#checks() }, this.#options.clock.nowMs());
    }
    return this.#data.held;
  }

  #status() {
    const journal = this.#member.journal;
    const role = this.#isLeader()
      ? 'leader'
      : journal?.trouble
        ? 'stopped'
        : this.#member.leader
          ? 'standby'
          : 'starting';
    return {
      name: this.#options.name,
      id: this.#id,
      version: version(),
      formats: { batch: batchVersion },
      role,
      epoch: this.#member.leader?.epoch ?? 0,
      appliedSeq: journal?.appliedSeq ?? 0,
      startedAtMs: this.#startedAtMs,
      lastError: journal?.trouble ?? (this.#isLogSilent() ? logSilentWords : this.#waitsFor),
      held: this.#heldNow(),
    } as const;
  }

  /** Whether the listeners have somebody to hand to, and whether this node could take over. */
  get health(): readonly HealthPart[] {
    return [
      {
        name: 'cluster',
        problem: () => {
          if (this.#member.journal?.trouble)
            return `this node does not follow the log: ${this.#member.journal.trouble}`;
          if (this.#isLogSilent()) return logSilentWords;
          if (this.#member.leader === null) return 'no node leads';
          const isServed = this.#led !== null || this.#member.forwarder.isAnswered;
          return isServed ? null : 'the node that leads does not answer yet';
        },
      },
    ];
  }

  /** Parts that work on the leader only are well elsewhere. */
  whileLeader(parts: readonly HealthPart[]): readonly HealthPart[] {
    return parts.map(({ name, problem }) => ({ name, problem: () => (this.#led ? problem() : null) }));
  }

  observe(meter: Meter): void {
    const { forwarder, requests } = this.#member;
    observeCluster(meter, {
      ...{ forwarder, requests, isLeader: () => this.#isLeader(), nodes: () => this.nodes() },
      epoch: () => this.#member.leader?.epoch ?? 0,
      appliedSeq: () => this.#member.journal?.appliedSeq ?? 0,
    });
  }
}
