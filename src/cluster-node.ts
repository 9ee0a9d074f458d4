/**
 * This node's part in a cluster, put together: a member (`cluster/member`), what its doors serve meanwhile, what it says of
 * itself. Created by `app` where KNELL_CLUSTER is set; without it nothing of this is loaded.
 * Invariant: the doors are open without regard to who owns the log.
 */
import { randomInt } from 'node:crypto';
import { adoptFromPeer } from './cluster/adopt.ts';
import type { RequestToServe } from './cluster/ask-server.ts';
import { type ForwardedReply, type ForwardedRequest, safeMethods } from './cluster/http-ask.ts';
import type { ClusterLink } from './cluster/link.ts';
import { LiveNews, type LocalListeners } from './cluster/live-news.ts';
import { isCertain, Member } from './cluster/member.ts';
import { type KnownNode, NodeStatuses } from './cluster/node-status.ts';
import { SnapshotOffers } from './cluster/snapshot-exchange.ts';
import { subjectsOf } from './cluster/subjects.ts';
import type { ClusterView } from './domain/page-view.ts';
import type { Engine, Mailbox, PingAcceptor, PingTarget } from './engine/engine.ts';
import type { AdminCommands } from './http/admin-routes.ts';
import { acceptAtOwner, refusalOf, servedAtOwner, serveForwarded } from './http/door-mounts.ts';
import { adminAsk, adminAskPath, adminReply, answerAdminAsk } from './http/forwarded-admin.ts';
import { answerMailboxAsk, mailboxAsk, mailboxAskPath, mailboxReply } from './http/forwarded-mailbox.ts';
import type { Served } from './http/listener.ts';
import { answerRecorded } from './http/recorded-changes.ts';
import { logSilentWords } from './http/replies.ts';
import type { Clock } from './lib/clock.ts';
import type { HealthPart } from './lib/health.ts';
import { systemIds } from './lib/ids.ts';
import type { Logger } from './lib/logger.ts';
import type { Meter } from './lib/meter.ts';
import { version } from './lib/version.ts';
import { limits } from './limits.ts';
import { batchVersion } from './store/codec/records.ts';
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
  readonly #member: Member;
  readonly #statuses: NodeStatuses;
  readonly #id = randomInt(2 ** 32);
  readonly #subjects;
  readonly #startedAtMs: number;
  /** While this node owns the log, and has recovered. */
  #owned: OwnedParts | null = null;
  #serveHere: ReturnType<typeof serveForwarded> | null = null;
  #news: LiveNews | null = null;
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
    this.#member = new Member({
      ...{ link, name, cluster, scheduler, nowMs, logger: options.logger },
      id: this.#id,
      limits: limits.cluster,
      chance: Math.random,
    });
    this.#statuses = new NodeStatuses({
      bus,
      subjects,
      scheduler,
      nowMs,
      limits: limits.cluster.status,
      own: () => this.#status(),
      doubled: (sentence) => options.logger.error(sentence),
      skewed: (sentence) => options.logger.warn(sentence),
    });
  }

  /** For `openStore`. */
  get join(): Member['join'] {
    return this.#member.join;
  }

  /** For the engine's recovery. */
  get asked(): Member['asked'] {
    return this.#member.asked;
  }

  /** After `join` has rejected with `cluster-log-behind`: tries to get the data of another node; then `join` again. */
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

  /** This node owns the log and has recovered: what comes is decided here. */
  own(parts: OwnedParts): void {
    const served = {
      acceptPing: parts.engine.acceptPing,
      serve: (request: ForwardedRequest, how: RequestToServe) => this.#serve(request, how),
      certainly: () => parts.store.mayAct || this.#certainly(parts.store),
      isWell: () => !parts.store.full,
    };
    this.#owned = parts;
    if (!this.#member.own(served)) this.#owned = null;
  }

  /** As `Member.leave`. */
  leave(): boolean {
    this.#owned = null;
    return this.#member.leave();
  }

  async stop(): Promise<void> {
    this.#statuses.stop();
    this.#news?.stop();
    this.#offers?.stop();
    this.#member.stop();
    await this.#options.link.close();
  }

  /** What the doors for pings have instead of the engine. */
  doorOf(engine: Engine, store: Store): Pick<Engine, 'acceptPing' | 'read'> & PingAcceptor {
    this.#member.keptIn(store);
    const { forwarder } = this.#member;
    const accept = acceptAtOwner(
      {
        isOwner: () => this.#owned !== null,
        mayAct: () => store.mayAct,
        certainly: () => this.#certainly(store),
        forwarder,
      },
      engine,
    );
    return {
      read: engine.read,
      acceptPing: accept,
      certainMailbox: (target) => this.#certainMailbox(target),
    };
  }

  #certainly(store: Store): Promise<boolean> {
    return isCertain(store, () => this.#options.clock.nowMs());
  }

  async #certainMailbox(target: PingTarget): Promise<Mailbox | 'unavailable'> {
    const owned = this.#owned;
    if (owned)
      return (await this.#certainly(owned.store)) ? owned.engine.read.mailbox(target) : 'unavailable';
    const nowMs = this.#options.clock.nowMs();
    return mailboxReply(await this.#member.forwarder.http(mailboxAsk(target, nowMs)));
  }

  /** What the listeners serve. `served`: what they would serve without a cluster, pings through `doorOf`. */
  serve(served: Served): Served {
    const isOwner = (): boolean => this.#owned?.store.mayAct === true;
    this.#serveHere = serveForwarded(served);
    const atOwner = servedAtOwner(
      {
        isOwner,
        forwarder: this.#member.forwarder,
        statusPageLimits: limits.statusPage,
        isLogSilent: () => this.#isLogSilent(),
        newId: () => systemIds.newUuid(),
      },
      served,
    );
    return {
      ...atOwner,
      live: served.live && { ...served.live, listeners: (_, isMore) => this.#news?.changed(isMore) },
    };
  }

  #isLogSilent(): boolean {
    return Boolean(this.#member.journal?.silentForMs);
  }

  async #serve(request: ForwardedRequest, { past, recording }: RequestToServe): Promise<ForwardedReply> {
    const owned = this.#owned;
    const serveHere = this.#serveHere;
    if (!owned || !serveHere || !(await this.#certainly(owned.store)))
      return refusalOf('unavailable', request, this.#isLogSilent());
    const { path, method } = request;
    if (path === mailboxAskPath) return answerMailboxAsk(owned.engine.read, request);
    const serve = (wanted: ForwardedRequest): Promise<ForwardedReply> =>
      path === adminAskPath ? answerAdminAsk(owned.admin, wanted) : serveHere(wanted);
    if (safeMethods.has(method)) return serve(request);
    if (past === 'new') return recording(() => serve(request));
    const answered = past === 'recorded' ? await answerRecorded(request, serveHere) : null;
    return answered ?? refusalOf('in-doubt', request, false);
  }

  /** The admin socket's commands: of the owner, but for those about this node. */
  adminOf(own: AdminCommands): AdminCommands {
    return async (request, progress, shell) => {
      if (request.command === 'cluster status') return await this.#shownStatus();
      if (this.#owned || ownCommands.has(request.command)) return own(request, progress, shell);
      const nowMs = this.#options.clock.nowMs();
      return adminReply(await this.#member.forwarder.http(adminAsk(request, nowMs)));
    };
  }

  /** Live news of the owner, for the pages of all nodes. */
  newsOf(local: LocalListeners, listening: (topics: number, isMore: boolean) => void): LiveNews {
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

  /** For the page. */
  view(): ClusterView {
    return { nodes: this.#nodesWithRoles() };
  }

  #nodesWithRoles(): readonly KnownNode[] {
    const epoch = this.#member.owner?.epoch;
    // What a node said before another one claimed is shown for some seconds.
    const roleOf = ({ role, ...node }: KnownNode) =>
      role === 'owner' && node.epoch !== epoch ? 'standby' : role;
    return this.nodes().map((node) => ({ ...node, role: roleOf(node) }));
  }

  /**
   * Nobody owns a log that does not answer, since it is not known who may write next, or whose owner is gone. A node that does not
   * follow the log does not know it either.
   */
  async #shownStatus(): Promise<unknown> {
    const { cluster, link, clock } = this.#options;
    const silentForMs = this.#member.journal?.silentForMs ?? null;
    const follows = silentForMs === null && !this.#member.journal?.trouble;
    const nodes = this.#nodesWithRoles();
    const owner = this.#member.owner?.node ?? null;
    const isOwnerGone = nodes.some(({ name, isAlive }) => name === owner && !isAlive);
    return {
      cluster,
      follows,
      owner: follows && !isOwnerGone ? owner : null,
      epoch: this.#member.owner?.epoch ?? 0,
      silentSinceMs: silentForMs === null ? null : Math.round(clock.nowMs() - silentForMs),
      servers: link.servers,
      unreachable: silentForMs === null ? [] : await link.unreachable(),
      nodes,
    };
  }

  #status() {
    const journal = this.#member.journal;
    const role = this.#owned
      ? 'owner'
      : journal?.trouble
        ? 'stopped'
        : this.#member.owner
          ? 'standby'
          : 'starting';
    return {
      name: this.#options.name,
      id: this.#id,
      version: version(),
      formats: { batch: batchVersion },
      role,
      epoch: this.#member.owner?.epoch ?? 0,
      appliedSeq: journal?.appliedSeq ?? 0,
      startedAtMs: this.#startedAtMs,
      lastError: journal?.trouble ?? (this.#isLogSilent() ? logSilentWords : ''),
    } as const;
  }

  /** Whether the doors have somebody to hand to, and whether this node could take over. */
  get health(): readonly HealthPart[] {
    return [
      {
        name: 'cluster',
        problem: () => {
          if (this.#member.journal?.trouble)
            return `this node does not follow the log: ${this.#member.journal.trouble}`;
          if (this.#isLogSilent()) return logSilentWords;
          return this.#member.owner === null ? 'no node owns the log' : null;
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
    count('knell_cluster_epoch', 'The latest claim of the log.', () => this.#member.owner?.epoch ?? 0);
    count(
      'knell_cluster_applied',
      'The last entry of the log that this node has.',
      () => this.#member.journal?.appliedSeq ?? 0,
    );
    count('knell_cluster_lag', 'Entries of the log that another node has and this one lacks.', () => {
      const own = this.#member.journal?.appliedSeq ?? 0;
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
      () => this.#member.forwarder.size,
    );
    for (const what of ['pings', 'requests', 'again', 'refused', 'ignored'] as const)
      meter.observable(
        'knell_cluster_forwarded',
        'What this node handed to the owner since its start.',
        () => this.#member.forwarder.counts[what],
        { what },
      );
    for (const what of ['pings', 'requests', 'known', 'doubtful', 'late', 'ignored'] as const)
      meter.observable(
        'knell_cluster_served',
        'What other nodes handed to this one since its start.',
        () => this.#member.asks.counts[what],
        { what },
      );
  }
}
